"""Exchange between neighbouring groups: a member moves where it costs less, a group is dissolved if that pays.

Groups are handled in blocks of neighbours; inside a block every member is tried against every group, so the time is
linear in the rows for a given size of block. A move is made only if the guarantee accepts both groups afterwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.hulls import Closures, close, closures_for, cost_with
from tacit.kernels.mondrian.rules import RuleTable, accepts
from tacit.kernels.mondrian.space import Space
from tacit.kernels.mondrian.workspace import Arrangement, tally

__all__ = ["exchange"]

_TINY = 1e-9
"""The least gain that counts, in rows times NCP. Sums of widths differ in their last bits, by far less than this, and
without a least gain a member could move back and forth between equal groups."""


@compiled(borrows=True)
def _accepted(
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    of: Closures,
    g: int,
    without: int,
    plus: int,
    histogram: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> bool:
    """Say whether group `g` would be accepted without one member and with another (-1: none)."""
    rows = of.rows[g]
    if without >= 0:
        rows -= arrangement.weight[begin + without]
    if plus >= 0:
        rows += arrangement.weight[begin + plus]
    if rows < rules.smallest:
        return False
    if len(histogram):
        histogram[:] = 0
        i = of.head[g]
        while i >= 0:
            if i != without:
                tally(rules, arrangement, begin + i, histogram)
            i = of.after[i]
        if plus >= 0:
            tally(rules, arrangement, begin + plus, histogram)
    return accepts(rules, rows, histogram, scratch)


@compiled(borrows=True)
def _link(space: Space, points: NDArray[np.int32], weight: int, of: Closures, i: int, g: int) -> None:
    of.after[i] = of.head[g]
    of.head[g] = i
    of.group[i] = g
    of.rows[g] += weight
    of.cost[g] = close(space, points, of, g, -1, of.low[g], of.high[g], of.mask[g])


@compiled(borrows=True)
def _unlink(weight: int, of: Closures, i: int) -> None:
    g = of.group[i]
    if of.head[g] == i:
        of.head[g] = of.after[i]
    else:
        j = of.head[g]
        while of.after[j] != i:
            j = of.after[j]
        of.after[j] = of.after[i]
    of.rows[g] -= weight


@compiled(borrows=True)
def _best_host(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    points: NDArray[np.int32],
    of: Closures,
    i: int,
    budget: float,
    histogram: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> tuple[int, float]:
    """Return the group that member `i` would join at the least additional cost below `budget`, and that cost."""
    weight = arrangement.weight[begin + i]
    best, least = np.int64(-1), budget
    for g in range(len(of.cost)):
        rows = of.rows[g]
        if rows == 0 or g == of.group[i] or weight * of.cost[g] >= least:
            continue
        limit = (least + rows * of.cost[g]) / (rows + weight)
        cost = (rows + weight) * cost_with(space, points, of, g, i, limit) - rows * of.cost[g]
        if cost < least and (
            len(histogram) == 0 or _accepted(rules, arrangement, begin, of, g, -1, i, histogram, scratch)
        ):
            best, least = np.int64(g), cost
    return best, least


@compiled(borrows=True)
def _dissolve(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    points: NDArray[np.int32],
    of: Closures,
    g: int,
    went: NDArray[np.int64],
    histogram: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> bool:
    """Send all members of `g` to other groups if that lowers the cost; otherwise leave everything as it was."""
    budget = of.rows[g] * of.cost[g] - _TINY
    moved = 0
    while of.head[g] >= 0:
        i = of.head[g]
        host, cost = _best_host(space, rules, arrangement, begin, points, of, i, budget, histogram, scratch)
        if host < 0:
            break
        budget -= cost
        _unlink(arrangement.weight[begin + i], of, i)
        _link(space, points, arrangement.weight[begin + i], of, i, host)
        went[moved] = i
        moved += 1
    if of.head[g] < 0:
        of.cost[g] = 0.0
        return True
    for k in range(moved):
        i = went[k]
        host = of.group[i]
        _unlink(arrangement.weight[begin + i], of, i)
        of.cost[host] = close(space, points, of, host, -1, of.low[host], of.high[host], of.mask[host])
        _link(space, points, arrangement.weight[begin + i], of, i, g)
    return False


@compiled
def exchange(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    groups: NDArray[np.int64],
    first: int,
    last: int,
    block: int,
    rounds: int,
    label: NDArray[np.int32],
) -> None:
    """Improve the groups `first .. last - 1` in blocks of about `block` members; `label` gets a group per place.

    A label is the number of one of the block's groups, so that labels stay distinct between blocks.
    """
    q = len(space.kind)
    histogram = np.zeros(rules.start[-1], np.int64)
    scratch = np.zeros(rules.scratch, np.int64)
    low, high, mask = np.zeros(q, np.int64), np.zeros(q, np.int64), np.zeros(q, np.uint64)
    g0 = first
    while g0 < last:
        g1 = g0
        while g1 < last and (g1 == g0 or groups[g1 + 1] - groups[g0] <= block):
            g1 += 1
        begin, members, count = groups[g0], groups[g1] - groups[g0], g1 - g0
        points = arrangement.points[begin : begin + members]
        of = closures_for(count, members, q)
        for g in range(count):
            for i in range(groups[g0 + g + 1] - begin - 1, groups[g0 + g] - begin - 1, -1):
                of.after[i] = of.head[g]
                of.head[g] = i
                of.group[i] = g
                of.rows[g] += arrangement.weight[begin + i]
            of.cost[g] = close(space, points, of, g, -1, of.low[g], of.high[g], of.mask[g])
        went = np.empty(members, np.int64)
        for _ in range(rounds if count > 1 else 0):
            changes = 0
            for i in range(members):
                g = of.group[i]
                weight = arrangement.weight[begin + i]
                if of.cost[g] == 0.0 or of.rows[g] - weight < rules.smallest:
                    continue
                cost = close(space, points, of, g, i, low, high, mask)
                gain = of.rows[g] * of.cost[g] - (of.rows[g] - weight) * cost - _TINY
                host, _cost = _best_host(space, rules, arrangement, begin, points, of, i, gain, histogram, scratch)
                if host >= 0 and (
                    len(histogram) == 0 or _accepted(rules, arrangement, begin, of, g, i, -1, histogram, scratch)
                ):
                    _unlink(weight, of, i)
                    for a in range(q):
                        of.low[g, a], of.high[g, a], of.mask[g, a] = low[a], high[a], mask[a]
                    of.cost[g] = cost
                    _link(space, points, weight, of, i, host)
                    changes += 1
            for g in range(count):
                if of.rows[g] and of.cost[g] > 0.0:
                    changes += _dissolve(space, rules, arrangement, begin, points, of, g, went, histogram, scratch)
            if changes == 0:
                break
        for i in range(members):
            label[begin + i] = g0 + of.group[i]
        g0 = g1
