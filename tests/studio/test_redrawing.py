"""A part of a page that is drawn again swallows nothing: no click, no choice and no text that is on its way."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.studio.test_lasting import recipe
from tests.studio.visitor import Visitor

__all__ = ["recipe"]


class Slow:
    """A tab whose messages to the server can be held back for a while, as on a machine that is busy."""

    def __init__(self, visitor: Visitor) -> None:
        self.held: list[Callable[[], None]] | None = None
        self.page = visitor.tab()
        self.page.route_web_socket(re.compile("socket.io"), self._between)
        self.page.goto(visitor.studio.root)
        self.page.wait_for_selector("main h1")

    def _between(self, socket: Any) -> None:
        server = socket.connect_to_server()

        def pass_on(message: Any) -> None:
            if self.held is not None and str(message).startswith('42["event"'):
                self.held.append(lambda: server.send(message))
            else:
                server.send(message)

        socket.on_message(pass_on)

    def hold(self) -> None:
        self.held = []

    def let_go(self, number: int) -> None:
        """Wait until so many messages are on their way, and let them arrive."""
        while self.held is not None and len(self.held) < number:
            self.page.wait_for_timeout(20)
        held, self.held = self.held or [], None
        for send in held:
            send()


def _withhold(visitor: Visitor, column: str) -> None:
    """Change the recipe in another tab, so that every tab draws what depends on it."""
    visitor.step("Columns")
    visitor.page.get_by_label(f"Role of {column}").select_option(label="withheld")
    visitor.page.locator(".left li").filter(has_text=column).filter(has_text="withheld").wait_for()


@pytest.fixture
def tree(recipe: Path) -> Path:
    """Write the recipe with a tree for sex."""
    path = recipe.with_name(f"tree-{recipe.name}")
    text = recipe.read_text().replace('"sex"]', '"sex", "nationality"]').replace('folder = "', 'folder = "tree-')
    trees = '[hierarchies]\nsex = { tree = { female = ["person", "*"], male = ["other", "*"] } }\n\n[[steps]]'
    path.write_text(text.replace("[[steps]]", trees))
    return path


def _at_the_tree(page: Any) -> None:
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Blur").click()
    page.get_by_label("Column", exact=True).select_option(label="sex")
    page.get_by_text("All 2 values of sex have their place").wait_for()
    page.get_by_label("Level", exact=True).select_option("1")
    page.get_by_label("person (").wait_for()


def test_what_is_on_its_way_arrives_although_the_screen_was_drawn_again(visitor: Visitor, tree: Path) -> None:
    visitor.open_recipe(tree)
    slow = Slow(visitor)
    _at_the_tree(slow.page)
    slow.hold()
    slow.page.get_by_label("person (").check()
    slow.page.get_by_label("other (").check()
    slow.page.get_by_label("Name", exact=True).fill("anybody")
    slow.page.get_by_role("button", name="Merge").click()
    _withhold(visitor, "nationality")
    slow.page.locator(".right pre").filter(has_text='quasi_identifiers = ["age", "postcode", "sex"]').wait_for()
    slow.let_go(4)
    visitor.wait_for_recipe("anybody")


def test_a_button_stays_between_press_and_release(visitor: Visitor, tree: Path) -> None:
    visitor.open_recipe(tree)
    other = visitor.tab()
    other.goto(visitor.studio.root)
    _at_the_tree(other)
    other.get_by_label("person (").check()
    other.get_by_label("other (").check()
    other.get_by_label("Name", exact=True).fill("anybody")
    other.get_by_role("button", name="Merge").hover()
    other.mouse.down()
    _withhold(visitor, "nationality")
    other.locator(".right pre").filter(has_text='quasi_identifiers = ["age", "postcode", "sex"]').wait_for()
    assert other.get_by_label("person (").is_checked()
    assert other.get_by_label("Name", exact=True).input_value() == "anybody"
    other.mouse.up()
    visitor.wait_for_recipe("anybody")


def test_what_is_being_typed_and_the_focus_stay(visitor: Visitor, tree: Path) -> None:
    visitor.open_recipe(tree)
    other = visitor.tab()
    other.goto(f"{visitor.studio.root}/publish")
    typed = other.get_by_label("folder", exact=True)
    typed.press("End")
    typed.type("-of-today")
    _withhold(visitor, "nationality")
    other.locator(".right pre").filter(has_text='quasi_identifiers = ["age", "postcode", "sex"]').wait_for()
    assert typed.input_value() == f"{tree.stem}-of-today"
    other.keyboard.press("Tab")
    visitor.wait_for_recipe(f'folder = "{tree.stem}-of-today"')


def test_a_field_shows_what_undo_brought_back(visitor: Visitor, tree: Path) -> None:
    visitor.open_recipe(tree)
    page = visitor.page
    visitor.step("Threats")
    page.get_by_label("k", exact=True).fill("7")
    page.keyboard.press("Tab")
    visitor.wait_for_recipe("k = 7 ")
    page.get_by_role("button", name="Undo").click()
    visitor.wait_for_recipe("k = 5 ")
    page.locator("input[aria-label=k]").and_(page.locator('[value="5"]')).wait_for()
    assert page.get_by_label("k", exact=True).input_value() == "5"
