"""Every flow without a mouse: from opening a table to a release that was tried, attacked and published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.studio.visitor import Visitor

STEPS = ["Table", "Columns", "Threats", "Blur", "Try", "Attack", "Publish"]
_MOST = 200
"""Tabs that lead to anything on a screen, at most."""


class Keys:
    """Somebody who only presses keys; she knows where she is by what a screen reader says."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def here(self) -> str:
        return str(
            self.page.evaluate(
                "(() => { const e = document.activeElement; if (!e || e === document.body) return '';"
                " const l = e.closest('label');"
                " return (e.getAttribute('aria-label') || (l && l.innerText) || e.innerText || '').trim() })()"
            )
        )

    def to(self, name: str) -> None:
        """Press Tab until something of that name has the focus."""
        for _ in range(_MOST):
            self.page.keyboard.press("Tab")
            if name in self.here():
                return
        raise AssertionError(f"no key leads to {name!r}")

    def press(self, name: str) -> None:
        self.to(name)
        self.page.keyboard.press("Enter")

    def step(self, name: str) -> None:
        self.page.evaluate("document.activeElement?.blur?.()")
        self.press(f"{STEPS.index(name) + 1} {name}")
        self.page.wait_for_selector(f'nav a[aria-current]:has-text("{name}")')


def test_from_a_table_to_a_release_without_a_mouse(visitor: Visitor, hospital_csv: Path) -> None:
    page, keys = visitor.page, Keys(visitor.page)
    keys.step("Table")
    if page.locator("summary", has_text="Open another table").count():
        keys.press("Open another table")
    keys.to("Path of a file")
    page.keyboard.type(str(hospital_csv))
    keys.press("Open")
    page.get_by_role("heading", name="patients.csv", level=1).wait_for()
    keys.step("Columns")
    for column in ("nationality", "admission"):
        keys.to(f"Role of {column}")
        page.keyboard.press("End")
        page.locator(".left li").filter(has_text=column).filter(has_text="withheld").wait_for()
        assert keys.here() == f"Role of {column}"  # the list that was just changed keeps its focus
    keys.step("Threats")
    for answer in ("A column says it", "Once, and nothing else", "The columns that I named", "No more than the table"):
        keys.to(answer)
        page.keyboard.press("Space")
    page.get_by_role("button", name="Use Mondrian").first.wait_for()
    keys.press("Use Mondrian")
    visitor.wait_for_recipe('method = "mondrian"')
    keys.step("Try")
    keys.press("Try this recipe")
    page.locator("td.holds").first.wait_for()
    keys.step("Attack")
    keys.to("Attack")
    while keys.here() != "Attack":
        keys.to("Attack")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What she learns").wait_for()
    keys.step("Publish")
    page.locator("p.verdict").wait_for()
    if page.get_by_label('type "publish"').count():
        keys.to('type "publish"')
        page.keyboard.type("publish")
    keys.to("Publish")
    while keys.here() != "Publish":
        keys.to("Publish")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Published", exact=True).wait_for()
    assert (hospital_csv.parent / "patients-published" / "release.json").exists()
