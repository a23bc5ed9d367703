"""Growing one group around a protected tuple: which candidates join it, until the group holds.

In the paper's view a value is held or not, and a group is judged by the spread of the probabilities of its members; in
the exact view every value has its own probability, and members are chosen by what they add to the least of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import CERTIFIED, Knowledge, Standard, Tuples
from tacit.kernels.distribution.judging import judge

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
def grow_in_paper_view(cell: int, entry: int, near: int, known: Knowledge, r: float, scratch: Scratch) -> int:
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
def grow_in_exact_view(
    cell: int,
    value: int,
    near: int,
    tuples: Tuples,
    known: Knowledge,
    standard: Standard,
    countable: bool,
    sparing: float,
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
            best = _most_useful(near, target, states if countable else 0, sparing, tuples.values, each, scratch)
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
def _most_useful(
    near: int, target: float, states: int, sparing: float, values: Ints, each: Floats, scratch: Scratch
) -> int:
    """Return the candidate that adds most to the shares for its price, -1 if none adds anything.

    Where `states` is not 0, candidates with which the worlds could not be counted are passed over. With `sparing` a
    candidate is the dearer, the more it multiplies the states. `each` is working space, one number per attribute set.
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
        held = scratch.counts[values[scratch.candidates[i]]]
        gain = (then - now) / (scratch.price[i] * (1.0 + sparing * np.log((held + 2.0) / (held + 1.0))))
        if gain > gained:
            best, gained = i, gain
    return best
