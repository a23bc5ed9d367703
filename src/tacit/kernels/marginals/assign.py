"""Assign: the tuples of every sub-table to buckets in which every value is equally frequent (spec, step 2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["SubTables", "assign"]


class SubTables(NamedTuple):
    """The sub-tables that are assigned one by one; each must be m-eligible.

    Sub-table `i` has the rows `rows[start[i]:start[i + 1]]`; earlier ones are taken first. Rows with equal
    quasi-identifiers are neighbours in `rows`. Per row of the table, `cell` is a number that is the same for equal
    quasi-identifiers, and `sensitive` a code below `values`.

    Where equal rows leave a choice of values, a bucket gets those that its rows have most of; or, if `alike`, those
    that come first in the order of the codes. Buckets of different sub-tables then have the same values more often.
    """

    start: NDArray[np.int64]
    rows: NDArray[np.int64]
    cell: NDArray[np.int64]
    sensitive: NDArray[np.int32]
    values: int
    alike: bool = False


class _SubTable(NamedTuple):
    """One sub-table: its rows, the value of each, and how many rows of each value are in no bucket yet.

    The values that occur in the sub-table are numbered from 0: in the order in which they occur or, if buckets shall be
    alike, in the order of their codes.
    """

    rows: NDArray[np.int64]
    value: NDArray[np.int64]
    count: NDArray[np.int64]


@compiled
def _sub_table(tables: SubTables, i: int, number: NDArray[np.int64]) -> _SubTable:
    """Return sub-table `i`. `number` has a place for every code; all of it is -1 before and after."""
    rows = tables.rows[tables.start[i] : tables.start[i + 1]]
    value = np.empty(len(rows), np.int64)
    distinct = 0
    if tables.alike:
        for code in np.unique(tables.sensitive[rows]):
            number[code] = distinct
            distinct += 1
    for at in range(len(rows)):
        code = tables.sensitive[rows[at]]
        if number[code] < 0:
            number[code] = distinct
            distinct += 1
        value[at] = number[code]
    count = np.zeros(distinct, np.int64)
    for at in range(len(rows)):
        count[value[at]] += 1
        number[tables.sensitive[rows[at]]] = -1
    return _SubTable(rows, value, count)


@compiled
def _is_urgent(count: int, total: int, m: int) -> bool:
    """Whether a value would be too frequent among the rest, if a bucket of m tuples were made without it."""
    return m * count > total - m


@compiled
def _is_among(chosen: NDArray[np.int64], size: int, value: int) -> bool:
    among = False
    for j in range(size):
        among = among or chosen[j] == value
    return among


@compiled
def _choose(
    here: NDArray[np.int64], count: NDArray[np.int64], total: int, m: int, alike: bool, chosen: NDArray[np.int64]
) -> bool:
    """Choose m values that a cell has, so that the sub-table stays m-eligible without one tuple of each.

    Urgent values must be among them; then come those that the cell has most of. If buckets shall be alike, then come
    those without which the cell itself would hold too many of them, and then the first ones. Returns False where no
    choice will do.
    """
    held = here.sum()
    for v in range(len(count)):
        if here[v] == 0 and count[v] > 0 and _is_urgent(count[v], total, m):
            return False
    for taken in range(m):
        best, best_urgent, best_weight = -1, False, 0
        for v in range(len(count)):
            if here[v] <= 0 or _is_among(chosen, taken, v):
                continue
            urgent = _is_urgent(count[v], total, m)
            weight = int(_is_urgent(here[v], held, m)) if alike else here[v]
            if best < 0 or (urgent and not best_urgent) or (urgent == best_urgent and weight > best_weight):
                best, best_urgent, best_weight = v, urgent, weight
        if best < 0:
            return False
        chosen[taken] = best
    for v in range(len(count)):  # where more than m values are urgent, no bucket of m values will do
        if count[v] > 0 and _is_urgent(count[v], total, m) and not _is_among(chosen, m, v):
            return False
    return True


@compiled
def _bucket_equal_tuples(
    part: _SubTable, cell: NDArray[np.int64], m: int, alike: bool, bucket: NDArray[np.int64], buckets: int
) -> int:
    """Make buckets of tuples that are equal in everything an outsider knows, as long as the rest stays m-eligible.

    Such a bucket costs nothing in any marginal. Returns how many buckets there are then; `part.count` becomes less by
    the tuples that are in them.
    """
    rows, count = part.rows, part.count
    total = len(rows)
    here = np.zeros(len(count), np.int64)
    chosen = np.empty(m, np.int64)
    first = 0
    while first < len(rows):
        last = first
        while last < len(rows) and cell[rows[last]] == cell[rows[first]]:
            last += 1
        if last - first >= m:
            for i in range(first, last):
                here[part.value[i]] += 1
            while _choose(here, count, total, m, alike, chosen):
                for value in chosen:
                    for i in range(first, last):
                        if bucket[rows[i]] < 0 and part.value[i] == value:
                            bucket[rows[i]] = buckets
                            break
                    here[value] -= 1
                    count[value] -= 1
                total -= m
                buckets += 1
            here[:] = 0
        first = last
    return buckets


@compiled
def _list_by_value(part: _SubTable, bucket: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows that are in no bucket yet, value by value, and where the list of each value begins."""
    begin = np.cumsum(part.count) - part.count
    listed = np.empty(part.count.sum(), np.int64)
    place = begin.copy()
    for i in range(len(part.rows)):
        if bucket[part.rows[i]] < 0:
            value = part.value[i]
            listed[place[value]] = part.rows[i]
            place[value] += 1
    return listed, begin


