"""Hiding one protected tuple among unprotected ones: groups that grow until they hold.

Tuples stand in an order of nearness, and cells in one list per attribute set, by signature. From the place of the seed
(the protected tuple) in these a bounded number of free tuples is looked at, more in later rounds, so that no step looks
at all pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import (
    CERTIFIED,
    CellLists,
    FreeTuples,
    HidingEffort,
    Knowledge,
    Signatures,
    Standard,
    Tuples,
)
from tacit.kernels.distribution.judging import judge
from tacit.kernels.distribution.nearness import next_free

_ROUNDS = 4
"""Rounds of the search for one seed. A seed for which few candidates are not enough is tried again with more."""

_NEAR = (16, 48, 400, 6000)
"""Tuples on each side in the order of nearness, per round. More candidates make smaller groups and take longer; chosen
by trial, so that most seeds are done in the first round."""

_ALIKE = (4, 16, 150, 600)
"""Tuples on each side in the list of one attribute set, per round. Chosen by trial, as `_NEAR`."""

_STEPS_PER_TUPLE = 8
"""Cells that are looked at per tuple sought: bounds the walk where most cells have no free tuple. Chosen by trial."""

_PER_CELL = 4
"""Tuples of one cell: equal tuples bring nothing new, so that a few leave room for others. Chosen by trial."""

_FEW = 1200
"""Candidates that are kept for growing in the exact view. More are first ranked by the weight that they would bear. The
growth takes candidates times members times attribute sets. Chosen by trial."""

_MOST = 16_000
"""Candidates that are collected at most: the size of the working arrays."""

_STATES = 1 << 13
"""States of a group whose worlds are still counted while it grows. More allow groups of more values and take
proportionally longer. Chosen by trial; an audit counts more."""

_MANY_STATES = 1 << 40
"""Where the count of states stops, so that it does not overflow."""

_TARGETS = 12
"""How often a group that does not hold yet is asked for a larger share. Chosen by trial."""

_RAISE = 1.12
"""The factor by which the share is raised. A larger one needs fewer counts of worlds and makes larger groups. Chosen by
trial."""

_UNBOUNDED = 1e9
"""Stands for an infinite ratio of odds."""

_CHEAPEST = 1e-3
"""A share added to every price, so that what is worth nothing to others still has a price. Chosen by trial."""

_ROUNDING = 1e-12
"""The relative rounding that a comparison of sums forgives; the verdict itself is `judge`'s."""

_NO_GAIN = 1e-9
"""Shares. A candidate must bring more than this, or the growth ends: the rest is rounding."""


class Scratch(NamedTuple):
    """Working arrays, made once for all seeds.

    `candidates` are tuples. Of the i-th: `low[i]` and `high[i]` are its weights per attribute set (see `_weigh`), its
    `price`, and whether it is `taken`. `chosen` are the positions of those taken, `members` the cells of the group.
    `total` and `most` are sums and maxima per attribute set, `counts` the group's values, and `stamp` when a tuple was
    last a candidate.
    """

    candidates: Ints
    low: FloatGrid
    high: FloatGrid
    price: Floats
    taken: Flags
    chosen: Ints
    members: Ints
    total: Floats
    most: Floats
    counts: Ints
    stamp: Ints


@compiled
def _scratch(tuples: int, values: int, sets: int, exact_view: bool) -> Scratch:
    wide = max(_FEW, 2 * (_NEAR[0] + _ALIKE[0] * sets)) if exact_view else _MOST
    return Scratch(
        np.empty(_MOST, np.int64),
        np.empty((wide, sets)),
        np.empty((wide, sets)),
        np.empty(_MOST),
        np.empty(_MOST, np.bool_),
        np.empty(_MOST, np.int64),
        np.empty(_MOST + 1, np.int64),
        np.empty(sets),
        np.empty(sets),
        np.zeros(values, np.int64),
        np.full(tuples, -1, np.int64),
    )


