"""What `tacit compare` prints."""

from __future__ import annotations

from tacit.jobs.comparison_page import MEANINGS, figures, shown_columns
from tacit.jobs.decision import Decision
from tacit.report.terminal import columns

_DOMINATED = (
    " dominated     another choice promises as much or more, lets a reader learn no more and costs no more, and is",
    "               better in one of these",
)


def comparison_lines(decision: Decision) -> list[str]:
    """Write a comparison as a table, a sentence for each choice, and one for all of them."""
    names = shown_columns(decision)
    rows = [
        ("choice", *names, ""),
        *((c.label, *(figures(c)[n] for n in names), "dominated" if c.dominated else "") for c in decision.choices),
    ]
    meanings = [f" {name:<13} {MEANINGS[name]}" for name in names]
    verdicts = columns([(choice.label, choice.verdict) for choice in decision.choices])
    return [
        *(line.rstrip() for line in columns(rows)),
        "",
        *verdicts,
        "",
        decision.sentence,
        "",
        *meanings,
        *_DOMINATED,
    ]
