"""Filling: which rows take which places, so that the groups that have the places become little wider."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.marginals.cost import MarginalRows, empty_hull, hull, joined_cost
from tacit.kernels.marginals.matching import match

__all__ = ["PeopleOfGroups", "fit", "take_nearest", "unpaired"]

_EXACT = 1_024
"""Rows or places that are matched at once, exactly; longer lists are cut, in an order in which near rows are close. The
matching takes up to the third power of it."""


class PeopleOfGroups(NamedTuple):
    """Group `g` has the rows `members[start[g]:start[g + 1]]`, at least one."""

    start: NDArray[np.int64]
    members: NDArray[np.int64]


@compiled
def _widening(
    marginal: MarginalRows,
    groups: PeopleOfGroups,
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
    cost: NDArray[np.float64],
) -> None:
    """Fill in by how much each group that has a place would cost more once each row has joined it."""
    covered = empty_hull(len(marginal.space.kind))
    for j in range(len(places)):
        group = groups.members[groups.start[places[j]] : groups.start[places[j] + 1]]
        hull(marginal, group, -1, covered)
        now = joined_cost(marginal, group[0], group, -1, covered)
        for i in range(len(rows)):
            cost[i, j] = joined_cost(marginal, rows[i], group, -1, covered) - now


@compiled
def _take(
    wider: NDArray[np.float64], row: int, place: int, taken: NDArray[np.int64], cost: NDArray[np.float64]
) -> None:
    """Fill in the place of each row, and what it costs; `wider` begins at this row and at this place.

    Whichever are fewer, rows or places, are each matched with one of the others. The time grows with the square of
    these and with the number of the others.
    """
    many, open_places = wider.shape
    if many <= open_places:
        column = match(wider, many, open_places)
        for i in range(many):
            taken[row + i], cost[row + i] = place + column[i], wider[i, column[i]]
        return
    turned = np.empty((open_places, many))
    for i in range(many):
        for j in range(open_places):
            turned[j, i] = wider[i, j]
    chosen = match(turned, open_places, many)
    for j in range(open_places):
        i = chosen[j]
        taken[row + i], cost[row + i] = place + j, wider[i, j]


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
        wider = np.empty((len(mine), last - first))
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
