"""Sharing out: protected tuples choose groups of one other value each, at prices, until nobody is asked for twice.

A group is searched in three steps, each among fewer classes than the one before. The classes that are nearest to the
seed are listed; a group grows from these, and whatever was nearly chosen on the way makes a shorter list; then some
tuples are let go at random, and the group grows again from the shorter list, many times. (To ruin a solution and to
create it again: Schrimpf and others, 2000.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Flags, Floats, Ints, Single
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import Choices, KeptWeights, Market, Search, Seeds, Weights
from tacit.kernels.distribution.shortlists import (
    HUGE,
    NOBODY,
    Group,
    Shortlist,
    add_up,
    empty_group,
    give_back,
    grow,
    leave_out,
    most_useful,
    put_on,
    put_on_roughly,
    seat,
    shortlist,
)
from tacit.kernels.drawing import State, draw

_LEEWAY = 1.25
"""A group is given up when it costs so many times the cheapest so far before anybody is let go. Chosen by trial."""
_PROMISING = 1.08
"""The first third of the tries is made for every group that was not given up; the others are made if the group then
costs at most so many times the cheapest. Chosen by trial."""
_CHEAPER = 1.0 - 1e-9
"""A group must cost at most so much of what another costs to be taken for cheaper: the rest is rounding."""
_DRAFTS = 8
"""How often a first group is tried again, with attribute sets that count for more or less, if nobody brings anything
any more before it holds. Chosen by trial on small tables."""
_NOISE = 2.0
"""The range of the logarithm of how much an attribute set counts in a try: between 1/e and e. Chosen by trial."""


class Desk(NamedTuple):
    """Working arrays of a search, made once for all seeds.

    `listed` are the classes that a first group grows from, those of most `use`; `noted` says which of them go to the
    `short` list, and `places` where they are there. `kept` is the cheapest group so far, as places of the short list.
    `own` are the weights of the seed and `back` one over them; `previous` are the classes of its previous group.
    """

    listed: Shortlist
    short: Shortlist
    group: Group
    use: Single
    noted: Flags
    places: Ints
    kept: Ints
    own: Floats
    back: Floats
    previous: Ints


@compiled
def _desk(search: Search, sets: int, largest: int) -> Desk:
    return Desk(
        shortlist(search.kept, sets, exact=False),
        shortlist(search.noted + 2 * largest, sets, exact=True),
        empty_group(largest, sets),
        np.empty(search.width, np.float32),
        np.empty(search.kept, np.bool_),
        np.empty(search.kept, np.int64),
        np.empty(largest, np.int64),
        np.empty(sets),
        np.empty(sets),
        np.empty(largest, np.int64),
    )


@compiled
def choose(
    turns: Ints, seeds: Seeds, market: Market, kept: KeptWeights, choices: Choices, search: Search, state: State
) -> None:
    """Let seeds choose again, one after another: each gives its group back and takes the cheapest that it finds.

    `turns` are the seeds in the order in which they choose; seeds of one value stand together. Weights are
    computed when they are needed, and `kept`. `state` is what random numbers are made from.
    """
    desk = _desk(search, kept.exact.shape[2], choices.members.shape[1])
    for s in turns:
        slot = kept.slots[seeds.values[s]]
        weights = Weights(kept.exact[slot], kept.rough[slot], kept.inverse[slot])
        if kept.values[slot] != seeds.values[s]:
            kept.values[slot] = seeds.values[s]
            _weigh(seeds.values[s], market, weights)
        if choices.size[s] > 0 and not _is_contested(s, market, choices):
            continue  # somebody who chose before her left what both had asked for
        for i in range(choices.size[s]):
            market.asked[choices.members[s, i]] -= 1
        _take_cheapest(s, seeds, market, weights, choices, search, state, desk)
        for i in range(choices.size[s]):
            market.asked[choices.members[s, i]] += 1


@compiled(borrows=True)
def _is_contested(s: int, market: Market, choices: Choices) -> bool:
    """Ask whether more tuples of one of a seed's classes are asked for than there are."""
    contested = False
    for i in range(choices.size[s]):
        contested |= market.asked[choices.members[s, i]] > market.room[choices.members[s, i]]
    return contested


