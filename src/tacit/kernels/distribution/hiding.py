"""Hiding one protected tuple among unprotected ones: groups that grow until they hold.

Tuples stand in an order of nearness, and cells in one list per attribute set, by signature. From the seed's place in
these a bounded number of free tuples is looked at, more in later rounds, so that no step looks at all pairs.
"""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.judging import CERTIFIED, judge
from tacit.kernels.distribution.nearness import next_free

_NEAR = (16, 48, 400, 6000)
_ALIKE = (4, 16, 150, 600)
_ROUNDS = 4
_FEW = 1200
_MOST = 16_000
_STATES = 1 << 13
_TARGETS = 12


@compiled
def _near(pool, after, before, at, reach, found, count):  # type: ignore[no-untyped-def]
    """Add up to `reach` free tuples on each side of a place; places 0 and size + 1 are the ends."""
    size = pool.shape[0] - 1
    place, taken = next_free(after, at), 0
    while taken < reach and place <= size and count < _MOST:
        found[count] = pool[place]
        count += 1
        taken += 1
        place = next_free(after, place + 1)
    place, taken = next_free(before, at - 1), 0
    while taken < reach and place >= 1 and count < _MOST:
        found[count] = pool[place]
        count += 1
        taken += 1
        place = next_free(before, place - 1)
    return count


@compiled
def _alike(a, cell, signatures, lists, spots, starts, tuples, group, left, reach, found, count):  # type: ignore[no-untyped-def]
    """Add free tuples of cells that share the signature of one attribute set, the nearest cells first."""
    signature, at = signatures[cell, a], spots[a, cell]
    size = lists.shape[1]
    for side in range(2):
        place, taken, steps = at + side, 0, 0
        while 0 <= place < size and taken < reach and steps < 8 * reach and count < _MOST:
            other = lists[a, place]
            if signatures[other, a] != signature:
                break
            if left[other] > 0:
                mine = 0
                for i in range(starts[other], starts[other + 1]):
                    if group[tuples[i]] < 0 and count < _MOST and mine < 4:
                        found[count] = tuples[i]
                        count += 1
                        mine += 1
                taken += mine
            place += 1 if side else -1
            steps += 1
    return count


@compiled
def _candidates(  # type: ignore[no-untyped-def]
    turn, cell, at, pool, after, before, signatures, masks, lists, spots, starts, tuples, group, left, stamp, mark,
    found,
):  # fmt: skip
    """Collect candidates: those near in the order, and those alike under the largest attribute sets with support."""
    count = _near(pool, after, before, at, _NEAR[turn], found, 0)
    sets = masks.shape[0]
    for a in range(sets - 1, -1, -1):
        if signatures[cell, a] == 0:
            continue
        covered = False
        for b in range(a + 1, sets):
            if signatures[cell, b] != 0 and masks[a] & masks[b] == masks[a]:
                covered = True
                break
        if not covered:
            count = _alike(a, cell, signatures, lists, spots, starts, tuples, group, left, _ALIKE[turn], found, count)
    once = 0
    for i in range(count):
        if stamp[found[i]] != mark:
            stamp[found[i]] = mark
            found[once] = found[i]
            once += 1
    return once


@compiled
def _weigh(seed, value, other, held, entry, signatures, chances, entry_chances, low, high):  # type: ignore[no-untyped-def]
    """Fill, per attribute set, how likely the other tuple has the seed's value, as multiples of the seed's own weight.

    Two readings: by the odds of the entry against all else, and by swapping the values of the two. The smaller counts
    towards the group's sum, the larger towards its maximum.
    """
    for a in range(signatures.shape[1]):
        s, t = signatures[seed, a], signatures[other, a]
        if s == t:
            low[a] = high[a] = 1.0
            continue
        f, g = entry_chances[s, entry], entry_chances[t, entry]
        odds = 1e9 if f <= 0.0 or g >= 1.0 else g * (1.0 - f) / ((1.0 - g) * f)
        below = chances[s, value] * chances[t, held]
        swap = chances[t, value] * chances[s, held] / below if below > 0.0 else 1e9
        low[a] = min(odds, swap)
        high[a] = max(odds, swap)


