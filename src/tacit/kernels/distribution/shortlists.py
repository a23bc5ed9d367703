"""Shortlists: the classes that may join a group in which one tuple has x and all others y, and growing it from them.

In such a group the worlds differ only in who has x. The posterior of x is therefore p(s_j : x) / p(s_j : y) of each
tuple j, its *weight*, over the sum of the weights: no worlds are counted, and a tuple more or less is a sum per
attribute set. The proof is docs/threats/distribution.md#one-other-value.

All classes of a shortlist are compared in single precision; whether a group holds is asked in double precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints, Single, Singles
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import Market, Weights

NOBODY = -1
"""Stands for a value or a tuple that is not there."""
_BINS = 256
"""Parts of a range, in which classes are counted to find the best without sorting them."""
_USE_BINS, _USE_BITS = 8_192, np.int32(18)
"""The same for numbers in single precision of any size: the bits that are left without these are their order, in steps
of three in a hundred."""
HUGE = 1e30
"""Weights in single precision are at most so large, and one over them at least one over that: their product is 1."""
_ROUNDING = 1e-12
_ROUGHLY = 1e-5
"""The relative rounding that a comparison of sums forgives, in double and in single precision."""
_NO_GAIN = 1e-5
"""Shares. A class must bring more than this, or the group is given up: the rest is rounding in single precision."""

_TOO_DEAR = 1e-12
"""Shares for their cost. A class that brings less is one that must not be taken."""


class Shortlist(NamedTuple):
    """Classes that may join the group of a seed. Working arrays, made once for all seeds.

    The i-th is class `classes[i]`, has the weights `rough[:, i]` in multiples of the seed's (`inverse` is one over
    them), is in the group `times[i]` times, one more of it costs `cost[i]` (infinite if it has no more), and `gain[i]`
    is what it would bring. `thrift` is one over the cost, 0 for an infinite one. A list that is only to be compared has
    no `exact` weights.
    """

    classes: Ints
    rough: Singles
    inverse: Singles
    exact: FloatGrid
    times: Ints
    cost: Floats
    thrift: Single
    gain: Single


class Group(NamedTuple):
    """A group that grows: `chosen` are the places of its tuples in a shortlist.

    `total` and `most` are the sum and the largest of the weights per attribute set, in multiples of the seed's, whose
    own is 1. `emphasis` says how much each attribute set counts when classes are compared.
    """

    chosen: Ints
    total: Floats
    most: Floats
    emphasis: Floats
    rest_most: Floats


@compiled
def shortlist(room: int, sets: int, exact: bool) -> Shortlist:
    """Make an empty shortlist with room for so many classes."""
    return Shortlist(
        np.empty(room, np.int64),
        np.empty((sets, room), np.float32),
        np.empty((sets, room), np.float32),
        np.empty((room if exact else 0, sets)),
        np.zeros(room, np.int64),
        np.empty(room),
        np.empty(room, np.float32),
        np.empty(room, np.float32),
    )


@compiled
def empty_group(largest: int, sets: int) -> Group:
    """Make a group of the seed alone, with room for so many others."""
    return Group(np.empty(largest, np.int64), np.ones(sets), np.ones(sets), np.ones(sets), np.empty(sets))


@compiled(borrows=True)
def cost_of(c: int, times: int, market: Market) -> float:
    """Return what one more tuple of a class costs: its price, and more for each tuple that it has not got."""
    missing = market.asked[c] + times + 1 - market.room[c]
    return market.price[c] * (1.0 + market.rise * max(0, missing))


@compiled(borrows=True)
def put_on(c: int, i: int, back: Floats, market: Market, weights: Weights, listed: Shortlist) -> None:
    """Put a class on the i-th place of a shortlist; `back` is one over the weights of the seed."""
    for a in range(back.shape[0]):
        weight = weights.exact[c, a] * back[a]
        listed.exact[i, a] = weight
        listed.rough[a, i] = min(weight, HUGE)
        listed.inverse[a, i] = 1.0 / max(1.0 / HUGE, min(weight, HUGE))
    listed.classes[i] = c
    listed.times[i] = 0
    _set_cost(i, market, listed)


@compiled(borrows=True)
def put_on_roughly(near: int, own: Floats, back: Floats, market: Market, weights: Weights, listed: Shortlist) -> None:
    """Fill a shortlist of these `classes`, in single precision alone."""
    for a in range(back.shape[0]):
        mine, there = np.float32(own[a]), np.float32(back[a])
        huge, tiny = np.float32(HUGE), np.float32(1.0 / HUGE)
        rough, inverse = weights.rough[a], weights.inverse[a]
        for i in range(near):
            weight, over = rough[listed.classes[i]] * there, inverse[listed.classes[i]] * mine
            listed.rough[a, i] = weight if weight < huge else huge
            listed.inverse[a, i] = over if over > tiny else tiny
    for i in range(near):
        listed.times[i] = 0
        _set_cost(i, market, listed)


@compiled(borrows=True)
def _set_cost(i: int, market: Market, listed: Shortlist) -> None:
    c = listed.classes[i]
    if listed.times[i] < market.room[c]:
        listed.cost[i] = cost_of(c, listed.times[i], market)
        listed.thrift[i] = 1.0 / listed.cost[i]
    else:
        listed.cost[i] = np.inf
        listed.thrift[i] = 0.0


@compiled(borrows=True)
def take(i: int, market: Market, listed: Shortlist) -> None:
    """Count one tuple more of the i-th class in the group."""
    listed.times[i] += 1
    _set_cost(i, market, listed)


@compiled(borrows=True)
def give_back(i: int, market: Market, listed: Shortlist) -> float:
    """Count one tuple less of the i-th class in the group, and return what it cost."""
    listed.times[i] -= 1
    _set_cost(i, market, listed)
    return float(listed.cost[i])


@compiled(borrows=True)
def seat(n: int, chosen: Ints, near: int, market: Market, listed: Shortlist) -> float:
    """Count these tuples in the group, and no others; return what they cost."""
    for i in range(near):
        if listed.times[i] > 0:
            listed.times[i] = 0
            _set_cost(i, market, listed)
    cost = 0.0
    for i in range(n):
        cost += listed.cost[chosen[i]]
        take(chosen[i], market, listed)
    return cost


@compiled
def most_useful(
    own: Floats, first: int, last: int, room: int, market: Market, weights: Weights, use: Single, found: Ints
) -> int:
    """Find the classes whose weights are nearest to the seed's, for their cost, from `first` on; return how many.

    Near is the smaller over the larger weight, summed over attribute sets.
    """
    looked, sets = last - first, own.shape[0]
    use[:looked] = np.float32(0.0)
    for a in range(sets):
        mine, back = np.float32(own[a]), np.float32(1.0 / own[a])
        rough, inverse = weights.rough[a, first:last], weights.inverse[a, first:last]
        for c in range(looked):
            there, here = rough[c] * back, inverse[c] * mine
            use[c] += there if there < here else here
    for c in range(looked):
        use[c] /= np.float32(cost_of(first + c, 0, market))
    order = use[:looked].view(np.int32)
    counts = np.zeros(_USE_BINS, np.int32)
    for c in range(looked):
        counts[order[c] >> _USE_BITS] += 1
    least, within = _USE_BINS - 1, 0
    while least > 0 and within + counts[least] <= room:
        within += counts[least]
        least -= 1
    n, filling = 0, room - within if least > 0 else 0  # of the next bin, as many as there is room for
    for c in range(looked):
        rank = order[c] >> _USE_BITS
        if rank == least and filling > 0:
            filling -= 1
        elif rank <= least:
            continue
        found[n] = first + c
        n += 1
    return n


@compiled(borrows=True)
def _holds(group: Group, r: float, rounding: float) -> bool:
    """Ask whether, under every attribute set, the weights sum to r times the largest of them."""
    enough = True
    for a in range(group.total.shape[0]):
        enough &= group.total[a] >= r * group.most[a] * (1.0 - rounding)
    return enough


@compiled(borrows=True)
def add_up(n: int, listed: Shortlist, group: Group) -> None:
    """Fill the sum and the largest of the weights per attribute set."""
    group.total[:] = 1.0
    group.most[:] = 1.0
    for i in range(n):
        _add(group.chosen[i], listed, group)


@compiled(borrows=True)
def _add(i: int, listed: Shortlist, group: Group) -> None:
    exact = listed.exact.shape[0] > 0
    for a in range(group.total.shape[0]):
        weight = listed.exact[i, a] if exact else float(listed.rough[a, i])
        group.total[a] += weight
        group.most[a] = max(group.most[a], weight)


@compiled(borrows=True)
def grow(
    n: int,
    paid: float,
    near: int,
    r: float,
    most_paid: float,
    market: Market,
    listed: Shortlist,
    group: Group,
    notes: int,
    noted: Flags,
) -> tuple[int, float]:
    """Add the class that brings most for its cost until the group holds; return its tuples and their cost.

    What is still missing costs at least as much as the best class asks for it, because what a class brings mostly falls
    while others join. A group that becomes too dear even so is given up (-1), with what it would have cost. Each time
    so many `notes` are taken of classes that were nearly added.
    """
    rounding = _ROUNDING if listed.exact.shape[0] > 0 else _ROUGHLY
    while n + 1 < r or not _holds(group, r, rounding):
        now, enough = 0.0, 0.0
        for a in range(group.total.shape[0]):
            now += group.emphasis[a] * min(r, group.total[a] / group.most[a])
            enough += group.emphasis[a] * r
        _gain_all(near, now, r, listed, group)
        if notes:
            _note_best(near, notes, listed, noted)
        best = _best(near, listed)
        if best == NOBODY or n == group.chosen.shape[0]:
            return -1, np.inf
        expected = paid + max((enough - now) / listed.gain[best], listed.cost[best])
        if expected >= most_paid:
            return -1, expected
        group.chosen[n] = best
        n += 1
        paid += listed.cost[best]
        take(best, market, listed)
        _add(best, listed, group)
    return n, paid


@compiled(borrows=True)
def _gain_all(near: int, now: float, r: float, listed: Shortlist, group: Group) -> None:
    """Fill how much nearer to r equal shares each class would bring the group, over attribute sets, for its cost."""
    gain, enough = listed.gain, np.float32(r)
    gain[:near] = np.float32(-now - _NO_GAIN)
    for a in range(group.total.shape[0]):
        total, least = np.float32(group.total[a]), np.float32(1.0 / group.most[a])
        counts, rough, inverse = np.float32(group.emphasis[a]), listed.rough[a], listed.inverse[a]
        for i in range(near):
            back = inverse[i] if inverse[i] < least else least
            then = (total + rough[i]) * back
            gain[i] += counts * (then if then < enough else enough)
    for i in range(near):
        gain[i] *= listed.thrift[i]


@compiled(borrows=True)
def _best(near: int, listed: Shortlist) -> int:
    """Return the class that brings most for its cost, if any brings something."""
    best, most = NOBODY, np.float32(_TOO_DEAR)
    for i in range(near):
        if listed.gain[i] > most:
            best, most = i, listed.gain[i]
    return best


@compiled
def _note_best(near: int, notes: int, listed: Shortlist, noted: Flags) -> None:
    """Note the classes that bring most for their cost: about so many, where several bring nearly as much."""
    most = np.float32(0.0)
    for i in range(near):
        most = max(most, listed.gain[i])
    if most <= 0.0:
        return
    counts, scale = np.zeros(_BINS, np.int64), np.float32((_BINS - 1) / most)
    for i in range(near):
        if listed.gain[i] > 0.0:
            counts[int(listed.gain[i] * scale)] += 1
    least, within = _BINS - 1, counts[_BINS - 1]
    while least > 0 and within + counts[least - 1] <= notes:
        least -= 1
        within += counts[least]
    for i in range(near):
        noted[i] |= listed.gain[i] > 0.0 and int(listed.gain[i] * scale) >= least


@compiled
def leave_out(n: int, paid: float, r: float, market: Market, listed: Shortlist, group: Group) -> tuple[int, float]:
    """Leave out tuples without whom the group still holds, the dearest first; return who stays, and their cost."""
    prices = np.empty(n)
    for i in range(n):
        prices[i] = -market.price[listed.classes[group.chosen[i]]]
    size = n
    for i in np.argsort(prices):
        if size < r:
            break
        if _holds_without(i, n, r, listed, group):
            for a in range(group.total.shape[0]):
                group.total[a] -= listed.exact[group.chosen[i], a]
                group.most[a] = group.rest_most[a]
            paid -= give_back(group.chosen[i], market, listed)
            group.chosen[i] = NOBODY
            size -= 1
    at = 0
    for i in range(n):
        if group.chosen[i] != NOBODY:
            group.chosen[at] = group.chosen[i]
            at += 1
    return at, paid


@compiled(borrows=True)
def _holds_without(i: int, n: int, r: float, listed: Shortlist, group: Group) -> bool:
    """Ask whether the group holds without its i-th tuple; then `rest_most` are the largest weights that are left."""
    mine = group.chosen[i]
    for a in range(group.total.shape[0]):
        weight, most = listed.exact[mine, a], group.most[a]
        if weight >= most > 1.0:
            most = 1.0
            for j in range(n):
                if j != i and group.chosen[j] != NOBODY:
                    most = max(most, listed.exact[group.chosen[j], a])
        if group.total[a] - weight < r * most:
            return False
        group.rest_most[a] = most
    return True
