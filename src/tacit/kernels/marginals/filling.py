"""Filling: which rows take which places, so that the groups that have the places become little wider."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import MarginalRows, add_joined_costs, candidates, group_cost, stand
from tacit.kernels.marginals.matching import match

__all__ = ["PeopleOfGroups", "entries", "fit", "take_nearest", "unpaired"]

_EXACT = 1_024
"""Rows or places that are matched at once, exactly; longer lists are cut, in an order in which near rows are close. The
matching takes up to the third power of it."""


class PeopleOfGroups(NamedTuple):
    """Group `g` has the rows `members[start[g]:start[g + 1]]`, at least one."""

    start: NDArray[np.int64]
    members: NDArray[np.int64]


@compiled
def entries(
    signature: NDArray[np.int64], value: NDArray[np.int64], offsets: NDArray[np.int64], values: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return where each person's value stands in her signature, -1 where it does not, or she has none.

    Signature `s` has the values `values[offsets[s]:offsets[s + 1]]`, in ascending order.

    Examples
    --------
    >>> entries(np.array([1, -1, 0]), np.array([4, 4, 4]), np.array([0, 2, 4]), np.array([1, 2, 3, 4])).tolist()
    [3, -1, -1]
    """
    place = np.full(len(value), -1, np.int64)
    for i in range(len(value)):
        if signature[i] < 0:
            continue
        low, high = offsets[signature[i]], offsets[signature[i] + 1]
        while low < high:
            middle = (low + high) // 2
            if values[middle] < value[i]:
                low = middle + 1
            else:
                high = middle
        if low < offsets[signature[i] + 1] and values[low] == value[i]:
            place[i] = low
    return place


@compiled
def _widening(
    marginal: MarginalRows,
    groups: PeopleOfGroups,
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
    cost: NDArray[np.float64],
) -> None:
    """Write to `cost[j, i]` by how much the group that has place `j` would cost more once row `i` has joined it."""
    among = candidates(len(rows), np.diff(groups.start).max())
    cost[:] = 0.0
    for a in range(len(marginal.space.kind)):
        stand(marginal, a, rows, among)
        for j in range(len(places)):
            begin, end = groups.start[places[j]], groups.start[places[j] + 1]
            for k in range(begin, end):
                among.group[k - begin] = marginal.points[groups.members[k], a]
            add_joined_costs(marginal.space, a, end - begin, among, cost[j])
    for j in range(len(places)):
        group = groups.members[groups.start[places[j]] : groups.start[places[j] + 1]]
        cost[j] -= group_cost(marginal, group, len(group))


@compiled
def _take(
    wider: NDArray[np.float64], row: int, place: int, taken: NDArray[np.int64], cost: NDArray[np.float64]
) -> None:
    """Fill in the place of each row, and what it costs; `wider` begins at this place and at this row.

    Whichever are fewer, rows or places, are each matched with one of the others. The time grows with the square of
    these and with the number of the others.
    """
    open_places, many = wider.shape
    if open_places <= many:
        row_of = match(wider, open_places, many)
        for j in range(open_places):
            taken[row + row_of[j]], cost[row + row_of[j]] = place + j, wider[j, row_of[j]]
        return
    turned = np.empty((many, open_places))
    for j in range(open_places):
        for i in range(many):
            turned[i, j] = wider[j, i]
    place_of = match(turned, many, open_places)
    for i in range(many):
        taken[row + i], cost[row + i] = place + place_of[i], turned[i, place_of[i]]


@compiled
def fit(
    marginal: MarginalRows, groups: PeopleOfGroups, rows: NDArray[np.int64], places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Match rows with places, as many as can be, so that the groups that have the places become least wide.

    `places` has the group of each place. Both lists are in an order in which near ones are close. Returns for each row
    its place, -1 where there is none for it, and what its group then costs more. A group with several places is counted
    as if the others stayed empty.
    """
    taken, cost = np.full(len(rows), -1, np.int64), np.zeros(len(rows))
    parts = (max(len(rows), len(places)) + _EXACT - 1) // _EXACT
    for p in range(parts):
        mine = rows[p * len(rows) // parts : (p + 1) * len(rows) // parts]
        first, last = p * len(places) // parts, (p + 1) * len(places) // parts
        wider = np.empty((last - first, len(mine)))
        _widening(marginal, groups, mine, places[first:last], wider)
        _take(wider, p * len(rows) // parts, first, taken, cost)
    return taken, cost


@compiled
def _free(link: NDArray[np.int64], at: int) -> int:
    """Follow the links from a taken place to the next free one, and shorten the way for those who come later."""
    end = at
    while link[end] != end:
        end = link[end]
    while link[at] != end:
        at, link[at] = link[at], end
    return end


@compiled
def take_nearest(places: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each place the row that it takes; no row is taken twice, and there are at least as many as places.

    Places and rows are given by their ranks, in ascending order; nearness is the difference of ranks. Places choose one
    after another, so the sum of all differences is small and not the least.

    Examples
    --------
    >>> take_nearest(np.array([4, 5, 90]), np.array([1, 5, 6, 40, 80]))
    array([1, 2, 4])
    """
    n = len(rows)
    right = np.arange(n + 1)  # the next free row at or after each; n where there is none
    left = np.arange(n + 1)  # one more than the last free row before or at each; 0 where there is none
    taken = np.empty(len(places), np.int64)
    begin = 0
    for i in range(len(places)):
        while begin < n and rows[begin] < places[i]:
            begin += 1
        after = _free(right, begin)
        before = _free(left, begin) - 1
        is_after = before < 0 or (after < n and rows[after] - places[i] <= places[i] - rows[before])
        chosen = after if is_after else before
        taken[i] = chosen
        right[chosen] = chosen + 1
        left[chosen + 1] = chosen
    return taken


@compiled
def unpaired(
    rank: NDArray[np.int64], start: NDArray[np.int64], full: NDArray[np.int64], lacking: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return, entry after entry, the members of a full entry for whom the entry has no partner.

    Entry `e` has the members `start[e]:start[e + 1]`, of ascending ranks, and lacks `lacking[e]`; `full[e]` is an entry
    of the same signature that lacks none. The members of `e` each take the nearest free member of the full one as a
    partner, and the others are left.

    Examples
    --------
    >>> rank = np.array([10, 20, 30, 21])  # entry 0 has three members, entry 1 one
    >>> unpaired(rank, np.array([0, 3, 4]), np.array([0, 0]), np.array([0, 2]))
    array([0, 2])
    """
    left = np.empty(lacking.sum(), np.int64)
    at = 0
    for e in range(len(lacking)):
        if lacking[e] == 0:
            continue
        begin, end = start[full[e]], start[full[e] + 1]
        paired = np.zeros(end - begin, np.bool_)
        taken = take_nearest(rank[start[e] : start[e + 1]], rank[begin:end])
        for i in range(len(taken)):
            paired[taken[i]] = True
        for i in range(end - begin):
            if not paired[i]:
                left[at] = begin + i
                at += 1
    return left
