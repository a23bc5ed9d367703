"""What a group of tuples costs: the NCP of its hull, and of the hull with one tuple exchanged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import NOMINAL, Space, attribute_width

__all__ = ["MASK_BITS", "Hull", "MarginalRows", "empty_hull", "group_cost", "hull", "joined_cost", "width"]

MASK_BITS = 64
"""Positions that one word of a hull's `mask` can tell apart; sets of more positions are compared pair by pair."""

_BEYOND = 2**40
"""A number above every position (positions are 32-bit): the first position of an interval that is still empty."""


class MarginalRows(NamedTuple):
    """The rows of the table as one marginal shows them.

    `space` says what a blur of the marginal's attributes costs, `points[row, attribute]` is the position of a row, and
    rows have the same `cell` where all their positions are equal.
    """

    space: Space
    points: NDArray[np.int32]
    cell: NDArray[np.int64]


class Hull(NamedTuple):
    """What a group covers, attribute by attribute.

    Numeric and tree attributes have their first and last position in `low` and `high`. A nominal attribute has the
    number of its distinct values in `low` and, where its positions fit one word, the set of them in `mask`.
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    mask: NDArray[np.uint64]


@compiled
def empty_hull(attributes: int) -> Hull:
    """Return a hull to be filled in."""
    return Hull(np.zeros(attributes, np.int64), np.zeros(attributes, np.int64), np.zeros(attributes, np.uint64))


@compiled
def width(space: Space, a: int, low: int, high: int) -> float:
    """Return what the positions `low .. high` of a numeric or tree attribute cost."""
    return float(attribute_width(space, a, low, high))


@compiled
def group_cost(marginal: MarginalRows, group: NDArray[np.int64], size: int) -> float:
    """Return the cost of `group[:size]`, summed over attributes."""
    space, points = marginal.space, marginal.points
    total = 0.0
    for a in range(len(space.kind)):
        if space.kind[a] == NOMINAL:
            distinct = 0
            for i in range(size):
                new = True
                for j in range(i):
                    if points[group[i], a] == points[group[j], a]:
                        new = False
                        break
                distinct += new
            total += (distinct - 1) * space.unit[a]
        else:
            low = high = points[group[0], a]
            for i in range(1, size):
                low, high = min(low, points[group[i], a]), max(high, points[group[i], a])
            total += width(space, a, low, high)
    return total


@compiled
def hull(marginal: MarginalRows, group: NDArray[np.int64], skip: int, covered: Hull) -> None:
    """Fill in what a group covers without the tuple at `skip`."""
    space, points, size = marginal.space, marginal.points, len(group)
    low, high, mask = covered.low, covered.high, covered.mask
    for a in range(len(space.kind)):
        if space.kind[a] == NOMINAL:
            low[a], mask[a] = 0, 0
            narrow = space.start[a + 1] - space.start[a] <= MASK_BITS
            for i in range(size):
                if i == skip:
                    continue
                if narrow:
                    bit = np.uint64(1) << np.uint64(points[group[i], a])
                    if mask[a] & bit == 0:
                        mask[a] |= bit
                        low[a] += 1
                    continue
                new = True
                for j in range(i):
                    if j != skip and points[group[i], a] == points[group[j], a]:
                        new = False
                        break
                low[a] += new
            continue
        low[a], high[a] = _BEYOND, -1
        for i in range(size):
            if i != skip:
                low[a], high[a] = min(low[a], points[group[i], a]), max(high[a], points[group[i], a])


@compiled
def joined_cost(marginal: MarginalRows, row: int, group: NDArray[np.int64], skip: int, covered: Hull) -> float:
    """Return what a group without the tuple at `skip`, which has this hull, costs once `row` has joined it."""
    space, points, low = marginal.space, marginal.points, covered.low
    total = 0.0
    for a in range(len(space.kind)):
        position = points[row, a]
        if space.kind[a] != NOMINAL:
            total += width(space, a, min(low[a], position), max(covered.high[a], position))
            continue
        new = True
        if space.start[a + 1] - space.start[a] <= MASK_BITS:
            new = covered.mask[a] & (np.uint64(1) << np.uint64(position)) == 0
        else:
            for j in range(len(group)):
                if j != skip and points[group[j], a] == position:
                    new = False
                    break
        total += (low[a] + new - 1) * space.unit[a]
    return total
