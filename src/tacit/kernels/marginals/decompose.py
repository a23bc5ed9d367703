"""Decompose: each bucket into groups of one tuple per value, for the attributes of one marginal (spec, step 3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import offsets_of
from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import MarginalRows
from tacit.kernels.marginals.halving import halve
from tacit.kernels.marginals.improve import groups_cost, rematch, search
from tacit.kernels.marginals.sorting import sort_by, sorting_room
from tacit.kernels.threads import in_parallel, stretches

__all__ = ["BucketRows", "decompose"]

# The first five trade blur for time, and were chosen by trial.
_EXACT = 512  # rows of a list: two lists up to this length are matched exactly, in the third power of it
_WINDOW = 16  # groups that exchange their rows of one value at a time; a wider window finds more, in its third power
_VISITS = 2_000_000  # nodes of the branch and bound over all buckets; shared, so that time grows with the rows only
_MOST_VISITS = 20_000  # nodes for one bucket, where there are few buckets
_LONGEST_SEARCH = 6  # groups of a bucket that is searched: beyond it the visits end long before the search does
_ANY = 2**62  # no key is as large
_STRETCHES = 64  # stretches of buckets that threads share: several per thread, because buckets take unequal times


class BucketRows(NamedTuple):
    """Bucket `k` has `width[k]` values and the rows `rows[start[k]:start[k + 1]]`, sorted by value.

    Every value has as many rows. If `grouped`, those at the same place of each value's list were put together because
    they are alike, and are tried as a group. If `roughly`, lists are halved and nothing is improved after that.
    """

    rows: NDArray[np.int64]
    start: NDArray[np.int64]
    width: NDArray[np.int64]
    grouped: bool = True
    roughly: bool = False


@compiled
def _set_equal_apart(cell: NDArray[np.int64], lists: NDArray[np.int64], size: int) -> int:
    """Bring tuples that are equal in every list to the back as groups that cost nothing; return how many are left.

    Two lists lose nothing by it: the cost of a pair is a distance, so some optimum pairs equal tuples.
    """
    b = lists.shape[0]
    at = np.zeros(b, np.int64)
    rest = np.empty((b, size), np.int64)
    left = np.zeros(b, np.int64)
    alike = np.empty((b, size), np.int64)
    equals = 0
    room = sorting_room(size)
    for v in range(b):
        for i in range(size):
            room.keys[i] = cell[lists[v, i]]
        sort_by(lists[v, :size], _ANY, room)
    while True:
        target, done = np.int64(-1), False
        for v in range(b):
            if at[v] == size:
                done = True
                break
            target = max(target, cell[lists[v, at[v]]])
        if done:
            break
        equal = True
        for v in range(b):
            while at[v] < size and cell[lists[v, at[v]]] < target:
                rest[v, left[v]] = lists[v, at[v]]
                left[v] += 1
                at[v] += 1
            equal = equal and at[v] < size and cell[lists[v, at[v]]] == target
        if equal:
            for v in range(b):
                alike[v, equals] = lists[v, at[v]]
                at[v] += 1
            equals += 1
    for v in range(b):
        for i in range(at[v], size):
            rest[v, left[v]] = lists[v, i]
            left[v] += 1
        for i in range(size):
            lists[v, i] = rest[v, i] if i < size - equals else alike[v, i - size + equals]
    return size - equals


@compiled
def _arrange(marginal: MarginalRows, lists: NDArray[np.int64], grouped: bool, roughly: bool, visits: int) -> None:
    """Arrange the lists of one bucket so that every column is a group.

    Two ways are tried: from scratch and, if the columns were grouped, from the columns as they are.
    """
    b, a = lists.shape
    given = lists.copy() if grouped else lists
    rest = _set_equal_apart(marginal.cell, lists, a)
    if rest < 2:
        return
    if b == 2 and rest <= _EXACT:
        rematch(marginal, lists, rest, rest, 1)
        return
    halve(marginal, lists, rest)
    if roughly:
        return
    rematch(marginal, lists, rest, _WINDOW, 2)
    if grouped:
        rematch(marginal, given, a, _WINDOW, 1)
        if groups_cost(marginal, given, 0, a) < groups_cost(marginal, lists, 0, rest):
            rest = a
            for v in range(b):
                for i in range(a):
                    lists[v, i] = given[v, i]
    if b > 2 and a <= _LONGEST_SEARCH:
        # Equal tuples in one group are no loss for two lists, but may be for more: the search may undo them.
        search(marginal, lists, a, groups_cost(marginal, lists, 0, rest), visits)


@compiled
def _decompose_stretch(
    marginal: MarginalRows,
    buckets: BucketRows,
    first: NDArray[np.int64],
    visits: int,
    begin: int,
    end: int,
    group: NDArray[np.int64],
) -> None:
    """Fill in the group of every row of the buckets `begin .. end`; the groups of bucket `k` begin at `first[k]`."""
    rows, start, width = buckets.rows, buckets.start, buckets.width
    for k in range(begin, end):
        b = width[k]
        a = (start[k + 1] - start[k]) // b
        mine = rows[start[k] : start[k + 1]]
        lists = np.arange(b * a).reshape(b, a)
        if a > 1:
            # The rows of a bucket are brought together: they are asked about often, and those of the table lie apart.
            beside = MarginalRows(marginal.space, marginal.points[mine], marginal.cell[mine])
            _arrange(beside, lists, buckets.grouped, buckets.roughly, visits)
        for i in range(a):
            for v in range(b):
                group[mine[lists[v, i]]] = first[k] + i


def decompose(marginal: MarginalRows, buckets: BucketRows, *, threads: int = 0) -> NDArray[np.int64]:
    """Return the group of every row, numbered bucket by bucket.

    Parameters
    ----------
    marginal
        The rows as the marginal shows them.
    buckets
        The rows of every bucket.
    threads
        At most so many threads; 0 means one per processor. The outcome does not depend on it.
    """
    group = np.full(len(marginal.points), -1, np.int64)
    depth = np.diff(buckets.start) // np.maximum(1, buckets.width)
    first = offsets_of(depth)
    wide = int(((depth > 1) & (buckets.width > 2)).sum())
    visits = min(_MOST_VISITS, _VISITS // max(1, wide))
    parts = stretches(len(buckets.width), _STRETCHES)
    in_parallel(_decompose_stretch, [(marginal, buckets, first, visits, *part, group) for part in parts], threads)
    return group
