"""A stable sort of the tuples of one list by a key: small, because lists are, and quick to compile."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["SortingRoom", "sort_by", "sorting_room"]

_RUN = 16
"""Tuples that are sorted by insertion before runs are merged. Insertion takes the square of it, but a list that short
needs no second array. Chosen by trial; no measurement of other lengths was kept."""

_COUNTED = 2
"""Possible keys per tuple up to which keys are counted instead of compared: every possible one has to be looked at."""


class SortingRoom(NamedTuple):
    """The keys of a list, which whoever sorts writes down, and room for a second copy of both, and for counts."""

    keys: NDArray[np.int64]
    other_keys: NDArray[np.int64]
    other_rows: NDArray[np.int64]
    count: NDArray[np.int64]


@compiled
def sorting_room(size: int) -> SortingRoom:
    """Return room for lists of so many tuples."""
    again = size if size > _RUN else 0
    return SortingRoom(
        np.empty(size, np.int64),
        np.empty(again, np.int64),
        np.empty(again, np.int64),
        np.zeros(_COUNTED * again + 1, np.int64),
    )


@compiled(borrows=True)
def _insert(rows: NDArray[np.int64], begin: int, end: int, room: SortingRoom) -> None:
    """Sort a short run by insertion."""
    keys = room.keys
    for i in range(begin + 1, end):
        key, row, j = keys[i], rows[i], i
        while j > begin and keys[j - 1] > key:
            keys[j], rows[j] = keys[j - 1], rows[j - 1]
            j -= 1
        keys[j], rows[j] = key, row


@compiled(borrows=True)
def _count(rows: NDArray[np.int64], possible: int, room: SortingRoom) -> None:
    """Sort by counting how often each key occurs: keys are below `possible`."""
    count, size = room.count, len(rows)
    count[: possible + 1] = 0
    for i in range(size):
        count[room.keys[i] + 1] += 1
        room.other_rows[i] = rows[i]
    for key in range(possible):
        count[key + 1] += count[key]
    for i in range(size):
        key = room.keys[i]
        rows[count[key]] = room.other_rows[i]
        count[key] += 1


@compiled(borrows=True)
def sort_by(rows: NDArray[np.int64], possible: int, room: SortingRoom) -> None:
    """Sort `rows` by `room.keys`, which are from 0 and below `possible`: short runs, then merges, or by counting."""
    size, keys, other_keys, other_rows = len(rows), room.keys, room.other_keys, room.other_rows
    if size > _RUN and possible <= _COUNTED * size:
        _count(rows, possible, room)
        return
    for run in range(0, size, _RUN):
        _insert(rows, run, min(size, run + _RUN), room)
    length = _RUN
    while length < size:
        for left in range(0, size, 2 * length):
            middle, right = min(size, left + length), min(size, left + 2 * length)
            i, j = left, middle
            for to in range(left, right):
                if i < middle and (j >= right or keys[i] <= keys[j]):
                    other_keys[to], other_rows[to] = keys[i], rows[i]
                    i += 1
                else:
                    other_keys[to], other_rows[to] = keys[j], rows[j]
                    j += 1
        for i in range(size):
            keys[i], rows[i] = other_keys[i], other_rows[i]
        length *= 2
