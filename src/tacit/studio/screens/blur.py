"""Blur: how the values of a column may blur, made by a rule, imported, or edited node by node; coverage is checked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from nicegui import background_tasks, ui

from tacit.errors import TacitError
from tacit.hierarchies import TreeHierarchy, editing
from tacit.jobs.hierarchy_view import HierarchyView
from tacit.studio.elements import box, button, choice, error, field, grid, section, tick, words
from tacit.studio.region import Region
from tacit.studio.shell import Shell, need_table
from tacit.table import Role

KINDS = {
    "": "none: intervals or sets, which lose least",
    "interval": "intervals of equal width",
    "prefix": "prefixes, such as 130**",
    "calendar": "calendar: months, quarters, years",
    "flat": "all or nothing: the value or *",
    "file": "a file in ARX's format",
    "tree": "a tree, edited here",
}
_SHOWN = 60
"""Nodes of a level that are listed, the most frequent ones; more are counted only."""


def blur(shell: Shell) -> None:
    """Choose a column and its hierarchy."""
    if not need_table(shell):
        return
    words("How may values blur?", "h1")
    words(
        "A column without a hierarchy blurs to intervals or sets, which lose least. With one it blurs to nodes that "
        "mean something to your readers: decades of age, districts, groups of diseases. Any value of the table must "
        "have its place in it, which is checked as you go."
    )
    draft = shell.workspace.draft
    if draft is None:
        return
    names = [*draft.columns(Role.QUASI_IDENTIFIER), *draft.columns(Role.SENSITIVE), *draft.columns(Role.ITEMS)]
    if not names:
        words("No column is a quasi-identifier yet: give columns their roles first.")
        ui.link("Give columns their roles", "/columns").classes("button")
        return
    _Editor(shell, names)


class _Editor:
    """The hierarchy of one column at a time."""

    def __init__(self, shell: Shell, names: list[str]) -> None:
        self.shell, self.names = shell, names
        shell.workspace.blurred = shell.workspace.blurred if shell.workspace.blurred in names else names[0]
        self.view: HierarchyView | None = None
        self.error: str | None = None
        self._question: Any = None
        self.level, self.chosen = 0, set[str]()
        self.text = {"path": "", "name": ""}
        with section("Column"):
            self.rule = Region(self._rule)
        self.shown = Region(self._show)
        shell.watch(self._again, "draft")
        self._ask()

    @property
    def column(self) -> str:
        return self.shell.workspace.blurred

    @property
    def spec(self) -> Any:
        draft = self.shell.workspace.draft
        return None if draft is None else draft.section("hierarchies").get(self.column)

    def _kind(self) -> str:
        spec = self.spec
        if spec is None:
            return ""
        if isinstance(spec, str):
            return spec if spec in {"flat", "calendar"} else "file"
        return next((kind for kind in KINDS if kind in spec), "tree")

    def _again(self) -> None:
        self.rule.draw()
        self._ask()

    def _rule(self) -> None:
        options = {name: name for name in self.names}
        with box("div", "flow"):
            choice("Column", options, self.column, self._column, id_="blur-column")
            choice("It blurs by", KINDS, self._kind(), self._by, id_="blur-kind")
            spec, kind = self.spec, self._kind()
            if kind == "interval" and isinstance(spec, dict):
                self._number("width", spec, "interval", "width of the smallest intervals")
                self._number("factor", spec, "factor", "how many make one of the next level; 2 by default")
                self._number("origin", spec, "origin", "where intervals begin; 0 by default")
            elif kind == "prefix" and isinstance(spec, dict):
                self._number("length", spec, "prefix", "signs of the longest prefix")
            elif kind == "calendar":
                levels = spec.get("calendar") if isinstance(spec, dict) else None
                written = ", ".join(levels) if isinstance(levels, list) else ""
                field("levels", written, self._calendar, hint="such as month, quarter, year", placeholder="by default")
            elif kind == "file":
                field("file", str(spec), self._file, hint="value;group;...;* in every line, no head")
        error(self.error)

    def _number(self, label: str, spec: dict[str, Any], key: str, hint: str) -> None:
        def typed(text: str) -> None:
            try:
                number = float(text) if text.strip() else None
            except ValueError:
                self._say(f"{label} is a number, not {text!r}.")
                return
            whole = int(number) if number is not None and number == int(number) else number
            self._set({k: v for k, v in (spec | {key: whole}).items() if v is not None})

        value = spec.get(key)
        field(label, "" if value is None else f"{value}", typed, hint=hint, attributes={"inputmode": "decimal"})

    def _column(self, name: str) -> None:
        self.shell.workspace.blurred = name
        self.level, self.chosen, self.error, self.view, self._question = 0, set(), None, None, None
        self._again()

    def _by(self, kind: str) -> None:
        given: dict[str, Any] = {
            "": None,
            "interval": {"interval": 10},
            "prefix": {"prefix": 5},
            "calendar": "calendar",
        }
        given |= {"flat": "flat"}
        if kind == "file":
            self._set(f"{self.column}.csv")
        elif kind == "tree":
            self._begin_tree()
        else:
            self._set(given[kind])

    def _begin_tree(self) -> None:
        """Begin to edit what is there: the nodes of the present hierarchy, or every value by itself."""
        if self.view is None or not self.view.distinct:
            self._say("The values are still being counted: try again in a moment.")
        elif not self.view.paths:
            self._say(f"{self.view.distinct:,} values are too many to edit here: import a file instead.")
        else:
            self._tree([path for path, _ in self.view.paths])

    def _tree(self, paths: Any) -> None:
        self._set({"tree": {path[0]: list(path[1:]) for path in paths}})

    def _file(self, text: str) -> None:
        draft = self.shell.workspace.draft
        try:
            if draft is not None:
                self.shell.workspace.folders.allowed(draft.whole(text))
            self._set(text)
        except TacitError as problem:
            self._say(str(problem))

    def _calendar(self, text: str) -> None:
        levels = [level.strip() for level in text.split(",") if level.strip()]
        self._set({"calendar": levels} if levels else "calendar")

    def _set(self, spec: Any) -> None:
        self.error, self.chosen = None, set()
        draft = self.shell.workspace.draft
        if draft is not None:
            self.shell.workspace.edit(draft.with_key("hierarchies", self.column, spec))

    def _say(self, text: str) -> None:
        self.error = text
        self.rule.draw()

    def _ask(self) -> None:
        """Ask how the column would blur, unless that very question was asked already."""
        question = (self.column, self.spec, self.shell.workspace.roles())
        if question != self._question:
            self._question = question
            background_tasks.create(self._look(question))

    async def _look(self, question: Any) -> None:
        """Wait for how the column would blur, and whether every value is covered; a late answer is dropped."""
        draft, (column, spec, roles) = self.shell.workspace.draft, question
        if draft is None:
            return
        given = "flat" if spec is None else spec
        try:
            if self._kind() == "file":
                given = str(self.shell.workspace.folders.allowed(draft.whole(str(spec))))
            view = await self.shell.workspace.ask("hierarchy", column, given, roles)
        except TacitError as problem:
            view = HierarchyView(column, 0, error=str(problem))
        if question is self._question:
            self.view = view
            self.shown.draw()

    def _show(self) -> None:
        view = self.view
        if view is None:
            words("Looking at the values ...", "p", "quiet")
            return
        with section("Coverage"):
            if view.error is not None:
                error(view.error)
                if view.lacking_count:
                    words(f"Values without a place: {', '.join(view.lacking)}.", "p")
                    if self._kind() in {"file", "tree"}:
                        button("Give them a place of their own", self._add_lacking, "plain")
                return
            if self.spec is None:
                words(f"Without a hierarchy the {view.distinct:,} values of {view.column} blur to intervals or sets.")
                return
            words(f"All {view.distinct:,} values of {view.column} have their place in the hierarchy.", "p", "holds")
        with section("Levels"):
            self._levels(view)
        if self._kind() in {"tree", "file"} and view.paths:
            with section("Edit"):
                self._edit(view)

    def _levels(self, view: HierarchyView) -> None:
        for at, level in enumerate(view.levels):
            with box("details", "level") as made:
                if at == min(1, len(view.levels) - 1):
                    made.props["open"] = True
                nodes = "1 node" if level.size == 1 else f"{level.size:,} nodes"
                words(f"Level {at}: {nodes}", "summary")
                rows = [(name, f"{count:,}") for name, count in level.nodes[:_SHOWN]]
                grid(("node", "rows"), rows, caption=f"Level {at}", classes="narrow")
                if level.size > len(rows):
                    words(f"and {level.size - len(rows):,} more", "p", "quiet")

    def _edit(self, view: HierarchyView) -> None:
        """Show the nodes of one level to tick, and what can be done with them."""
        inner = range(len(view.levels) - 1)
        words("Tick nodes of a level, then move, merge or rename them.", "p", "quiet")
        if self._kind() == "file":
            words("The first edit copies the file's tree into the recipe; the file stays as it is.", "p", "quiet")
        self.level = min(self.level, len(view.levels) - 2)
        options = {str(at): f"level {at}: {view.levels[at].size:,} nodes" for at in inner}
        choice("Level", options, str(self.level), self._to_level)
        with box("div", "files", role="group", aria_label="Nodes"):
            for name, count in sorted(view.levels[self.level].nodes):
                tick(f"{name} ({count:,})", name in self.chosen, partial(self._tick, name))
        with box("div", "flow"):
            field("Name", self.text["name"], self._name, live=True, hint="the new name, or the node to move under")
            button("Rename", partial(self._do, "rename"), "plain")
            button("Merge", partial(self._do, "merge"), "plain")
            button("Move under", partial(self._do, "move"), "plain")
        with box("div", "flow"):
            button("New level above this one", partial(self._do, "add level"), "plain")
            button("Take this level out", partial(self._do, "drop level"), "plain")
        self._problem = words("", "p", "error")
        with box("details"):
            words("Export as a file in ARX's format", "summary")
            with box("div", "flow"):
                field("File", f"{self.column}.csv", lambda text: self.text.update(path=text))
                button("Write it", self._export, "plain")

    def _to_level(self, level: str) -> None:
        self.level, self.chosen = int(level), set()
        self.shown.draw()

    def _tick(self, name: str, on: bool) -> None:
        (self.chosen.add if on else self.chosen.discard)(name)

    def _name(self, text: str) -> None:
        self.text["name"] = text

    def _paths(self) -> list[tuple[str, ...]]:
        """Return the paths of the present tree, with values that the table lacks."""
        draft, spec = self.shell.workspace.draft, self.spec
        if isinstance(spec, dict) and isinstance(spec.get("tree"), dict):
            return TreeHierarchy.from_mapping(spec["tree"]).rows
        if isinstance(spec, str) and self._kind() == "file" and draft is not None:
            return TreeHierarchy.read(self.shell.workspace.folders.allowed(draft.whole(spec))).rows
        return [] if self.view is None else [path for path, _ in self.view.paths]

    def _do(self, what: str) -> None:
        name, level, chosen = self.text["name"].strip(), self.level, self.chosen
        try:
            paths: Any = self._paths()
            if what == "rename":
                if len(chosen) != 1:
                    raise TacitError("Tick the one node to rename.")
                paths = editing.rename(paths, level, next(iter(chosen)), name)
            elif what == "merge":
                paths = editing.merge(paths, level, chosen, name or min(chosen, default=""))
            elif what == "move":
                if not chosen:
                    raise TacitError("Tick the nodes to move.")
                paths = editing.move(paths, level, chosen, name)
            else:
                paths = (editing.add_level if what == "add level" else editing.drop_level)(paths, level)
            self._tree(paths)
        except TacitError as problem:
            self._problem.set_text(str(problem))

    def _add_lacking(self) -> None:
        try:
            view = self.view
            if view is not None:
                self._tree(editing.add_values(self._paths(), view.lacking))
        except TacitError as problem:
            self._say(str(problem))

    def _export(self) -> None:
        draft = self.shell.workspace.draft
        try:
            if draft is None:
                return
            place = Path(draft.whole(self.text["path"] or f"{self.column}.csv"))
            self.shell.workspace.folders.allowed(place.parent)
            if place.exists():
                raise TacitError(f"{place.name} exists.", hint="Name another file.")
            TreeHierarchy(self._paths()).write(place)
            self._problem.set_text(f"Written to {place}.")
        except (TacitError, OSError) as problem:
            self._problem.set_text(str(problem))
