"""Cuts of one attribute: all of them scored by the NCP that the attribute itself would have after the cut.

Numeric: between two neighbouring values. Nominal: the most frequent values against the rest (for a given number of
values on either side nothing is better). Tree: one child of the lowest common node against its siblings.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.indexing import at
from tacit.kernels.mondrian.space import NOMINAL, NUMERIC, TREE, Space, attribute_width
from tacit.kernels.mondrian.workspace import Arrangement, Workspace
from tacit.kernels.sorting import stable_order

__all__ = ["mark_sides", "next_cut", "score_all", "spread"]


# How the positions present in a group are listed, by the size of the domain; chosen by trial.
_WALK = 2  # positions per cell: a domain up to this size is walked through; of a larger one, bits are set and read
_WORDS = (
    2  # a domain of at most this many words of 64 bits per cell is read by its bits; in a larger one cells are sorted
)
_FEW = 16  # at most this many values are sorted by insertion, which is faster for few and quadratic for many

# The place of a power of two, by the top six bits of its product with a sequence that holds every pattern of six once.
_SEQUENCE = 0x03F79D71B4CB0A89
_PLACE = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _PLACE[((_SEQUENCE << _bit) % 2**64) >> 58] = _bit


@compiled(borrows=True, forceinline=True)
def _take(base: int, to: int, position: int, workspace: Workspace) -> None:
    """List one position with its rows and cells, which stand in the upper and lower half of its counter."""
    c = workspace.count[at(base + position)]
    workspace.value[at(to)] = position
    workspace.mass[at(to)] = c >> 31
    workspace.crowd[at(to)] = c & 0x7FFFFFFF
    workspace.count[at(base + position)] = 0


@compiled
def _sorted(arrangement: Arrangement, begin: int, end: int, a: int, base: int, workspace: Workspace) -> int:
    """List the positions of an attribute with many more values than there are cells; return where the list ends."""
    cells = end - begin
    to = base
    positions = np.empty(cells, np.int64)
    for i in range(cells):
        positions[i] = arrangement.points[begin + i, a]
    order = stable_order(positions)
    for j in range(cells):
        position = positions[order[j]]
        if to == base or workspace.value[to - 1] != position:
            workspace.value[to] = position
            workspace.mass[to] = 0
            workspace.crowd[to] = 0
            to += 1
        workspace.mass[to - 1] += arrangement.weight[begin + order[j]]
        workspace.crowd[to - 1] += 1
    return to


@compiled(borrows=True)
def spread(space: Space, arrangement: Arrangement, begin: int, end: int, workspace: Workspace) -> None:
    """List, for every attribute, the positions present in a stretch with their rows and cells."""
    q = len(space.kind)
    cells = end - begin
    one = np.uint64(1)
    widest = np.int64(0)
    for a in range(q):
        widest = max(widest, space.start[a + 1] - space.start[a])
    if widest <= _WALK * cells:
        for i in range(begin, end):
            both = (np.int64(arrangement.weight[at(i)]) << 31) | 1
            for a in range(q):
                workspace.count[at(space.start[at(a)] + arrangement.points[at(i), at(a)])] += both
    else:
        for i in range(begin, end):
            both = (np.int64(arrangement.weight[at(i)]) << 31) | 1
            for a in range(q):
                if space.start[at(a + 1)] - space.start[at(a)] <= (_WORDS * cells) << 6:
                    position = arrangement.points[at(i), at(a)]
                    workspace.count[at(space.start[at(a)] + position)] += both
                    workspace.bits[at((space.start[at(a)] >> 6) + a + (position >> 6))] |= one << np.uint64(
                        position & 63
                    )
    for a in range(q):
        base = space.start[a]
        size = space.start[a + 1] - base
        to = base
        if widest <= _WALK * cells:
            for position in range(size):
                if workspace.count[at(base + position)]:
                    _take(base, to, position, workspace)
                    to += 1
        elif size <= (_WORDS * cells) << 6:
            word = (base >> 6) + a
            for first in range(0, size, 64):
                left = workspace.bits[at(word)]
                while left:
                    lowest = left & (~left + one)
                    _take(base, to, first + _PLACE[(lowest * np.uint64(_SEQUENCE)) >> np.uint64(58)], workspace)
                    to += 1
                    left ^= lowest
                workspace.bits[at(word)] = 0
                word += 1
        else:
            to = _sorted(arrangement, begin, end, a, base, workspace)
        workspace.present[a] = to - base


@compiled
def _rank_by_sorting(base: int, present: int, workspace: Workspace) -> None:
    """Rank many values, or values of many rows."""
    by_mass = np.empty(present, np.int64)
    for j in range(present):
        by_mass[j] = -workspace.mass[base + j]
    order = stable_order(by_mass)
    for j in range(present):
        workspace.rank[base + j] = order[j]


@compiled(borrows=True, forceinline=True)
def _rank_by_mass(base: int, present: int, size: int, workspace: Workspace) -> None:
    """Rank the values present by their rows, the most frequent first, equals in their order."""
    if present <= _FEW:
        for j in range(present):
            k = j
            while k > 0 and workspace.mass[at(base + workspace.rank[at(base + k - 1)])] < workspace.mass[at(base + j)]:
                workspace.rank[at(base + k)] = workspace.rank[at(base + k - 1)]
                k -= 1
            workspace.rank[at(base + k)] = j
        return
    most = np.int64(0)
    for j in range(present):
        most = max(most, workspace.mass[at(base + j)])
    if most < size and most <= 4 * present:
        # Count the masses where positions were counted before, and leave the counters clear again.
        for j in range(present):
            workspace.count[at(base + workspace.mass[at(base + j)])] += 1
        place = np.int64(0)
        for mass in range(most, -1, -1):
            alike = workspace.count[at(base + mass)]
            workspace.count[at(base + mass)] = place
            place += alike
        for j in range(present):
            own = base + workspace.mass[at(base + j)]
            workspace.rank[at(base + workspace.count[at(own)])] = j
            workspace.count[at(own)] += 1
        workspace.count[base : base + most + 1] = 0
    else:
        _rank_by_sorting(base, present, workspace)


@compiled(borrows=True, forceinline=True)
def score_cuts(space: Space, a: int, rows: int, cells: int, least: int, fewest: int, workspace: Workspace) -> None:
    """Score the cuts of attribute `a`: its cost after minus before; infinite if a side is too small.

    `least` rows and `fewest` cells must be on either side. The score of cut `j` is at `start[a] + j`.
    """
    base = space.start[a]
    present = workspace.present[a]
    kind = space.kind[a]
    if kind == NOMINAL:
        _rank_by_mass(base, present, space.start[a + 1] - base, workspace)
        before = rows * (present - 1) * space.unit[a]
        left, crowd = np.int64(0), np.int64(0)
        for j in range(present - 1):
            left += workspace.mass[at(base + workspace.rank[at(base + j)])]
            crowd += workspace.crowd[at(base + workspace.rank[at(base + j)])]
            workspace.score[at(base + j)] = math.inf
            if left >= least and rows - left >= least and crowd >= fewest and cells - crowd >= fewest:
                workspace.score[at(base + j)] = (left * j + (rows - left) * (present - j - 2)) * space.unit[a] - before
        return
    first, last = np.int64(workspace.value[at(base)]), np.int64(workspace.value[at(base + present - 1)])
    before = rows * attribute_width(space, a, first, last)
    if kind == NUMERIC:
        # The same as `attribute_width` returns, with the two ends looked up only once.
        low, high = space.value[at(base + first)], space.value[at(base + last)]
        here = low
        left, crowd = np.int64(0), np.int64(0)
        for j in range(present - 1):
            left += workspace.mass[at(base + j)]
            crowd += workspace.crowd[at(base + j)]
            ahead = space.value[at(base + workspace.value[at(base + j + 1)])]
            score = math.inf
            if left >= least and rows - left >= least and crowd >= fewest and cells - crowd >= fewest:
                score = left * min(1.0, here - low) + (rows - left) * min(1.0, high - ahead) - before
            workspace.score[at(base + j)] = score
            here = ahead
        return
    level = 0
    while space.path[level, base + first] != space.path[level, base + last]:
        level += 1
    j = 0
    while j < present:
        node = space.path[level - 1, base + workspace.value[at(base + j)]]
        left, crowd, k = np.int64(0), np.int64(0), j
        while k < present and space.path[level - 1, base + workspace.value[at(base + k)]] == node:
            workspace.score[at(base + k)] = math.inf
            left += workspace.mass[at(base + k)]
            crowd += workspace.crowd[at(base + k)]
            k += 1
        if left >= least and rows - left >= least and crowd >= fewest and cells - crowd >= fewest:
            other_first = first if j > 0 else np.int64(workspace.value[at(base + k)])
            other_last = last if k < present else np.int64(workspace.value[at(base + j - 1)])
            workspace.right[at(base + j)] = k
            workspace.score[at(base + j)] = (
                left
                * attribute_width(
                    space, a, np.int64(workspace.value[at(base + j)]), np.int64(workspace.value[at(base + k - 1)])
                )
                + (rows - left) * attribute_width(space, a, other_first, other_last)
                - before
            )
        j = k


@compiled(borrows=True, forceinline=True)
def best_cut(space: Space, a: int, workspace: Workspace) -> int:
    """Return the cut of attribute `a` with the lowest score, -1 if all are ruled out."""
    base = space.start[a]
    cuts = workspace.present[a] - (0 if space.kind[a] == TREE else 1)
    best, lowest = np.int64(-1), math.inf
    for j in range(cuts):
        if workspace.score[at(base + j)] < lowest:
            best, lowest = np.int64(j), workspace.score[at(base + j)]
    return best


@compiled(borrows=True)
def score_all(space: Space, rows: int, cells: int, least: int, fewest: int, workspace: Workspace) -> None:
    """Write every attribute's best cut and its score to `workspace.best` and `workspace.full`."""
    for a in range(len(space.kind)):
        workspace.best[a] = -1
        if workspace.present[a] > 1:
            score_cuts(space, a, rows, cells, least, fewest, workspace)
            workspace.best[a] = best_cut(space, a, workspace)
            if workspace.best[a] >= 0:
                workspace.full[a] = workspace.score[at(space.start[a] + workspace.best[a])]


@compiled(borrows=True)
def next_cut(space: Space, a: int, workspace: Workspace) -> None:
    """Rule out the best cut of attribute `a` and look for the next."""
    workspace.score[at(space.start[a] + workspace.best[a])] = math.inf
    workspace.best[a] = best_cut(space, a, workspace)


@compiled(borrows=True)
def mark_sides(
    space: Space,
    arrangement: Arrangement,
    begin: int,
    end: int,
    a: int,
    cut: int,
    sides: NDArray[np.uint8],
    workspace: Workspace,
) -> None:
    """Write the side, 0 or 1, of every cell of the stretch for a cut of attribute `a`."""
    base = space.start[a]
    for j in range(workspace.present[a]):
        if space.kind[a] == NUMERIC:
            workspace.side[at(base + workspace.value[at(base + j)])] = j > cut
        elif space.kind[a] == NOMINAL:
            workspace.side[at(base + workspace.value[at(base + workspace.rank[at(base + j)])])] = j > cut
        else:
            workspace.side[at(base + workspace.value[at(base + j)])] = not (cut <= j < workspace.right[at(base + cut)])
    for i in range(begin, end):
        sides[at(i - begin)] = workspace.side[at(base + arrangement.points[at(i), at(a)])]