@compiled
def _best(cell, value, entry, found, near, cells, values, signatures, chances, entry_chances):  # type: ignore[no-untyped-def]
    """Keep those of many candidates that would bear most of the seed's weight, over all attribute sets."""
    sets = signatures.shape[1]
    low, high, use = np.empty(sets), np.empty(sets), np.empty(near)
    for i in range(near):
        other = found[i]
        _weigh(cell, value, cells[other], values[other], entry, signatures, chances, entry_chances, low, high)
        use[i] = 0.0
        for a in range(sets):
            use[i] -= min(1.0, low[a] / max(1.0, high[a]))
    kept = np.sort(np.argsort(use, kind="mergesort")[:_FEW])
    for i in range(kept.shape[0]):
        found[i] = found[kept[i]]
    return kept.shape[0]


@compiled
def hide(  # type: ignore[no-untyped-def]
    seeds, places, pool, rank, after, before, masks, lists, spots, starts, tuples, left, cells, values, signatures,
    chances, entry_of, entry_chances, r, bound, full, bare, countable, prices, thrift, patience, group, number,
):  # fmt: skip
    """Give each seed a group of its own from the pool; `group` is filled, the next group number returned.

    `pool[i]` is the tuple at place i (from 1), `rank` its inverse, `places[s]` where seed s belongs; `after` and
    `before` skip taken places. `lists[a]` are the cells by signature of attribute set a, then by nearness, `spots` its
    inverse; cell c has the tuples `tuples[starts[c]:starts[c + 1]]`, of which `left[c]` are free. `bare` accepts by the
    paper's bound instead of by posterior. `prices` says how much a cell's tuples are worth to others, `thrift` how much
    that counts: 0 makes the smallest groups, 1 spares what others need. `countable` keeps to groups whose worlds can be
    counted. More failures than `patience` end the search.
    """
    sets = signatures.shape[1]
    found = np.empty(_MOST, np.int64)
    wide = _MOST if bare else max(_FEW, 2 * (_NEAR[0] + _ALIKE[0] * sets))
    low, high = np.empty((wide, sets)), np.empty((wide, sets))
    taken, price = np.empty(_MOST, np.bool_), np.empty(_MOST)
    chosen, members = np.empty(_MOST, np.int64), np.empty(_MOST + 1, np.int64)
    total, most = np.empty(sets), np.empty(sets)
    counts = np.zeros(chances.shape[1], np.int64)
    stamp = np.full(cells.shape[0], -1, np.int64)
    failures = 0
    for s in range(seeds.shape[0]):
        seed = seeds[s]
        before_this = number
        cell, value, entry = cells[seed], values[seed], entry_of[values[seed]]
        for turn in range(0 if countable else _ROUNDS - 1, _ROUNDS):
            near = _candidates(
                turn, cell, places[s], pool, after, before, signatures, masks, lists, spots, starts, tuples, group,
                left, stamp, s * _ROUNDS + turn, found,
            )  # fmt: skip
            if near > _FEW and not bare:
                near = _best(cell, value, entry, found, near, cells, values, signatures, chances, entry_chances)
            for i in range(near):
                other = found[i]
                taken[i] = False
                price[i] = (1e-3 + prices[cells[other]]) ** thrift
                if bare:
                    for a in range(sets):
                        low[i, a] = entry_chances[signatures[cells[other], a], entry]
                else:
                    _weigh(
                        cell, value, cells[other], values[other], entry, signatures, chances, entry_chances,
                        low[i], high[i],
                    )  # fmt: skip
            if bare:
                n = _grow_bare(cell, entry, signatures, entry_chances, low, near, taken, chosen, total, most, r)
            else:
                n = _grow(
                    cell, value, found, near, cells, values, low, high, price, taken, chosen, members, total,
                    most, counts, signatures, chances, entry_of, entry_chances, r, bound, full, countable,
                )  # fmt: skip
            if n > 0:
                group[seed] = number
                for i in range(n):
                    other = found[chosen[i]]
                    group[other] = number
                    left[cells[other]] -= 1
                    after[rank[other]] = rank[other] + 1
                    before[rank[other]] = rank[other] - 1
                number += 1
                break
        failures += number == before_this
        if failures > patience:
            break
    return number


