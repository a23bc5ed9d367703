"""Publish: the verdict, what is withheld, where it goes; then the files, the reports and the ledger."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from nicegui import ui

from tacit.errors import CompositionFailed, TacitError
from tacit.jobs.background import Running
from tacit.jobs.ledger import read_ledger
from tacit.jobs.rehearse import publish_text
from tacit.jobs.terminal.ledger import ledger_lines
from tacit.studio.draft import Draft
from tacit.studio.elements import box, button, error, field, picture, section, tick, words
from tacit.studio.folders import is_there
from tacit.studio.forms import MappingForm, SectionForm
from tacit.studio.region import Region
from tacit.studio.results import Tried
from tacit.studio.saving import save
from tacit.studio.schemas import section_fields, section_hint, sections
from tacit.studio.shell import Shell, need_table
from tacit.studio.views import verdicts

_ELSEWHERE = {"include", "table", "read", "roles", "kinds", "hierarchies", "steps", "output"}
"""Sections of a recipe that other screens edit, or that have a place of their own here."""

_WORD = "publish"
_ACCEPT = "accept"
"""The words that are typed to go on: after a warning, and to publish without the claims that other releases break."""


def publish(shell: Shell) -> None:
    """Show what would leave, and let it leave."""
    if not need_table(shell):
        return
    words("Publish", "h1")
    words("What would leave, what it promises and what it does not, and where it goes.")
    shell.region(lambda: _verdict(shell), "results", "draft")
    with section("Where it goes"):
        SectionForm(shell, "output")
    _further(shell)
    _Go(shell)
    shell.region(lambda: _done(shell), "results")
    shell.region(lambda: _ledger(shell), "results", "draft")


def _present(shell: Shell) -> Tried | None:
    """Return the result of the present recipe, if it was tried as it is but for where it goes."""
    draft = shell.workspace.draft
    tried = shell.workspace.results.tried
    return next((each for each in reversed(tried) if draft is not None and _same(each.draft, draft)), None)


def _same(one: Draft, other: Draft) -> bool:
    aside = {"output", "report"}
    return {k: v for k, v in one.content.items() if k not in aside} == {
        k: v for k, v in other.content.items() if k not in aside
    }


def _verdict(shell: Shell) -> None:
    tried, draft = _present(shell), shell.workspace.draft
    with section("The verdict"):
        if draft is not None and (problem := draft.problem()) is not None:
            words(problem, "p", "quiet")
            return
        if tried is None:
            words(
                "This recipe was not tried as it is now. It is audited when it is published, and nothing is written "
                "if a claim does not hold; trying it first shows what it promises and costs."
            )
            ui.link("Try it first", "/try")
            return
        found = tried.rehearsal
        if found.refused is not None:
            error(found.refused)
            return
        words(found.headline, "p", "verdict")
        verdicts(found.verdicts)
        withheld = found.rows - found.published
        rows = (
            f"{withheld:,} of {found.rows:,} rows are withheld." if withheld else f"All {found.rows:,} rows are in it."
        )
        words(rows)
        _withheld_columns(shell)
        if found.warnings:
            words("What you should know before", "h3")
            with box("ul", "bullets"):
                for warning in dict.fromkeys(found.warnings):
                    words(f"{warning[:1].upper()}{warning[1:]}.".replace("..", "."), "li")
        words("The release is made anew with fresh random choices, so figures may differ a little.", "p", "hint")


def _withheld_columns(shell: Shell) -> None:
    look, draft = shell.workspace.look, shell.workspace.draft
    if look is None or draft is None or draft.section("roles").get("others") == "publish":
        return
    from tacit.table import Role

    kept = [c.name for c in look.columns if draft.role(c.name) in {Role.OTHER, Role.IDENTIFIER, Role.PERSON}]
    if kept:
        words(f"Columns that stay at home: {', '.join(kept)}.")


def _further(shell: Shell) -> None:
    """Show every other section that recipes have; a new one appears here by itself."""
    for name in sections():
        if name not in _ELSEWHERE:
            with box("details", "part") as made:
                draft = shell.workspace.draft
                if draft is not None and draft.section(name):
                    made.props["open"] = True
                words(name.capitalize(), "summary")
                if section_fields(name):
                    SectionForm(shell, name)
                else:
                    MappingForm(shell, name, section_hint(name))


class _Go:
    """What has to be said before something leaves, and the button."""

    def __init__(self, shell: Shell) -> None:
        self.shell, self.typed, self.replace, self.replace_recipe = shell, "", False, False
        self.accepted = ""
        with section("Let it leave"):
            region = Region(self._draw)
            shell.watch(region.draw, "draft", "results", "job")

    def _draw(self) -> None:
        workspace = self.shell.workspace
        draft, tried = workspace.draft, _present(self.shell)
        if draft is None:
            return
        folder = Path(draft.whole(str(draft.section("output").get("folder", "out"))))
        words(f"The public files go to {folder}, the private ones to {folder}.private unless you named another place.")
        words(f"The recipe is written to {draft.path}; `tacit publish {draft.path.name}` does the same again.")
        if is_there(folder):
            tick("Replace the earlier release in that folder", self.replace, self._set_replace)
        if is_there(draft.path):
            tick(f"Replace the recipe {draft.path.name}", self.replace_recipe, self._set_replace_recipe)
        warned = tried is not None and bool(tried.rehearsal.warnings)
        if warned:
            field(
                f'Something was warned of: type "{_WORD}" to go on',
                self.typed,
                self._type,
                live=True,
            )
        broken = _broken(self.shell, tried)
        if broken is not None:
            words(broken, "p", "error")
            field(
                f'To publish without the claims that fail, and to note that in the ledger, type "{_ACCEPT}"',
                self.accepted,
                self._accept,
                live=True,
                hint="tacit publish --accept-composition does the same",
            )
        busy = workspace.job is not None and workspace.job.state == "running"
        off = busy or draft.problem() is not None
        button("Publish", partial(self._go, warned=warned, broken=broken is not None), off=off)
        self._error = words("", "p", "error")
        self._error.props["role"] = "alert"
        self._error.set_visibility(False)

    def _set_replace(self, on: bool) -> None:
        self.replace = on

    def _set_replace_recipe(self, on: bool) -> None:
        self.replace_recipe = on

    def _type(self, text: str) -> None:
        self.typed = text

    def _accept(self, text: str) -> None:
        self.accepted = text

    def _go(self, *, warned: bool, broken: bool) -> None:
        workspace = self.shell.workspace
        draft = workspace.draft
        if draft is None:
            return
        if warned and self.typed.strip().lower() != _WORD:
            self._say(f'Read what was warned of, and type "{_WORD}" in the field above.')
            return

        accepted = self.accepted.strip().lower() == _ACCEPT
        if broken and not accepted:
            self._say(f'Read what would fail, and type "{_ACCEPT}" in the field above, or change the recipe.')
            return

        def done(job: Running) -> None:
            failure = job.failure
            forbidden = failure is not None and failure.kind == CompositionFailed.__name__
            workspace.results.composition = (draft, failure.message) if failure is not None and forbidden else None
            workspace.results.published = job.result if job.state == "done" else None
            stopped = "It was stopped; what was not finished is not written."
            ended = stopped if job.state == "cancelled" else str(job.failure)
            workspace.results.not_published = None if job.state == "done" else ended

        try:
            workspace.folders.allowed(draft.whole(str(draft.section("output").get("folder", "out"))))
            save(draft, workspace.folders, replace=self.replace_recipe)
            workspace.settle()
            workspace.results.not_published = None
            given = (draft.text, str(draft.path), self.replace, broken and accepted)
            workspace.start("Publishing", publish_text, *given, then=done)
        except TacitError as problem:
            self._say(str(problem))
        self.typed = self.accepted = ""

    def _say(self, text: str) -> None:
        self._error.set_text(text)
        self._error.set_visibility(True)


def _broken(shell: Shell, tried: Tried | None) -> str | None:
    """Return why earlier releases of the ledger forbid this one: as the last attempt said, or the try before it."""
    draft, said = shell.workspace.draft, shell.workspace.results.composition
    if draft is not None and said is not None and _same(said[0], draft):
        return said[1]
    return None if tried is None else tried.rehearsal.composition


def _done(shell: Shell) -> None:
    results = shell.workspace.results
    error(results.not_published)
    published = results.published
    if published is None:
        return
    parts: list[dict[str, Any]] = published.get("batches", [published])
    with section("Published"):
        for part in parts:
            if "refused" in part:
                error(f"{part['source']}: {part['refused']}")
                continue
            words(f"{part['published']:,} rows of {part['source']} were published to {part['folder']}.")
            words(f"Files: {', '.join(part['files'])}. What must not leave is in {part['private']}.")
        with box("div", "flow"):
            if "folder" in published:
                _report_link("Open the public report", "/report/public")
                _report_link("Open the report for you alone", "/report/internal")
            _report_link("Open the recipe", "/report/recipe")
        with box("details"):
            words("What tacit publish prints", "summary")
            words("\n".join(published.get("in_words", [])), "pre")


def _report_link(text: str, path: str) -> None:
    link = ui.link(text, path, new_tab=True)
    link.classes("button plain")


def _ledger(shell: Shell) -> None:
    draft = shell.workspace.draft
    path = None if draft is None else draft.section("ledger").get("path")
    if draft is None or not path:
        return
    with section("Ledger: what was published before"):
        place = Path(draft.whole(str(path)))
        if not place.exists():
            words(f"{place.name} is made when something is published for the first time.", "p", "quiet")
            return
        try:
            shell.workspace.folders.allowed(place)
            ledger = read_ledger(place)
            words("\n".join(ledger_lines(ledger)), "pre")
            if any(entry.counterfeits for series in ledger.series for entry in series.entries):
                picture(ledger.picture(), "Rows that are nobody's, release by release")
        except TacitError as problem:
            error(str(problem))
