"""Buckets of near rows: a seed and the nearest rows of other values, as long as the rest can still be bucketized."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import NOMINAL
from tacit.kernels.near_parts import NearRows

__all__ = ["bucketize"]

_TELLING = 0.1
"""What one unit of evidence about who has which value counts beside a difference in quasi-identifiers. More keeps a
reader who learns from the release from telling a bucket's rows apart; less keeps rows of a bucket nearer, for the sake
of queries. Chosen by trial."""
_SEED = -1.0
"""The price of the seed's value: below every distance, and above that of the urgent values."""
_URGENT = 1e6
"""More than any distance: one step of urgency."""


class _Work(NamedTuple):
    """Arrays that are written anew for each part; its rows and its values are numbered from 0."""

    row: NDArray[np.int64]  # the rows
    kind: NDArray[np.int64]  # the number of each row's value
    told: NDArray[np.float32]  # [row, value]: the evidence of a row's quasi-identifiers for a value
    free: NDArray[np.int64]  # the rows in no bucket
    bucket: NDArray[np.int64]  # the bucket of each row, -1 none
    code: NDArray[np.int64]  # the values
    count: NDArray[np.int64]  # the rows of a value in no bucket
    nearest: NDArray[np.int64]  # the row of a value that is nearest to the seed
    price: NDArray[np.float64]  # what taking it costs; the cheapest values make the bucket


@compiled(forceinline=True)
def _distance(rows: NearRows, work: _Work, i: int, j: int, limit: float) -> float:
    """Return how far two rows of a part are apart, and how well a reader could tell which of them has which value.

    What is at least `limit` is not looked at more closely.
    """
    x, y = work.kind[i], work.kind[j]
    total = _TELLING * abs(work.told[i, x] + work.told[j, y] - work.told[i, y] - work.told[j, x])
    if total >= limit:
        return total
    for a in range(len(rows.weight)):
        u, v = rows.points[work.row[i], a], rows.points[work.row[j], a]
        if u != v:
            width = 1.0
            if rows.space.kind[a] != NOMINAL:
                at = rows.space.start[a]
                width = min(1.0, abs(rows.space.value[at + u] - rows.space.value[at + v]))
            total += rows.weight[a] * width
    return total


@compiled
def _open(rows: NearRows, begin: int, end: int, number: NDArray[np.int64], work: _Work) -> int:
    """Number the rows and values of a part; return how many values there are. `number` is all -1 before and after."""
    values = 0
    for j in range(end - begin):
        work.row[j] = rows.order[begin + j]
        work.free[j] = j
        work.bucket[j] = -1
        v = rows.value[work.row[j]]
        if number[v] < 0:
            number[v] = values
            work.code[values] = v
            work.count[values] = 0
            values += 1
        work.kind[j] = number[v]
        work.count[number[v]] += 1
    for k in range(values):
        number[work.code[k]] = -1
    for j in range(end - begin):
        work.told[j, :values] = 0.0
        for a in range(len(rows.weight)):
            line = rows.level[rows.space.start[a] + rows.points[work.row[j], a]]
            for k in range(values):
                work.told[j, k] += rows.evidence[line, work.code[k]]
    return values


@compiled
def _price(rows: NearRows, work: _Work, values: int, free: int, l: int) -> None:
    """Price the values by their row nearest to the seed, the first free row; urgent ones are cheaper than all others.

    A value with as many rows as buckets are still to be made is urgent: each of them must take one.
    """
    work.price[:values] = np.inf
    seed = work.free[0]
    for k in range(1, free):
        j = work.free[k]
        if work.kind[j] != work.kind[seed]:
            distance = _distance(rows, work, seed, j, work.price[work.kind[j]])
            if distance < work.price[work.kind[j]]:
                work.price[work.kind[j]] = distance
                work.nearest[work.kind[j]] = j
    work.price[work.kind[seed]] = _SEED
    work.nearest[work.kind[seed]] = seed
    for k in range(values):
        work.price[k] -= _URGENT * max(0, work.count[k] - free // l + 1)


@compiled
def _fill(work: _Work, values: int, l: int, made: int) -> None:
    """Put the nearest rows of the l cheapest values into a new bucket."""
    for _ in range(l):
        chosen = np.argmin(work.price[:values])
        work.bucket[work.nearest[chosen]] = made
        work.price[chosen] = np.inf
        work.count[chosen] -= 1


@compiled
def _join(rows: NearRows, work: _Work, size: int, free: int, made: int) -> None:
    """Put rows that are left over into the nearest bucket without their value."""
    total = np.empty(made, np.float64)
    for k in range(free):
        total[:] = 0.0
        for j in range(size):
            if work.bucket[j] >= 0:
                same = work.kind[j] == work.kind[work.free[k]]
                total[work.bucket[j]] += np.inf if same else _distance(rows, work, work.free[k], j, np.inf)
        work.bucket[work.free[k]] = np.argmin(total)


@compiled
def bucketize(rows: NearRows, parts: NDArray[np.int64], l: int) -> tuple[NDArray[np.int64], int]:
    """Put the rows of every part into buckets in which all values differ; return each row's bucket and their number.

    No value may be in more than 1/l of a part; part `p` is the stretch `parts[p] .. parts[p + 1]`. A part of n rows
    has n // l buckets: l rows each, and what is left over joins some of them.
    """
    longest = np.max(np.diff(parts))
    values = rows.evidence.shape[1]
    most = min(longest, values)
    work = _Work(
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
        np.empty((longest, most), np.float32),
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.float64),
    )
    number = np.full(values, -1, np.int64)
    bucket = np.empty(len(rows.order), np.int64)
    buckets = np.int64(0)
    for p in range(len(parts) - 1):
        size = parts[p + 1] - parts[p]
        present = _open(rows, parts[p], parts[p + 1], number, work)
        made, free = 0, size
        while free >= l:
            _price(rows, work, present, free, l)
            _fill(work, present, l, made)
            made += 1
            still = 0
            for k in range(free):
                if work.bucket[work.free[k]] < 0:
                    work.free[still] = work.free[k]
                    still += 1
            free = still
        _join(rows, work, size, free, made)
        for j in range(size):
            bucket[work.row[j]] = buckets + work.bucket[j]
        buckets += made
    return bucket, buckets
