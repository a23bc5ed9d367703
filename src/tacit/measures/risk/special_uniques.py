"""Special uniques (SUDA): who is alone already by few columns, and which columns and values make that so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Floats, Ints
from tacit.calls import checked_call
from tacit.errors import ParameterError, RoleError
from tacit.shapes import Shape
from tacit.table import Groups, Table, as_text

LARGEST = 4
"""Columns of a set at most. Who needs more columns to be alone is rarely alone in a population, and the number of sets
grows with each."""

_WORK = 60_000_000
"""Distinct rows times sets of columns for figures that nobody asked for: about three seconds. Above it sets are
smaller. Chosen by trial."""

_VALUES = 20
"""Values that are listed, those with the largest shares. Chosen by hand."""


@dataclass(frozen=True)
class ValueShare:
    """The share of all scores that sets with this value of this column make up."""

    column: str
    value: str | None
    share: float


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    """Minimal sample uniques: the smallest sets of columns by which a row is alone.

    Attributes
    ----------
    columns
        The columns that were combined.
    largest
        How many columns a set had at most.
    rows
        How many rows there are.
    sets
        How many minimal sets of 1, 2, ... columns there are.
    alone
        How many rows are alone by some set of at most 1, 2, ... columns.
    unique, pairs
        How many rows are alone by all columns together, and how many are in pairs.
    scores
        SUDA's score of each row: a set of s columns adds the product of (columns - i) over i = s ... largest.
    by_column, by_value
        The share of all scores that sets with the column, or with a value of it, make up. A set of two columns counts
        for both, so the shares of columns add up to more than 1.
    fraction
        The share of the population that the table is; None where nobody said it.
    intrusion
        The probability that a match of an outsider with a unique row is right (data intrusion simulation); None
        without a fraction.
    dis_scores
        The same spread over the rows by their scores (DIS-SUDA); None without a fraction.
    """

    columns: tuple[str, ...]
    largest: int
    rows: int
    sets: tuple[int, ...]
    alone: tuple[int, ...]
    unique: int
    pairs: int
    scores: Floats
    by_column: tuple[tuple[str, float], ...]
    by_value: tuple[ValueShare, ...]
    fraction: float | None = None
    intrusion: float | None = None
    dis_scores: Floats | None = None

    @property
    def scored(self) -> int:
        """How many rows have a score: they are alone by some set."""
        return int((self.scores > 0).sum())

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures take for granted."""
        sampled = (
            "The share of the population that the table is was not said, so DIS-SUDA is not assessed."
            if self.fraction is None
            else f"DIS-SUDA takes the table for a simple random sample of {self.fraction:.4g} of its population."
        )
        return (
            f"Sets of at most {self.largest} of {len(self.columns)} columns were searched.",
            "Values are compared as they are written; a missing value is a value of its own.",
            sampled,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON; nothing about single rows."""
        dis = self.dis_scores
        return {
            "columns": list(self.columns),
            "largest": self.largest,
            "rows": self.rows,
            "sets": list(self.sets),
            "alone": list(self.alone),
            "unique": self.unique,
            "pairs": self.pairs,
            "scored": self.scored,
            "max_score": float(self.scores.max(initial=0.0)),
            "by_column": dict(self.by_column),
            "by_value": [{"column": v.column, "value": v.value, "share": v.share} for v in self.by_value],
            "fraction": self.fraction,
            "intrusion": self.intrusion,
            "max_dis_score": None if dis is None else float(dis.max(initial=0.0)),
            "dis_above": None if dis is None else {f"{at:g}": int((dis > at).sum()) for at in (0.1, 0.2, 0.5)},
            "assumptions": list(self.assumptions),
        }


@checked_call(ahead=True)
def special_uniques(
    table: Table,
    *,
    columns: str | Sequence[str] | None = None,
    largest: int = LARGEST,
    fraction: float | None = None,
) -> SpecialUniques:
    """Find the special uniques of a table.

    Parameters
    ----------
    table
        The table, usually a sample.
    columns
        The columns to combine, by default the quasi-identifiers.
    largest
        How many columns a set has at most, 1 to 8.
    fraction
        The share of the population that the table is, above 0 and up to 1, for DIS-SUDA.

    Examples
    --------
    >>> table = Table({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]}, quasi_identifiers=["a", "b", "c"])
    >>> found = special_uniques(table)
    >>> found.scores.tolist(), found.by_column
    ([2.0, 4.0, 2.0], (('a', 0.5), ('b', 0.375), ('c', 0.375)))

    References
    ----------
    Elliot, Manning, Mayes, Gurd, Bane, "SUDA: a program for detecting special uniques", UNECE and Eurostat, on
    statistical data confidentiality, 2005. Manning, Haglin, Keane, "A recursive search algorithm for statistical
    disclosure assessment", DMKD 2008. Skinner, Elliot, "A measure of disclosure risk for microdata", JRSS B 2002.
    """
    names = [columns] if isinstance(columns, str) else list(columns or table.quasi_identifiers)
    for name in names:
        table.column(name)
    encoded = [table.codes(name) for name in names]
    return _found(
        names,
        [codes.codes.astype(np.int64) for codes in encoded],
        [as_text(codes.values) for codes in encoded],
        np.ones(len(table), dtype=np.int64),
        _checked(names, largest),
        _fraction(fraction),
    )


def affordable(rows: int, columns: int) -> int:
    """Return how many columns a set may have at most, so that a figure that nobody asked for takes few seconds.

    Parameters
    ----------
    rows
        Distinct rows, each counted twice if it occurs more than once.
    columns
        Columns that are combined.

    Examples
    --------
    >>> affordable(50_000, 12), affordable(1_000_000, 12), affordable(1_000_000, 5)
    (4, 1, 4)
    """
    sets, largest = columns, min(1, columns)
    while largest < min(LARGEST, columns):
        sets += comb(columns, largest + 1)
        if sets * rows > _WORK:
            break
        largest += 1
    return largest


def special_uniques_of_release(shape: Shape, *, largest: int | None = None) -> SpecialUniques:
    """Find the special uniques among the published rows, by the cells that are published; of one flat table.

    Parameters
    ----------
    shape
        A published table.
    largest
        How many columns a set has at most, by default what is affordable.
    """
    classes = shape.classes
    names = list(classes.names)
    searched = int(np.minimum(classes.weights, 2).sum())
    largest = affordable(searched, len(names)) if largest is None else largest
    codes = [np.ascontiguousarray(classes.codes[:, j], dtype=np.int64) for j in range(len(names))]
    texts = [as_text(classes.labels[name]) for name in names]
    return _found(names, codes, texts, classes.weights, _checked(names, largest), None)


def _checked(names: Sequence[str], largest: int) -> int:
    if not names:
        raise RoleError("There is no quasi-identifier to combine.", hint="Name the columns that outsiders may know.")
    if isinstance(largest, bool) or not isinstance(largest, int) or not 1 <= largest <= 8:
        raise ParameterError(f"largest = {largest!r} is not allowed.", hint="Give a whole number from 1 to 8.")
    return min(largest, len(names))


def _fraction(given: float | None) -> float | None:
    if given is not None and not 0 < given <= 1:
        raise ParameterError(f"fraction = {given!r} is not allowed.", hint="Give a share above 0, and 1 at most.")
    return given


def _found(
    names: Sequence[str],
    codes: Sequence[Ints],
    texts: Sequence[pl.Series],
    weights: Ints,
    largest: int,
    fraction: float | None,
) -> SpecialUniques:
    """Search distinct rows, each twice if it occurs more than once: it is alone then by no set."""
    from tacit.kernels.special_uniques import minimal_uniques

    sizes = [len(text) for text in texts]
    groups = Groups.of(codes, sizes, rows=len(weights))
    times = groups.sizes(weights)
    distinct = groups.first()
    searched = np.repeat(np.arange(groups.count), np.minimum(times, 2))
    grid = np.stack([column[distinct[searched]] for column in codes]).astype(np.int64)
    worth = set_scores(len(names), largest)
    found, scored, values = minimal_uniques(grid, largest, worth, max(1, *sizes))
    total = float(scored.sum())
    by_column = tuple((name, float(values[j].sum()) / total if total else 0.0) for j, name in enumerate(names))
    every = [
        ValueShare(names[j], texts[j][int(code)], float(values[j, code]) / total)
        for j in range(len(names))
        for code in np.argsort(-values[j, : sizes[j]], kind="stable")[:_VALUES]
        if values[j, code] > 0
    ]
    scores = np.zeros(groups.count)
    scores[searched] = scored
    smallest = np.where(found.any(axis=1), np.argmax(found > 0, axis=1) + 1, largest + 1)
    alone = tuple(int((smallest <= size).sum()) for size in range(1, largest + 1))
    unique, pairs = int((times == 1).sum()), 2 * int((times == 2).sum())
    intrusion, dis = _intrusion(scores, len(names), unique, pairs, fraction)
    rows = np.repeat(groups.ids, weights) if int(weights.max(initial=1)) > 1 else groups.ids
    return SpecialUniques(
        tuple(names),
        largest,
        int(weights.sum()),
        tuple(int(count) for count in found.sum(axis=0)),
        alone,
        unique,
        pairs,
        scores[rows],
        tuple(sorted(by_column, key=lambda each: -each[1])),
        tuple(sorted(every, key=lambda each: -each.share)[:_VALUES]),
        fraction,
        intrusion,
        None if dis is None else dis[rows],
    )


def set_scores(columns: int, largest: int) -> Floats:
    """Return what a minimal set of 1, 2, ... columns adds to a score: the fewer columns, the more.

    Examples
    --------
    >>> set_scores(4, 3).tolist(), set_scores(4, 4).tolist()
    ([6.0, 2.0, 1.0], [6.0, 2.0, 1.0, 1.0])
    """
    last = min(largest, columns - 1)
    return np.array([float(prod(columns - i for i in range(size, last + 1))) for size in range(1, largest + 1)])


def _intrusion(
    scores: Floats, columns: int, unique: int, pairs: int, fraction: float | None
) -> tuple[float | None, Floats | None]:
    """Return the probability that a match with a unique row is right, and its spread over the rows by their scores.

    One in so many unique rows would become a pair if one more row of the population were drawn: Skinner and Elliot
    estimate the probability from unique rows and rows in pairs. The spread is the one that sdcMicro uses.
    """
    if fraction is None:
        return None, None
    if not unique:
        return 0.0, np.zeros(len(scores))
    intrusion = unique * fraction / (unique * fraction + pairs * (1 - fraction))
    power = 1.0 + (8.0 - columns) / 20.0
    some = scores > 0
    lifted = np.where(some, scores, 1.0) ** power
    scale = float((1.0 / lifted[some]).sum())
    odds = unique / intrusion - unique
    spread = np.where(some, 1.0 / (1.0 + odds / np.maximum(lifted * scale, 1e-300)), 0.0)
    return intrusion, spread
