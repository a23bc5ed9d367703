"""Threats: four questions, what was counted beside each, and the methods that the answers lead to."""

from __future__ import annotations

from functools import partial

from tacit.studio.elements import bar, box, button, error, radio, section, words
from tacit.studio.interview import QUESTIONS, Proposal, Question, proposals, threat_of
from tacit.studio.shell import Shell, need_table
from tacit.studio.steps import Steps
from tacit.table import Role

_APPLIES = {True: "it applies", False: "it does not seem to apply", None: "only you can tell"}


def threats(shell: Shell) -> None:
    """Ask the four questions, propose methods, and show the steps of the recipe."""
    if not need_table(shell):
        return
    words("Whom do you fear?", "h1")
    words(
        "Every method protects from somebody who knows something in particular. Four questions about your table and "
        "your readers lead to one; what can be counted stands beside each."
    )
    shell.region(lambda: _counted(shell), "threats")
    with section("Four questions"):
        for question in QUESTIONS:
            _question(shell, question)
    shell.region(lambda: _proposals(shell), "answers", "threats", "draft")
    with section("The method"):
        Steps(shell)
    shell.workspace.inspect()


def _counted(shell: Shell) -> None:
    doing = shell.workspace.inspecting
    error(doing.error)
    if doing.busy:
        with box("div", "flow"):
            words(f"Counting what threatens the table: {_stage(doing.stage)}", "span", "quiet")
            bar(doing.share, "Counting what threatens the table")


def _stage(stage: str) -> str:
    """Name the stage; after the counting a few recipes are tried on a sample."""
    return {"": "starting", "done": "trying recipes on a sample"}.get(stage, stage)


def _question(shell: Shell, question: Question) -> None:
    """Ask; what was counted is drawn apart, so that an answer that was just given keeps its focus."""
    with box("div", "question"):
        given = shell.workspace.answers.get(question.key)
        radio(question.key, question.text, question.answers, given, partial(_answer, shell, question.key))
        words(question.why, "p", "hint")
        shell.region(lambda: _beside(shell, question), "threats")


def _beside(shell: Shell, question: Question) -> None:
    found = shell.workspace.inspection
    if found is None:
        return
    threats = {threat["name"]: threat for threat in found[0]["threats"]}
    names = [question.threat, *(["skew"] if question.key == "distribution" else [])]
    for threat in (threats[name] for name in names if name in threats):
        words(f"Counted: {threat['why']} ({_APPLIES[threat['applies']]}).", "p", "counted")


def _answer(shell: Shell, key: str, answer: str) -> None:
    shell.workspace.answers[key] = answer
    shell.workspace.changed("answers")


def _proposals(shell: Shell) -> None:
    workspace = shell.workspace
    draft, threat = workspace.draft, threat_of(workspace.answers)
    if draft is None:
        return
    with section("What to do"):
        if threat is None:
            words("Answer the questions above, from the first one on.", "p", "quiet")
            return
        if threat == "linkage" and workspace.inspection is None and workspace.inspecting.error is None:
            # A card that gave way to others the moment somebody clicks on it would swallow the click.
            words("Several ways are being tried on a sample; they appear here with what they cost.", "p", "quiet")
            return
        trials = None if workspace.inspection is None else workspace.inspection[1]
        columns = {role: draft.columns(role) for role in (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.ITEMS)}
        with box("div", "cards"):
            for proposal in proposals(threat, trials, columns):
                _card(shell, proposal)
        if trials is not None and threat == "linkage" and trials.get("shortfall"):
            words(str(trials["shortfall"]), "p", "quiet")


def _card(shell: Shell, proposal: Proposal) -> None:
    draft = shell.workspace.draft
    chosen = draft is not None and draft.steps == [dict(step) for step in proposal.steps]
    with box("div", "card chosen" if chosen else "card"):
        words(proposal.title, "h3")
        words(proposal.promise, "p")
        if proposal.cost:
            words(proposal.cost, "p", "quiet")
        if proposal.recommended:
            words("Recommended: the strongest promise that costs little.", "p", "quiet")
        if chosen:
            words("This is in the recipe.", "p", "holds")
        else:
            button("Use it", partial(_use, shell, proposal), label=f"Use {proposal.title}: {proposal.promise}")
        words(f"Why it holds: {proposal.page}", "p", "hint")


def _use(shell: Shell, proposal: Proposal) -> None:
    draft = shell.workspace.draft
    if draft is None:
        return
    draft = draft.with_section("steps", [dict(step) for step in proposal.steps])
    if proposal.ledger and not draft.section("ledger"):
        draft = draft.with_section("ledger", {"path": f"{draft.path.stem}.ledger"})
    shell.workspace.edit(draft)
