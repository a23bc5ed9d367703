"""Attack: one adversary against one person of the table, or against the one of whom she learns most."""

from __future__ import annotations

from nicegui import ui

from tacit.errors import TacitError
from tacit.jobs.armed import known_adversaries
from tacit.jobs.background import Running
from tacit.jobs.confront import confront
from tacit.jobs.confrontation import Confrontation
from tacit.studio.elements import box, button, choice, error, field, grid, picture, section, words
from tacit.studio.shell import Shell, need_table
from tacit.studio.views import report_section

_BEFORE_AFTER = ("Distributions before and after", "Risk before and after")
"""Sections of the report that are shown here too."""


def attack(shell: Shell) -> None:
    """Choose who attacks and whom, and see what she learns."""
    if not need_table(shell):
        return
    words("Attack it", "h1")
    words("Before anything leaves: what would somebody learn who has the release and knows something besides?")
    shell.region(lambda: _choose(shell), "results", "job")
    shell.region(lambda: _shown(shell), "results")
    shell.region(lambda: _distributions(shell), "results")


def _choose(shell: Shell) -> None:
    workspace = shell.workspace
    selected = workspace.results.selected
    if selected is None:
        words("There is no release to attack yet: try the recipe first.")
        ui.link("Try it", "/try").classes("button")
        return
    asked = workspace.attack
    busy = workspace.job is not None and workspace.job.state == "running"
    knowledge = known_adversaries()
    with section(f"Against result {selected.number}: {selected.rehearsal.method}"):
        tried = {
            str(t.number): f"{t.number}: {t.rehearsal.method}"
            for t in workspace.results.tried
            if t.rehearsal.refused is None
        }
        with box("div", "flow"):
            if len(tried) > 1:
                choice("Release", tried, str(selected.number), lambda key: _select(shell, int(key)))
            options = {name: name.replace("-", " ") for name in knowledge}
            choice("Adversary", options, asked["adversary"], lambda key: _who(shell, key), id_="attack-who")
            field(
                "Person, by her row",
                asked["row"],
                lambda text: asked.update(row=text),
                hint=f"1 to {selected.rehearsal.rows:,}; empty for the worst",
                attributes={"inputmode": "numeric"},
            )
            button("Attack", lambda: _attack(shell), off=busy)
        words(f"She knows {knowledge.get(asked['adversary'], '')}.", "p", "quiet")
        error(workspace.results.attack_failure)


def _select(shell: Shell, number: int) -> None:
    shell.workspace.results.chosen = number
    shell.workspace.changed("results")


def _who(shell: Shell, name: str) -> None:
    shell.workspace.attack["adversary"] = name
    shell.workspace.changed("results")


def _attack(shell: Shell) -> None:
    workspace = shell.workspace
    selected, asked = workspace.results.selected, workspace.attack
    if selected is None:
        return

    def done(job: Running) -> None:
        workspace.results.confrontation = job.result if job.state == "done" else workspace.results.confrontation
        stopped = "It was stopped."
        ended = stopped if job.state == "cancelled" else str(job.failure)
        workspace.results.attack_failure = None if job.state == "done" else ended

    workspace.results.attack_failure = None
    text = asked["row"].strip()
    try:
        if text and not text.isdigit():
            raise TacitError(f"A row is a whole number, not {text!r}.")
        draft = selected.draft
        given = (draft.text, str(draft.path), selected.rehearsal.seed, asked["adversary"], int(text) if text else None)
        workspace.start("Attacking", confront, *given, then=done)
    except TacitError as problem:
        workspace.results.attack_failure = str(problem)
    workspace.changed("results")


def _shown(shell: Shell) -> None:
    found = shell.workspace.results.confrontation
    if not isinstance(found, Confrontation):
        return
    with section("What she learns"):
        words(f"She knows {found.knows}.", "p")
        if found.row is not None:
            _person(found)
        words(found.sentence, "p", "verdict")
        for belief in found.beliefs:
            words(belief.sentence, "p")
            picture(belief.picture, f"What she believes of {belief.column}")
        if found.group[1]:
            words("The rows that she finds", "h3")
            grid(found.group[0], found.group[1], caption="The rows that she finds")


def _person(found: Confrontation) -> None:
    worst = f", the worst of {found.looked_up:,} people who were looked up" if found.looked_up else ""
    known = "; ".join(f"{name} {value}" for name, value in found.person)
    words(f"The person of row {found.row:,}{worst}. Known of her: {known}.", "p")


def _distributions(shell: Shell) -> None:
    selected = shell.workspace.results.selected
    view = None if selected is None else selected.rehearsal.view
    if view is None:
        return
    for each in view.sections:
        if each.title in _BEFORE_AFTER:
            with box("details", "part"):
                words(each.title, "summary")
                report_section(each)
