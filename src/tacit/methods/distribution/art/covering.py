"""Covering: which further groups are withheld, so that the withheld tuples hold as one more group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tacit.arrays import Floats, Ints
from tacit.methods.distribution.art.grouping import Case

_MOST = 20_000
_FLOOR = 1e-4


def cover(case: Case, order: Ints, group: Ints, stuck: Ints) -> Ints | None:
    """Return the tuples to withhold with the stuck ones, the stuck ones first; None if none of the tries is enough.

    Whole groups are taken, the most useful first, in a few orders: first those of a few values that the stuck ones may
    well have, whose worlds can be counted however many they are, then any.
    """
    best: Ints | None = None
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    anchors = np.sort(rank[stuck])
    at = np.searchsorted(anchors, rank)
    far = np.minimum(
        np.abs(rank - anchors[np.minimum(at, len(anchors) - 1)]), np.abs(rank - anchors[np.maximum(at - 1, 0)])
    )
    for units in _orders(case, group, far, stuck):
        found = _shortest(case, stuck, units)
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    return best


def _orders(case: Case, group: Ints, far: Ints, stuck: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield candidate tuples in order, and for each the number of tuples up to the end of its group."""
    alone = (group < 0) & (case.entries < 0)
    alone[stuck] = False
    rows = np.flatnonzero(alone)
    if len(rows):
        rows = rows[np.argsort(-_bearing(case, stuck)[case.cells[rows]], kind="stable")]
        asked = case.signatures[case.cells[stuck]].ravel()
        likely = np.log(case.chances[asked] + _FLOOR).mean(axis=0)
        present = np.bincount(case.values[rows], minlength=case.chances.shape[1]) > 0
        common = np.argsort(np.where(present, -likely, np.inf), kind="stable")
        for width in (1, 2, 3, 4):
            chosen = rows[np.isin(case.values[rows], common[:width])][:_MOST]
            yield chosen, np.arange(1, len(chosen) + 1)
        yield rows[:_MOST], np.arange(1, len(rows[:_MOST]) + 1)
    together = np.flatnonzero(group >= 0)
    if len(together):
        count = int(group.max()) + 1
        nearest = np.full(count, np.iinfo(np.int64).max)
        np.minimum.at(nearest, group[together], far[together])
        same = np.zeros(count, dtype=bool)  # a group without the stuck ones' values dilutes them most
        same[group[together[np.isin(case.entries[together], np.unique(case.entries[stuck]))]]] = True
        for first in (same.astype(np.int64), np.zeros(count, dtype=np.int64)):
            mine = group[together]
            rows = together[np.lexsort((mine, nearest[mine], first[mine]))]
            ends = np.append(np.flatnonzero(np.diff(group[rows])) + 1, len(rows))
            ends = ends[ends <= _MOST]
            yield rows, ends


def _bearing(case: Case, stuck: Ints) -> Floats:
    """Return of each cell how much of the stuck tuples' weight one of its tuples would bear, over attribute sets."""
    total = case.entry_chances.sum(axis=1)
    out = np.zeros(len(case.signatures))
    for a in range(case.signatures.shape[1]):
        hardest = max(float(total[case.signatures[case.cells[stuck], a]].max()), _FLOOR)
        out += np.minimum(1.0, total[case.signatures[:, a]] / hardest)
    return out


def _shortest(case: Case, stuck: Ints, units: tuple[Ints, Ints]) -> Ints | None:
    """Take a prefix: its length is doubled until it is enough, then halved back."""
    rows, ends = units
    if not len(ends):
        return None

    def taken(count: int) -> Ints:
        return np.concatenate([stuck, rows[: ends[count - 1]]]).astype(np.int64)

    high = 1
    while not holds(case, taken(high)):
        if high == len(ends):
            return None
        high = min(2 * high, len(ends))
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(case, taken(middle)) else (middle, high)
    return taken(high)


def holds(case: Case, rows: Ints) -> bool:
    """Ask whether some tuples, as one group, are within the bound."""
    from tacit.kernels.distribution.judging import CERTIFIED, judge

    values, counts = np.unique(case.values[rows], return_counts=True)
    posterior, status, _ = judge(
        case.cells[rows], values, counts.astype(np.int64), *case.knowledge(), case.full, case.bound, True
    )
    return bool(posterior <= case.bound and status <= CERTIFIED)
