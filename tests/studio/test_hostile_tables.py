"""Tables whose names and cells are markup, formulas and expressions: in the studio they are text."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.studio.opened import Studio
from tests.studio.visitor import Visitor

_NAMES = ["<img src=x onerror=window.hit=1>", ":onclick", "a.b[0]", "{{ 7*7 }}", "=1+1", "__proto__", "c0", " "]
_CELL = "<script>window.hit=1</script>"


@pytest.fixture
def hostile(studio: Studio) -> Path:
    path = studio.folder / "<i>hostile.csv"
    rows = 40
    cells = {name: [f"{_CELL} {at % 5}" for at in range(rows)] for name in _NAMES[:6]}
    cells |= {
        "age": [20 + at for at in range(rows)],
        "=cmd|' /C calc'!A0": [f"=HYPERLINK({at % 3})" for at in range(rows)],
    }
    pl.DataFrame(cells).write_csv(path)
    return path


def test_markup_in_names_and_cells_is_text(visitor: Visitor, hostile: Path) -> None:
    page = visitor.page
    visitor.open(hostile)
    page.locator(".ag-header-cell-text").filter(has_text="<img").first.wait_for()
    if page.get_by_label("Show cells of identifiers").count():
        page.get_by_label("Show cells of identifiers").check()
    page.locator(".ag-cell").filter(has_text="<script>").first.wait_for()
    for step in ("Columns", "Threats", "Blur", "Try", "Attack", "Publish", "Table"):
        visitor.step(step)
        page.wait_for_selector("main h1")
        assert page.evaluate("window.hit") is None
        assert page.locator("main img, main script").count() == 0
    visitor.step("Columns")
    page.get_by_label("Role of <img").select_option(label="quasi-identifier: may be known")
    visitor.wait_for_recipe("<img src=x onerror=window.hit=1>")
    assert page.evaluate("window.hit") is None


def test_what_cannot_be_read_is_said_with_its_line(visitor: Visitor, studio: Studio) -> None:
    broken = studio.folder / "broken.csv"
    broken.write_text("age,zip\n1,2\n3,4,5\n6,7\n")
    page = visitor.page
    visitor.step("Table")
    if page.locator("summary", has_text="Open another table").count():
        page.locator("summary", has_text="Open another table").click()
    page.get_by_label("Path of a file").fill(str(broken))
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("alert").filter(has_text="line 3").first.wait_for()


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../../etc/passwd", "nowhere.csv"])
def test_paths_that_lead_out_are_refused(visitor: Visitor, path: str) -> None:
    page = visitor.page
    visitor.step("Table")
    if page.locator("summary", has_text="Open another table").count():
        page.locator("summary", has_text="Open another table").click()
    page.get_by_label("Path of a file").fill(path)
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("alert").filter(
        has_text="outside the folders" if "etc" in path else "There is no file"
    ).first.wait_for()
