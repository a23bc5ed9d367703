"""Improve: exchange tuples between neighbouring groups, one list at a time, by an exact matching; search small ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import MarginalRows, empty_hull, group_cost, hull, joined_cost
from tacit.kernels.marginals.matching import match

__all__ = ["groups_cost", "rematch", "search"]

_GAIN = 1e-12
"""NCP: groups that cost less by no more than this are not better, because sums of floats differ by rounding. Otherwise
two arrangements of the same cost could be taken for improvements of each other, again and again."""


@compiled
def groups_cost(marginal: MarginalRows, lists: NDArray[np.int64], begin: int, end: int) -> float:
    """Return what the groups `begin .. end`, which are columns of `lists`, cost."""
    total = 0.0
    group = np.empty(lists.shape[0], np.int64)
    for i in range(begin, end):
        for v in range(lists.shape[0]):
            group[v] = lists[v, i]
        total += group_cost(marginal, group, len(group))
    return total


@compiled
def _exchange(
    marginal: MarginalRows, lists: NDArray[np.int64], v: int, begin: int, end: int, cost: NDArray[np.float64]
) -> float:
    """Give the tuples of list `v` to the groups `begin .. end` in the cheapest way; return what these then cost.

    `cost` is overwritten: `cost[i, j]` is what group `j` costs with tuple `i`.
    """
    b, w = lists.shape[0], end - begin
    covered = empty_hull(len(marginal.space.kind))
    group = np.empty(b, np.int64)
    for j in range(w):
        for u in range(b):
            group[u] = lists[u, begin + j]
        hull(marginal, group, v, covered)
        for i in range(w):
            cost[i, j] = joined_cost(marginal, lists[v, begin + i], group, v, covered)
    now, then = 0.0, 0.0
    group_of = match(cost, w, w)
    for i in range(w):
        now += cost[i, i]
        then += cost[i, group_of[i]]
    if then >= now - _GAIN:
        return now
    old = np.empty(w, np.int64)
    for i in range(w):
        old[i] = lists[v, begin + i]
    for i in range(w):
        lists[v, begin + group_of[i]] = old[i]
    return then


@compiled
def rematch(marginal: MarginalRows, lists: NDArray[np.int64], size: int, window: int, rounds: int) -> None:
    """Improve the groups that are the columns of `lists[:, :size]`, window by window; the second round is shifted."""
    cost = np.empty((min(size, window), min(size, window)))
    for turn in range(rounds):
        begin = 0
        while begin < size:
            end = min(size, begin + (window // 2 if begin == 0 and turn % 2 and size > window else window))
            before = groups_cost(marginal, lists, begin, end)
            while end - begin > 1 and before > _GAIN:
                after = before
                for v in range(lists.shape[0]):
                    after = _exchange(marginal, lists, v, begin, end, cost)
                if after >= before - _GAIN:
                    break
                before = after
            begin = end
        if size <= window:
            return


@compiled
def search(marginal: MarginalRows, lists: NDArray[np.int64], size: int, incumbent: float, visits: int) -> None:
    """Look for better groups by branch and bound, for so many visits; list 0 stays where it is.

    The cost of a group only grows when a tuple joins it, so the groups made so far bound what they become. Where the
    visits suffice, what is left in `lists` is the optimum.
    """
    b = lists.shape[0]
    best = lists.copy()
    tried = np.zeros((b, size), np.int64)  # the tuple that stands at (list, group), as an index into the list, plus 1
    used = np.zeros((b, size), np.bool_)
    grown = np.zeros((b, size))  # at (list, group), what the group costs with its tuples of the lists up to this one
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
        grown[v, g] = group_cost(marginal, group, v + 1)
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
