"""Ordering: the values of an ordered column, put in their order by clicks."""

from __future__ import annotations

from functools import partial

from tacit.studio.elements import box, button, focus, words
from tacit.studio.shell import Shell


class Ordering:
    """The order of one column: from the least to the greatest, each value to be moved by one place."""

    def __init__(self, shell: Shell, column: str, values: list[str]) -> None:
        self.shell, self.column, self.values = shell, column, values

    def draw(self) -> None:
        """List the values, with what moves each."""
        with box("details", "why", open=""):
            words(f"The order of {self.column}", "summary")
            words("From the least to the greatest; values that are neighbours blur together.", "p", "hint")
            with box("ol", "order", aria_label=f"The order of {self.column}"):
                for at, value in enumerate(self.values):
                    with box("li"):
                        words(value or "(empty)", "span", "name")
                        self._mover(at, -1, "Earlier")
                        self._mover(at, 1, "Later")
            button("The other way round", self._turn, "plain", label=f"Turn the order of {self.column} round")

    def _mover(self, at: int, by: int, text: str) -> None:
        value, there = self.values[at], 0 <= at + by < len(self.values)
        label = f"Move {value} of {self.column} {text.lower()}"
        made = button(text, partial(self._move, at, by), "plain", label=label, off=not there)
        made.props["id"] = self._ident(value, by)

    def _ident(self, value: str, by: int) -> str:
        return f"order-{self.column}-{by}-{value}"

    def _move(self, at: int, by: int) -> None:
        values = list(self.values)
        values[at], values[at + by] = values[at + by], values[at]
        self._set(values)
        last = at + by in {0, len(values) - 1}
        focus(self._ident(self.values[at], -by if last else by))  # a button that can do nothing cannot have the focus

    def _turn(self) -> None:
        self._set(self.values[::-1])

    def _set(self, values: list[str]) -> None:
        draft = self.shell.workspace.draft
        if draft is not None:
            self.shell.workspace.edit(draft.with_key("kinds", self.column, values))
            self.shell.look()
