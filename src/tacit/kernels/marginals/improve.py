"""Improve: exchange tuples between neighbouring groups, one list at a time, by an exact matching; search small ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import group_cost, hull, joined_cost
from tacit.kernels.marginals.matching import match
from tacit.kernels.mondrian.space import Space

__all__ = ["groups_cost", "rematch", "search"]

_GAIN = 1e-12


@compiled
def groups_cost(space: Space, points: NDArray[np.int32], lists: NDArray[np.int64], begin: int, end: int) -> float:
    """Return what the groups `begin .. end`, which are columns of `lists`, cost."""
    total = 0.0
    group = np.empty(lists.shape[0], np.int64)
    for i in range(begin, end):
        for v in range(lists.shape[0]):
            group[v] = lists[v, i]
        total += group_cost(space, points, group, len(group))
    return total


@compiled
def _exchange(
    space: Space, points: NDArray[np.int32], lists: NDArray[np.int64], v: int, begin: int, end: int,
    cost: NDArray[np.float64],
) -> float:  # fmt: skip
    """Give the tuples of list `v` to the groups `begin .. end` in the cheapest way; return what these then cost."""
    b, w = lists.shape[0], end - begin
    low, high = np.zeros(len(space.kind), np.int64), np.zeros(len(space.kind), np.int64)
    mask = np.zeros(len(space.kind), np.uint64)
    group = np.empty(b, np.int64)
    for j in range(w):
        for u in range(b):
            group[u] = lists[u, begin + j]
        hull(space, points, group, b, v, low, high, mask)
        for i in range(w):
            cost[i, j] = joined_cost(space, points, lists[v, begin + i], group, b, v, low, high, mask)
    now, then = 0.0, 0.0
    found = match(cost, w)
    for i in range(w):
        now += cost[i, i]
        then += cost[i, found[i]]
    if then >= now - _GAIN:
        return now
    old = np.empty(w, np.int64)
    for i in range(w):
        old[i] = lists[v, begin + i]
    for i in range(w):
        lists[v, begin + found[i]] = old[i]
    return then


@compiled
def rematch(
    space: Space, points: NDArray[np.int32], lists: NDArray[np.int64], size: int, window: int, rounds: int
) -> None:
    """Improve the groups that are the columns of `lists[:, :size]`, window by window; the second round is shifted."""
    cost = np.empty((min(size, window), min(size, window)))
    for turn in range(rounds):
        begin = 0
        while begin < size:
            end = min(size, begin + (window // 2 if begin == 0 and turn % 2 and size > window else window))
            before = groups_cost(space, points, lists, begin, end)
            while end - begin > 1 and before > _GAIN:
                after = before
                for v in range(lists.shape[0]):
                    after = _exchange(space, points, lists, v, begin, end, cost)
                if after >= before - _GAIN:
                    break
                before = after
            begin = end
        if size <= window:
            return


@compiled
def search(
    space: Space, points: NDArray[np.int32], lists: NDArray[np.int64], size: int, incumbent: float, visits: int
) -> None:
    """Look for better groups by branch and bound, for so many visits; list 0 stays where it is.

    The cost of a group only grows when a tuple joins it, so the groups made so far bound what they become. Where the
    visits suffice, what is left in `lists` is the optimum.
    """
    b = lists.shape[0]
    best = lists.copy()
    tried = np.zeros((b, size), np.int64)  # the tuple that stands at (list, group), as an index into the list, plus 1
    used = np.zeros((b, size), np.bool_)
    # What a group costs with the tuples of the first so many lists in it.
    grown = np.zeros((b, size))
    group = np.empty(b, np.int64)
    least = incumbent
    v, g = 1, 0
    while v >= 1 and visits > 0:
        old = tried[v, g]
        if old > 0:
            used[v, old - 1] = False
        following = old
        while following < size and used[v, following]:
            following += 1
        if following >= size:
            tried[v, g] = 0
            g -= 1
            if g < 0:
                v, g = v - 1, size - 1
            continue
        visits -= 1
        tried[v, g] = following + 1
        used[v, following] = True
        group[0] = lists[0, g]
        for u in range(1, v + 1):
            group[u] = lists[u, tried[u, g] - 1]
        grown[v, g] = group_cost(space, points, group, v + 1)
        total = 0.0
        for j in range(size):
            total += grown[v, j] if j <= g else grown[v - 1, j]
        if total >= least - _GAIN:
            continue
        if g + 1 < size:
            g += 1
        elif v + 1 < b:
            v, g = v + 1, 0
        else:
            least = total
            for u in range(1, b):
                for j in range(size):
                    best[u, j] = lists[u, tried[u, j] - 1]
    for u in range(b):
        for j in range(size):
            lists[u, j] = best[u, j]
