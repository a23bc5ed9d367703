"""Columns: a role for each, and who is alone with what an outsider may know."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from tacit.errors import TacitError
from tacit.jobs.at_hand import ColumnLook
from tacit.studio.elements import box, choice, error, say, section, words
from tacit.studio.forms import SectionForm
from tacit.studio.ordering import Ordering
from tacit.studio.shell import Shell, need_table
from tacit.table import Role

ROLES = {
    Role.QUASI_IDENTIFIER: "quasi-identifier: may be known",
    Role.SENSITIVE: "sensitive: would not be told",
    Role.IDENTIFIER: "identifier: never leaves",
    Role.PERSON: "person: whose row it is",
    Role.ITEMS: "items: a set of things",
    Role.OTHER: "withheld",
}
KINDS = {"": "as read", "numeric": "numbers", "categorical": "names", "date": "dates"}
_ORDERED = "ordered"


def columns(shell: Shell) -> None:
    """Show every column with its role, and live who is alone."""
    if not need_table(shell):
        return
    words("What are the columns?", "h1")
    words(
        "Give each column its role. Roles were guessed from names and values; you know the table, so the last word is "
        "yours. A column that is neither known to others nor sensitive stays at home."
    )
    shell.region(lambda: _alone(shell), "alone")
    shell.region(lambda: _columns(shell), "look", "draft")
    with box("details", "part"):
        words("More about columns", "summary")
        SectionForm(shell, "roles", keys=("others", "missing", "allow"))
    shell.watch(shell.workspace.count_alone, "draft")
    shell.workspace.count_alone()


def _alone(shell: Shell) -> None:
    workspace = shell.workspace
    found, doing = workspace.alone, workspace.counting
    with section("Who is alone", classes="live"):
        if doing.error:
            error(doing.error)
        elif found is None:
            words("Counting who is alone ..." if doing.busy else "Choose a quasi-identifier to see who is alone.")
        else:
            share = found.alone / max(1, found.units)
            with box("div", "figures"):
                with box("div"):
                    words(f"{found.alone:,} of {found.units:,}", "div", "figure")
                    words(f"{found.unit} ({share:.0%}) are alone with these quasi-identifiers", "p", "quiet")
                with box("div"):
                    for name, without in found.without[:4]:
                        words(f"without {name}: {without:,}", "div", "quiet")
            for sentence in found.spread:
                words(f"{sentence}.", "p", "quiet")
            if doing.busy:
                words("Counting again ...", "p", "quiet")


def _columns(shell: Shell) -> None:
    look, draft = shell.workspace.look, shell.workspace.draft
    if look is None or draft is None:
        return
    with box("ul", "column-rows", aria_label="Columns"):
        for column in look.columns:
            _row(shell, column)


def _row(shell: Shell, column: ColumnLook) -> None:
    draft = shell.workspace.draft
    if draft is None:
        return
    role = draft.role(column.name)
    kind = draft.section("kinds").get(column.name, "")

    def change(key: str) -> None:
        edited = shell.workspace.draft
        if edited is None:
            return
        chosen = Role(key)
        edited = edited.with_role(column.name, chosen)
        missing = edited.section("roles").get("missing")
        if chosen is Role.SENSITIVE and column.nulls and not isinstance(missing, str):
            edited = edited.with_key("roles", "missing", {**(missing or {}), column.name: "value"})
        elif isinstance(missing, dict) and column.name in missing and chosen is not Role.SENSITIVE:
            rest = {name: what for name, what in missing.items() if name != column.name}
            edited = edited.with_key("roles", "missing", rest or None)
        shell.workspace.edit(edited)

    async def change_kind(key: str) -> None:
        say(chosen, None)
        value: Any = key or None
        try:
            value = list(await shell.workspace.ask("values", column.name)) if key == _ORDERED else value
        except TacitError as problem:
            say(chosen, str(problem))
            return
        edited = shell.workspace.draft
        if edited is not None:
            shell.workspace.edit(edited.with_key("kinds", column.name, value))

    with box("li", f"column-row role-{role.name.lower()}"):
        words(column.name, "div", "name")
        choice(f"Role of {column.name}", {r.value: t for r, t in ROLES.items()}, role.value, change, hidden=True)
        if column.kind != "items":
            kinds = KINDS | {"": f"{column.kind}"} | ({_ORDERED: "in an order"} if column.stored == "text" else {})
            shown = kind if isinstance(kind, str) else _ORDERED
            chosen = choice(f"Kind of {column.name}", kinds, shown, change_kind, hidden=True)
        else:
            words(column.kind, "div")
        _bars(column, hidden=role in {Role.IDENTIFIER, Role.PERSON})
        missing = f", {column.nulls:,} missing" if column.nulls else ""
        guessed = f"guessed {column.role.value} because {column.reason}"
        words(f"{column.distinct:,} different values{missing}; {guessed}", "div", "hint why")
        if not isinstance(kind, str):
            Ordering(shell, column.name, [str(value) for value in kind]).draw()


def _bars(column: ColumnLook, *, hidden: bool) -> None:
    """Draw the distribution; the names of an identifier's values are left out."""
    top = max((count for _, count in column.bars), default=0)
    if hidden or top == 0:
        words("not shown" if hidden else "", "span", "quiet")
        return
    label = ", ".join(f"{name}: {count:,}" for name, count in column.bars[:6])
    with box("div", "bars", role="img", aria_label=f"{column.name}: {label}", title=label):
        for _, count in column.bars:
            ui.element("span").style(f"height: {max(3, round(100 * count / top))}%")
