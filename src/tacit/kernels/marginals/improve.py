"""Improve: exchange tuples between neighbouring groups, one list at a time, by an exact matching; search small ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import Candidates, MarginalRows, add_joined_costs, candidates, group_cost, stand
from tacit.kernels.marginals.matching import match

__all__ = ["groups_cost", "rematch", "search"]

_GAIN = 1e-12
"""NCP: groups that cost less by no more than this are not better, because sums of floats differ by rounding. Otherwise
two arrangements of the same cost could be taken for improvements of each other, again and again."""


@compiled(borrows=True)
def groups_cost(marginal: MarginalRows, lists: NDArray[np.int64], begin: int, end: int) -> float:
    """Return what the groups `begin .. end`, which are columns of `lists`, cost."""
    total = 0.0
    for i in range(begin, end):
        total += group_cost(marginal, lists[:, i], lists.shape[0])
    return total


@compiled(borrows=True)
def _exchanged_costs(
    marginal: MarginalRows,
    lists: NDArray[np.int64],
    v: int,
    begin: int,
    among: Candidates,
    cost: NDArray[np.float64],
) -> None:
    """Write to `cost[j, i]` what group `begin + j` costs if it has tuple `begin + i` of list `v` instead of its own."""
    points, w = marginal.points, len(cost)
    cost[:] = 0.0
    for a in range(len(marginal.space.kind)):
        stand(marginal, a, lists[v, begin : begin + w], among)
        for j in range(w):
            size = 0
            for u in range(len(lists)):
                if u != v:
                    among.group[size] = points[lists[u, begin + j], a]
                    size += 1
            add_joined_costs(marginal.space, a, size, among, cost[j])


@compiled
def _exchange(
    marginal: MarginalRows, lists: NDArray[np.int64], v: int, begin: int, among: Candidates, cost: NDArray[np.float64]
) -> bool:
    """Give the tuples of list `v` to as many groups as `cost` has room for, in the cheapest way; tell if it helped."""
    w = len(cost)
    _exchanged_costs(marginal, lists, v, begin, among, cost)
    now, then = 0.0, 0.0
    tuple_of = match(cost, w, w)
    for j in range(w):
        now += cost[j, j]
        then += cost[j, tuple_of[j]]
    if then >= now - _GAIN:
        return False
    old = lists[v, begin : begin + w].copy()
    for j in range(w):
        lists[v, begin + j] = old[tuple_of[j]]
    return True


@compiled
def _settle(
    marginal: MarginalRows, lists: NDArray[np.int64], begin: int, among: Candidates, cost: NDArray[np.float64]
) -> None:
    """Exchange the tuples of one list after the other, until no list can be exchanged for the better.

    A list whose exchange was the last that helped need not be tried again, because the other lists are as they were.
    """
    v, in_vain = 0, 0
    while in_vain < len(lists):
        in_vain = 1 if _exchange(marginal, lists, v, begin, among, cost) else in_vain + 1
        v = (v + 1) % len(lists)
        if len(lists) == 2:  # what one list of two can gain by, the other one gains as well
            return


@compiled
def rematch(marginal: MarginalRows, lists: NDArray[np.int64], size: int, window: int, rounds: int) -> None:
    """Improve the groups that are the columns of `lists[:, :size]`, window by window; the second round is shifted."""
    room = min(size, window)
    cost, among = np.empty(room * room), candidates(room, len(lists))
    for turn in range(rounds):
        begin = 0
        while begin < size:
            end = min(size, begin + (window // 2 if begin == 0 and turn % 2 and size > window else window))
            w = end - begin
            if w > 1 and groups_cost(marginal, lists, begin, end) > _GAIN:
                _settle(marginal, lists, begin, among, cost[: w * w].reshape(w, w))
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
