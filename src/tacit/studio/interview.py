"""The interview: four questions about the table and its readers, and the methods that the answers lead to.

The questions are those of the page "Which threat do I have?"; what an inspection counted stands beside each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.studio.schemas import first_step
from tacit.table import Role


@dataclass(frozen=True)
class Question:
    """A question, its answers, and the threat of the inspection that is about it."""

    key: str
    text: str
    why: str
    answers: Mapping[str, str]
    threat: str | None = None


QUESTIONS = (
    Question(
        "secret",
        "1. What tells the secret?",
        "If sets of items say it together, a reader needs only a table of which items go with what.",
        {
            "column": "A column says it: the diagnosis, the income, a flag.",
            "items": "No such column is published, but sets of items that say it together: symptoms, purchases.",
        },
        "quasi_sensitive",
    ),
    Question(
        "often",
        "2. How often do you publish?",
        "Each of several releases may be safe alone, and they may not be together.",
        {
            "once": "Once, and nothing else about the same people ever leaves.",
            "several": "Several times, today or next month, also parts of the table.",
        },
        "marginals",
    ),
    Question(
        "known",
        "3. What may be known of a person?",
        "If anybody may know any of many columns, no list of quasi-identifiers is right.",
        {
            "listed": "The columns that I named as quasi-identifiers.",
            "any": "Any of many columns, sensitive ones included.",
        },
        "risk",
    ),
    Question(
        "distribution",
        "4. What may be known of the secret?",
        "How often a disease is, by sex and age, is published for many diseases. A reader also learns from the release "
        "itself, which needs no knowledge at all; every audit measures that.",
        {
            "table": "No more than the table says: the reader looks people up.",
            "learns": "What the release itself teaches, from all groups together.",
            "statistics": "How it is distributed by sex, age, nationality.",
            "frequent": "That one value is too frequent, and how the tool works.",
        },
        "distribution",
    ),
)


@dataclass(frozen=True)
class Proposal:
    """Steps of a recipe that answers lead to, and what they promise in one sentence.

    Attributes
    ----------
    cost
        What it cost on a sample, where it was tried.
    recommended
        Whether it is the strongest promise that costs little.
    ledger
        Whether it needs a memory of earlier releases.
    """

    title: str
    promise: str
    steps: tuple[dict[str, Any], ...]
    page: str
    cost: str = ""
    recommended: bool = False
    ledger: bool = False


def threat_of(answers: Mapping[str, str]) -> str | None:
    """Return the threat that the answers lead to; None while a question before it is open.

    Examples
    --------
    >>> threat_of({"secret": "column", "often": "several"})
    'marginals'
    >>> threat_of({"secret": "column", "often": "once", "known": "listed", "distribution": "table"})
    'linkage'
    """
    ends = {"items": "quasi_sensitive", "several": "marginals", "any": "risk"}
    last = {"table": "linkage", "learns": "learning", "statistics": "distribution", "frequent": "skew"}
    for question in QUESTIONS:
        given = answers.get(question.key)
        if given is None:
            return None
        if given in ends or given in last:
            return (ends | last)[given]
    return None


def proposals(threat: str, trials: Mapping[str, Any] | None, columns: Mapping[Role, Sequence[str]]) -> list[Proposal]:
    """Return the ways that protect from a threat, with what was tried on a sample where that is known."""
    page = f"docs/threats/{threat}.md"
    if threat == "linkage":
        tried = [] if trials is None else trials.get("each", [])
        if tried:
            return [_tried(each, page) for each in tried]
        mondrian = first_step("mondrian")
        return [
            Proposal(
                "Mondrian", "Nobody can be told from 4 others; their values blur to ranges and sets.", (mondrian,), page
            )
        ]
    l = 3
    if threat == "skew":
        return [
            Proposal(
                "Shift suppression, then Anatomy",
                "Rows are withheld so that nobody can tell which value was too frequent, and no value is believed with "
                f"more than 1/{l}.",
                ({"method": "shift-suppression", "l": l}, {"method": "anatomy", "l": l}),
                page,
            )
        ]
    if threat == "learning":
        return [
            Proposal(
                "Anatomy with similar buckets",
                "No value is believed with more than 1/2 by somebody who looks people up; buckets of similar people "
                "teach a reader least, and the audit says how much.",
                ({"method": "anatomy", "l": 2, "buckets": "similar"},),
                page,
            ),
            _art(page),
        ]
    if threat == "distribution":
        return [_art(page)]
    if threat == "risk":
        return [
            Proposal(
                "Value suppression",
                "Whatever subset of a person's attributes somebody knows, the risk for her is at most the threshold; "
                "cells are blanked until it is.",
                ({"method": "value-suppression", "delta": 0.2},),
                page,
            )
        ]
    if threat == "marginals":
        names = list(columns.get(Role.QUASI_IDENTIFIER, ()))
        step: dict[str, Any] = {"method": "invariant-marginals", "m": 2}
        if len(names) > 1:
            half = (len(names) + 1) // 2
            step["marginals"] = {"first": names[:half], "second": names[half:]}
        return [
            Proposal(
                "Invariant marginals with a ledger",
                "Nobody's value is known with more than 1/2, whatever the number of tables, now or later.",
                (step,),
                page,
                ledger=True,
            )
        ]
    guarantee = {"name": "qs-diversity", "c": 1, "l": 3, "knowledge": "diseases.json"}
    return [
        Proposal(
            "Quasi-sensitive generalization and suppression",
            "Whoever knows which items go with which label cannot tell anybody's label; values blur and items are "
            "removed. It needs the table of labels and items as a file.",
            ({"method": "quasi-sensitive", "k": 5, "guarantee": guarantee},),
            page,
        )
    ]


def _tried(each: Mapping[str, Any], page: str) -> Proposal:
    promise = str(each["promise"])
    cost = (
        f"cannot be had: {each['refused']}"
        if each.get("refused")
        else f"on a sample: {each['ncp']:.0%} of the information lost, {each['withheld']:.1%} of the rows withheld"
    )
    title = " and ".join(str(step["method"]) for step in each["steps"]).capitalize()
    sentence = f"{promise[:1].upper()}{promise[1:]}."
    return Proposal(title, sentence, tuple(map(dict, each["steps"])), page, cost, bool(each.get("chosen")))


def _art(page: str) -> Proposal:
    return Proposal(
        "ART",
        "Nobody's value is believed with more than 1/2 by somebody who knows how it is distributed by the "
        "quasi-identifiers.",
        ({"method": "art", "r": 2},),
        page,
    )
