"""Halving: sort every list of a bucket, cut all at the middle, keep the attribute that pays, go on with the halves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import MASK_BITS, MarginalRows, width
from tacit.kernels.marginals.sorting import SortingRoom, sort_by, sorting_room
from tacit.kernels.mondrian.space import NOMINAL

__all__ = ["halve"]

_TRIED = 2_048
"""Tuples of a list: up to this length a list is sorted along every attribute, and the cut that costs least is kept; a
longer one is cut along its widest attribute. A larger value may blur less, and sorts longer lists once per attribute.
Chosen by trial."""

_HALVINGS = 64
"""How often a list can be halved at most: its length is a 64-bit number. Each halving leaves one half on the stack."""


class _Values(NamedTuple):
    """The values of the tuples of a bucket in nominal attributes, those of many attributes in one word.

    Bit `first[a] + position` of `word[row]` says that the row has this position in attribute `a`; `first[a]` is -1 for
    an attribute that is not nominal, or for which no room is left.
    """

    first: NDArray[np.int64]
    word: NDArray[np.uint64]


@compiled
def _values(marginal: MarginalRows) -> _Values:
    """Write the positions of nominal attributes as bits, as many attributes as fit."""
    space, points = marginal.space, marginal.points
    first, used = np.full(len(space.kind), -1, np.int64), 0
    word = np.zeros(len(points), np.uint64)
    for a in range(len(space.kind)):
        positions = space.start[a + 1] - space.start[a]
        if space.kind[a] == NOMINAL and used + positions <= MASK_BITS:
            first[a] = used
            used += positions
            for row in range(len(points)):
                word[row] |= np.uint64(1) << np.uint64(first[a] + points[row, a])
    return _Values(first, word)


@compiled(borrows=True, forceinline=True)
def _bits(word: np.uint64) -> int:
    """Count the bits of a word, all at once: pairs, then fours, then bytes are added up."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled(borrows=True, forceinline=True)
def _united(values: _Values, lists: NDArray[np.int64], begin: int, end: int) -> np.uint64:
    """Return what the tuples at `begin .. end` of all lists have."""
    word = np.uint64(0)
    for v in range(lists.shape[0]):
        for i in range(begin, end):
            word |= values.word[lists[v, i]]
    return word


@compiled
def _wide_set(marginal: MarginalRows, lists: NDArray[np.int64], begin: int, end: int, a: int) -> int:
    """Count the positions of the tuples at `begin .. end` of all lists in an attribute of many positions."""
    space, points = marginal.space, marginal.points
    seen = np.zeros(space.start[a + 1] - space.start[a], np.bool_)
    distinct = 0
    for v in range(lists.shape[0]):
        for i in range(begin, end):
            position = points[lists[v, i], a]
            if not seen[position]:
                seen[position] = True
                distinct += 1
    return distinct


@compiled(borrows=True, forceinline=True)
def _width(
    marginal: MarginalRows, values: _Values, lists: NDArray[np.int64], begin: int, end: int, a: int, united: np.uint64
) -> float:
    """Return what the tuples at `begin .. end` of all lists cost as one group, in one attribute."""
    space, points = marginal.space, marginal.points
    if values.first[a] >= 0:
        positions = space.start[a + 1] - space.start[a]
        mine = (united >> np.uint64(values.first[a])) & (~np.uint64(0) >> np.uint64(MASK_BITS - positions))
        return float((_bits(mine) - 1) * space.unit[a])
    if space.kind[a] == NOMINAL:
        return float((_wide_set(marginal, lists, begin, end, a) - 1) * space.unit[a])
    low = high = points[lists[0, begin], a]
    for v in range(lists.shape[0]):
        for i in range(begin, end):
            low, high = min(low, points[lists[v, i], a]), max(high, points[lists[v, i], a])
    return width(space, a, low, high)


@compiled(borrows=True, forceinline=True)
def _sort(marginal: MarginalRows, lists: NDArray[np.int64], begin: int, end: int, a: int, room: SortingRoom) -> None:
    """Sort the tuples at `begin .. end` of every list by one attribute."""
    points, positions = marginal.points, marginal.space.start[a + 1] - marginal.space.start[a]
    for v in range(lists.shape[0]):
        for i in range(begin, end):
            room.keys[i - begin] = points[lists[v, i], a]
        sort_by(lists[v, begin:end], positions, room)


@compiled(borrows=True, forceinline=True)
def _cut_cost(marginal: MarginalRows, values: _Values, lists: NDArray[np.int64], begin: int, end: int) -> float:
    """Return what the two halves of `begin .. end` cost, if each became groups as wide as itself."""
    middle = (begin + end) // 2
    left, right = _united(values, lists, begin, middle), _united(values, lists, middle, end)
    total = 0.0
    for a in range(len(marginal.space.kind)):
        total += (middle - begin) * _width(marginal, values, lists, begin, middle, a, left)
        total += (end - middle) * _width(marginal, values, lists, middle, end, a, right)
    return total


@compiled(borrows=True)
def _best_cut(
    marginal: MarginalRows, values: _Values, lists: NDArray[np.int64], begin: int, end: int, room: SortingRoom
) -> bool:
    """Sort the tuples at `begin .. end` by the attribute whose cut costs least; False where all of them are equal."""
    best, least, widest, last = -1, np.inf, 0.0, -1
    united = _united(values, lists, begin, end)
    for a in range(len(marginal.space.kind)):
        span = _width(marginal, values, lists, begin, end, a, united)
        if end - begin > _TRIED:
            if span > widest:
                best, widest = a, span
        elif span > 0.0:
            _sort(marginal, lists, begin, end, a, room)
            last = a
            cost = _cut_cost(marginal, values, lists, begin, end)
            if cost < least:
                best, least = a, cost
    if best >= 0 and best != last:
        _sort(marginal, lists, begin, end, best, room)
    return best >= 0


@compiled
def halve(marginal: MarginalRows, lists: NDArray[np.int64], size: int) -> None:
    """Arrange `lists[:, :size]` so that column `i` is a group, and neighbours are alike."""
    values, room = _values(marginal), sorting_room(size)
    stack = np.empty((2 + _HALVINGS, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, size
    depth = 1
    while depth > 0:
        depth -= 1
        begin, end = stack[depth, 0], stack[depth, 1]
        if end - begin < 2 or not _best_cut(marginal, values, lists, begin, end, room):
            continue
        middle = (begin + end) // 2
        stack[depth, 0], stack[depth, 1] = begin, middle
        stack[depth + 1, 0], stack[depth + 1, 1] = middle, end
        depth += 2
