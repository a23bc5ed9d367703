"""Bottom-up pooling along the hierarchies: the cheapest node vectors that hold an accepted group come first.

A vector of levels (one per attribute) sorts the cells that are still free into buckets. Vectors are visited in the
order of their mean cost; a bucket is closed as a group when the guarantee accepts it and it is not dearer than its
turn: a vector with dearer buckets comes back when these are due. Top-down cuts must give up a good cut when one side
is too small; here the small rest simply waits for a coarser vector.
"""

from __future__ import annotations

import heapq
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.cells import mixed
from tacit.kernels.mondrian.rules import RuleTable, accepts
from tacit.kernels.mondrian.space import Space
from tacit.kernels.mondrian.workspace import Arrangement, tally

__all__ = ["node_keys", "pool"]

_TOLERANCE = 1.05
"""How much dearer than its turn a bucket may be and still be closed, as a factor. Higher saves visits, and closes some
buckets before cheaper ones of their cells were seen; chosen by trial."""
_ROUNDING = 1e-9  # added to a turn, in units of NCP summed over attributes: sums of shares differ in their last bits
_FIRST_VECTORS = 1024  # room for vectors to begin with; it doubles when it is used up


class _FreeCells(NamedTuple):
    """The cells that are in no group yet, packed at the beginning of the arrays."""

    place: NDArray[np.int32]
    point: NDArray[np.int32]
    weight: NDArray[np.int32]


class _Sorter(NamedTuple):
    """Room to sort free cells into buckets, for one vector after another.

    Attributes
    ----------
    key
        The bucket key of each free cell.
    sketch
        Rows per leading bits of the key: at least those of any bucket with these bits.
    hit
        The free cells whose bucket may be large enough.
    bucket
        The bucket of each hit.
    table
        Open addressing by key: a hit of the bucket, or -1.
    rows
        The rows of each bucket.
    first
        Where each bucket ends among the sorted hits, after sorting.
    sorted_hit
        The hits, bucket by bucket.
    """

    key: NDArray[np.uint64]
    sketch: NDArray[np.int32]
    hit: NDArray[np.int32]
    bucket: NDArray[np.int32]
    table: NDArray[np.int32]
    rows: NDArray[np.int64]
    first: NDArray[np.int64]
    sorted_hit: NDArray[np.int32]


class _Judge(NamedTuple):
    """Room to judge one bucket."""

    histogram: NDArray[np.int64]
    scratch: NDArray[np.int64]


@compiled
def node_keys(space: Space) -> NDArray[np.uint64]:
    """Return a random-looking number for every node; a bucket's key is the sum over the attributes.

    Two buckets that share a key by accident would only be pooled, which costs NCP and never safety.
    """
    height, total = space.path.shape
    keys = np.empty((height, total), np.uint64)
    for a in range(len(space.kind)):
        for level in range(height):
            for at in range(space.start[a], space.start[a + 1]):
                seed = (np.uint64(a) << np.uint64(48)) ^ (np.uint64(level) << np.uint64(40))
                keys[level, at] = mixed(mixed(seed + np.uint64(1)) + np.uint64(space.path[level, at]))
    return keys


@compiled
def _mean_shares(space: Space, arrangement: Arrangement, begin: int, end: int) -> NDArray[np.float64]:
    q = len(space.kind)
    mean = np.zeros((q, space.share.shape[0]))
    rows = 0.0
    for i in range(begin, end):
        rows += arrangement.weight[i]
        for a in range(q):
            for level in range(space.depth[a]):
                mean[a, level] += arrangement.weight[i] * space.share[level, space.start[a] + arrangement.points[i, a]]
    return mean / max(1.0, rows)


@compiled
def _room_for(m: int) -> int:
    """Return the bits of a table with room for four times as many entries."""
    bits = 4
    while (1 << bits) < 4 * m:
        bits += 1
    return bits


@compiled
def _find_hits(
    flat: NDArray[np.uint64],
    base: NDArray[np.int64],
    cells: _FreeCells,
    free: int,
    bits: int,
    smallest: int,
    sorter: _Sorter,
) -> int:
    """Key the free cells, and list those whose bucket may have enough rows; return how many there are.

    A sketch of bucket sizes, too large at worst, clears most cells of most vectors without a table.
    """
    q = cells.point.shape[1]
    shift = np.uint64(64 - bits)
    sorter.sketch[: 1 << bits] = 0
    for j in range(free):
        k = np.uint64(0)
        for a in range(q):
            k += flat[base[a] + cells.point[j, a]]
        sorter.key[j] = k
        sorter.sketch[k >> shift] += cells.weight[j]
    hits = 0
    for j in range(free):
        if sorter.sketch[sorter.key[j] >> shift] >= smallest:
            sorter.hit[hits] = j
            hits += 1
    return hits


@compiled
def _sort_hits(cells: _FreeCells, hits: int, sorter: _Sorter) -> int:
    """Sort the hits by bucket, and count the rows of each; return the number of buckets."""
    room = 16
    while room < 2 * hits:
        room *= 2
    sorter.table[:room] = -1
    buckets = 0
    for h in range(hits):
        k = sorter.key[sorter.hit[h]]
        slot = np.int64(k & np.uint64(room - 1))
        while sorter.table[slot] >= 0 and sorter.key[sorter.hit[sorter.table[slot]]] != k:
            slot = (slot + 1) & (room - 1)
        if sorter.table[slot] < 0:
            sorter.table[slot] = h
            sorter.bucket[h] = buckets
            sorter.rows[buckets] = 0
            sorter.first[buckets + 1] = 0
            buckets += 1
        else:
            sorter.bucket[h] = sorter.bucket[sorter.table[slot]]
        sorter.rows[sorter.bucket[h]] += cells.weight[sorter.hit[h]]
        sorter.first[sorter.bucket[h] + 1] += 1
    sorter.first[0] = 0
    for b in range(buckets):
        sorter.first[b + 1] += sorter.first[b]
    for h in range(hits):
        sorter.sorted_hit[sorter.first[sorter.bucket[h]]] = sorter.hit[h]
        sorter.first[sorter.bucket[h]] += 1
    return buckets


