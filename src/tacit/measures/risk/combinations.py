"""Combinations: the known sets that add most to the risk of a whole table."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from tacit.knowledge.risk.records import Records
from tacit.table import Groups

_GROUPINGS, _ROWS_GROUPED = 400, 30_000_000
"""Known sets that are counted at most; in a small table more of them, up to so many distinct rows grouped in all. More
take longer and are more often certain to include the riskiest. How the value was chosen was not written down."""


@dataclass(frozen=True)
class Combination:
    """A known set, and what it adds to the risk of all rows together."""

    columns: tuple[str, ...]
    total: float


def riskiest(records: Records, most: int = 10) -> tuple[tuple[Combination, ...], bool]:
    """Return the known sets with the largest totals, and whether they are certainly the largest.

    Known sets are taken in the order of what they could add if every row were alone with it, which bounds what they and
    all their supersets add; so the search may stop when the next one could not be among the largest.
    """
    a = records.attributes
    known = [int(j) for j in records.population.order]  # best known first
    weight = records.gains * records.times[:, None]
    everything = float(weight.sum())
    codes = records.codes
    largest: list[tuple[float, tuple[int, ...]]] = []
    # A set and the place of its last attribute: each set is reached once, through its attributes in order.
    waiting: list[tuple[float, tuple[int, ...]]] = [
        (-a.alpha * float(a.known[j]) * everything, (place,)) for place, j in enumerate(known)
    ]
    heapq.heapify(waiting)
    counted = 0
    while waiting and counted < max(_GROUPINGS, _ROWS_GROUPED // max(1, len(records))):
        bound, places = heapq.heappop(waiting)
        if len(largest) == most and -bound <= largest[0][0]:
            return _named(records, known, largest), True
        K = [known[place] for place in places]
        counted += 1
        groups = Groups.of([codes[j] for j in K], [a.sizes[j] for j in K], rows=len(records))
        F = np.bincount(groups.ids, weights=records.times, minlength=groups.count)[groups.ids]
        lost = weight.sum(axis=1) - weight[:, K].sum(axis=1)
        pk = float(np.prod(a.known[K]))
        total = a.alpha * pk * float((np.maximum(lost, 0.0) / F).sum())
        if len(largest) < most:
            heapq.heappush(largest, (total, places))
        elif total > largest[0][0]:
            heapq.heapreplace(largest, (total, places))
        for place in range(places[-1] + 1, len(known)):
            heapq.heappush(waiting, (bound * float(a.known[known[place]]), (*places, place)))
    return _named(records, known, largest), not waiting


def _named(records: Records, known: list[int], largest: list[tuple[float, tuple[int, ...]]]) -> tuple[Combination, ...]:
    names = records.attributes.names
    return tuple(
        Combination(tuple(names[j] for j in sorted(known[place] for place in places)), total)
        for total, places in sorted(largest, key=lambda each: (-each[0], each[1]))
        if total > 0
    )
