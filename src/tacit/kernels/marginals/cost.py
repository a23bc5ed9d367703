"""What a group of tuples costs: the NCP of its hull, and of the hull with one tuple exchanged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import NOMINAL, Space, attribute_width

__all__ = ["group_cost", "hull", "joined_cost", "width"]

_WORD = 64


@compiled
def width(space: Space, a: int, low: int, high: int) -> float:
    """Return what the positions `low .. high` of a numeric or tree attribute cost."""
    return float(attribute_width(space, a, low, high))


@compiled
def group_cost(space: Space, points: NDArray[np.int32], group: NDArray[np.int64], size: int) -> float:
    """Return the cost of `group[:size]`, summed over attributes."""
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
def hull(
    space: Space,
    points: NDArray[np.int32],
    group: NDArray[np.int64],
    size: int,
    skip: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    mask: NDArray[np.uint64],
) -> None:
    """Fill in the hull of `group[:size]` without the tuple at `skip` (-1: with all).

    Numeric and tree attributes have the first and last position in `low` and `high`; a nominal one the number of its
    distinct values in `low` and, where its positions fit one word, the set of them in `mask`.
    """
    for a in range(len(space.kind)):
        if space.kind[a] == NOMINAL:
            low[a], mask[a] = 0, 0
            narrow = space.start[a + 1] - space.start[a] <= _WORD
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
        low[a], high[a] = np.int64(2) ** 40, -1
        for i in range(size):
            if i != skip:
                low[a], high[a] = min(low[a], points[group[i], a]), max(high[a], points[group[i], a])


@compiled
def joined_cost(
    space: Space,
    points: NDArray[np.int32],
    row: int,
    group: NDArray[np.int64],
    size: int,
    skip: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    mask: NDArray[np.uint64],
) -> float:
    """Return what the group of a `hull` costs once `row` has joined it."""
    total = 0.0
    for a in range(len(space.kind)):
        position = points[row, a]
        if space.kind[a] != NOMINAL:
            total += width(space, a, min(low[a], position), max(high[a], position))
            continue
        new = True
        if space.start[a + 1] - space.start[a] <= _WORD:
            new = mask[a] & (np.uint64(1) << np.uint64(position)) == 0
        else:
            for j in range(size):
                if j != skip and points[group[j], a] == position:
                    new = False
                    break
        total += (low[a] + new - 1) * space.unit[a]
    return total