@compiled
def _push(heap: NDArray[np.int64], size: int, count: NDArray[np.int64], value: int) -> int:
    """Put a value into the heap, which has the most frequent one on top; return how many entries it then has."""
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
    """Return how many values the next bucket has, b, and how many tuples of each, a; (0, 0) if there can be none.

    What remains must be m-eligible: with g tuples left and n_i of the i-th most frequent value, m (n_1 - a) <= g - a b
    and m n_(b+1) <= g - a b.
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
def _bucket_rest(part: _SubTable, m: int, bucket: NDArray[np.int64], buckets: int) -> int:
    """Put all tuples that are in no bucket yet into buckets of the most frequent values; return how many there are.

    A sub-table that is not m-eligible leaves tuples over, which keep -1.
    """
    count = part.count
    listed, begin = _list_by_value(part, bucket)
    heap = np.empty(len(count), np.int64)
    size = 0
    for value in range(len(count)):
        if count[value] > 0:
            size = _push(heap, size, count, value)
    # A bucket has at most 2m - 1 values (spec, step 2), and its shape depends on the next most frequent one.
    top = np.empty(2 * m, np.int64)
    total = len(listed)
    while total > 0:
        tops = 0
        while size > 0 and tops < len(top):
            top[tops] = _pop(heap, size, count)
            size -= 1
            tops += 1
        b, a = _shape(count, top, tops, total, m)
        if b == 0:
            break
        for value in top[:b]:
            for i in range(begin[value], begin[value] + a):
                bucket[listed[i]] = buckets
            begin[value] += a
            count[value] -= a
        for value in top[:tops]:
            if count[value] > 0:
                size = _push(heap, size, count, value)
        total -= a * b
        buckets += 1
    return buckets


@compiled
def assign(tables: SubTables, m: int) -> tuple[NDArray[np.int64], int]:
    """Return the bucket of every row, and how many buckets there are; a bucket has at least m values."""
    bucket = np.full(len(tables.sensitive), -1, np.int64)
    buckets = 0
    number = np.full(tables.values, -1, np.int64)
    for i in range(len(tables.start) - 1):
        part = _sub_table(tables, i, number)
        # Where all tuples are equal, buckets of the most frequent values cost nothing either, and are found faster.
        if len(part.rows) > 0 and (tables.alike or tables.cell[part.rows[0]] != tables.cell[part.rows[-1]]):
            buckets = _bucket_equal_tuples(part, tables.cell, m, tables.alike, bucket, buckets)
        buckets = _bucket_rest(part, m, bucket, buckets)
    return bucket, buckets
