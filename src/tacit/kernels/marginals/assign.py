"""Assign: the tuples of every sub-table to buckets in which every value is equally frequent (spec, step 2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["assign"]


@compiled
def _push(heap: NDArray[np.int64], size: int, count: NDArray[np.int64], value: int) -> int:
    at = size
    while at > 0 and count[heap[(at - 1) // 2]] < count[value]:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = value
    return size + 1


@compiled
def _pop(heap: NDArray[np.int64], size: int, count: NDArray[np.int64]) -> int:
    """Take the most frequent value out; the heap then has one entry less."""
    top, moved, last = heap[0], heap[size - 1], size - 1
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and count[heap[child + 1]] > count[heap[child]]:
            child += 1
        if count[heap[child]] <= count[moved]:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moved
    return int(top)


@compiled
def _shape(count: NDArray[np.int64], top: NDArray[np.int64], tops: int, total: int, m: int) -> tuple[int, int]:
    """Return how many values the next bucket has, and how many tuples of each.

    What remains must be m-eligible: m(n1 - a) <= g - ab and m n_(b+1) <= g - ab.
    """
    for b in range(m, tops + 1):
        a = count[top[b - 1]]
        if b > m:
            a = min(a, (total - m * count[top[0]]) // (b - m))
        if b < tops:
            a = min(a, (total - m * count[top[b]]) // b)
        if a >= 1:
            return b, a
    return 0, 0


@compiled
def _choose(
    here: NDArray[np.int64], found: int, count: NDArray[np.int64], total: int, m: int, chosen: NDArray[np.int64]
) -> bool:
    """Choose m values that a cell has, so that the sub-table stays m-eligible without one tuple of each.

    Every value that m tuples less would make too frequent must be among them; then those that the cell has most of.
    """
    for v in range(found):
        if total - m * count[v] < m and here[v] == 0 and count[v] > 0:
            return False
    taken = 0
    while taken < m:
        best = -1
        for v in range(found):
            if here[v] <= 0:
                continue
            old = False
            for j in range(taken):
                old = old or chosen[j] == v
            if old:
                continue
            urgent = total - m * count[v] < m
            if best < 0:
                best = v
                continue
            leads = total - m * count[best] < m
            if (urgent and not leads) or (urgent == leads and here[v] > here[best]):
                best = v
        if best < 0:
            return False
        chosen[taken] = best
        taken += 1
    for v in range(found):  # more than m are urgent: no bucket of m values will do
        if total - m * count[v] < m and count[v] > 0:
            among = False
            for j in range(m):
                among = among or chosen[j] == v
            if not among:
                return False
    return True


@compiled
def _alike(
    begin: int, end: int, rows: NDArray[np.int64], cell: NDArray[np.int64], sensitive: NDArray[np.int32],
    local: NDArray[np.int64], count: NDArray[np.int64], m: int, bucket: NDArray[np.int64], buckets: int,
) -> tuple[int, int]:  # fmt: skip
    """Make buckets of tuples that are equal in everything an outsider knows, as long as the rest stays m-eligible.

    Such a bucket costs nothing in any marginal. Returns how many tuples are left, and how many buckets there are.
    """
    found = len(count)
    total = end - begin
    here = np.zeros(found, np.int64)
    chosen = np.empty(m, np.int64)
    first = begin
    while first < end:
        last = first
        while last < end and cell[rows[last]] == cell[rows[first]]:
            last += 1
        if last - first >= m:
            for i in range(first, last):
                here[local[sensitive[rows[i]]]] += 1
            while _choose(here, found, count, total, m, chosen):
                for j in range(m):
                    for i in range(first, last):
                        if bucket[rows[i]] < 0 and local[sensitive[rows[i]]] == chosen[j]:
                            bucket[rows[i]] = buckets
                            break
                    here[chosen[j]] -= 1
                    count[chosen[j]] -= 1
                total -= m
                buckets += 1
            for v in range(found):
                here[v] = 0
        first = last
    return total, buckets


@compiled
def assign(
    start: NDArray[np.int64], rows: NDArray[np.int64], cell: NDArray[np.int64], sensitive: NDArray[np.int32],
    values: int, m: int,
) -> tuple[NDArray[np.int64], int]:  # fmt: skip
    """Return the bucket of every row, and how many buckets there are.

    Parameters
    ----------
    start, rows
        Sub-table `i`, which is m-eligible, has the rows `rows[start[i]:start[i + 1]]`; earlier ones are taken first.
    cell
        A number per row: rows with equal quasi-identifiers, which are neighbours in `rows`, have the same.
    sensitive
        The code of every row, below `values`.
    m
        The least number of values of a bucket.
    """
    bucket = np.full(len(sensitive), -1, np.int64)
    buckets = 0
    local = np.full(values, -1, np.int64)
    for part in range(len(start) - 1):
        begin, end = start[part], start[part + 1]
        present = np.empty(min(end - begin, values), np.int64)
        found = 0
        for i in range(begin, end):
            code = sensitive[rows[i]]
            if local[code] < 0:
                local[code] = found
                present[found] = code
                found += 1
        count = np.zeros(found, np.int64)
        for i in range(begin, end):
            count[local[sensitive[rows[i]]]] += 1
        total = end - begin
        if cell[rows[begin]] != cell[rows[end - 1]]:
            total, buckets = _alike(begin, end, rows, cell, sensitive, local, count, m, bucket, buckets)
        at = np.zeros(found + 1, np.int64)
        at[1:] = np.cumsum(count)
        listed = np.empty(total, np.int64)
        place = at[:-1].copy()
        for i in range(begin, end):
            if bucket[rows[i]] < 0:
                value = local[sensitive[rows[i]]]
                listed[place[value]] = rows[i]
                place[value] += 1
        heap = np.empty(found, np.int64)
        size = 0
        for value in range(found):
            if count[value] > 0:
                size = _push(heap, size, count, value)
        top = np.empty(2 * m, np.int64)
        while total > 0:
            tops = 0
            while size > 0 and tops < 2 * m:
                top[tops] = _pop(heap, size, count)
                size -= 1
                tops += 1
            b, a = _shape(count, top, tops, total, m)
            if b == 0:  # only where the sub-table was not m-eligible: its rows keep -1
                break
            for j in range(b):
                value = top[j]
                for i in range(at[value], at[value] + a):
                    bucket[listed[i]] = buckets
                at[value] += a
                count[value] -= a
            for j in range(tops):
                if count[top[j]] > 0:
                    size = _push(heap, size, count, top[j])
            total -= a * b
            buckets += 1
        for value in range(found):
            local[present[value]] = -1
    return bucket, buckets
