"""What a group of tuples costs, the NCP of what it covers, and what it would cost with one tuple more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import NOMINAL, NUMERIC, Space, attribute_width

__all__ = ["MASK_BITS", "Candidates", "MarginalRows", "add_joined_costs", "candidates", "group_cost", "stand", "width"]

MASK_BITS = 64
"""Positions that one word can tell apart; sets of more positions are compared pair by pair."""


class MarginalRows(NamedTuple):
    """The rows of the table as one marginal shows them.

    `space` says what a blur of the marginal's attributes costs, `points[row, attribute]` is the position of a row, and
    rows have the same `cell` where all their positions are equal.
    """

    space: Space
    points: NDArray[np.int32]
    cell: NDArray[np.int64]


class Candidates(NamedTuple):
    """Where some tuples stand in one attribute, and room for where the tuples of a group stand.

    `position[i]` and `value[i]` are of tuple `i`; `value` is that of a numeric attribute. Arrays that are written anew
    for each attribute.
    """

    position: NDArray[np.int64]
    value: NDArray[np.float64]
    group: NDArray[np.int64]


@compiled
def candidates(tuples: int, group: int) -> Candidates:
    """Return room for so many tuples, and for the tuples of a group."""
    return Candidates(np.zeros(tuples, np.int64), np.zeros(tuples), np.zeros(group, np.int64))


@compiled(borrows=True, forceinline=True)
def width(space: Space, a: int, low: int, high: int) -> float:
    """Return what the positions `low .. high` of a numeric or tree attribute cost."""
    return float(attribute_width(space, a, low, high))


@compiled(borrows=True, forceinline=True)
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


@compiled(borrows=True, forceinline=True)
def stand(marginal: MarginalRows, a: int, rows: NDArray[np.int64], among: Candidates) -> None:
    """Write down where tuples stand in one attribute."""
    space = marginal.space
    numeric = space.kind[a] == NUMERIC
    for i in range(len(rows)):
        position = marginal.points[rows[i], a]
        among.position[i] = position
        among.value[i] = space.value[space.start[a] + position] if numeric else 0.0


@compiled(borrows=True, forceinline=True)
def add_joined_costs(space: Space, a: int, size: int, among: Candidates, cost: NDArray[np.float64]) -> None:
    """Add to `cost[i]` what one attribute of a group costs once tuple `i` has joined it.

    `among.group[:size]` says where the tuples of the group stand. Many tuples are asked about at once, so that what
    does not depend on them is found once.
    """
    here, position = among.group, among.position
    if space.kind[a] == NOMINAL:
        unit = space.unit[a]
        mask, distinct = np.uint64(0), 0
        narrow = space.start[a + 1] - space.start[a] <= MASK_BITS
        for k in range(size):
            new = True
            if narrow:
                bit = np.uint64(1) << np.uint64(here[k])
                new = mask & bit == 0
                mask |= bit
            else:
                for other in range(k):
                    new = new and here[other] != here[k]
            distinct += new
        as_it_is, wider = (distinct - 1) * unit, distinct * unit
        if narrow:
            for i in range(len(cost)):
                bit = (mask >> np.uint64(position[i])) & np.uint64(1)
                cost[i] += as_it_is if bit != 0 else wider
            return
        for i in range(len(cost)):
            new = True
            for k in range(size):
                new = new and here[k] != position[i]
            cost[i] += wider if new else as_it_is
        return
    low = high = here[0]
    for k in range(1, size):
        low, high = min(low, here[k]), max(high, here[k])
    if space.kind[a] == NUMERIC:
        lowest, highest = space.value[space.start[a] + low], space.value[space.start[a] + high]
        for i in range(len(cost)):
            value = among.value[i]
            cost[i] += min(1.0, max(highest, value) - min(lowest, value))
        return
    for i in range(len(cost)):
        cost[i] += width(space, a, min(low, position[i]), max(high, position[i]))
