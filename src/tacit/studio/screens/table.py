"""Table: open a file, a database or a built-in table, and see what was read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import ui

from tacit.errors import TacitError
from tacit.jobs.batches import READABLE
from tacit.jobs.built_in import BUILT_IN
from tacit.studio.draft import Draft
from tacit.studio.elements import box, button, error, field, grid, section, tick, words
from tacit.studio.folders import Entry
from tacit.studio.forms import SectionForm
from tacit.studio.region import Region
from tacit.studio.shell import Shell
from tacit.table import Role

_ENDINGS = (*READABLE, ".xlsx", ".xls", ".ods", ".dta", ".sav", ".sas7bdat", ".toml")
_MASKED = {Role.IDENTIFIER, Role.PERSON, Role.SENSITIVE, Role.ITEMS}
"""Roles whose cells are not sent to the browser until somebody asks for them."""

_MASK = "•••"
_NAMED = "a table, a recipe, a folder of tables, or parts of one table such as visits/*.parquet"
_OFFERED = 5
"""Unfinished recipes that are offered, the newest ones."""


def table(shell: Shell) -> None:
    """Show what is open, or how to open something."""
    places = _Places(shell)
    shell.region(lambda: _open(shell, places) if shell.workspace.look is None else _read(shell, places), "look")


def _open(shell: Shell, places: _Places) -> None:
    words("Open a table", "h1")
    words(
        "The table stays where it is and nothing leaves this machine. Open a file, the answer of a database, or one of "
        "the built-in tables of made-up people to try things out."
    )
    shell.region(lambda: error(shell.workspace.opening.error), "opening")
    shell.region(lambda: _unfinished(shell), "kept")
    places.draw()


def _read(shell: Shell, places: _Places) -> None:
    look = shell.workspace.look
    if look is None:
        return
    words(look.place, "h1")
    words(f"{look.rows:,} rows and {len(look.columns)} columns were read. The first {len(look.head)} rows are shown.")
    shell.region(lambda: error(shell.workspace.opening.error), "opening")
    shell.region(lambda: _unfinished(shell, of_this_table=True), "kept")
    for remark in look.remarks:
        words(remark, "p", "quiet")
    shell.region(lambda: _rows(shell), "draft", "shown")
    with section("Columns as they were read"):
        grid(
            ("column", "stored as", "kind", "different values", "missing"),
            [(c.name, c.stored, c.kind, f"{c.distinct:,}", f"{c.nulls:,}") for c in look.columns],
            caption="Columns as they were read",
        )
    with box("details", "part"):
        words("Read it in another way", "summary")
        words("What was guessed can be said here: the separator, the encoding, what means that nothing is known.")
        SectionForm(shell, "read", again=True)
    with box("details", "part"):
        words("Open another table", "summary")
        places.draw()


def _unfinished(shell: Shell, *, of_this_table: bool = False) -> None:
    """Offer the recipes that were neither saved nor published when a studio was stopped."""
    workspace, draft = shell.workspace, shell.workspace.draft
    here = draft.section("table") if draft is not None else {}
    left = [
        kept
        for kept in workspace.unfinished()
        if not of_this_table or (draft is not None and _same_table(kept.draft, draft.path.parent, here))
    ]
    if not left:
        return
    with section("Go on where you stopped"):
        words("These recipes were changed, and neither saved nor published. Only the recipe was kept, not the table.")
        with box("ul", "bullets"):
            for kept in left[:_OFFERED]:
                name = f"{kept.draft.path.name}, last changed {kept.at:%Y-%m-%d at %H:%M}"
                with box("li"), box("div", "flow"):
                    words(name, "span")
                    button("Go on", partial(workspace.resume, kept), label=f"Go on with {name}", means=kept.name)
                    button(
                        "Discard", partial(workspace.discard, kept), "plain", label=f"Discard {name}", means=kept.name
                    )


def _same_table(draft: Draft, folder: Path, table: dict[str, Any]) -> bool:
    return draft.path.parent == folder and draft.section("table") == table


def _rows(shell: Shell) -> None:
    """Show the first rows; masked cells are not even sent."""
    workspace = shell.workspace
    look, draft = workspace.look, workspace.draft
    if look is None or draft is None:
        return
    hidden = {c.name for c in look.columns if draft.role(c.name) in _MASKED} if not workspace.shown else set()
    masked = [c.name for c in look.columns if draft.role(c.name) in _MASKED]
    with section("First rows"):
        if masked:
            tick("Show cells of identifiers and sensitive columns", workspace.shown, lambda on: _show(shell, on))
        # Columns are numbered: a name is text that must never be taken for a path or an expression.
        columns = [{"headerName": c.name, "field": f"c{at}", "minWidth": 110} for at, c in enumerate(look.columns)]
        rows = [
            {
                f"c{at}": _MASK if c.name in hidden else ("" if cell is None else cell)
                for at, (c, cell) in enumerate(zip(look.columns, row, strict=True))
            }
            for row in look.head
        ]
        options: dict[str, Any] = {"columnDefs": columns, "rowData": rows, "suppressFieldDotNotation": True}
        options |= {"defaultColDef": {"sortable": False, "flex": 1, "resizable": True}, "enableCellTextSelection": True}
        # Tab leads past the grid in one step instead of through every cell; it scrolls by keys like any scrolling part.
        options |= {"suppressCellFocus": True, "suppressHeaderFocus": True}
        made = ui.aggrid(options, theme="quartz").classes("rows")
        made.props["aria-label"] = "First rows"


def _show(shell: Shell, on: bool) -> None:
    shell.workspace.shown = on
    shell.workspace.changed("shown")


class _Places:
    """Where a table may come from, and what was typed about it so far."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.chooser = _Chooser(shell)
        self.database = {"variable": "DATABASE_URL", "query": ""}

    def draw(self) -> None:
        """Draw all of them."""
        self.chooser.draw()
        _built_in(self.shell)
        _database(self.shell, self.database)


