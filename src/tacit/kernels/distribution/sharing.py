"""Sharing out: protected tuples choose groups of one other value each, at prices, until nobody is asked for twice.

In a group in which one tuple has x and all others y, the worlds differ only in who has x. The posterior of x is
therefore p(s_j : x) / p(s_j : y) of each tuple j, its *weight*, over the sum of the weights: no worlds are counted, and
a tuple more or less is a sum per attribute set. The proof is docs/threats/distribution.md#one-other-value.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import Choices, Market, Search, Seeds

_Single: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float32]]
_Singles: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]

NOBODY = -1
"""Stands for a value or a tuple that is not there."""
_BINS = 128
"""Parts of the range of usefulness, in which classes are counted to find the most useful without sorting them."""
_STEPS = 16.0
"""Bins per factor of e."""
_ROUNDING = 1e-12
"""The relative rounding that a comparison of sums forgives."""
_NO_GAIN = 1e-9
"""Shares. A class must bring more than this, or the group is given up: the rest is rounding."""
_LEEWAY = 1.25
"""A group that grows is given up when it costs so many times the cheapest so far: who joined may still be left out."""
_EMPHASIS = (1.0, 0.1, 5.0, 0.02)
"""How attribute sets are emphasised anew: the power of what one has more than the scarcest, how much smaller the power
becomes with each turn, what counts at most, and the least emphasis. Chosen by trial."""
_REFRESH = 8
"""Tuples after which what every class would bring is computed anew. Fewer find slightly smaller groups and take longer.
Chosen by trial."""


class Weights(NamedTuple):
    """Of one protected value x: p(s : x) / p(s : y) of every class, y being its own value, per attribute set.

    `rough` and `inverse` are the weights and one over them, set by set, in single precision: to compare all classes.
    """

    exact: FloatGrid
    rough: _Singles
    inverse: _Singles


class Group(NamedTuple):
    """A group that grows, and the classes that may join it. Working arrays, made once for all seeds.

    `use` says of each class that is looked at how near it is to the seed, then for its cost; in single precision, as
    all are compared. The i-th of those kept is class `kept[i]`, has the `weights[:, i]` in multiples of the seed's
    (`inverse` is one over them), costs `cost[i]`, is in the group `times[i]` times, and would bring at most `gain[i]`
    for its cost. `total`, `most` and `second` are the sum, the largest and the second largest of the weights per
    attribute set, `chosen` the positions of the group's tuples among the classes kept, and `paid` what each cost.
    `emphasis` says how much each attribute set counts when classes are compared, 1 on average.
    """

    use: _Single
    kept: Ints
    weights: FloatGrid
    inverse: FloatGrid
    cost: Floats
    times: Ints
    gain: Floats
    total: Floats
    most: Floats
    second: Floats
    chosen: Ints
    paid: Floats
    emphasis: Floats


@compiled
def _group(search: Search, sets: int, largest: int) -> Group:
    return Group(
        np.empty(search.width, np.float32),
        np.empty(search.kept, np.int64),
        np.empty((sets, search.kept)),
        np.empty((sets, search.kept)),
        np.empty(search.kept),
        np.empty(search.kept, np.int64),
        np.empty(search.kept),
        np.empty(sets),
        np.empty(sets),
        np.empty(sets),
        np.empty(largest, np.int64),
        np.empty(largest),
        np.empty(sets),
    )


@compiled
def choose(turns: Ints, seeds: Seeds, market: Market, choices: Choices, search: Search) -> None:
    """Let seeds choose again, one after another: each gives its group back and takes the cheapest that it finds.

    `turns` are the seeds in the order in which they choose; seeds of one value stand together.
    """
    classes = market.signatures.shape[0]
    columns = market.signatures.shape[1] * (2 if market.odds.shape[0] else 1)
    group = _group(search, columns, choices.members.shape[1])
    weights = Weights(
        np.empty((classes, columns)), np.empty((columns, classes), np.float32), np.empty((columns, classes), np.float32)
    )
    x = NOBODY
    for s in turns:
        if seeds.values[s] != x:
            x = seeds.values[s]
            _weigh(x, market, weights)
        if choices.size[s] > 0 and not _is_contested(s, market, choices):
            continue  # somebody who chose before her left what both had asked for
        for i in range(choices.size[s]):
            market.asked[choices.members[s, i]] -= 1
        _take_cheapest(s, seeds, market, weights, choices, search, group)
        for i in range(choices.size[s]):
            market.asked[choices.members[s, i]] += 1


@compiled
def _is_contested(s: int, market: Market, choices: Choices) -> bool:
    """Ask whether more tuples of one of a seed's classes are asked for than there are."""
    contested = False
    for i in range(choices.size[s]):
        contested |= market.asked[choices.members[s, i]] > market.room[choices.members[s, i]]
    return contested