@compiled
def _grow_bare(cell, entry, signatures, entry_chances, low, near, taken, chosen, lowest, highest, r):  # type: ignore[no-untyped-def]
    """Add the tuples that widen the spread least, until the bound condition holds for every attribute set."""
    sets = signatures.shape[1]
    for a in range(sets):
        lowest[a] = highest[a] = entry_chances[signatures[cell, a], entry]
        if highest[a] >= 1.0:
            return 0
    n = 0
    while True:
        # Inequality 4 in odds: N - 1 >= (r - 1) max / min. A wider spread only asks for more.
        needed = r - 1.0
        for a in range(sets):
            below = lowest[a] * (1.0 - highest[a])
            if below <= 0.0:
                return 0
            needed = max(needed, highest[a] * (1.0 - lowest[a]) * (r - 1.0) / below)
        if needed > near + 1.0:
            return 0
        needed = np.ceil(needed * (1.0 - 1e-12))
        best, least = -1, np.inf
        for i in range(near):
            if n >= needed:
                return n
            if taken[i]:
                continue
            cost = 0.0
            for a in range(sets):
                f = low[i, a]
                if f <= 0.0 or f >= 1.0:  # Delta >= f: no size would allow it
                    cost = np.inf
                    break
                cost += max(0.0, f - highest[a]) + max(0.0, lowest[a] - f)
            if cost == 0.0:
                taken[i] = True
                chosen[n] = i
                n += 1
            elif cost < least:
                best, least = i, cost
        if n >= needed:
            return n
        if best < 0:
            return 0
        taken[best] = True
        chosen[n] = best
        n += 1
        for a in range(sets):
            lowest[a] = min(lowest[a], low[best, a])
            highest[a] = max(highest[a], low[best, a])


@compiled
def _grow(  # type: ignore[no-untyped-def]
    cell, value, found, near, cells, values, low, high, price, taken, chosen, members, total, most, counts,
    signatures, chances, entry_of, entry_chances, r, bound, full, countable,
):  # fmt: skip
    """Add the tuple that brings most attribute sets nearest to r equal shares, until the exact posterior holds.

    With `countable` the group stays one whose worlds can be counted; without, a certificate may decide.
    """
    sets = signatures.shape[1]
    total[:] = 1.0
    most[:] = 1.0
    members[0] = cell
    counts[:] = 0
    counts[value] = 1
    states = 2
    n = 0
    target = r
    each = np.ones(sets)
    for i in range(near):
        each += low[i, :]
    if each.min() < r:
        return 0  # all of them together would not do
    for _ in range(_TARGETS):
        while True:
            enough = n + 1 >= r
            for a in range(sets):
                enough &= total[a] >= target * most[a] * (1.0 - 1e-12)
            if enough:
                break
            best, gained, now = -1, 1e-9, 0.0
            for a in range(sets):
                each[a] = 1.0 / most[a]
                now += min(target, total[a] * each[a])
            for i in range(near):
                if taken[i]:
                    continue
                k = counts[values[found[i]]]
                if full and countable and states // (k + 1) * (k + 2) > _STATES:
                    continue  # its worlds could not be counted
                then = 0.0
                for a in range(sets):
                    share = total[a] + low[i, a]
                    then += min(target, share * each[a] if high[i, a] <= most[a] else share / high[i, a])
                gain = (then - now) / price[i]
                if gain > gained:
                    best, gained = i, gain
            if best < 0:
                return 0
            other = found[best]
            taken[best] = True
            chosen[n] = best
            n += 1
            members[n] = cells[other]
            k = counts[values[other]]
            states = min(states // (k + 1) * (k + 2), 1 << 40)
            counts[values[other]] += 1
            for a in range(sets):
                total[a] += low[best, a]
                most[a] = max(most[a], high[best, a])
        present = np.flatnonzero(counts)
        posterior, status, _w = judge(
            members[: n + 1], present, counts[present], signatures, chances, entry_of, entry_chances, full, bound, True
        )
        if posterior <= bound and status <= CERTIFIED:
            return n
        target *= 1.12
    return 0
