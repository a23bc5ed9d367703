"""Threats: which kinds of knowledge are dangerous for this table, and why."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.jobs.inspect.exposure import Alone, Association, Spreading
from tacit.table import Table

L_WANTED = 5
"""A largest l below this many values counts as the threat of a too frequent value. Larger warns of more tables; chosen
by hand, no measurement is behind it."""

SURE = 0.8
"""An association counts as a threat if it makes a reader more than this sure. Smaller warns of more tables; chosen by
hand, no measurement is behind it."""


@dataclass(frozen=True)
class Threat:
    """One kind of knowledge; `applies` is None where only the data owner knows."""

    name: str
    knows: str
    applies: bool | None
    why: str


def threats(
    table: Table, alone: list[Alone], spreading: list[Spreading], association: Association | None
) -> list[Threat]:
    """Judge every kind of knowledge that there is a method against, besides plain linkage."""
    return [_skew(table, spreading), _risk(table, alone), _releases(table), _distribution(association), _items(table)]


def _skew(table: Table, spreading: list[Spreading]) -> Threat:
    knows = "the algorithm, and that one value is too frequent"
    worst = min(spreading, key=lambda s: s.largest_l, default=None)
    if worst is None:
        return Threat("skew", knows, None, "no sensitive column is named")
    share = worst.count / len(table)
    frequency = f"{worst.value!r} is in {share:.1%} of the rows of {worst.column!r}: "
    if worst.largest_l < L_WANTED:
        way_out = f"no grouping is {worst.largest_l + 1}-diverse unless rows are withheld"
        return Threat("skew", knows, True, frequency + way_out)
    return Threat("skew", knows, False, frequency + f"groups can be {worst.largest_l}-diverse")


def _risk(table: Table, alone: list[Alone]) -> Threat:
    knows = "any subset of a person's attributes"
    if not alone:
        return Threat("risk", knows, None, "no quasi-identifier is named")
    last = alone[min(2, len(alone) - 1)]
    count = (
        f"{last.people:,} {table.unit} ({last.people / table.units:.1%}) are alone with {last.attributes} attributes "
        "or fewer"
    )
    return Threat("risk", knows, last.people > 0, count)


def _releases(table: Table) -> Threat:
    return Threat(
        "marginals",
        "several releases of the same table",
        None if len(table.quasi_identifiers) > 1 else False,
        "if this table, or parts of it, is published more than once",
    )


def _distribution(association: Association | None) -> Threat:
    knows = "how the sensitive value depends on the quasi-identifiers"
    if association is None:
        return Threat("distribution", knows, None, "too few rows to see an association")
    a = association
    example = (
        f"if one of two people has {a.value!r}, one with {a.attribute} {a.high!r} and one with {a.low!r}, it is the "
        f"first with probability {a.posterior:.2f}"
    )
    return Threat("distribution", knows, a.posterior > SURE, example)


def _items(table: Table) -> Threat:
    knows = "which items go with which hidden label"
    if table.items:
        return Threat("quasi_sensitive", knows, True, f"{', '.join(table.items)} holds sets that may name a label")
    return Threat("quasi_sensitive", knows, False, "no column holds sets of items")
