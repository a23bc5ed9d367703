"""Cuts of one attribute: all of them scored by the NCP that the attribute itself would have after the cut.

Numeric: between two neighbouring values. Nominal: the most frequent values against the rest (for a given number of
values on either side nothing is better). Tree: one child of the lowest common node against its siblings.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import Space, attribute_width
from tacit.kernels.mondrian.workspace import Stock, Work

__all__ = ["mark_sides", "next_cut", "score_all", "spread"]


_WALK = 2  # positions per cell that are still walked; larger domains are found by their bits
_WORDS = 2  # words of bits per cell that are still read; larger domains are sorted
_FEW = 16  # values that are sorted by insertion

# The place of a power of two, by the top six bits of its product with a sequence that holds every pattern of six once.
_SEQUENCE = 0x03F79D71B4CB0A89
_PLACE = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _PLACE[((_SEQUENCE << _bit) % 2**64) >> 58] = _bit


@compiled(inline="always")
def _take(base: int, to: int, position: int, work: Work) -> None:
    """List one position with its rows and cells, which stand in the upper and lower half of its counter."""
    c = work.count[base + position]
    work.value[to] = position
    work.mass[to] = c >> 31
    work.crowd[to] = c & 0x7FFFFFFF
    work.count[base + position] = 0


@compiled
def _sorted(stock: Stock, begin: int, end: int, a: int, base: int, work: Work) -> int:
    """List the positions of an attribute with many more values than there are cells; return where the list ends."""
    cells = end - begin
    to = base
    keys = np.empty(cells, np.int64)
    for i in range(cells):
        keys[i] = (np.int64(stock.points[begin + i, a]) << 32) | i
    keys.sort()
    for j in range(cells):
        position = keys[j] >> 32
        if to == base or work.value[to - 1] != position:
            work.value[to] = position
            work.mass[to] = 0
            work.crowd[to] = 0
            to += 1
        work.mass[to - 1] += stock.weight[begin + (keys[j] & 0xFFFFFFFF)]
        work.crowd[to - 1] += 1
    return to


@compiled
def spread(space: Space, stock: Stock, begin: int, end: int, work: Work) -> None:
    """List, for every attribute, the positions present in a stretch with their rows and cells."""
    q = len(space.kind)
    cells = end - begin
    one = np.uint64(1)
    widest = np.int64(0)
    for a in range(q):
        widest = max(widest, space.start[a + 1] - space.start[a])
    if widest <= _WALK * cells:
        for i in range(begin, end):
            both = (np.int64(stock.weight[i]) << 31) | 1
            for a in range(q):
                work.count[space.start[a] + stock.points[i, a]] += both
    else:
        for i in range(begin, end):
            both = (np.int64(stock.weight[i]) << 31) | 1
            for a in range(q):
                if space.start[a + 1] - space.start[a] <= (_WORDS * cells) << 6:
                    position = stock.points[i, a]
                    work.count[space.start[a] + position] += both
                    work.bits[(space.start[a] >> 6) + a + (position >> 6)] |= one << np.uint64(position & 63)
    for a in range(q):
        base = space.start[a]
        size = space.start[a + 1] - base
        to = base
        if widest <= _WALK * cells:
            for position in range(size):
                if work.count[base + position]:
                    _take(base, to, position, work)
                    to += 1
        elif size <= (_WORDS * cells) << 6:
            word = (base >> 6) + a
            for first in range(0, size, 64):
                left = work.bits[word]
                while left:
                    lowest = left & (~left + one)
                    _take(base, to, first + _PLACE[(lowest * np.uint64(_SEQUENCE)) >> np.uint64(58)], work)
                    to += 1
                    left ^= lowest
                work.bits[word] = 0
                word += 1
        else:
            to = _sorted(stock, begin, end, a, base, work)
        work.present[a] = to - base


@compiled(inline="always")
def _rank_by_mass(base: int, present: int, size: int, work: Work) -> None:
    """Rank the values present by their rows, the most frequent first, equals in their order."""
    if present <= _FEW:
        for j in range(present):
            k = j
            while k > 0 and work.mass[base + work.rank[base + k - 1]] < work.mass[base + j]:
                work.rank[base + k] = work.rank[base + k - 1]
                k -= 1
            work.rank[base + k] = j
        return
    most = np.int64(0)
    for j in range(present):
        most = max(most, work.mass[base + j])
    if most < size and most <= 4 * present:
        # Count the masses where positions were counted before, and leave the counters clear again.
        for j in range(present):
            work.count[base + work.mass[base + j]] += 1
        place = np.int64(0)
        for mass in range(most, -1, -1):
            alike = work.count[base + mass]
            work.count[base + mass] = place
            place += alike
        for j in range(present):
            at = base + work.mass[base + j]
            work.rank[base + work.count[at]] = j
            work.count[at] += 1
        work.count[base : base + most + 1] = 0
    else:
        order = np.argsort(-work.mass[base : base + present], kind="mergesort")
        for j in range(present):
            work.rank[base + j] = order[j]


@compiled(inline="always")
def score_cuts(space: Space, a: int, rows: int, cells: int, least: int, fewest: int, work: Work) -> None:
    """Score the cuts of attribute `a`: its cost after minus before; infinite if a side is too small.

    `least` rows and `fewest` cells must be on either side. The score of cut `j` is at `start[a] + j`.
    """
    base = space.start[a]
    present = work.present[a]
    kind = space.kind[a]
    if kind == 1:
        _rank_by_mass(base, present, space.start[a + 1] - base, work)
        before = rows * (present - 1) * space.unit[a]
        left, crowd = np.int64(0), np.int64(0)
        for j in range(present - 1):
            left += work.mass[base + work.rank[base + j]]
            crowd += work.crowd[base + work.rank[base + j]]
            work.score[base + j] = math.inf
            if left >= least and rows - left >= least and crowd >= fewest and cells - crowd >= fewest:
                work.score[base + j] = (left * j + (rows - left) * (present - j - 2)) * space.unit[a] - before
        return
    first, last = np.int64(work.value[base]), np.int64(work.value[base + present - 1])
    before = rows * attribute_width(space, a, first, last)
    if kind == 0:
        # As `attribute_width` has it, with the ends looked up once.
        low, high = space.value[base + first], space.value[base + last]
        here = low
        left, crowd = np.int64(0), np.int64(0)
        for j in range(present - 1):
            left += work.mass[base + j]
            crowd += work.crowd[base + j]
            ahead = space.value[base + work.value[base + j + 1]]
            score = math.inf
            if left >= least and rows - left >= least and crowd >= fewest and cells - crowd >= fewest:
                score = left * min(1.0, here - low) + (rows - left) * min(1.0, high - ahead) - before
            work.score[base + j] = score
            here = ahead
        return
    level = 0
    while space.path[level, base + first] != space.path[level, base + last]:
        level += 1
    j = 0
    while j < present:
        node = space.path[level - 1, base + work.value[base + j]]
        left, crowd, k = np.int64(0), np.int64(0), j
        while k < present and space.path[level - 1, base + work.value[base + k]] == node:
            work.score[base + k] = math.inf
            left += work.mass[base + k]
            crowd += work.crowd[base + k]
            k += 1
        if left >= least and rows - left >= least and crowd >= fewest and cells - crowd >= fewest:
            other_first = first if j > 0 else np.int64(work.value[base + k])
            other_last = last if k < present else np.int64(work.value[base + j - 1])
            work.right[base + j] = k
            work.score[base + j] = (
                left * attribute_width(space, a, np.int64(work.value[base + j]), np.int64(work.value[base + k - 1]))
                + (rows - left) * attribute_width(space, a, other_first, other_last)
                - before
            )
        j = k


@compiled(inline="always")
def best_cut(space: Space, a: int, work: Work) -> int:
    """Return the cut of attribute `a` with the lowest score, -1 if all are ruled out."""
    base = space.start[a]
    cuts = work.present[a] - (0 if space.kind[a] == 2 else 1)
    best, lowest = np.int64(-1), math.inf
    for j in range(cuts):
        if work.score[base + j] < lowest:
            best, lowest = np.int64(j), work.score[base + j]
    return best


@compiled
def score_all(space: Space, rows: int, cells: int, least: int, fewest: int, work: Work) -> None:
    """Write every attribute's best cut and its score to `work.best` and `work.full`."""
    for a in range(len(space.kind)):
        work.best[a] = -1
        if work.present[a] > 1:
            score_cuts(space, a, rows, cells, least, fewest, work)
            work.best[a] = best_cut(space, a, work)
            if work.best[a] >= 0:
                work.full[a] = work.score[space.start[a] + work.best[a]]


@compiled
def next_cut(space: Space, a: int, work: Work) -> None:
    """Rule out the best cut of attribute `a` and look for the next."""
    work.score[space.start[a] + work.best[a]] = math.inf
    work.best[a] = best_cut(space, a, work)


@compiled
def mark_sides(
    space: Space, stock: Stock, begin: int, end: int, a: int, cut: int, sides: NDArray[np.uint8], work: Work
) -> None:
    """Write the side, 0 or 1, of every cell of the stretch for a cut of attribute `a`."""
    base = space.start[a]
    for j in range(work.present[a]):
        if space.kind[a] == 0:
            work.side[base + work.value[base + j]] = j > cut
        elif space.kind[a] == 1:
            work.side[base + work.value[base + work.rank[base + j]]] = j > cut
        else:
            work.side[base + work.value[base + j]] = not (cut <= j < work.right[base + cut])
    for i in range(begin, end):
        sides[i - begin] = work.side[base + stock.points[i, a]]
