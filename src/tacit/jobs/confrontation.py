"""Confrontation: what comes of one adversary against a table, in sentences and pictures for the data owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from tacit.report.charts import BLUE, GREY, ORANGE, alternative, bars, svg
from tacit.table import as_text

_NOW, _AS_IT_IS, _THEN = "before reading", "the table as it is", "this release"


@dataclass(frozen=True)
class BeliefChange:
    """What she believes of one column: every value with its probability, at three moments, and the truth."""

    column: str
    truth: str | None
    rows: tuple[tuple[str, float, float | None, float], ...]
    sentence: str
    picture: str


@dataclass(frozen=True)
class Confrontation:
    """One adversary against a table.

    Attributes
    ----------
    adversary, knows
        Who she is, and what she knows.
    row
        The row of the person, from 1; None where she is not after one person.
    person
        What she knows of the person.
    found_before, found_after
        How many rows may be the person's, in the table and in the release.
    sentence
        What comes of it.
    beliefs
        How her belief changes, per column.
    group
        Published rows that may be the person's, some of them, with the names of their columns.
    looked_up
        Among how many people the worst was looked for; None where somebody was named.
    """

    adversary: str
    knows: str
    sentence: str
    row: int | None = None
    person: tuple[tuple[str, str], ...] = ()
    found_before: int | None = None
    found_after: int | None = None
    beliefs: tuple[BeliefChange, ...] = ()
    group: tuple[tuple[str, ...], tuple[tuple[str, ...], ...]] = ((), ())
    looked_up: int | None = None


def drawn(column: str, rows: tuple[tuple[str, float, float | None, float], ...], *, prior: bool = True) -> str:
    """Draw what she believes, moment by moment; without `prior`, what she believed before is not known."""
    points = [
        {"value": value, "probability": number, "when": when}
        for value, *numbers in rows
        for when, number in zip((_NOW, _AS_IT_IS, _THEN), numbers, strict=True)
        if number is not None and (prior or when != _NOW)
    ]
    order = [when for when in (_NOW, _AS_IT_IS, _THEN) if any(point["when"] == when for point in points)]
    colours = {_NOW: GREY, _AS_IT_IS: ORANGE, _THEN: BLUE}
    chart = bars(
        points,
        "value",
        "probability",
        series="when",
        titles=(column, "how probable it is to her"),
        order=order,
        colours=[colours[when] for when in order],
    )
    return svg(chart, alternative(chart, f"What she believes of {column}"))


def shares(column: pl.Series) -> dict[str, float]:
    """Return how frequent every value of a column is."""
    counts = as_text(column).value_counts()
    return {word(v): n / len(column) for v, n in zip(counts[column.name], counts["count"], strict=True)}


def in_text(cell: pl.Series) -> str:
    """Write the only cell of a column."""
    return word(as_text(cell)[0]) if not isinstance(cell.dtype, pl.List) else "; ".join(map(str, cell[0]))


def word(value: Any) -> str:
    """Write a value; one that is missing is said to be."""
    return "(missing)" if value is None else str(value)