@compiled
def _take_cheapest(
    s: int, seeds: Seeds, market: Market, weights: Weights, choices: Choices, search: Search, group: Group
) -> None:
    """Search a group of each value that the seed tries, several times, and keep the cheapest.

    Each time attribute sets count for more under which the last group barely held.
    """
    cheapest = np.inf
    choices.size[s] = 0
    own = np.empty(group.total.shape[0])
    for t in range(seeds.tried.shape[1]):
        y = seeds.tried[s, t]
        if y == NOBODY:
            break
        choices.cost[s, t] = np.inf
        if not _weigh_seed(s, y, seeds, market, own):
            continue
        group.emphasis[:] = 1.0
        for turn in range(search.turns):
            near = _keep_most_useful(own, y, seeds.nearness[s], market, weights, group)
            n, cost = _grow(near, market, search.r, cheapest * _LEEWAY, group)
            if n > 0:
                n, cost = _leave_out(n, search.r, group)
            choices.cost[s, t] = min(choices.cost[s, t], cost)
            if n > 0 and cost < cheapest:
                cheapest = cost
                choices.size[s] = n
                for i in range(n):
                    choices.members[s, i] = group.chosen[i]
            if n == 0 and cost < np.inf:
                break  # it was given up because it was too dear
            _emphasise(turn, group)


@compiled
def _weigh(x: int, market: Market, weights: Weights) -> None:
    """Fill the weights of every class for the value x; infinite where somebody cannot have her own value."""
    sets = market.signatures.shape[1]
    for y in range(market.starts.shape[0] - 1):
        for c in range(market.starts[y], market.starts[y + 1]):
            for a in range(sets):
                s = market.signatures[c, a]
                above, below = market.chances[x, s], market.chances[y, s]
                _set_weight(above / below if below > 0.0 else np.inf, c, a, weights)
                if market.odds.shape[0]:
                    _set_weight(market.odds[x, s], c, sets + a, weights)


@compiled
def _set_weight(weight: float, c: int, a: int, weights: Weights) -> None:
    """Fill one weight of a class, and what is compared with others; whose weight is infinite is of no use."""
    weights.exact[c, a] = weight
    weights.rough[a, c] = weight if weight < np.inf else 0.0
    weights.inverse[a, c] = 1.0 / weight if weight > 0.0 else np.inf


@compiled
def _weigh_seed(s: int, y: int, seeds: Seeds, market: Market, own: Floats) -> bool:
    """Fill the weights of a seed among others of value y, as those of classes; False if it is certain who has x."""
    sets, x = seeds.signatures.shape[1], seeds.values[s]
    for a in range(sets):
        t = seeds.signatures[s, a]
        above, below = market.chances[x, t], market.chances[y, t]
        if above <= 0.0 or below <= 0.0:
            return False
        own[a] = above / below
        if market.odds.shape[0]:
            own[sets + a] = market.odds[x, t]
            if own[sets + a] == np.inf:
                return False
    return True


@compiled
def _emphasise(turn: int, group: Group) -> None:
    """Let attribute sets count for more whose weights sum to few times the largest, for the next turn.

    The shares of a group that a set needs only because others do are a waste: the prices of a covering programme are 0
    for sets that more than hold. So each is divided by a power of what it has more than the scarcest, less in later
    turns.
    """
    scarcest = np.inf
    for a in range(group.total.shape[0]):
        scarcest = min(scarcest, group.total[a] / group.most[a])
    mean, power = 0.0, _EMPHASIS[0] / (1.0 + _EMPHASIS[1] * turn)
    for a in range(group.total.shape[0]):
        surplus = min(group.total[a] / group.most[a] / scarcest, _EMPHASIS[2])
        group.emphasis[a] *= surplus**-power
        mean += group.emphasis[a] / group.total.shape[0]
    for a in range(group.total.shape[0]):
        group.emphasis[a] = max(group.emphasis[a] / mean, _EMPHASIS[3])


