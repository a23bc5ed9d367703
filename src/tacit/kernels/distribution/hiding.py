"""Hiding one protected tuple among unprotected ones: groups that grow until they hold.

Tuples stand in an order of nearness, and cells in one list per attribute set, by signature. From the place of the seed
(the protected tuple) in these a bounded number of free tuples is looked at, more in later rounds, so that no step looks
at all pairs.
"""

from __future__ import annotations

import numpy as np

from tacit.arrays import Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import (
    CellLists,
    FreeTuples,
    HidingEffort,
    Knowledge,
    Signatures,
    Standard,
    Tuples,
)
from tacit.kernels.distribution.growing import Scratch, grow_in_exact_view, grow_in_paper_view
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
_UNBOUNDED = 1e9
"""Stands for an infinite ratio of odds."""
_CHEAPEST = 1e-3
"""A share added to every price, so that what is worth nothing to others still has a price. Chosen by trial."""


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
        return grow_in_exact_view(cell, value, near, tuples, known, standard, effort.countable, effort.sparing, scratch)
    for i in range(near):
        other = scratch.candidates[i]
        scratch.taken[i] = False
        for a in range(known.signatures.shape[1]):
            scratch.low[i, a] = known.entry_chances[known.signatures[tuples.cells[other], a], entry]
    return grow_in_paper_view(cell, entry, near, known, standard.r, scratch)


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