class _Chooser:
    """A list of files, below the folders that may be opened."""

    def __init__(self, shell: Shell) -> None:
        self.shell, self.folders = shell, shell.workspace.folders
        self.folder = self.folders.roots[0]
        self.error: str | None = None
        self.typed = ""

    def draw(self) -> None:
        """Draw the list."""
        with section("A file"):
            self.region = Region(self._list)

    def _list(self) -> None:
        with box("div", "flow"):
            field("Path of a file", self.typed, self._type, placeholder="patients.csv", hint=_NAMED).classes("wide")
            button("Open", self._open)
        error(self.error)
        with box("div", "flow"):
            words(str(self.folder), "span", "quiet")
            for root in self.folders.roots:
                button(root.name or str(root), partial(self._go, root), "plain", label=f"Go to {root}")
        try:
            entries = self.folders.listed(self.folder, _ENDINGS)
            up = self.folder.parent
            above = any(up.is_relative_to(root) for root in self.folders.roots)
        except TacitError as problem:
            error(str(problem))
            return
        with box("div", "files", role="group", aria_label="Files"):
            if above:
                button(".. (the folder above)", lambda: self._go(up), means=str(up))
            for entry in entries:
                name = f"{entry.name}/" if entry.is_folder else f"{entry.name}   {_bytes(entry.size)}"
                go: Callable[[Path], Any] = self._go if entry.is_folder else self._take
                button(name, partial(go, entry.path), means=str(entry.path))
            self._together(entries)
            if not entries:
                words("No table and no recipe lies here.", classes="quiet")

    def _together(self, entries: list[Entry]) -> None:
        """Offer the tables of the folder together, where there are several of one kind."""
        names = [entry.name.lower() for entry in entries if not entry.is_folder]
        for ending in READABLE:
            many = sum(name.endswith(ending) for name in names)
            if many > 1:
                whole = str(self.folder / f"*{ending}")
                button(f"{many} files {ending} as the parts of one table", partial(self._take, whole), means=whole)
        tables = sum(name.endswith(READABLE) for name in names)
        if tables > 1:
            apart = str(self.folder)
            button(f"{tables} tables, each published by itself", partial(self._take, apart), means=f"apart {apart}")

    def _type(self, text: str) -> None:
        self.typed = text

    def _go(self, folder: Path) -> None:
        self.folder, self.error = folder, None
        self.region.draw()

    async def _take(self, path: Path | str) -> None:
        await self.shell.workspace.open(str(path))

    async def _open(self) -> None:
        path = self.typed.strip()
        if not path:
            self.error = "Name a file, or choose one from the list."
            self.region.draw()
            return
        await self.shell.workspace.open(path if path.startswith(("/", "~")) else str(self.folder / path))


def _built_in(shell: Shell) -> None:
    with section("A built-in table"):
        words("Made-up people. The table is written to the folder tacit-studio, so that its recipe can be replayed.")
        with box("div", "cards"):
            for name, what in BUILT_IN.items():
                with box("div", "card"):
                    words(name, "h3")
                    words(what, "p", "quiet")
                    button(f"Open {name}", partial(shell.workspace.open, name), "plain")


def _database(shell: Shell, given: dict[str, str]) -> None:
    with section("A database"):
        words(
            "The URL of the database may hold a password: put it in an environment variable before you start the "
            "studio, and name the variable here."
        )
        field("Environment variable", given["variable"], lambda text: given.update(variable=text))
        field(
            "Query",
            given["query"],
            lambda text: given.update(query=text),
            long=True,
            placeholder="select * from patients",
        )
        button("Open the answer", lambda: shell.workspace.open_database(given["variable"], given["query"]), "plain")


def _bytes(size: int) -> str:
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size = size // 1000
    return f"{size:,} GB"
