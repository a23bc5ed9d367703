"""Closures: what a group's members cover together, kept so that one more member is cheap to try."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import NOMINAL, Space, attribute_width

__all__ = ["Closures", "close", "closures_for", "cost_with", "loss"]


class Closures(NamedTuple):
    """Of some groups: covered positions per attribute, the cost of a row, rows, and members as linked lists."""

    low: NDArray[np.int64]  # nominal: number of distinct positions
    high: NDArray[np.int64]
    mask: NDArray[np.uint64]  # nominal: which positions modulo 64 are present
    cost: NDArray[np.float64]
    rows: NDArray[np.int64]
    head: NDArray[np.int64]  # first member, -1 none
    after: NDArray[np.int64]  # next member of the same group, -1 none
    group: NDArray[np.int64]  # of a member


@compiled
def closures_for(groups: int, members: int, q: int) -> Closures:
    """Return empty closures."""
    return Closures(
        np.zeros((groups, q), np.int64),
        np.zeros((groups, q), np.int64),
        np.zeros((groups, q), np.uint64),
        np.zeros(groups, np.float64),
        np.zeros(groups, np.int64),
        np.full(groups, -1, np.int64),
        np.full(members, -1, np.int64),
        np.full(members, -1, np.int64),
    )


@compiled(borrows=True, forceinline=True)
def close(
    space: Space,
    points: NDArray[np.int32],
    of: Closures,
    g: int,
    skip: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    mask: NDArray[np.uint64],
) -> float:
    """Write what group `g` covers without member `skip` (-1: with all) and return the cost of a row."""
    one = np.uint64(1)
    cost = 0.0
    for a in range(len(space.kind)):
        if space.kind[a] == NOMINAL:
            wide = space.start[a + 1] - space.start[a] > 64
            bits, distinct = np.uint64(0), np.int64(0)
            i = of.head[g]
            while i >= 0:
                if i != skip:
                    bit = one << np.uint64(points[i, a] & 63)
                    if bits & bit == np.uint64(0):
                        distinct += 1
                    elif wide:
                        # Several positions share the bit: look for this one among the members before.
                        j, known = of.head[g], False
                        while j != i:
                            if j != skip and points[j, a] == points[i, a]:
                                known = True
                                break
                            j = of.after[j]
                        distinct += not known
                    bits |= bit
                i = of.after[i]
            low[a], mask[a] = distinct, bits
            cost += (distinct - 1) * space.unit[a]
        else:
            first, last = np.int64(1 << 40), np.int64(-1)
            i = of.head[g]
            while i >= 0:
                if i != skip:
                    first = min(first, np.int64(points[i, a]))
                    last = max(last, np.int64(points[i, a]))
                i = of.after[i]
            low[a], high[a] = first, last
            cost += attribute_width(space, a, first, last)
    return cost


@compiled(borrows=True, forceinline=True)
def cost_with(space: Space, points: NDArray[np.int32], of: Closures, g: int, i: int, limit: float) -> float:
    """Return the cost of a row of group `g` if member `i` joined it, or anything above `limit` if it exceeds that."""
    one = np.uint64(1)
    cost = 0.0
    for a in range(len(space.kind)):
        p = np.int64(points[i, a])
        if space.kind[a] == NOMINAL:
            distinct = of.low[g, a]
            if of.mask[g, a] & (one << np.uint64(p & 63)) == np.uint64(0):
                distinct += 1
            elif space.start[a + 1] - space.start[a] > 64:
                j = of.head[g]
                while j >= 0 and points[j, a] != points[i, a]:
                    j = of.after[j]
                distinct += j < 0
            cost += (distinct - 1) * space.unit[a]
        else:
            cost += attribute_width(space, a, min(of.low[g, a], p), max(of.high[g, a], p))
        if cost > limit:
            return cost
    return cost


@compiled
def loss(space: Space, points: NDArray[np.int32], weight: NDArray[np.int32], groups: NDArray[np.int64]) -> float:
    """Return what all rows lose together, if groups of members begin where `groups` says (and, last, end)."""
    seen = np.zeros(space.start[-1], np.int64)  # the last group in which a position was seen, from 1
    total = 0.0
    for g in range(len(groups) - 1):
        cost = 0.0
        for a in range(len(space.kind)):
            first, last, distinct = np.int64(1 << 40), np.int64(-1), np.int64(0)
            for i in range(groups[g], groups[g + 1]):
                p = np.int64(points[i, a])
                first = min(first, p)
                last = max(last, p)
                distinct += seen[space.start[a] + p] != g + 1
                seen[space.start[a] + p] = g + 1
            if space.kind[a] == NOMINAL:
                cost += (distinct - 1) * space.unit[a]
            else:
                cost += attribute_width(space, a, first, last)
        rows = np.int64(0)
        for i in range(groups[g], groups[g + 1]):
            rows += weight[i]
        total += rows * cost
    return total