@compiled
def _keep_most_useful(own: Floats, y: int, rank: int, market: Market, weights: Weights, group: Group) -> int:
    """Keep the classes of value y whose weights are nearest to the seed's, for their cost; return how many."""
    width, room = group.use.shape[0], group.kept.shape[0]
    start, end = market.starts[y], market.starts[y + 1]
    place = start + np.searchsorted(market.nearness[start:end], rank)
    first = max(start, min(place - width // 2, end - width))
    last = min(first + width, end)
    sets, looked = own.shape[0], last - first
    _add_up_nearness(own, weights.rough[:, first:last], weights.inverse[:, first:last], group)
    counts = np.zeros(_BINS, np.int64)
    for i in range(looked):
        group.use[i] = _bin(group.use[i] / (sets * _cost(first + i, 0, market)))
        counts[int(group.use[i])] += 1
    least, within = _BINS - 1, counts[_BINS - 1]
    while least > 1 and within + counts[least - 1] <= room:
        least -= 1
        within += counts[least]
    back = 1.0 / own
    n, filling = 0, room - within  # of the bin below, as many as there is room for
    for i in range(looked):
        if group.use[i] == least - 1 and least > 1 and filling > 0:
            filling -= 1
        elif group.use[i] < least or n == room:
            continue
        c = first + i
        group.kept[n] = c
        group.times[n] = 0
        group.cost[n] = _cost(c, 0, market)
        for a in range(sets):
            group.weights[a, n] = weights.exact[c, a] * back[a]
            if group.weights[a, n] == np.inf:
                group.weights[a, n] = 0.0
                group.cost[n] = np.inf  # whoever cannot have y has x
            group.inverse[a, n] = 1.0 / group.weights[a, n] if group.weights[a, n] > 0.0 else np.inf
        n += 1
    return n


@compiled
def _bin(use: float) -> int:
    """Return the bin of a use between 0 and 1: equal steps of its logarithm, and bin 0 for what is of no use."""
    if not use > 0.0:
        return 0
    return _BINS - 1 if use >= 1.0 else max(0, _BINS - 1 + int(_STEPS * np.log(use)))


@compiled
def _add_up_nearness(own: Floats, rough: _Singles, inverse: _Singles, group: Group) -> None:
    """Fill, per class, how near its weight is to the seed's: smaller over larger, summed over attribute sets."""
    looked, use = rough.shape[1], group.use
    use[:looked] = np.float32(0.0)
    for a in range(own.shape[0]):
        counts = group.emphasis[a]
        mine, back = np.float32(own[a] * counts), np.float32(counts / own[a])
        for c in range(looked):
            there, here = rough[a, c] * back, inverse[a, c] * mine
            use[c] += there if there < here else here


@compiled
def _cost(c: int, times: int, market: Market) -> float:
    """Return what one more tuple of a class costs: its price, and more for each tuple that it has not got."""
    missing = market.asked[c] + times + 1 - market.room[c]
    return market.price[c] * (1.0 + market.rise * max(0, missing))


@compiled
def _grow(near: int, market: Market, r: float, most_paid: float, group: Group) -> tuple[int, float]:
    """Add the class that brings most for its cost until the group holds; return how many tuples joined, and their cost.

    What a class brings mostly falls while others join. So what it brought before bounds it, and only the best is
    weighed again; and what is still missing costs at least as much as the best class asks for it. A group that becomes
    too dear even so is given up (0), with what it would have cost.
    """
    total, most, sets, emphasis = group.total, group.most, group.total.shape[0], group.emphasis
    enough = r * emphasis.sum()
    total[:] = 1.0
    most[:] = 1.0
    n, paid, stale = 0, 0.0, True
    while n + 1 < r or not _holds(total, most, r):
        now = 0.0
        for a in range(sets):
            now += emphasis[a] * min(r, total[a] / most[a])
        if n == group.chosen.shape[0]:
            return 0, np.inf
        if stale:
            _gain_all(near, now, r, group)
        best = _most_gaining(near, now, stale, r, group)
        if best == NOBODY:
            return 0, np.inf
        expected = paid + (enough - now) / group.gain[best]
        if expected >= most_paid:
            return 0, expected
        group.chosen[n] = best
        group.paid[n] = group.cost[best]
        paid += group.cost[best]
        group.times[best] += 1
        n += 1
        stale = n % _REFRESH == 0
        for a in range(sets):
            weight = group.weights[a, best]
            total[a] += weight
            stale |= weight > most[a]
            most[a] = max(most[a], weight)
        c = group.kept[best]
        group.cost[best] = _cost(c, group.times[best], market) if group.times[best] < market.room[c] else np.inf
    return n, paid


@compiled
def _holds(total: Floats, most: Floats, r: float) -> bool:
    """Ask whether, under every attribute set, the weights sum to r times the largest of them."""
    enough = True
    for a in range(total.shape[0]):
        enough &= total[a] >= r * most[a] * (1.0 - _ROUNDING)
    return enough


@compiled
def _gain_all(near: int, now: float, r: float, group: Group) -> None:
    """Fill how much nearer to r equal shares each class would bring the group, over attribute sets, for its cost."""
    gain = group.gain
    gain[:near] = 0.0
    for a in range(group.total.shape[0]):
        total, most, inverse, counts = group.total[a], group.most[a], 1.0 / group.most[a], group.emphasis[a]
        for i in range(near):
            weight = group.weights[a, i]
            then = (total + weight) * (group.inverse[a, i] if weight > most else inverse)
            gain[i] += counts * (then if then < r else r)
    for i in range(near):
        gain[i] = (gain[i] - now) / group.cost[i]


@compiled
def _most_gaining(near: int, now: float, fresh: bool, r: float, group: Group) -> int:
    """Return the class that brings most; the bounds in `gain` are made exact from the top until one stays there."""
    known = NOBODY
    while True:
        best, most = NOBODY, _NO_GAIN
        for i in range(near):
            if group.gain[i] > most:
                best, most = i, group.gain[i]
        if best in (NOBODY, known) or fresh:
            return best
        then = 0.0
        for a in range(group.total.shape[0]):
            weight = group.weights[a, best]
            then += group.emphasis[a] * min(r, (group.total[a] + weight) / max(group.most[a], weight))
        group.gain[best] = (then - now) / group.cost[best]
        known = best


@compiled
def _leave_out(n: int, r: float, group: Group) -> tuple[int, float]:
    """Leave out tuples without whom the group still holds, the dearest first; then `chosen` are the classes."""
    size = n
    _find_largest(n, group)
    for i in np.argsort(-group.paid[:n]):
        if size < r:
            break
        if _holds_without(group.chosen[i], r, group):
            for a in range(group.total.shape[0]):
                group.total[a] -= group.weights[a, group.chosen[i]]
            group.chosen[i] = NOBODY
            size -= 1
            _find_largest(n, group)
    at, cost = 0, 0.0
    for i in range(n):
        if group.chosen[i] != NOBODY:
            cost += group.paid[i]
            group.chosen[at] = group.kept[group.chosen[i]]
            at += 1
    return at, cost


@compiled
def _find_largest(n: int, group: Group) -> None:
    """Fill the largest and the second largest weight per attribute set; the seed's is 1."""
    for a in range(group.total.shape[0]):
        most, second = 1.0, 0.0
        for i in range(n):
            if group.chosen[i] != NOBODY:
                weight = group.weights[a, group.chosen[i]]
                second = max(second, min(most, weight))
                most = max(most, weight)
        group.most[a], group.second[a] = most, second


@compiled
def _holds_without(i: int, r: float, group: Group) -> bool:
    """Ask whether the group holds without a tuple of the i-th class."""
    for a in range(group.total.shape[0]):
        weight = group.weights[a, i]
        most = group.second[a] if weight == group.most[a] else group.most[a]
        if group.total[a] - weight < r * most:
            return False
    return True
