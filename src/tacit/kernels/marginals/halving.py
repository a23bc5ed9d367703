"""Halving: sort every list of a bucket, cut all at the middle, keep the attribute that pays, go on with the halves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import MASK_BITS, MarginalRows, width
from tacit.kernels.marginals.sorting import sort_by
from tacit.kernels.mondrian.space import NOMINAL

__all__ = ["halve"]

_TRIED = 2_048
"""Tuples of a list: up to this length a list is sorted along every attribute, and the cut that costs least is kept; a
longer one is cut along its widest attribute. A larger value may blur less, and sorts longer lists once per attribute.
Chosen by trial."""

_HALVINGS = 64
"""How often a list can be halved at most: its length is a 64-bit number. Each halving leaves one half on the stack."""


@compiled
def _width(marginal: MarginalRows, lists: NDArray[np.int64], begin: int, end: int, a: int) -> float:
    """Return what the tuples at `begin .. end` of all lists cost as one group, in one attribute."""
    space, points = marginal.space, marginal.points
    if space.kind[a] == NOMINAL and space.start[a + 1] - space.start[a] <= MASK_BITS:
        mask, held = np.uint64(0), 0
        for v in range(lists.shape[0]):
            for i in range(begin, end):
                bit = np.uint64(1) << np.uint64(points[lists[v, i], a])
                if mask & bit == 0:
                    mask |= bit
                    held += 1
        return float((held - 1) * space.unit[a])
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
    """Sort the tuples at `begin .. end` of every list by one attribute."""
    keys = np.empty(end - begin, np.int64)
    for v in range(lists.shape[0]):
        for i in range(begin, end):
            keys[i - begin] = points[lists[v, i], a]
        sort_by(keys, lists, v, begin, end - begin)


@compiled
def _cut_cost(marginal: MarginalRows, lists: NDArray[np.int64], begin: int, end: int) -> float:
    """Return what the two halves of `begin .. end` cost, if each became groups as wide as itself."""
    middle = (begin + end) // 2
    total = 0.0
    for a in range(len(marginal.space.kind)):
        total += (middle - begin) * _width(marginal, lists, begin, middle, a)
        total += (end - middle) * _width(marginal, lists, middle, end, a)
    return total


@compiled
def halve(marginal: MarginalRows, lists: NDArray[np.int64], size: int) -> None:
    """Arrange `lists[:, :size]` so that column `i` is a group, and neighbours are alike."""
    stack = np.empty((2 + _HALVINGS, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, size
    depth = 1
    while depth > 0:
        depth -= 1
        begin, end = stack[depth, 0], stack[depth, 1]
        if end - begin < 2:
            continue
        best, least, widest = -1, np.inf, 0.0
        for a in range(len(marginal.space.kind)):
            span = _width(marginal, lists, begin, end, a)
            if end - begin > _TRIED:
                if span > widest:
                    best, widest = a, span
            elif span > 0.0:
                _sort(marginal.points, lists, begin, end, a)
                cost = _cut_cost(marginal, lists, begin, end)
                if cost < least:
                    best, least = a, cost
        if best < 0:
            continue
        _sort(marginal.points, lists, begin, end, best)
        middle = (begin + end) // 2
        stack[depth, 0], stack[depth, 1] = begin, middle
        stack[depth + 1, 0], stack[depth + 1, 1] = middle, end
        depth += 2
