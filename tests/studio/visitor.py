"""A visitor: somebody who clicks and types in a browser, and whatever the browser complains of."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tests.studio.opened import Studio

_PATIENCE = 300_000
"""Milliseconds that something may take on a machine that is busy; nothing waits longer than until it has happened."""


class Visitor:
    """One browser with its cookies; `page` is its first tab."""

    def __init__(self, context: Any, studio: Studio) -> None:
        self.context, self.studio = context, studio
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        context.set_default_timeout(_PATIENCE)
        context.on("request", self._request)
        self.page = self.tab()
        self.page.goto(studio.address)
        self.page.wait_for_selector("main h1")

    def tab(self) -> Any:
        """Open another tab."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        return page

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.studio.root, "data:", "blob:")):
            self.foreign.append(request.url)

    def blame(self) -> None:
        """Fail if the browser complained, or asked another machine."""
        assert not self.foreign, self.foreign
        assert not self.complaints, self.complaints

    def open(self, path: Path | str) -> None:
        """Open a table by typing its path."""
        page = self.page
        self.step("Table")
        if page.locator("summary", has_text="Open another table").count():
            page.locator("summary", has_text="Open another table").click()
        page.get_by_label("Path of a file").fill(str(path))
        page.get_by_role("button", name="Open", exact=True).click()
        page.get_by_role("heading", name=Path(path).name, level=1).wait_for()

    def open_recipe(self, path: Path) -> None:
        """Open a recipe that was not open before by typing its path, and wait until its table was read."""
        page = self.page
        self.step("Table")
        if page.locator("summary", has_text="Open another table").count():
            page.locator("summary", has_text="Open another table").click()
        page.get_by_label("Path of a file").fill(str(path))
        page.get_by_role("button", name="Open", exact=True).click()
        folder = tomllib.loads(path.read_text())["output"]["folder"]
        self.wait_for_recipe(f'folder = "{folder}"')

    def step(self, name: str) -> None:
        """Go to a step."""
        self.page.get_by_role("navigation", name="Steps").get_by_role("link", name=name).click()
        self.page.wait_for_selector(f'nav a[aria-current]:has-text("{name}")')

    def recipe(self) -> str:
        """Return the recipe as it stands on the page."""
        return str(self.page.locator(".right pre").inner_text())

    def wait_for_recipe(self, text: str) -> None:
        """Wait until the recipe holds a text."""
        self.page.locator(".right pre").filter(has_text=text).wait_for()
