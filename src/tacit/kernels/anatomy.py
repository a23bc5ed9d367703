"""Buckets of Anatomy: one row of each of the l most frequent values, again and again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled


@compiled
def _sift(heap: NDArray[np.int64], size: int, counts: NDArray[np.int64], at: int) -> None:
    """Let the value at a place of the heap sink until no child has more rows than it."""
    while True:
        child = 2 * at + 1
        if child >= size:
            return
        if child + 1 < size and counts[heap[child + 1]] > counts[heap[child]]:
            child += 1
        if counts[heap[at]] >= counts[heap[child]]:
            return
        heap[at], heap[child] = heap[child], heap[at]
        at = child


@compiled
def anatomize(rows: NDArray[np.int64], starts: NDArray[np.int64], l: int) -> tuple[NDArray[np.int64], int]:
    """Put rows into buckets in which all values differ.

    `rows[starts[v]:starts[v + 1]]` are the rows of value v. While l values have rows left, one row of each of the l
    most frequent goes into a new bucket; a row that is left over goes into a bucket without its value. Returns the
    bucket of each row and the number of buckets. A row has -1 only if no such bucket exists, which cannot happen if no
    value is in more than 1/l of the rows.
    """
    m = starts.shape[0] - 1
    n = rows.shape[0]
    counts = np.empty(m, np.int64)
    heap = np.empty(m, np.int64)
    size = 0
    for v in range(m):
        counts[v] = starts[v + 1] - starts[v]
        if counts[v] > 0:
            heap[size] = v
            size += 1
    for at in range(size // 2 - 1, -1, -1):
        _sift(heap, size, counts, at)
    bucket = np.full(n, -1, np.int64)
    taken = np.empty(max(l, 1), np.int64)
    buckets = 0
    while size >= l:
        for j in range(l):
            taken[j] = heap[0]
            size -= 1
            heap[0] = heap[size]
            _sift(heap, size, counts, 0)
        for j in range(l):
            v = taken[j]
            counts[v] -= 1
            bucket[rows[starts[v] + counts[v]]] = buckets
            if counts[v] > 0:
                at = size
                heap[at] = v
                size += 1
                while at > 0 and counts[heap[(at - 1) // 2]] < counts[heap[at]]:
                    heap[(at - 1) // 2], heap[at] = heap[at], heap[(at - 1) // 2]
                    at = (at - 1) // 2
        buckets += 1
    has = np.zeros(buckets, np.bool_)
    for j in range(size):
        v = heap[j]
        if counts[v] == 0:
            continue
        has[:] = False
        for i in range(starts[v], starts[v + 1]):
            if bucket[rows[i]] >= 0:
                has[bucket[rows[i]]] = True
        # Leftovers of different values start at different buckets (7919 is a prime), so that sizes stay even.
        at = (j * 7919) % max(1, buckets)
        for i in range(counts[v]):
            tried = 0
            while tried < buckets and has[at]:
                at = (at + 1) % buckets
                tried += 1
            if tried == buckets:
                return bucket, buckets
            bucket[rows[starts[v] + i]] = at
            has[at] = True
    return bucket, buckets
