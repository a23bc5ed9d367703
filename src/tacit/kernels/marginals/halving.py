"""Halving: sort every list of a bucket, cut all at the middle, keep the attribute that pays, go on with the halves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import width
from tacit.kernels.marginals.sorting import sort_by
from tacit.kernels.mondrian.space import NOMINAL, Space

__all__ = ["halve"]

_TRIED = 2_048  # longer lists are cut along the widest attribute; shorter ones try them all


@compiled
def _width(space: Space, points: NDArray[np.int32], lists: NDArray[np.int64], begin: int, end: int, a: int) -> float:
    """Return what the tuples at `begin .. end` of all lists cost as one group, in one attribute."""
    if space.kind[a] == NOMINAL:
        seen = np.zeros(space.start[a + 1] - space.start[a], np.bool_)
        distinct = 0
        for v in range(lists.shape[0]):
            for i in range(begin, end):
                position = points[lists[v, i], a]
                if not seen[position]:
                    seen[position] = True
                    distinct += 1
        return float((distinct - 1) * space.unit[a])
    low = high = points[lists[0, begin], a]
    for v in range(lists.shape[0]):
        for i in range(begin, end):
            low, high = min(low, points[lists[v, i], a]), max(high, points[lists[v, i], a])
    return width(space, a, low, high)


@compiled
def _sort(points: NDArray[np.int32], lists: NDArray[np.int64], begin: int, end: int, a: int) -> None:
    keys = np.empty(end - begin, np.int64)
    for v in range(lists.shape[0]):
        for i in range(begin, end):
            keys[i - begin] = points[lists[v, i], a]
        sort_by(keys, lists, v, begin, end - begin)


@compiled
def _cut_cost(space: Space, points: NDArray[np.int32], lists: NDArray[np.int64], begin: int, end: int) -> float:
    middle = (begin + end) // 2
    total = 0.0
    for a in range(len(space.kind)):
        total += (middle - begin) * _width(space, points, lists, begin, middle, a)
        total += (end - middle) * _width(space, points, lists, middle, end, a)
    return total


@compiled
def halve(space: Space, points: NDArray[np.int32], lists: NDArray[np.int64], size: int) -> None:
    """Arrange `lists[:, :size]` so that column `i` is a group, and neighbours are alike."""
    attributes = len(space.kind)
    stack = np.empty((2 + 2 * 64, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, size
    depth = 1
    while depth > 0:
        depth -= 1
        begin, end = stack[depth, 0], stack[depth, 1]
        if end - begin < 2:
            continue
        best, least, widest = -1, np.inf, 0.0
        for a in range(attributes):
            span = _width(space, points, lists, begin, end, a)
            if end - begin > _TRIED:
                if span > widest:
                    best, widest = a, span
            elif span > 0.0:
                _sort(points, lists, begin, end, a)
                cost = _cut_cost(space, points, lists, begin, end)
                if cost < least:
                    best, least = a, cost
        if best < 0:
            continue
        _sort(points, lists, begin, end, best)
        middle = (begin + end) // 2
        stack[depth, 0], stack[depth, 1] = begin, middle
        stack[depth + 1, 0], stack[depth + 1, 1] = middle, end
        depth += 2