@compiled
def hide(
    seeds: Ints,
    places: Ints,
    free: FreeTuples,
    lists: CellLists,
    tuples: Tuples,
    known: Knowledge,
    standard: Standard,
    effort: HidingEffort,
    group: Ints,
    number: int,
) -> int:
    """Give each seed a group of its own from the free tuples; `group` is filled, the next group number returned.

    `places[s]` is where seed s belongs among the free tuples.
    """
    scratch = _scratch(tuples.cells.shape[0], known.chances.shape[1], known.signatures.shape[1], standard.exact_view)
    failures = 0
    for s in range(seeds.shape[0]):
        hidden = False
        for turn in range(0 if effort.countable else _ROUNDS - 1, _ROUNDS):
            n = _grow_group(seeds[s], places[s], turn, s, free, lists, tuples, known, standard, effort, group, scratch)
            if n > 0:
                group[seeds[s]] = number
                _take(n, number, free, lists.left, tuples, group, scratch)
                number += 1
                hidden = True
                break
        failures += not hidden
        if failures > effort.patience:
            break
    return number


@compiled
def _grow_group(
    seed: int,
    place: int,
    turn: int,
    s: int,
    free: FreeTuples,
    lists: CellLists,
    tuples: Tuples,
    known: Knowledge,
    standard: Standard,
    effort: HidingEffort,
    group: Ints,
    scratch: Scratch,
) -> int:
    """Collect candidates for a seed and choose among them; return how many were chosen, 0 if they are not enough."""
    cell, value = tuples.cells[seed], tuples.values[seed]
    entry = known.entry_of[value]
    near = _collect(turn, cell, place, s * _ROUNDS + turn, free, lists, known, group, scratch)
    if standard.exact_view:
        if near > _FEW:
            near = _keep_best(cell, value, entry, near, tuples, known, scratch)
        for i in range(near):
            other = scratch.candidates[i]
            scratch.taken[i] = False
            scratch.price[i] = (_CHEAPEST + effort.prices[tuples.cells[other]]) ** effort.thrift
            _weigh(
                cell, value, tuples.cells[other], tuples.values[other], entry, known, scratch.low[i], scratch.high[i]
            )
        return _grow_in_exact_view(cell, value, near, tuples, known, standard, effort.countable, scratch)
    for i in range(near):
        other = scratch.candidates[i]
        scratch.taken[i] = False
        for a in range(known.signatures.shape[1]):
            scratch.low[i, a] = known.entry_chances[known.signatures[tuples.cells[other], a], entry]
    return _grow_in_paper_view(cell, entry, near, known, standard.r, scratch)


@compiled
def _take(n: int, number: int, free: FreeTuples, left: Ints, tuples: Tuples, group: Ints, scratch: Scratch) -> None:
    """Put the chosen candidates into a group; they are no longer free."""
    for i in range(n):
        other = scratch.candidates[scratch.chosen[i]]
        group[other] = number
        left[tuples.cells[other]] -= 1
        rank = free.rank[other]
        free.after[rank] = rank + 1
        free.before[rank] = rank - 1


@compiled
def _collect(
    turn: int,
    cell: int,
    place: int,
    mark: int,
    free: FreeTuples,
    lists: CellLists,
    known: Knowledge,
    group: Ints,
    scratch: Scratch,
) -> int:
    """Collect candidates: those near in the order, and those alike under the largest attribute sets with support."""
    candidates = scratch.candidates
    count = _collect_near(free, place, _NEAR[turn], candidates)
    sets = lists.masks.shape[0]
    for a in range(sets - 1, -1, -1):
        if known.signatures[cell, a] == 0:
            continue
        covered = False
        for b in range(a + 1, sets):
            if known.signatures[cell, b] != 0 and lists.masks[a] & lists.masks[b] == lists.masks[a]:
                covered = True
                break
        if not covered:
            count = _collect_alike(a, cell, known.signatures, lists, group, _ALIKE[turn], candidates, count)
    once = 0
    for i in range(count):
        if scratch.stamp[candidates[i]] != mark:
            scratch.stamp[candidates[i]] = mark
            candidates[once] = candidates[i]
            once += 1
    return once


@compiled
def _collect_near(free: FreeTuples, place: int, reach: int, candidates: Ints) -> int:
    """Collect up to `reach` free tuples on each side of a place; return how many there are."""
    size = free.pool.shape[0] - 1
    count = 0
    at, taken = next_free(free.after, place), 0
    while taken < reach and at <= size and count < _MOST:
        candidates[count] = free.pool[at]
        count += 1
        taken += 1
        at = next_free(free.after, at + 1)
    at, taken = next_free(free.before, place - 1), 0
    while taken < reach and at >= 1 and count < _MOST:
        candidates[count] = free.pool[at]
        count += 1
        taken += 1
        at = next_free(free.before, at - 1)
    return count