@compiled
def _close_buckets(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    cells: _FreeCells,
    vector: NDArray[np.int8],
    turn: float,
    buckets: int,
    sorter: _Sorter,
    judge: _Judge,
    groups: int,
    label: NDArray[np.int32],
) -> tuple[int, float]:
    """Make groups of the buckets that are accepted and not dearer than the turn.

    Return the number of groups then, and the cost of the cheapest bucket that is too dear now.
    """
    q = len(space.kind)
    due = math.inf
    for b in range(buckets):
        begin, end = (sorter.first[b - 1] if b else 0), sorter.first[b]
        if sorter.rows[b] < rules.smallest:
            continue
        cost = 0.0
        for a in range(q):
            cost += space.share[vector[a], space.start[a] + cells.point[sorter.sorted_hit[begin], a]]
        if cost > turn * _TOLERANCE + _ROUNDING:
            due = min(due, cost)
            continue
        if len(judge.histogram):
            judge.histogram[:] = 0
            for h in range(begin, end):
                tally(rules, arrangement, cells.place[sorter.sorted_hit[h]], judge.histogram)
            if not accepts(rules, sorter.rows[b], judge.histogram, judge.scratch):
                continue
        for h in range(begin, end):
            label[cells.place[sorter.sorted_hit[h]]] = groups
        groups += 1
    return groups, due


@compiled
def _pack_free(cells: _FreeCells, free: int, label: NDArray[np.int32]) -> int:
    """Move the cells that are still free to the beginning; return how many there are."""
    kept = 0
    for j in range(free):
        if label[cells.place[j]] < 0:
            if kept < j:
                cells.place[kept] = cells.place[j]
                cells.weight[kept] = cells.weight[j]
                for a in range(cells.point.shape[1]):
                    cells.point[kept, a] = cells.point[j, a]
            kept += 1
    return kept


@compiled
def _mean_cost(mean: NDArray[np.float64], vector: NDArray[np.int8]) -> float:
    cost = 0.0
    for a in range(len(mean)):
        cost += mean[a, vector[a]]
    return cost


@compiled
def pool(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    keys: NDArray[np.uint64],
    begin: int,
    end: int,
    visits: int,
    label: NDArray[np.int32],
) -> int:
    """Label the cells of a stretch by group, -1 for those left free; return the number of groups.

    At most about `visits` times the number of cells are looked at.
    """
    q = len(space.kind)
    total = space.start[-1]
    flat = keys.ravel()
    m = end - begin
    mean = _mean_shares(space, arrangement, begin, end)
    free = m
    cells = _FreeCells(
        np.arange(begin, end).astype(np.int32),
        arrangement.points[begin:end].copy(),
        arrangement.weight[begin:end].copy(),
    )
    label[begin:end] = -1
    bits = _room_for(m)
    sorter = _Sorter(
        np.empty(m, np.uint64),
        np.zeros(1 << bits, np.int32),
        np.empty(m, np.int32),
        np.empty(m, np.int32),
        np.empty(1 << bits, np.int32),
        np.empty(m + 1, np.int64),
        np.empty(m + 2, np.int64),
        np.empty(m, np.int32),
    )
    judge = _Judge(np.zeros(rules.start[-1], np.int64), np.zeros(rules.scratch, np.int64))
    base = np.zeros(q, np.int64)
    groups = 0
    seen = 0
    allowance = visits * m
    # Vectors wait in a heap: (turn, number). Each is made once: from the one with its last raised level lowered.
    vectors = np.zeros((_FIRST_VECTORS, q + 1), np.int8)  # the last entry: the attribute whose level was raised last
    raised = np.zeros(_FIRST_VECTORS, np.bool_)
    made = 1
    queue = [(0.0, 0)]
    while len(queue) > 0 and free > 0 and seen < allowance:
        turn, number = heapq.heappop(queue)
        if not raised[number]:
            raised[number] = True
            for a in range(vectors[number, q], q):
                if vectors[number, a] + 1 < space.depth[a]:
                    if made == len(vectors):
                        vectors = np.concatenate((vectors, np.zeros_like(vectors)))
                        raised = np.concatenate((raised, np.zeros_like(raised)))
                    vectors[made] = vectors[number]
                    vectors[made, a] += 1
                    vectors[made, q] = a
                    heapq.heappush(queue, (max(_mean_cost(mean, vectors[made]), turn), made))
                    made += 1
        for a in range(q):
            base[a] = vectors[number, a] * total + space.start[a]
        while bits > 4 and (1 << (bits - 1)) >= 4 * free:
            bits -= 1
        hits = _find_hits(flat, base, cells, free, bits, rules.smallest, sorter)
        seen += free
        if hits == 0:
            continue
        buckets = _sort_hits(cells, hits, sorter)
        before = groups
        groups, due = _close_buckets(
            space, rules, arrangement, cells, vectors[number], turn, buckets, sorter, judge, groups, label
        )
        if due < math.inf:
            heapq.heappush(queue, (due, number))
        if groups > before:
            free = _pack_free(cells, free, label)
    return groups
