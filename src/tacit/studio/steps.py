"""Steps: the methods of the recipe, each with its form, in their order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tacit.studio.elements import box, button, choice, words
from tacit.studio.forms import StepForm
from tacit.studio.region import Region
from tacit.studio.schemas import first_step, methods, promise
from tacit.studio.shell import Shell


class Steps:
    """The steps of the recipe, to change, add, move and remove."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.region = Region(self._draw)
        self._mark: Callable[[], None] = shell.watch(self.region.draw, "draft")

    def _draw(self) -> None:
        draft = self.shell.workspace.draft
        if draft is None:
            return
        told = methods()
        if not draft.steps:
            words("No method is chosen yet. Answer the questions, or choose one here.", "p", "quiet")
        for at, step in enumerate(draft.steps):
            name = str(step["method"])
            with box("div", "card step"):
                with box("div", "flow"):
                    words(f"{at + 1}. {name}", "h3")
                    if at:
                        button("Earlier", partial(self._move, at), "plain", label=f"Move {name} before the step before")
                    button("Remove", partial(self._remove, at), "plain", label=f"Remove {name}")
                words(told.get(name, ""), "p")
                words(f"Promise: {promise(name)}", "p", "quiet")
                StepForm(f"step-{at}", step, partial(self._change, at))
        names = {"": "choose a method"} | {name: name for name in told}
        choice("Add a step", names, "", self._add, hint="steps follow one another: first withhold, then group")

    def _edit(self, steps: list[dict[str, Any]]) -> None:
        draft = self.shell.workspace.draft
        if draft is not None:
            self.shell.workspace.edit(draft.with_section("steps", steps))

    def _steps(self) -> list[dict[str, Any]]:
        draft = self.shell.workspace.draft
        return [] if draft is None else draft.steps

    def _change(self, at: int, step: dict[str, Any]) -> None:
        steps = self._steps()
        if at < len(steps):
            steps[at] = step
            self._edit(steps)
            self._mark()  # the fields show already what was typed

    def _remove(self, at: int) -> None:
        self._edit([step for each, step in enumerate(self._steps()) if each != at])

    def _move(self, at: int) -> None:
        steps = self._steps()
        steps[at - 1], steps[at] = steps[at], steps[at - 1]
        self._edit(steps)

    def _add(self, name: str) -> None:
        if name:
            self._edit([*self._steps(), first_step(name)])
