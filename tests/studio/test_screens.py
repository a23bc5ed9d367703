"""Every screen at two widths and in two colours: pictures to look at, and rules of accessibility.

Pictures are written to the folder that TACIT_SHOTS names, else to a temporary one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.studio.opened import Studio
from tests.studio.test_lasting import recipe
from tests.studio.visitor import Visitor

__all__ = ["recipe"]

SCREENS = {
    "Table": ".ag-cell",
    "Columns": ".figure",
    "Threats": "p.counted",
    "Blur": "text=blur to intervals or sets",
    "Try": "td.holds",
    "Attack": "h2:has-text('What she learns')",
    "Publish": "p.verdict",
}
"""Every screen, and what it shows when all of it is there."""

_NOT_OURS = {"region"}
"""Rules that are about NiceGUI's own frame around the page."""


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("TACIT_SHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _violations(page: Any) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"exclude": [[".ag-root-wrapper"]]}).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:160]} {each['nodes'][0].get('failureSummary', '')[:200]}"
        for each in found
        if each["id"] not in _NOT_OURS
    ]


def test_every_screen_is_accessible_and_fits(visitor: Visitor, recipe: Path, shots: Path, studio: Studio) -> None:
    page = visitor.page
    visitor.open_recipe(recipe)
    visitor.step("Try")
    page.get_by_role("button", name="Try this recipe").click()
    page.locator("td.holds").first.wait_for()
    visitor.step("Attack")
    page.get_by_role("button", name="Attack", exact=True).click()
    page.get_by_role("heading", name="What she learns").wait_for()
    problems: dict[str, list[str]] = {}
    for colour in ("light", "dark"):
        page.emulate_media(color_scheme=colour)
        for name, there in SCREENS.items():
            page.set_viewport_size({"width": 1280, "height": 860})
            visitor.step(name)
            page.locator(there).first.wait_for()
            page.screenshot(path=shots / f"{name.lower()}-1280-{colour}.png")
            found = _violations(page)
            page.set_viewport_size({"width": 800, "height": 1000})
            page.screenshot(path=shots / f"{name.lower()}-800-{colour}.png")
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if wide > 1:
                found.append(f"the page is {wide} pixels wider than 800")
            if found:
                problems[f"{name} {colour}"] = found
    assert not problems, "\n".join(f"{at}: {each}" for at, found in problems.items() for each in found)