@compiled
def _collect_alike(
    a: int,
    cell: int,
    signatures: Signatures,
    lists: CellLists,
    group: Ints,
    reach: int,
    candidates: Ints,
    count: int,
) -> int:
    """Add free tuples of cells that share the signature of one attribute set, the nearest cells first."""
    signature, at = signatures[cell, a], lists.spots[a, cell]
    size = lists.lists.shape[1]
    for side in range(2):
        place, taken, steps = at + side, 0, 0
        while 0 <= place < size and taken < reach and steps < _STEPS_PER_TUPLE * reach and count < _MOST:
            other = lists.lists[a, place]
            if signatures[other, a] != signature:
                break
            if lists.left[other] > 0:
                mine = 0
                for i in range(lists.starts[other], lists.starts[other + 1]):
                    if group[lists.tuples[i]] < 0 and count < _MOST and mine < _PER_CELL:
                        candidates[count] = lists.tuples[i]
                        count += 1
                        mine += 1
                taken += mine
            place += 1 if side else -1
            steps += 1
    return count


@compiled
def _weigh(
    seed: int, value: int, other: int, held: int, entry: int, known: Knowledge, low: Floats, high: Floats
) -> None:
    """Fill, per attribute set, how likely the other tuple has the seed's value, as multiples of the seed's own weight.

    Two readings: by the odds of the entry against all else, and by swapping the values of the two. The smaller counts
    towards the group's sum, the larger towards its maximum.
    """
    for a in range(known.signatures.shape[1]):
        s, t = known.signatures[seed, a], known.signatures[other, a]
        if s == t:
            low[a] = high[a] = 1.0
            continue
        f, g = known.entry_chances[s, entry], known.entry_chances[t, entry]
        odds = _UNBOUNDED if f <= 0.0 or g >= 1.0 else g * (1.0 - f) / ((1.0 - g) * f)
        below = known.chances[s, value] * known.chances[t, held]
        swap = known.chances[t, value] * known.chances[s, held] / below if below > 0.0 else _UNBOUNDED
        low[a] = min(odds, swap)
        high[a] = max(odds, swap)


@compiled
def _keep_best(cell: int, value: int, entry: int, near: int, tuples: Tuples, known: Knowledge, scratch: Scratch) -> int:
    """Keep those of many candidates that would bear most of the seed's weight, over all attribute sets."""
    sets = known.signatures.shape[1]
    low, high, use = np.empty(sets), np.empty(sets), np.empty(near)
    for i in range(near):
        other = scratch.candidates[i]
        _weigh(cell, value, tuples.cells[other], tuples.values[other], entry, known, low, high)
        use[i] = 0.0
        for a in range(sets):
            use[i] -= min(1.0, low[a] / max(1.0, high[a]))
    kept = np.sort(np.argsort(use, kind="mergesort")[:_FEW])
    for i in range(kept.shape[0]):
        scratch.candidates[i] = scratch.candidates[kept[i]]
    return kept.shape[0]


@compiled
def _grow_in_paper_view(cell: int, entry: int, near: int, known: Knowledge, r: float, scratch: Scratch) -> int:
    """Add the tuples that widen the spread least, until the paper's bound holds for every attribute set."""
    sets = known.signatures.shape[1]
    lowest, highest = scratch.total, scratch.most
    for a in range(sets):
        lowest[a] = highest[a] = known.entry_chances[known.signatures[cell, a], entry]
        if highest[a] >= 1.0:
            return 0
    n = 0
    while True:
        needed = _needed(lowest, highest, r)
        if needed > near + 1.0:
            return 0
        needed = np.ceil(needed * (1.0 - _ROUNDING))
        best, least = -1, np.inf
        for i in range(near):
            if n >= needed:
                return n
            if scratch.taken[i]:
                continue
            cost = _widening(scratch.low[i], lowest, highest)
            if cost == 0.0:
                scratch.taken[i] = True
                scratch.chosen[n] = i
                n += 1
            elif cost < least:
                best, least = i, cost
        if n >= needed:
            return n
        if best < 0:
            return 0
        scratch.taken[best] = True
        scratch.chosen[n] = best
        n += 1
        for a in range(sets):
            lowest[a] = min(lowest[a], scratch.low[best, a])
            highest[a] = max(highest[a], scratch.low[best, a])


