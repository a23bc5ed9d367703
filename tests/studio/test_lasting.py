"""Nothing is lost by a reload, a second tab, or a job that is stopped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.studio.visitor import Visitor

_STEPS = (
    '[[steps]]\nmethod = "mondrian"\n'
    'guarantees = [{ name = "k-anonymity", k = 5 }, { name = "l-diversity", l = 2, kind = "frequency" }]\n'
)


@pytest.fixture
def recipe(hospital_csv: Path) -> Path:
    """Write a recipe of its own for each test: one that is open already would seem to be open again at once."""
    name = f"lasting{len(list(hospital_csv.parent.glob('*.toml')))}"
    path = hospital_csv.with_name(f"{name}.toml")
    path.write_text(
        f'[table]\nsource = "{hospital_csv.name}"\n\n[roles]\nidentifiers = ["name"]\n'
        f'quasi_identifiers = ["age", "postcode", "sex"]\nsensitive = ["diagnosis"]\n\n{_STEPS}'
        f'\n[output]\nfolder = "{name}"\nformat = "csv"\n'
    )
    return path


def test_a_job_is_stopped_and_begun_again_and_outlives_a_reload_in_two_tabs(visitor: Visitor, recipe: Path) -> None:
    page = visitor.page
    visitor.open_recipe(recipe)
    visitor.step("Try")
    page.get_by_label("Parameter and values").fill("k=2..600")  # far more than ends before somebody stops it
    page.get_by_role("button", name="Draw the frontier").click()
    page.locator(".job strong").filter(has_text="Sweeping").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("alert").filter(has_text="It was stopped").wait_for()
    page.get_by_role("button", name="Try this recipe").click()
    page.locator(".job strong, td.holds").first.wait_for()
    page.reload()
    page.wait_for_selector("main h1")
    other = visitor.tab()
    other.goto(f"{visitor.studio.root}/try")
    for tab in (page, other):
        tab.locator("td.holds").first.wait_for()
    visitor.step("Columns")
    page.get_by_label("Role of sex").select_option(label="withheld")
    other.locator(".right pre").filter(has_text='quasi_identifiers = ["age", "postcode"]').wait_for()
    page.get_by_role("button", name="Undo").click()
    other.locator(".right pre").filter(has_text='"sex"').wait_for()
    other.close()


def test_a_frontier_is_drawn_and_a_point_chosen(visitor: Visitor, recipe: Path) -> None:
    page = visitor.page
    visitor.open_recipe(recipe)
    visitor.step("Try")
    page.get_by_label("Parameter and values").fill("k=2,20")
    page.get_by_label("Parameter and values").press("Tab")
    page.get_by_role("button", name="Draw the frontier").click()
    page.locator(".points circle").first.wait_for()
    page.locator(".points circle").nth(1).click()
    visitor.wait_for_recipe("k = 20")
    page.get_by_role("button", name="Choose k=2", exact=True).click()
    visitor.wait_for_recipe("k = 2 ")


def test_a_hierarchy_is_made_refused_when_incomplete_and_edited(visitor: Visitor, recipe: Path) -> None:
    page = visitor.page
    (recipe.parent / "sex.csv").write_text("female;person;*\n")
    visitor.open_recipe(recipe)
    visitor.step("Blur")
    page.get_by_label("It blurs by").select_option(label="intervals of equal width")
    visitor.wait_for_recipe("age = { interval = 10 }")
    page.get_by_text("[20, 29]").first.wait_for()
    page.get_by_label("Column", exact=True).select_option("2")
    page.get_by_text("the 2 values of sex blur to intervals or sets").wait_for()
    page.get_by_label("It blurs by").select_option(label="a file in ARX's format")
    page.get_by_role("alert").filter(has_text="1 of 2 values are missing").first.wait_for()
    page.get_by_role("button", name="Give them a place of their own").click()
    page.get_by_text("All 2 values of sex have their place").wait_for()
    page.get_by_label("Level", exact=True).select_option("1")
    page.get_by_label("person (").check()
    page.get_by_label(re.compile(r"^male \(")).check()
    page.get_by_label("Name", exact=True).fill("anybody")
    page.get_by_role("button", name="Merge").click()
    visitor.wait_for_recipe("anybody")
    page.get_by_text("All 2 values of sex have their place").wait_for()
    page.get_by_role("button", name="Undo").click()
    visitor.wait_for_recipe('"person"')
