"""From opening a table to a published folder, only by clicking and typing."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.studio.opened import Studio
from tests.studio.visitor import Visitor


def test_from_opening_the_hospital_to_a_published_folder(visitor: Visitor, studio: Studio, hospital_csv: Path) -> None:
    page = visitor.page
    visitor.open(hospital_csv)
    assert page.locator(".ag-cell").filter(has_text="•••").count() > 0
    visitor.step("Columns")
    page.locator(".figure").filter(has_text="of 1,500").wait_for()
    page.get_by_label("Role of admission").select_option(label="withheld")
    visitor.wait_for_recipe('quasi_identifiers = ["age", "postcode", "sex", "nationality"]')
    page.get_by_role("button", name="Undo").click()
    visitor.wait_for_recipe('"admission"')
    page.get_by_role("button", name="Redo").click()
    visitor.wait_for_recipe('quasi_identifiers = ["age", "postcode", "sex", "nationality"]')
    page.get_by_label("Role of nationality").select_option(label="withheld")
    visitor.step("Threats")
    for answer in ("A column says it", "Once, and nothing else", "The columns that I named", "No more than the table"):
        page.get_by_text(answer).click()
    page.get_by_role("button", name="Use Mondrian").first.click()
    visitor.wait_for_recipe('method = "mondrian"')
    visitor.step("Try")
    page.get_by_role("button", name="Try this recipe").click()
    page.locator("td.holds").first.wait_for()
    visitor.step("Publish")
    page.locator("p.verdict").wait_for()
    recipe = tomllib.loads(visitor.recipe())
    confirm = page.get_by_label('type "publish"')
    if confirm.count():
        page.get_by_role("button", name="Publish", exact=True).click()
        page.get_by_text("Read what was warned of").wait_for()
        confirm.fill("publish")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("heading", name="Published", exact=True).wait_for()
    folder = studio.folder / "patients-published"
    assert {"release.json", "report.html", "table.csv"} <= {path.name for path in folder.iterdir()}
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open the public report").click()
    popup.value.get_by_role("heading", name="What was published", exact=True).wait_for()
    written = tomllib.loads((studio.folder / "patients.toml").read_text())
    assert written == recipe
    again = subprocess.run(
        [sys.executable, "-m", "tacit", "publish", "patients.toml", "--folder", "again", "--json"],
        cwd=studio.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = {f["guarantee"]: f["holds"] for f in json.loads(again.stdout)["audit"]["findings"]}
    ours = {f["guarantee"]: f["holds"] for f in json.loads((folder / "release.json").read_text())["audit"]["findings"]}
    assert ours == theirs
    assert set(ours.values()) == {True}