@compiled
def _needed(lowest: Floats, highest: Floats, r: float) -> float:
    """Return N - 1 by inequality 4 in odds, N - 1 >= (r - 1) max / min; infinite where no size allows the spread."""
    needed = r - 1.0
    for a in range(lowest.shape[0]):
        below = lowest[a] * (1.0 - highest[a])
        if below <= 0.0:
            return np.inf
        needed = max(needed, highest[a] * (1.0 - lowest[a]) * (r - 1.0) / below)
    return needed


@compiled
def _widening(chances: Floats, lowest: Floats, highest: Floats) -> float:
    """Return how much a tuple would widen the spread over all attribute sets; infinite if no size would allow it."""
    cost = 0.0
    for a in range(chances.shape[0]):
        f = chances[a]
        if f <= 0.0 or f >= 1.0:
            return np.inf
        cost += max(0.0, f - highest[a]) + max(0.0, lowest[a] - f)
    return cost


@compiled
def _grow_in_exact_view(
    cell: int,
    value: int,
    near: int,
    tuples: Tuples,
    known: Knowledge,
    standard: Standard,
    countable: bool,
    scratch: Scratch,
) -> int:
    """Add the tuple that brings most attribute sets nearest to r equal shares, until the exact posterior holds.

    With `countable` the group stays one whose worlds can be counted; without, a certificate may decide.
    """
    sets = known.signatures.shape[1]
    total, most, counts, members = scratch.total, scratch.most, scratch.counts, scratch.members
    total[:] = 1.0
    most[:] = 1.0
    members[0] = cell
    counts[:] = 0
    counts[value] = 1
    each = np.ones(sets)
    for i in range(near):
        each += scratch.low[i, :]
    if each.min() < standard.r:
        return 0  # all of them together would not do
    states = 2
    n = 0
    target = standard.r
    for _ in range(_TARGETS):
        while not _shared(n + 1, total, most, target, standard.r):
            best = _most_useful(near, target, states if countable else 0, tuples.values, each, scratch)
            if best < 0:
                return 0
            other = scratch.candidates[best]
            scratch.taken[best] = True
            scratch.chosen[n] = best
            n += 1
            members[n] = tuples.cells[other]
            states = min(_states_with(states, counts[tuples.values[other]]), _MANY_STATES)
            counts[tuples.values[other]] += 1
            for a in range(sets):
                total[a] += scratch.low[best, a]
                most[a] = max(most[a], scratch.high[best, a])
        present = np.flatnonzero(counts)
        posterior, status, _a = judge(
            members[: n + 1], present, counts[present], known, standard.exact_view, standard.bound, True
        )
        if posterior <= standard.bound and status <= CERTIFIED:
            return n
        target *= _RAISE
    return 0


@compiled
def _shared(size: int, total: Floats, most: Floats, target: float, r: float) -> bool:
    """Ask whether a group has r tuples and, under every attribute set, `target` times its largest weight."""
    enough = size >= r
    for a in range(total.shape[0]):
        enough &= total[a] >= target * most[a] * (1.0 - _ROUNDING)
    return enough


@compiled
def _states_with(states: int, held: int) -> int:
    """Return the number of states after one more tuple of a value that `held` tuples have."""
    return states // (held + 1) * (held + 2)


@compiled
def _most_useful(near: int, target: float, states: int, values: Ints, each: Floats, scratch: Scratch) -> int:
    """Return the candidate that adds most to the shares for its price, -1 if none adds anything.

    Where `states` is not 0, candidates with which the worlds could not be counted are passed over. `each` is working
    space, one number per attribute set.
    """
    total, most, low, high = scratch.total, scratch.most, scratch.low, scratch.high
    sets = total.shape[0]
    best, gained, now = -1, _NO_GAIN, 0.0
    for a in range(sets):
        each[a] = 1.0 / most[a]
        now += min(target, total[a] * each[a])
    for i in range(near):
        if scratch.taken[i]:
            continue
        if states and _states_with(states, scratch.counts[values[scratch.candidates[i]]]) > _STATES:
            continue
        then = 0.0
        for a in range(sets):
            share = total[a] + low[i, a]
            then += min(target, share * each[a] if high[i, a] <= most[a] else share / high[i, a])
        gain = (then - now) / scratch.price[i]
        if gain > gained:
            best, gained = i, gain
    return best