@compiled
def _take_cheapest(
    s: int,
    seeds: Seeds,
    market: Market,
    weights: Weights,
    choices: Choices,
    search: Search,
    state: State,
    desk: Desk,
) -> None:
    """Search a group of each of some values, those that were cheapest last time first, and keep the cheapest.

    Prices mostly rise, so that a value that was not tried for long seems cheap, and is tried again.
    """
    before = choices.size[s]
    desk.previous[:before] = choices.members[s, :before]
    choices.size[s] = 0
    cheapest = np.inf
    by_cost = np.argsort(choices.cost[s])
    for t in by_cost[: search.values]:
        y = seeds.tried[s, t]
        if choices.cost[s, t] == np.inf or y == NOBODY:
            break
        if not _weigh_seed(s, y, seeds, market, desk):
            choices.cost[s, t] = np.inf
            continue
        same = before > 0 and market.starts[y] <= desk.previous[0] < market.starts[y + 1]
        n, cost = _search(s, y, before if same else 0, cheapest, seeds, market, weights, search, state, desk)
        choices.cost[s, t] = cost
        if n > 0 and cost < cheapest:
            cheapest = cost
            choices.size[s] = n
            for i in range(n):
                choices.members[s, i] = desk.short.classes[desk.kept[i]]


@compiled(borrows=True)
def _weigh(x: int, market: Market, weights: Weights) -> None:
    """Fill the weights of every class for the value x; infinite where somebody cannot have her own value."""
    sets = market.signatures.shape[1]
    for y in range(market.starts.shape[0] - 1):
        for c in range(market.starts[y], market.starts[y + 1]):
            possible = True
            for a in range(sets):
                s = market.signatures[c, a]
                above, below = market.chances[x, s], market.chances[y, s]
                possible &= below > 0.0
                _set_weight(above / below if below > 0.0 else np.inf, c, a, weights)
                if market.odds.shape[0]:
                    possible &= market.odds[x, s] < np.inf
                    _set_weight(market.odds[x, s], c, sets + a, weights)
            if not possible:
                _rule_out(c, weights)


@compiled(borrows=True)
def _set_weight(weight: float, c: int, a: int, weights: Weights) -> None:
    """Fill one weight of a class, and what is compared with others."""
    weights.exact[c, a] = weight
    weights.rough[a, c] = min(weight, HUGE)
    weights.inverse[a, c] = 1.0 / max(1.0 / HUGE, min(weight, HUGE))


@compiled(borrows=True)
def _rule_out(c: int, weights: Weights) -> None:
    """Let a class be of no use: whoever cannot have her own value has x."""
    for a in range(weights.exact.shape[1]):
        weights.rough[a, c] = 0.0
        weights.inverse[a, c] = HUGE


@compiled(borrows=True)
def _weigh_seed(s: int, y: int, seeds: Seeds, market: Market, desk: Desk) -> bool:
    """Fill the weights of a seed among others of value y, as those of classes; False if it is certain who has x."""
    sets, x = seeds.signatures.shape[1], seeds.values[s]
    for a in range(sets):
        t = seeds.signatures[s, a]
        above, below = market.chances[x, t], market.chances[y, t]
        if above <= 0.0 or below <= 0.0:
            return False
        desk.own[a] = above / below
        if market.odds.shape[0]:
            desk.own[sets + a] = market.odds[x, t]
            if desk.own[sets + a] == np.inf:
                return False
    for a in range(desk.own.shape[0]):
        desk.back[a] = 1.0 / desk.own[a]
    return True


@compiled(borrows=True)
def _search(
    s: int,
    y: int,
    before: int,
    cheapest: float,
    seeds: Seeds,
    market: Market,
    weights: Weights,
    search: Search,
    state: State,
    desk: Desk,
) -> tuple[int, float]:
    """Search a group of value y for a seed: a first one, or the previous one, and what it becomes by letting go.

    Return how many are in it (-1: none, or it is too dear), and what it costs or would cost.
    """
    short, group = desk.short, desk.group
    most_paid = cheapest * _LEEWAY
    near = _list(y, seeds.nearness[s], market, weights, search, desk)
    desk.noted[:near] = False
    group.emphasis[:] = 1.0
    n, cost = -1, np.inf
    for done in range(1 + min(_DRAFTS, search.tries)):
        if done > 0:
            _emphasise(state, group)
        add_up(0, short, group)
        seat(0, group.chosen, near, market, desk.listed)
        n, cost = grow(0, 0.0, near, search.r, most_paid, market, desk.listed, group, search.notes, desk.noted)
        if n >= 0 or cost < np.inf:
            break
    if n < 0 and before == 0:
        return -1, cost
    at = _shorten(max(n, 0), near, market, weights, search, desk)
    if n >= 0:
        cost = seat(n, group.chosen, at, market, short)
        add_up(n, short, group)
        n, cost = grow(
            n, cost, at, search.r, np.inf, market, short, group, 0, desk.noted
        )  # it held in single precision
    if n >= 0:
        n, cost = leave_out(n, cost, search.r, market, short, group)
        _copy(n, group.chosen, desk.kept)
    for i in range(before):
        at = _find(desk.previous[i], i, at, market, weights, desk)
    if before > 0:
        was = seat(before, group.chosen, at, market, short)
        if n < 0 or was < cost:
            n, cost = before, was
            _copy(n, group.chosen, desk.kept)
    if cost >= most_paid:
        return -1, cost
    return _improve(n, cost, cheapest, at, market, search, state, desk)


