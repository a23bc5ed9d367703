"""Leftover cells: each joins the group where it costs least, or groups are merged until every cell is in one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.hulls import Closures, close, closures_for, cost_with
from tacit.kernels.mondrian.rules import RuleTable, accepts
from tacit.kernels.mondrian.space import Space
from tacit.kernels.mondrian.workspace import Arrangement, tally

__all__ = ["settle"]

_ASKED = 16
"""The most groups that are asked to take a leftover cell, the nearest first. Each is judged as a
whole, which takes time; if none of them takes the cell, groups are merged, which costs NCP. Chosen by trial."""


@compiled
def _count(
    rules: RuleTable, arrangement: Arrangement, begin: int, of: Closures, g: int, histogram: NDArray[np.int64]
) -> None:
    histogram[:] = 0
    i = of.head[g]
    while i >= 0:
        tally(rules, arrangement, begin + i, histogram)
        i = of.after[i]


@compiled
def _nearest(
    space: Space, points: NDArray[np.int32], of: Closures, i: int, weight: int, taken: NDArray[np.bool_]
) -> int:
    """Return the group not yet taken that member `i` would join at the least additional cost, -1 if none is left."""
    best, least = np.int64(-1), math.inf
    for g in range(len(taken)):
        if taken[g] or of.rows[g] == 0:
            continue
        limit = (least + of.rows[g] * of.cost[g]) / (of.rows[g] + weight)
        cost = (of.rows[g] + weight) * cost_with(space, points, of, g, i, limit) - of.rows[g] * of.cost[g]
        if cost < least:
            best, least = np.int64(g), cost
    return best


@compiled
def settle(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    end: int,
    groups: int,
    label: NDArray[np.int32],
) -> int:
    """Give every cell of a stretch with label -1 a group; return the number of groups (one may be new).

    The stretch as a whole must be accepted. Groups that were merged leave their label unused.
    """
    q = len(space.kind)
    m = end - begin
    points = arrangement.points[begin:end]
    histogram = np.zeros(rules.start[-1], np.int64)
    scratch = np.zeros(rules.scratch, np.int64)
    of = closures_for(groups + 1, m, q)
    for i in range(m - 1, -1, -1):
        g = label[begin + i] if label[begin + i] >= 0 else groups
        of.after[i] = of.head[g]
        of.head[g] = i
        of.rows[g] += arrangement.weight[begin + i]
    rest = groups
    if of.rows[rest] == 0:
        return groups
    _count(rules, arrangement, begin, of, rest, histogram)
    if accepts(rules, of.rows[rest], histogram, scratch):
        for i in range(begin, end):
            if label[i] < 0:
                label[i] = rest
        return groups + 1
    for g in range(groups):
        if of.rows[g]:
            of.cost[g] = close(space, points, of, g, -1, of.low[g], of.high[g], of.mask[g])
    taken = np.zeros(groups, np.bool_)
    waiting = of.head[rest]
    of.head[rest] = -1
    of.rows[rest] = 0
    while waiting >= 0:
        i = waiting
        waiting = of.after[i]
        weight = arrangement.weight[begin + i]
        taken[:] = False
        home = np.int64(rest)
        for _ in range(_ASKED):
            g = _nearest(space, points, of, i, weight, taken)
            if g < 0:
                break
            _count(rules, arrangement, begin, of, g, histogram)
            tally(rules, arrangement, begin + i, histogram)
            if accepts(rules, of.rows[g] + weight, histogram, scratch):
                home = g
                break
            taken[g] = True
        of.after[i] = of.head[home]
        of.head[home] = i
        of.rows[home] += weight
        if home != rest:
            of.cost[home] = close(space, points, of, home, -1, of.low[home], of.high[home], of.mask[home])
            label[begin + i] = home
    if of.rows[rest] == 0:
        return groups
    # No group asked takes these cells: whole groups are merged with them, the nearest first, until that is accepted.
    seed = of.head[rest]
    taken[:] = False
    while True:
        _count(rules, arrangement, begin, of, rest, histogram)
        if accepts(rules, of.rows[rest], histogram, scratch):
            break
        g = _nearest(space, points, of, seed, arrangement.weight[begin + seed], taken)
        if g < 0:
            break
        taken[g] = True
        i = of.head[g]
        while i >= 0:
            ahead = of.after[i]
            of.after[i] = of.head[rest]
            of.head[rest] = i
            i = ahead
        of.rows[rest] += of.rows[g]
        of.rows[g] = 0
        of.head[g] = -1
    i = of.head[rest]
    while i >= 0:
        label[begin + i] = rest
        i = of.after[i]
    return groups + 1
