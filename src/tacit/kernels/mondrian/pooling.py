"""Bottom-up pooling along the hierarchies: the cheapest node vectors that hold an accepted group come first.

A vector of levels (one per attribute) sorts the cells that are still free into buckets. Vectors are visited in the
order of their mean cost; a bucket is closed as a group when the guarantee accepts it and it is not dearer than its
turn: a vector with dearer buckets comes back when these are due. Top-down cuts must give up a good cut when one side
is too small; here the small rest simply waits for a coarser vector.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.cells import mixed
from tacit.kernels.mondrian.rules import Rules, accepts
from tacit.kernels.mondrian.space import Space
from tacit.kernels.mondrian.workspace import Stock, tally

__all__ = ["node_keys", "pool"]


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
def _mean_shares(space: Space, stock: Stock, begin: int, end: int) -> NDArray[np.float64]:
    q = len(space.kind)
    mean = np.zeros((q, space.share.shape[0]))
    rows = 0.0
    for i in range(begin, end):
        rows += stock.weight[i]
        for a in range(q):
            for level in range(space.depth[a]):
                mean[a, level] += stock.weight[i] * space.share[level, space.start[a] + stock.points[i, a]]
    return mean / max(1.0, rows)


@compiled
def pool(
    space: Space,
    rules: Rules,
    stock: Stock,
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
    mean = _mean_shares(space, stock, begin, end)
    free = m
    place = np.arange(begin, end).astype(np.int32)
    point = stock.points[begin:end].copy()
    weight = stock.weight[begin:end].copy()
    for i in range(begin, end):
        label[i] = -1
    key = np.empty(m, np.uint64)
    bits = 4
    while (1 << bits) < 4 * m:
        bits += 1
    sketch = np.zeros(1 << bits, np.int32)
    hit = np.empty(m, np.int32)
    bucket = np.empty(m, np.int32)
    table = np.empty(1 << bits, np.int32)
    bucket_rows = np.empty(m + 1, np.int64)
    first = np.empty(m + 2, np.int64)
    sorted_hit = np.empty(m, np.int32)
    histogram = np.zeros(rules.start[-1], np.int64)
    scratch = np.zeros(rules.scratch, np.int64)
    base = np.zeros(q, np.int64)
    groups = 0
    seen = 0
    allowance = visits * m
    # Vectors wait in a heap: (turn, number). Each is made once: from the one with its last raised level lowered.
    vectors = np.zeros((1024, q + 1), np.int8)
    made = 1
    queue = [(0.0, 0)]
    raised = np.zeros(1024, np.bool_)
    while len(queue) > 0 and free > 0 and seen < allowance:
        turn, number = heapq.heappop(queue)
        if not raised[number]:
            raised[number] = True
            for a in range(vectors[number, q], q):
                if vectors[number, a] + 1 < space.depth[a]:
                    if made == len(vectors):
                        more = np.zeros((2 * made, q + 1), np.int8)
                        more[:made] = vectors
                        vectors = more
                        flags = np.zeros(2 * made, np.bool_)
                        flags[:made] = raised
                        raised = flags
                    vectors[made] = vectors[number]
                    vectors[made, a] += 1
                    vectors[made, q] = a
                    cost = 0.0
                    for b in range(q):
                        cost += mean[b, vectors[made, b]]
                    heapq.heappush(queue, (max(cost, turn), made))
                    made += 1
        for a in range(q):
            base[a] = vectors[number, a] * total + space.start[a]
        # A sketch of bucket sizes, too large at worst, clears most cells of most vectors without a table.
        while bits > 4 and (1 << (bits - 1)) >= 4 * free:
            bits -= 1
        shift = np.uint64(64 - bits)
        sketch[: 1 << bits] = 0
        for j in range(free):
            k = np.uint64(0)
            for a in range(q):
                k += flat[base[a] + point[j, a]]
            key[j] = k
            sketch[k >> shift] += weight[j]
        seen += free
        hits = 0
        for j in range(free):
            if sketch[key[j] >> shift] >= rules.smallest:
                hit[hits] = j
                hits += 1
        if hits == 0:
            continue
        room = 16
        while room < 2 * hits:
            room *= 2
        table[:room] = -1
        buckets = 0
        for h in range(hits):
            k = key[hit[h]]
            slot = np.int64(k & np.uint64(room - 1))
            while table[slot] >= 0 and key[hit[table[slot]]] != k:
                slot = (slot + 1) & (room - 1)
            if table[slot] < 0:
                table[slot] = h
                bucket[h] = buckets
                bucket_rows[buckets] = 0
                first[buckets + 1] = 0
                buckets += 1
            else:
                bucket[h] = bucket[table[slot]]
            bucket_rows[bucket[h]] += weight[hit[h]]
            first[bucket[h] + 1] += 1
        first[0] = 0
        for b in range(buckets):
            first[b + 1] += first[b]
        for h in range(hits):
            sorted_hit[first[bucket[h]]] = hit[h]
            first[bucket[h]] += 1
        closed = False
        due = math.inf
        for b in range(buckets):
            s, e = (first[b - 1] if b else 0), first[b]
            if bucket_rows[b] < rules.smallest:
                continue
            cost = 0.0
            for a in range(q):
                cost += space.share[vectors[number, a], space.start[a] + point[sorted_hit[s], a]]
            if cost > turn * 1.05 + 1e-9:
                due = min(due, cost)
                continue
            if len(histogram):
                histogram[:] = 0
                for h in range(s, e):
                    tally(rules, stock, place[sorted_hit[h]], histogram)
                if not accepts(rules, bucket_rows[b], histogram, scratch):
                    continue
            for h in range(s, e):
                label[place[sorted_hit[h]]] = groups
            groups += 1
            closed = True
        if due < math.inf:
            heapq.heappush(queue, (due, number))
        if closed:
            kept = 0
            for j in range(free):
                if label[place[j]] < 0:
                    if kept < j:
                        place[kept] = place[j]
                        weight[kept] = weight[j]
                        for a in range(q):
                            point[kept, a] = point[j, a]
                    kept += 1
            free = kept
    return groups
