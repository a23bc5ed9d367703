"""The five threats, each once by clicks: the interview leads to a method, and what it makes holds.

What was published before forbids a release until somebody accepts in so many words what fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from tests.studio.opened import Studio
from tests.studio.visitor import Visitor

from tacit.datasets import hospital, knowledge, students

_ONCE, _LISTED = "Once, and nothing else", "The columns that I named"
_THREATS: dict[str, tuple[str, tuple[str, ...], str, str]] = {
    "skew": (
        "patients",
        ("A column says it", _ONCE, _LISTED, "That one value is too frequent"),
        "Use Shift suppression",
        "shift-suppression",
    ),
    "distribution": (
        "patients",
        ("A column says it", _ONCE, _LISTED, "How it is distributed"),
        "Use ART",
        "art",
    ),
    "marginals": (
        "patients",
        ("A column says it", "Several times"),
        "Use Invariant marginals",
        "invariant-marginals",
    ),
    "risk": (
        "pupils",
        ("A column says it", _ONCE, "Any of many columns"),
        "Use Value suppression",
        "value-suppression",
    ),
    "quasi_sensitive": (
        "symptoms",
        ("No such column is published",),
        "Use Quasi-sensitive",
        "quasi-sensitive",
    ),
}


@pytest.fixture(scope="module")
def table(studio: Studio) -> Callable[[str, str], Path]:
    """Return what writes a small table for a threat, one that was not open before."""
    people = hospital(600, seed=3).frame
    frames = {
        "patients": people.select("age", "sex", "diagnosis"),
        "pupils": students(300, seed=1).frame.select("gender", "race", "dropout"),
        "symptoms": people.head(150).select("age", "sex", pl.col("symptoms").list.join(";")),
    }
    (studio.folder / "diseases.json").write_text(json.dumps(knowledge()))

    def write(name: str, threat: str) -> Path:
        path = studio.folder / f"{name}-{threat}.csv"
        frames[name].write_csv(path)
        return path

    return write


@pytest.mark.parametrize("threat", _THREATS)
def test_a_threat_from_the_interview_to_a_verdict(
    visitor: Visitor, table: Callable[[str, str], Path], threat: str
) -> None:
    name, answers, use, method = _THREATS[threat]
    page = visitor.page
    visitor.open(table(name, threat))
    visitor.step("Threats")
    for answer in answers:
        page.locator("label").filter(has_text=answer).click()
    page.get_by_role("button", name=use).first.click()
    visitor.wait_for_recipe(f'method = "{method}"')
    if threat == "risk":
        visitor.step("Columns")
        page.get_by_label("Role of dropout").select_option(label="sensitive: would not be told")
        visitor.wait_for_recipe('sensitive = ["dropout"]')
    if threat == "quasi_sensitive":
        page.locator("summary", has_text="More").last.click()
        page.get_by_label("time bound").fill("1")
        page.keyboard.press("Tab")
        visitor.wait_for_recipe("time_bound = 1")
    visitor.step("Try")
    page.get_by_role("button", name="Try this recipe").click()
    page.locator("td.holds, td.fails").first.wait_for()
    assert page.locator("td.holds").count() == 1, page.locator("main").inner_text()


def test_a_release_that_others_break_needs_a_word(visitor: Visitor, table: Callable[[str, str], Path]) -> None:
    page, source = visitor.page, table("patients", "together")
    recipe = source.with_name("together.toml")
    text = (
        f'[table]\nsource = "{source.name}"\n\n[roles]\nquasi_identifiers = ["age", "sex"]\n'
        'sensitive = ["diagnosis"]\n\n'
        '[[steps]]\nmethod = "anatomy"\nl = 2\n\n[ledger]\npath = "together.ledger"\n\n'
        '[output]\nfolder = "together"\nformat = "csv"\n'
    )
    recipe.write_text(text)
    visitor.open_recipe(recipe)
    visitor.step("Publish")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("heading", name="Published", exact=True).wait_for()
    page.get_by_text("published once").wait_for()
    again = source.with_name("again.toml")
    other = 'method = "mondrian"\nguarantees = [{ name = "l-diversity", l = 2, kind = "frequency" }]'
    again.write_text(
        text.replace('folder = "together"', 'folder = "again"').replace('method = "anatomy"\nl = 2', other)
    )
    visitor.open_recipe(again)
    visitor.step("Publish")
    page.get_by_role("button", name="Publish", exact=True).click()
    accept = page.get_by_label('type "accept"')
    accept.wait_for()
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_text("Read what would fail").wait_for()
    assert not (source.parent / "again").exists()
    accept.fill("accept")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("heading", name="Published", exact=True).wait_for()
    page.get_by_text("was accepted although it breaks").first.wait_for()
    assert (source.parent / "again" / "release.json").exists()
