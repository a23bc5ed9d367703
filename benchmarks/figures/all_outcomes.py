"""All outcomes of an algorithm over all ineligible base tables of one size, vectorised over tables.

A row of an outcome is a table, a range of draws that lead to the same published counts, those counts (descending),
and the place of S1 among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.arrays import places_of
from tacit.knowledge.skew import Algorithm
from tacit.knowledge.skew.posterior.symmetric_tables import Tables

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Outcomes:
    """Rows of outcomes.

    Parameters
    ----------
    table
        Index of the base table.
    counts
        Published counts, descending.
    place
        Place of S1 among them, from 0.
    share
        Probability of these draws, up to a factor that all rows of the algorithm share.
    """

    table: Ints
    counts: Tables
    place: int
    share: npt.NDArray[np.float64]


def outcomes(tables: Tables, l: int, algorithm: Algorithm) -> Iterator[Outcomes]:
    """Give all outcomes on sorted ineligible tables with absent values as zeros; infeasible tables have none.

    Parameters
    ----------
    tables
        One base table per row, all of the same number of records.
    l
        Parameter of the suppression.
    algorithm
        What was used.
    """
    index = np.arange(len(tables))
    if algorithm == "suppress-all":
        yield Outcomes(index, np.zeros_like(tables), 0, np.ones(len(tables)))
        return
    if l > tables.shape[1]:
        return
    enough = tables[:, l - 1] > 0
    tables, index = tables[enough], index[enough]
    if not len(tables):
        return
    match algorithm:
        case "safe-d":
            yield Outcomes(index, np.minimum(tables, tables[:, l - 1, None]), 0, np.ones(len(tables)))
        case "shift":
            yield from _shifted(tables, index, l, 1)
        case "v-shift":
            hidden = (tables > int(tables[0].sum()) // l).sum(axis=1)
            for k in range(1, l):
                yield from _shifted(tables[hidden == k], index[hidden == k], l, k)
        case "unsafe-d":
            yield from _stopped(_Stops(tables, l), index, 1, tables[:, 0], np.ones(len(tables)))
        case "r-suppression":
            yield from _randomized(tables, index, l)


def _shifted(tables: Tables, index: Ints, l: int, k: int) -> Iterator[Outcomes]:
    if k * l > tables.shape[1] or not len(tables):
        return
    places = [k + block * (l - 1) + min(i, l - 2) for block in range(k) for i in range(l)]
    target = tables[:, [*places, *range(k * l, tables.shape[1])]]
    level = cut_levels(target, l)
    counts = np.minimum(target, level[:, None])[level > 0]
    for place in range(l):
        yield Outcomes(index[level > 0], counts, place, np.ones(len(counts)))


def cut_levels(target: Tables, l: int) -> Ints:
    """Find for each row the highest level at which the cut counts are l-eligible.

    Examples
    --------
    >>> cut_levels(np.array([[6, 4, 4, 2, 1], [1, 1, 0, 0, 0]]), 3).tolist()
    [5, 0]
    """
    below = np.cumsum(target[:, ::-1], axis=1)[:, ::-1]
    level = np.zeros(len(target), dtype=np.int64)
    open_ = np.ones(len(target), dtype=bool)
    for j in range(min(l, target.shape[1])):
        g = target[:, j]
        surplus = below[:, j] + j * g - l * g
        reached = open_ & (surplus >= 0)
        level[reached] = (g + surplus // (l - j))[reached]
        open_ &= ~reached
    return level


class _Stops:
    """Where D-steps stop, for many tables at once: the closed forms of ``tacit.knowledge.skew.Levels``."""

    def __init__(self, tables: Tables, l: int) -> None:
        self.tables, self.l = tables, l
        self.n = int(tables[0].sum())
        padding = max(0, l + 1 - tables.shape[1])
        self.F = np.pad(tables, ((0, 0), (1, padding)))
        self.base = self.n - self.n // l - 1
        self.B = np.stack([l * self.F[:, j] - self.others(self.F[:, j]) for j in range(2, l + 2)], axis=1)
        self.G = np.zeros(len(tables), dtype=np.int64)
        open_ = np.ones(len(tables), dtype=bool)
        for j in range(2, l + 1):
            spare = self.F[:, j] - self.B[:, j - 2]
            reached = open_ & (spare >= 0)
            self.G[reached] = (self.F[:, j] + spare // (l - j + 1))[reached]
            open_ &= ~reached

    def others(self, M: Ints, rows: Ints | slice = slice(None)) -> Ints:
        total = np.zeros(len(M), dtype=np.int64)
        for column in range(1, self.tables.shape[1]):
            total += np.minimum(self.tables[rows, column], M)
        return total

    def highest(self, rows: Ints, F: Ints) -> Ints:
        level = self.G[rows]
        open_ = level > F
        for j in range(2, self.l + 2):
            B = self.B[rows, j - 2]
            reached = open_ & (F >= B)
            level[reached] = (self.F[rows, j] + (F - B) // (self.l - j + 2))[reached]
            open_ &= ~reached
        return level


def _randomized(tables: Tables, index: Ints, l: int) -> Iterator[Outcomes]:
    stops = _Stops(tables, l)
    for h in range(1, l + 1):
        lowest, highest = np.maximum(stops.F[:, h + 1], 1), stops.F[:, h]
        # From this level of S1 on the outcome does not change any more.
        enough = stops.G if h == l else np.minimum(stops.G, (stops.base + stops.F[:, l]) // l)
        last = np.minimum(highest, np.maximum(lowest, enough))
        size = last - lowest + 1
        rows = np.repeat(np.arange(len(tables)), size)
        F = places_of(lowest, size)
        ways = np.where(last[rows] == F, highest[rows] - F + 1, 1)
        share = ways / (highest - lowest + 1)[rows]
        yield from _stopped(stops, index, h, F, share, rows)


def _stopped(
    stops: _Stops, index: Ints, h: int, F: Ints, share: npt.NDArray[np.float64], rows: Ints | None = None
) -> Iterator[Outcomes]:
    """Run R(h, F) for levels F of S1 on the tables with these row numbers."""
    rows = np.arange(len(F)) if rows is None else rows
    C = stops.base + (F if h == stops.l else stops.F[rows, stops.l])
    level = np.minimum(C // stops.l, stops.highest(rows, F))
    total = stops.others(level, rows) + np.minimum(F, level)
    late = np.flatnonzero(total > C)  # candidacy stops within or before this level: look for the level of C records
    low, high = np.zeros(len(late), dtype=np.int64), level[late]
    while np.any(low < high):
        middle = (low + high) // 2
        reached = stops.others(middle, rows[late]) + np.minimum(F[late], middle) >= C[late]
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    level[late] = low
    surplus = np.zeros(len(F), dtype=np.int64)
    surplus[late] = stops.others(low, rows[late]) + np.minimum(F[late], low) - C[late]
    ordered = np.insert(stops.tables[rows, 1:], h - 1, F, axis=1)
    counts = np.minimum(ordered, level[:, None])
    some = np.flatnonzero(surplus)
    at_level = (ordered[some] >= level[some, None]).sum(axis=1)
    column = np.arange(ordered.shape[1])
    counts[some] -= (column < at_level[:, None]) & (column >= (at_level - surplus[some])[:, None])
    yield Outcomes(index[rows], counts, h - 1, share)
