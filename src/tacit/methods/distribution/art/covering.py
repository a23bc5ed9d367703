"""Covering: which further groups are withheld, so that the withheld tuples hold as one more group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tacit.arrays import Floats, Ints
from tacit.kernels.distribution.arguments import CERTIFIED
from tacit.methods.distribution.art.grouping import GroupingProblem
from tacit.methods.distribution.nearness import ranks_of

_MOST = 20_000
"""Tuples that a cover may take at most: more would be withheld than anybody wants, and judging them takes long. Chosen
by trial."""

_FLOOR = 1e-4
"""A probability, so that a logarithm of 0 and a division by 0 do not occur. Chosen by trial."""


def cover(problem: GroupingProblem, order: Ints, group: Ints, stuck: Ints) -> Ints | None:
    """Return the tuples to withhold with the stuck ones, the stuck ones first; None if none of the tries is enough.

    Whole groups are taken, the most useful first, in a few orders: first those of a few values that the stuck ones may
    well have, whose worlds can be counted however many they are, then any.
    """
    best: Ints | None = None
    rank = ranks_of(order)
    anchors = np.sort(rank[stuck])
    at = np.searchsorted(anchors, rank)
    far = np.minimum(
        np.abs(rank - anchors[np.minimum(at, len(anchors) - 1)]), np.abs(rank - anchors[np.maximum(at - 1, 0)])
    )
    for units in _orders(problem, group, far, stuck):
        withheld = _shortest(problem, stuck, units)
        if withheld is not None and (best is None or len(withheld) < len(best)):
            best = withheld
    return best


def _orders(problem: GroupingProblem, group: Ints, far: Ints, stuck: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield candidate tuples in order, and for each the number of tuples up to the end of its group."""
    alone = (group < 0) & (problem.entries < 0)
    alone[stuck] = False
    rows = np.flatnonzero(alone)
    if len(rows):
        rows = rows[np.argsort(-_bearing(problem, stuck)[problem.cells[rows]], kind="stable")]
        asked = problem.signatures[problem.cells[stuck]].ravel()
        likely = np.log(problem.chances[asked] + _FLOOR).mean(axis=0)
        present = np.bincount(problem.values[rows], minlength=problem.chances.shape[1]) > 0
        common = np.argsort(np.where(present, -likely, np.inf), kind="stable")
        for width in (1, 2, 3, 4):
            chosen = rows[np.isin(problem.values[rows], common[:width])][:_MOST]
            yield chosen, np.arange(1, len(chosen) + 1)
        yield rows[:_MOST], np.arange(1, len(rows[:_MOST]) + 1)
    together = np.flatnonzero(group >= 0)
    if len(together):
        count = int(group.max()) + 1
        nearest = np.full(count, np.iinfo(np.int64).max)
        np.minimum.at(nearest, group[together], far[together])
        same = np.zeros(count, dtype=bool)  # a group without the stuck ones' values dilutes them most
        same[group[together[np.isin(problem.entries[together], np.unique(problem.entries[stuck]))]]] = True
        for first in (same.astype(np.int64), np.zeros(count, dtype=np.int64)):
            mine = group[together]
            rows = together[np.lexsort((mine, nearest[mine], first[mine]))]
            ends = np.append(np.flatnonzero(np.diff(group[rows])) + 1, len(rows))
            ends = ends[ends <= _MOST]
            yield rows, ends


def _bearing(problem: GroupingProblem, stuck: Ints) -> Floats:
    """Return of each cell how much of the stuck tuples' weight one of its tuples would bear, over attribute sets."""
    total = problem.entry_chances.sum(axis=1)
    out = np.zeros(len(problem.signatures))
    for a in range(problem.signatures.shape[1]):
        hardest = max(float(total[problem.signatures[problem.cells[stuck], a]].max()), _FLOOR)
        out += np.minimum(1.0, total[problem.signatures[:, a]] / hardest)
    return out


def _shortest(problem: GroupingProblem, stuck: Ints, units: tuple[Ints, Ints]) -> Ints | None:
    """Take a prefix: its length is doubled until it is enough, then halved back."""
    rows, ends = units
    if not len(ends):
        return None

    def taken(count: int) -> Ints:
        return np.concatenate([stuck, rows[: ends[count - 1]]]).astype(np.int64)

    high = 1
    while not holds(problem, taken(high)):
        if high == len(ends):
            return None
        high = min(2 * high, len(ends))
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(problem, taken(middle)) else (middle, high)
    return taken(high)


def holds(problem: GroupingProblem, rows: Ints) -> bool:
    """Ask whether some tuples, as one group, are within the bound."""
    from tacit.kernels.distribution.judging import judge

    values, counts = np.unique(problem.values[rows], return_counts=True)
    posterior, status, _ = judge(
        problem.cells[rows],
        values,
        counts.astype(np.int64),
        problem.knowledge,
        problem.exact_view,
        problem.bound,
        hasty=True,
    )
    return bool(posterior <= problem.bound and status <= CERTIFIED)
