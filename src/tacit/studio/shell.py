"""Shell: what stands around every screen: the steps, the table, the recipe, and the job that runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nicegui import ui

from tacit.studio.elements import bar, box, button, error, words
from tacit.studio.region import Region
from tacit.studio.saving import SaveForm
from tacit.studio.workspace import Workspace
from tacit.table import Role

STEPS = {
    "/": "Table",
    "/columns": "Columns",
    "/threats": "Threats",
    "/blur": "Blur",
    "/try": "Try",
    "/attack": "Attack",
    "/publish": "Publish",
}
"""The screens by their address, in the order in which somebody usually goes through them."""

_LOOK_EVERY = 0.25
"""Seconds between two looks of a tab at what changed. Shorter shows progress more smoothly and costs more."""


@dataclass(eq=False)
class _Watch:
    """What is drawn again when parts of the workspace change, and the count of changes that it has seen."""

    parts: tuple[str, ...]
    draw: Callable[[], object]
    seen: int
    region: Region | None = None


class Shell:
    """One tab: it draws again what changed, wherever the change came from."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._watched: list[_Watch] = []
        self._around = 0
        self._links: dict[str, ui.link] = {}

    def watch(self, draw: Callable[[], object], *parts: str, region: Region | None = None) -> Callable[[], None]:
        """Draw again when a part changes, for as long as the region is there; return what marks changes as seen."""
        watch = _Watch(parts, draw, self._count(parts), region)
        self._watched.append(watch)

        def mark() -> None:
            watch.seen = self._count(parts)

        return mark

    def region(self, build: Callable[[], None], *parts: str, classes: str = "", **attributes: str) -> Region:
        """Make a part of the page that is drawn again when parts of the workspace change."""
        made = Region(build, classes=classes, **attributes)
        self.watch(made.draw, *parts, region=made)
        return made

    def _count(self, parts: tuple[str, ...]) -> int:
        return sum(self.workspace.changes[part] for part in parts)

    def look(self) -> None:
        """Draw what changed since the last look."""
        for watch in list(self._watched):
            count = self._count(watch.parts)
            if count != watch.seen:
                watch.seen = count
                watch.draw()
        # A region inside another one is a new one whenever the outer one is drawn again.
        self._watched = [watch for watch in self._watched if watch.region is None or not watch.region.gone]

    def forget(self) -> None:
        """Forget what the screen before watched; the frame around it stays."""
        self._watched = self._watched[: self._around]

    def build(self, screens: dict[str, Callable[[Shell], None]]) -> None:
        """Draw the frame and, inside it, the screen that the address names."""
        with box("div", "studio"):
            skip = box("a", "skip", href="#screen")
            with skip:
                words("Skip to the screen", "span")
            with box("header"):
                words("tacit studio", "span", "brand")
                with box("nav", "", aria_label="Steps"):
                    self._steps()
                with box("div", "tools"):
                    self._tools()
            self.region(self._job, "job", "opening", classes="job", aria_live="polite")
            with box("div", "body"):
                with box("section", "side left", aria_label="Table"):
                    self.region(self._table, "look", "draft")
                main = box("div", "screen", id="screen", tabindex="-1")  # Quasar puts the landmark around all of it
                with box("section", "side right", aria_label="Recipe"):
                    saving = SaveForm(self.workspace)
                    self.region(lambda: self._recipe(saving), "draft", "kept")
            self._around = len(self._watched)
            with main:
                ui.sub_pages({path: self._screen(path, screen) for path, screen in screens.items()})
        ui.timer(_LOOK_EVERY, self.look)

    def _screen(self, path: str, screen: Callable[[Shell], None]) -> Callable[[], None]:
        def show() -> None:
            self.forget()
            for each, link in self._links.items():  # changed in place, so that the link keeps its focus
                if each == path:
                    link.props["aria-current"] = "step"
                else:
                    link.props.pop("aria-current", None)
                link.update()
            screen(self)

        return show

    def _steps(self) -> None:
        with box("ol", "steps"):
            for number, (path, name) in enumerate(STEPS.items(), start=1):
                with box("li"):
                    self._links[path] = ui.link(f"{number} {name}", path)

    def _tools(self) -> None:
        workspace = self.workspace

        def go(there: Callable[[], None]) -> None:
            there()
            self.look()

        undo = button("Undo", lambda: go(workspace.undo), "plain")
        redo = button("Redo", lambda: go(workspace.redo), "plain")
        button("Light or dark", self._shade, "plain")

        def show() -> None:  # changed in place, so that the key that was just pressed keeps its focus
            history = workspace.history
            undo.props["aria-disabled"] = str(history is None or history.at == 0).lower()
            redo.props["aria-disabled"] = str(history is None or history.at == len(history.drafts) - 1).lower()
            undo.update()
            redo.update()

        self.watch(show, "draft")
        show()

    def _shade(self) -> None:
        ui.run_javascript("setDark(!document.body.classList.contains('body--dark'))")

    def _job(self) -> None:
        workspace = self.workspace
        if workspace.opening.busy:
            _doing("Opening", workspace.opening.stage, workspace.opening.share, None)
            button("Stop", workspace.stop_opening, "plain")
            return
        job = workspace.job
        if job is None or job.state != "running":
            return
        _doing(job.name, "stopping" if job.stopping else job.stage, job.share, job.seconds_left)
        button("Stop", job.cancel, "plain", off=job.stopping)

    def _table(self) -> None:
        workspace, look, draft = self.workspace, self.workspace.look, self.workspace.draft
        words("Table", "h2")
        if look is None or draft is None:
            words("No table is open. Open one in step 1.", classes="quiet")
            return
        words(look.place, "p", "name")
        words(f"{look.rows:,} rows, {len(look.columns)} columns", "p", "quiet")
        with box("ul", "columns"):
            for column in look.columns:
                role = draft.role(column.name)
                with box("li", f"role-{role.name.lower()}"):
                    words(column.name, "span", "name")
                    words("withheld" if role is Role.OTHER else role.value, "span", "role")
        error(workspace.opening.error)

    def _recipe(self, saving: SaveForm) -> None:
        words("Recipe", "h2")
        draft = self.workspace.draft
        if draft is None:
            words("Every choice becomes a line of a recipe, which stands here.", classes="quiet")
            return
        problem = draft.problem()
        words(problem or "Ready: `tacit publish` with this recipe does the same.", "p", "quiet")
        text = words(draft.text, "pre")
        text.props.update({"tabindex": "0", "aria-label": "Recipe"})
        saving.draw()
        failure = self.workspace.drafts.failure
        if failure is not None:
            words(f"The recipe would be lost if the studio were stopped now: {failure}.", "p", "quiet")


def _doing(name: str, stage: str, share: float, left: float | None) -> None:
    words(name, "strong")
    bar(share, f"{name}: {share:.0%}")
    words(stage, "span", "stage")
    if left is not None:
        words(f"about {_span(left)} left", "span", "quiet")


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def need_table(shell: Shell) -> bool:
    """Say what to do where no table is open; return whether one is."""
    if shell.workspace.look is None:
        words("Nothing to show yet", "h1")
        words("Open a table first: in step 1, Table.")
        ui.link("Open a table", "/").classes("button")
        return False
    return True


__all__ = ["STEPS", "Shell", "need_table"]