@compiled(borrows=True)
def _list(y: int, rank: int, market: Market, weights: Weights, search: Search, desk: Desk) -> int:
    """List the classes of value y that are of most use to a seed; return how many."""
    start, end = market.starts[y], market.starts[y + 1]
    place = start + np.searchsorted(market.nearness[start:end], rank)
    first = max(start, min(place - search.width // 2, end - search.width))
    last = min(first + search.width, end)
    classes = desk.listed.classes
    near = most_useful(desk.own, first, last, search.kept, market, weights, desk.use, classes)
    put_on_roughly(near, desk.own, desk.back, market, weights, desk.listed)
    return int(near)


@compiled(borrows=True)
def _shorten(n: int, near: int, market: Market, weights: Weights, search: Search, desk: Desk) -> int:
    """Put the classes of a group on the short list, then those that were noted; return how many.

    `chosen` of the group are places of the short list then.
    """
    at = 0
    for wanted in (True, False):
        for i in range(near):
            chosen = desk.listed.times[i] > 0
            if chosen if wanted else desk.noted[i] and not chosen and at < search.noted:
                put_on(desk.listed.classes[i], at, desk.back, market, weights, desk.short)
                desk.places[i] = at
                at += 1
    for i in range(n):
        desk.group.chosen[i] = desk.places[desk.group.chosen[i]]
    return at


@compiled(borrows=True)
def _find(c: int, i: int, at: int, market: Market, weights: Weights, desk: Desk) -> int:
    """Choose a class as the i-th of the group; if it is not on the short list, put it there. Return how many are."""
    for place in range(at):
        if desk.short.classes[place] == c:
            desk.group.chosen[i] = place
            return at
    put_on(c, at, desk.back, market, weights, desk.short)
    desk.group.chosen[i] = at
    return at + 1


@compiled(borrows=True)
def _copy(n: int, source: Ints, target: Ints) -> None:
    for i in range(n):
        target[i] = source[i]


@compiled(borrows=True)
def _emphasise(state: State, group: Group) -> None:
    """Let attribute sets count for more or less at random."""
    for a in range(group.emphasis.shape[0]):
        group.emphasis[a] = np.exp(_NOISE * (draw(state) - 0.5))


@compiled(borrows=True)
def _improve(
    n: int, cost: float, cheapest: float, at: int, market: Market, search: Search, state: State, desk: Desk
) -> tuple[int, float]:
    """Let some tuples go at random and let the group grow again, and keep what is cheaper; return it and its cost."""
    short, group, kept = desk.short, desk.group, desk.kept
    seat(n, kept, at, market, short)
    for done in range(search.tries):
        if 3 * done >= search.tries and cost > cheapest * _PROMISING:
            break
        m, paid = n, cost
        _copy(n, kept, group.chosen)
        for _ in range(min(n, 1 + int(draw(state) * search.released))):
            i = int(draw(state) * m)
            m -= 1
            paid -= give_back(group.chosen[i], market, short)
            group.chosen[i] = group.chosen[m]
        _emphasise(state, group)
        add_up(m, short, group)
        m, paid = grow(m, paid, at, search.r, cost * _CHEAPER, market, short, group, 0, desk.noted)
        if m >= 0:
            m, paid = leave_out(m, paid, search.r, market, short, group)
        if m >= 0 and paid < cost * _CHEAPER:
            n, cost = m, paid
            _copy(n, group.chosen, kept)
        else:
            seat(n, kept, at, market, short)
    return n, cost
