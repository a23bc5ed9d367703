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
_FEW = 64
"""So many values of the table are added up at once, also those that a part does not have. Chosen by hand."""


class _Work(NamedTuple):
    """Arrays that are written anew for each part; its rows and its values are numbered from 0."""

    row: NDArray[np.int64]  # the rows
    kind: NDArray[np.int64]  # the number of each row's value
    place: NDArray[np.float64]  # [attribute, row]: where a row stands
    told: NDArray[np.float32]  # [row, column]: the evidence of a row's quasi-identifiers for a value
    own: NDArray[np.float32]  # the evidence for the value that a row has
    apart: NDArray[np.float64]  # how far a row is from the one that was last asked about
    free: NDArray[np.int64]  # the rows in no bucket
    bucket: NDArray[np.int64]  # the bucket of each row, -1 none
    code: NDArray[np.int64]  # the values
    column: NDArray[np.int64]  # the column of `told` about a value
    count: NDArray[np.int64]  # the rows of a value in no bucket
    nearest: NDArray[np.int64]  # the row of a value that is nearest to the seed
    price: NDArray[np.float64]  # what taking it costs; the cheapest values make the bucket


@compiled
def _distances(rows: NearRows, work: _Work, i: int, begin: int, end: int) -> None:
    """Write how far rows of a part are from row `i`, and how well a reader could tell which of the two has which value.

    One attribute after another, for many rows at once.
    """
    x = work.column[work.kind[i]]
    apart, kind, own = work.apart[begin:end], work.kind[begin:end], work.own[begin:end]
    told, mine = work.told[begin:end], work.told[i]
    for j in range(len(apart)):
        apart[j] = _TELLING * abs(work.own[i] + own[j] - mine[work.column[kind[j]]] - told[j, x])
    for a in range(len(rows.weight)):
        weight, here, place = rows.weight[a], work.place[a, i], work.place[a, begin:end]
        if rows.space.kind[a] == NOMINAL:
            for j in range(len(apart)):
                apart[j] += weight if place[j] != here else 0.0
        else:
            for j in range(len(apart)):
                apart[j] += weight * min(1.0, abs(place[j] - here))


@compiled
def _open(rows: NearRows, begin: int, end: int, number: NDArray[np.int64], work: _Work) -> int:
    """Number the rows and values of a part; return how many values there are. `number` is all -1 before and after."""
    size = end - begin
    values = 0
    for j in range(size):
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
    whole = work.told.shape[1] == rows.evidence.shape[1]  # then lines of evidence are added as they are
    for k in range(values):
        number[work.code[k]] = -1
        work.column[k] = work.code[k] if whole else k
    work.told[:size] = 0.0
    for a in range(len(rows.weight)):
        base, points, place = rows.space.start[a], rows.points[a], work.place[a]
        nominal = rows.space.kind[a] == NOMINAL
        for j in range(size):
            at = points[work.row[j]]
            place[j] = at if nominal else rows.space.value[base + at]
            line, told = rows.evidence[rows.level[base + at]], work.told[j]
            if whole:
                for k in range(len(told)):
                    told[k] += line[k]
            else:
                for k in range(values):
                    told[k] += line[work.code[k]]
    for j in range(size):
        work.own[j] = work.told[j, work.column[work.kind[j]]]
    return values


@compiled(forceinline=True)
def _price(rows: NearRows, work: _Work, values: int, size: int, free: int, l: int) -> None:
    """Price the values by their row nearest to the seed, the first free row; urgent ones are cheaper than all others.

    A value with as many rows as buckets are still to be made is urgent: each of them must take one.
    """
    seed = work.free[0]
    _distances(rows, work, seed, seed, size)
    work.price[:values] = np.inf
    work.price[work.kind[seed]] = _SEED
    work.nearest[work.kind[seed]] = seed
    for k in range(1, free):
        j = work.free[k]
        x, apart = work.kind[j], work.apart[j]
        price, nearest = work.price[x], work.nearest[x]
        nearer = apart < price  # which cannot be foreseen: it is written either way
        work.price[x] = apart if nearer else price
        work.nearest[x] = j if nearer else nearest
    most = free // l - 1
    for k in range(values):
        work.price[k] -= _URGENT * max(0, work.count[k] - most)


@compiled(forceinline=True)
def _fill(work: _Work, values: int, l: int, made: int) -> None:
    """Put the nearest rows of the l cheapest values into a new bucket."""
    for _ in range(l):
        chosen, least = 0, work.price[0]
        for k in range(1, values):
            price = work.price[k]
            chosen = k if price < least else chosen
            least = price if price < least else least
        work.bucket[work.nearest[chosen]] = made
        work.price[chosen] = np.inf
        work.count[chosen] -= 1


@compiled
def _join(rows: NearRows, work: _Work, size: int, free: int, made: int) -> None:
    """Put rows that are left over into the nearest bucket without their value."""
    total = np.empty(made, np.float64)
    for k in range(free):
        total[:] = 0.0
        _distances(rows, work, work.free[k], 0, size)
        for j in range(size):
            if work.bucket[j] >= 0:
                same = work.kind[j] == work.kind[work.free[k]]
                total[work.bucket[j]] += np.inf if same else work.apart[j]
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
        np.empty((len(rows.weight), longest), np.float64),
        np.empty((longest, values if values <= _FEW else most), np.float32),
        np.empty(longest, np.float32),
        np.empty(longest, np.float64),
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
        np.empty(most, np.int64),
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
            _price(rows, work, present, size, free, l)
            _fill(work, present, l, made)
            made += 1
            still = 0
            for k in range(free):
                work.free[still] = work.free[k]
                still += work.bucket[work.free[k]] < 0
            free = still
        _join(rows, work, size, free, made)
        for j in range(size):
            bucket[work.row[j]] = buckets + work.bucket[j]
        buckets += made
    return bucket, buckets
