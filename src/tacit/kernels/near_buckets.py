"""Buckets of near rows: a seed and the nearest rows of other values, as long as the rest can still be bucketized."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import NOMINAL
from tacit.kernels.near_parts import NearRows

__all__ = ["bucketize"]

_TELLING = np.float32(0.1)
"""What one unit of evidence about who has which value counts beside a difference in quasi-identifiers. More keeps a
reader who learns from the release from telling a bucket's rows apart; less keeps rows of a bucket nearer, for the sake
of queries. Chosen by trial."""
_LAST = np.int32(2**31 - 1)
"""The key of a row that cannot be taken."""
_FEW = 64
"""So many values of the table are added up at once, also those that a part does not have. Chosen by hand."""


class _Work(NamedTuple):
    """Arrays that are written anew for each part; its rows and its values are numbered from 0."""

    kind: NDArray[np.int32]  # the number of each row's value
    column: NDArray[np.int32]  # the column of `told` about each row's value
    place: NDArray[np.float32]  # [attribute, row]: where a row stands; numbers in units of what a difference counts
    line: NDArray[np.uint32]  # [row, attribute]: the line of evidence about where a row stands
    told: NDArray[np.float32]  # [row, column]: the evidence of a row's quasi-identifiers for a value
    own: NDArray[np.float32]  # the evidence for the value that a row has
    apart: NDArray[np.float32]  # how far a row is from the one that was last asked about
    key: NDArray[np.int32]  # the same as whole numbers, with the places of the rows
    bucket: NDArray[np.int32]  # the bucket of each row, -1 none
    code: NDArray[np.int32]  # the values
    count: NDArray[np.int32]  # the rows of a value in no bucket
    lowest: int  # the bits of a key that are a place


@compiled(borrows=True)
def _distances(rows: NearRows, work: _Work, i: int, begin: int, end: int) -> None:
    """Write how far rows of a part are from row `i`, and how well a reader could tell which of the two has which value.

    One attribute after another, for many rows at once.
    """
    apart, own, column = work.apart[begin:end], work.own[begin:end], work.column[begin:end]
    told, mine, mine_own = work.told[begin:end, work.column[i]], work.told[i], work.own[i]
    for j in range(len(apart)):
        apart[j] = _TELLING * abs(mine_own + own[j] - mine[column[j]] - told[j])
    for a in range(len(rows.weight)):
        weight, here, place = np.float32(rows.weight[a]), work.place[a, i], work.place[a, begin:end]
        if rows.space.kind[a] == NOMINAL:
            for j in range(len(apart)):
                apart[j] += weight if place[j] != here else np.float32(0.0)
        else:
            for j in range(len(apart)):
                between = abs(place[j] - here)
                apart[j] += between if between < weight else weight


@compiled(borrows=True)
def _add_up(evidence: NDArray[np.float32], lines: NDArray[np.uint32], told: NDArray[np.float32]) -> None:
    """Add up some lines of evidence: four at a time, so that sums are written less often."""
    whole = len(lines) & ~3
    told[:] = 0.0
    for a in range(0, whole, 4):
        one, two, three, four = lines[a], lines[a + 1], lines[a + 2], lines[a + 3]
        for k in range(len(told)):
            told[k] += (evidence[one, k] + evidence[two, k]) + (evidence[three, k] + evidence[four, k])
    for a in range(whole, len(lines)):
        for k in range(len(told)):
            told[k] += evidence[lines[a], k]


@compiled(borrows=True)
def _open(rows: NearRows, begin: int, end: int, number: NDArray[np.int32], work: _Work) -> int:
    """Number the rows and values of a part; return how many values there are. `number` is all -1 before and after."""
    size = end - begin
    values = 0
    whole = work.told.shape[1] == rows.evidence.shape[1]  # then lines of evidence are added as they are
    for j in range(size):
        v = rows.value[rows.order[begin + j]]
        if number[v] < 0:
            number[v] = values
            work.code[values] = v
            work.count[values] = 0
            values += 1
        work.kind[j] = number[v]
        work.column[j] = v if whole else number[v]
        work.count[number[v]] += 1
    for k in range(values):
        number[work.code[k]] = -1
    work.bucket[:size] = -1
    for a in range(len(rows.weight)):
        base, points, place = rows.space.start[a], rows.points[a], work.place[a]
        nominal, weight = rows.space.kind[a] == NOMINAL, rows.weight[a]
        for j in range(size):
            at = points[rows.order[begin + j]]
            place[j] = at if nominal else weight * rows.space.value[base + at]
            work.line[j, a] = rows.level[base + at]
    for j in range(size):
        if whole:
            _add_up(rows.evidence, work.line[j], work.told[j])
        else:
            for k in range(values):
                told = np.float32(0.0)
                for a in range(len(rows.weight)):
                    told += rows.evidence[work.line[j, a], work.code[k]]
                work.told[j, k] = told
    for j in range(size):
        work.own[j] = work.told[j, work.column[j]]
    return values


@compiled(borrows=True)
def _write_keys(work: _Work, seed: int, size: int) -> None:
    """Write keys that order the rows from the seed on by distance, and then by place; those in a bucket come last.

    A key is the bits of a distance, which order numbers that are not negative, with the place in the lowest bits. So
    the nearest row is found as the least of whole numbers, of which a processor compares many at once.
    """
    lowest = np.int32(work.lowest)
    key, bits, bucket = work.key[seed:size], work.apart[seed:size].view(np.int32), work.bucket[seed:size]
    higher = np.int32(~lowest)
    for j in range(len(key)):
        here = np.int32((bits[j] & higher) | np.int32(seed + j))
        key[j] = np.int32(_LAST) if bucket[j] >= 0 else here


@compiled(borrows=True)
def _least_of(key: NDArray[np.int32], kind: NDArray[np.int32], x: int) -> int:
    """Return the least key of a value."""
    least, value = np.int32(_LAST), np.int32(x)
    for j in range(len(key)):
        here = key[j]
        least = min(least, here if kind[j] == value else np.int32(_LAST))
    return least


@compiled(borrows=True)
def _least_without(key: NDArray[np.int32], kind: NDArray[np.int32], x: int) -> int:
    """Let the rows of a value come last; return the least key of the others."""
    least, value = np.int32(_LAST), np.int32(x)
    for j in range(len(key)):
        here = key[j]
        here = np.int32(_LAST) if kind[j] == value else here
        key[j] = here
        least = min(least, here)
    return least


@compiled(borrows=True)
def _fill(rows: NearRows, work: _Work, values: int, seed: int, size: int, free: int, l: int, made: int) -> None:
    """Make a bucket of l rows: the nearest of every urgent value, then the seed, then the nearest of other values.

    The seed is the first of the free rows. A value with as many rows as buckets are still to be made is urgent: each of
    them must take one. There are at most l such values.
    """
    _distances(rows, work, seed, seed, size)
    _write_keys(work, seed, size)
    key, kind = work.key[seed:size], work.kind[seed:size]
    lowest = np.int32(work.lowest)
    left, most, least = l, free // l - 1, np.int32(0)
    for x in range(values):
        if work.count[x] > most:
            work.bucket[_least_of(key, kind, x) & lowest] = made
            work.count[x] -= 1
            least = _least_without(key, kind, x)
            left -= 1
    if left > 0 and work.key[seed] < _LAST:
        least = work.key[seed]
    for _ in range(left):
        j = least & lowest
        x = kind[j - seed]
        work.bucket[j] = made
        work.count[x] -= 1
        least = _least_without(key, kind, x)


@compiled
def _join(rows: NearRows, work: _Work, size: int, made: int) -> None:
    """Put rows that are left over into the nearest bucket without their value."""
    total = np.empty(made, np.float64)
    for i in range(size):
        if work.bucket[i] < 0:
            total[:] = 0.0
            _distances(rows, work, i, 0, size)
            for j in range(size):
                if work.bucket[j] >= 0:
                    total[work.bucket[j]] += np.inf if work.kind[j] == work.kind[i] else work.apart[j]
            work.bucket[i] = np.argmin(total)


@compiled(borrows=True)
def _shuffle(order: NDArray[np.int64], draws: NDArray[np.float64]) -> None:
    """Put the rows of a part in a random order (Fisher and Yates)."""
    for j in range(len(order) - 1, 0, -1):
        other = int(draws[j] * (j + 1))
        row = order[j]
        order[j] = order[other]
        order[other] = row


@compiled
def bucketize(
    rows: NearRows, parts: NDArray[np.int64], l: int, draws: NDArray[np.float64]
) -> tuple[NDArray[np.int64], int]:
    """Put the rows of every part into buckets in which all values differ; return each row's bucket and their number.

    No value may be in more than 1/l of a part; part `p` is the stretch `parts[p] .. parts[p + 1]`. A part of n rows
    has n // l buckets: l rows each, and what is left over joins some of them. `draws` are random numbers from 0 to 1,
    one for each row, if seeds are to be taken at random, or none; then seeds are taken along the last cut.
    """
    longest = np.max(np.diff(parts))
    values = rows.evidence.shape[1]
    most = min(longest, values)
    lowest = 1
    while lowest <= longest:
        lowest *= 2
    lowest -= 1
    work = _Work(
        np.empty(longest, np.int32),
        np.empty(longest, np.int32),
        np.empty((len(rows.weight), longest), np.float32),
        np.empty((longest, len(rows.weight)), np.uint32),
        np.empty((longest, values if values <= _FEW else most), np.float32),
        np.empty(longest, np.float32),
        np.empty(longest, np.float32),
        np.empty(longest, np.int32),
        np.empty(longest, np.int32),
        np.empty(most, np.int32),
        np.empty(most, np.int32),
        lowest,
    )
    number = np.full(values, -1, np.int32)
    bucket = np.empty(len(rows.order), np.int64)
    buckets = np.int64(0)
    for p in range(len(parts) - 1):
        begin, size = parts[p], parts[p + 1] - parts[p]
        if len(draws) > 0:
            _shuffle(rows.order[begin : begin + size], draws[begin : begin + size])
        present = _open(rows, begin, parts[p + 1], number, work)
        made, seed = size // l, 0
        for number_made in range(made):
            while work.bucket[seed] >= 0:
                seed += 1
            _fill(rows, work, present, seed, size, size - l * number_made, l, number_made)
        if made * l < size:
            _join(rows, work, size, made)
        for j in range(size):
            bucket[rows.order[begin + j]] = buckets + work.bucket[j]
        buckets += made
    return bucket, buckets
