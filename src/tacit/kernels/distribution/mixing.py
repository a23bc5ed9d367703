"""Groups of several protected tuples: near ones, no two of an entry, and leftovers put into groups that bear them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import (
    CERTIFIED,
    EntryLists,
    Knowledge,
    LinkedGroups,
    Signatures,
    Standard,
    Tuples,
)
from tacit.kernels.distribution.judging import judge
from tacit.kernels.distribution.nearness import next_free

_REACH = 400
"""Tuples on each side in the order of nearness whose groups a leftover may join. More place more leftovers and take
longer. Chosen by trial."""

_TRIES = 24
"""Sizes of a group, or groups for a leftover, that are judged before it is given up. Each judgement counts worlds.
Chosen by trial."""

_SLACK = 1.25
"""A factor. In the exact view a group is judged only if its odds come that near to r equal shares: judging takes far
longer than summing odds, and the posterior may hold a little before the odds do. Chosen by trial."""

_FIRST = 1e9
"""Taken off the distance of a tuple whose entry must go first: more than any distance."""

_ROUNDING = 1e-12
"""The relative rounding that the paper's inequality forgives."""


class MixScratch(NamedTuple):
    """Working arrays of `mix`, made once for all seeds.

    `places` of the candidates and how far each is; the cells, values and places of the group that grows; `left` how
    many tuples of each list are free, and whether the group `has` an entry.
    """

    places: Ints
    far: Floats
    members: Ints
    values: Ints
    taken: Ints
    left: Ints
    has: Flags


@compiled
def _distance(u: int, v: int, signatures: Signatures, roots: FloatGrid) -> float:
    """Return the squared Hellinger distance of two cells, summed over attribute sets."""
    total = 0.0
    for a in range(signatures.shape[1]):
        s, t = signatures[u, a], signatures[v, a]
        if s != t:
            for x in range(roots.shape[1]):
                total += (roots[s, x] - roots[t, x]) ** 2
    return total


@compiled
def _may_hold(members: Ints, values: Ints, known: Knowledge, standard: Standard) -> bool:
    """Test each entry by its odds: in the paper's view the bound itself, else a guess that spares hopeless counting.

    If nobody of the group could have an entry that somebody has, no world is possible, and the group is refused.
    """
    n = members.shape[0]
    for i in range(n):
        entry = known.entry_of[values[i]]
        if entry < 0:
            continue
        for a in range(known.signatures.shape[1]):
            total, high, low = 0.0, 0.0, np.inf
            for j in range(n):
                f = known.entry_chances[known.signatures[members[j], a], entry]
                if f >= 1.0:
                    return False
                odds = f / (1.0 - f)
                total += odds
                high = max(high, odds)
                low = min(low, odds)
            if high <= 0.0:
                return False
            if standard.exact_view:
                if high * standard.r > total * _SLACK:
                    return False
            elif high * (standard.r - 1.0) > (n - 1) * low * (1.0 + _ROUNDING):
                return False
    return True


@compiled
def _holds(members: Ints, values: Ints, known: Knowledge, standard: Standard) -> bool:
    """Ask whether some cells with these values, as one group, hold."""
    n = members.shape[0]
    if n < standard.r or not _may_hold(members, values, known, standard):
        return False
    if not standard.exact_view:
        return True
    ranked = np.sort(values)
    present, counts = np.empty(n, np.int64), np.zeros(n, np.int64)
    m = 0
    for i in range(n):
        if i == 0 or ranked[i] != ranked[i - 1]:
            present[m] = ranked[i]
            m += 1
        counts[m - 1] += 1
    posterior, status, _a = judge(members, present[:m], counts[:m], known, standard.exact_view, standard.bound, True)
    return posterior <= standard.bound and status <= CERTIFIED


@compiled
def mix(
    seeds: Ints,
    lists: EntryLists,
    tuples: Tuples,
    known: Knowledge,
    roots: FloatGrid,
    standard: Standard,
    group: Ints,
    number: int,
) -> int:
    """Give each seed that is still free a group of near tuples, one per entry; return the next group number.

    `roots` are the square roots of the probabilities by which distances are measured. Entries that would otherwise be
    left with too many tuples are taken first, so that the rest stays eligible.
    """
    scratch = _mix_scratch(lists)
    spots = np.empty(tuples.cells.shape[0], np.int64)
    for i in range(lists.pool.shape[0]):
        spots[lists.pool[i]] = i + 1
    for seed in seeds:
        if group[seed] >= 0:
            continue
        near = _collect(known.entry_of[tuples.values[seed]], lists.nearness[spots[seed] - 1], lists, scratch)
        order = _nearest_first(tuples.cells[seed], near, lists, tuples, known, roots, standard.r, scratch)
        n = _grow(seed, spots[seed], order, lists, tuples, known, standard, scratch)
        if n:
            _take(n, number, lists, known.entry_of, group, scratch)
            number += 1
    return number


@compiled
def _mix_scratch(lists: EntryLists) -> MixScratch:
    count = lists.starts.shape[0] - 1
    left = np.zeros(count, np.int64)
    for e in range(count):
        for i in range(lists.starts[e], lists.starts[e + 1]):
            left[e] += lists.after[i + 1] == i + 1
    most = 2 * lists.reach * count
    return MixScratch(
        np.empty(most, np.int64),
        np.empty(most),
        np.empty(most + 1, np.int64),
        np.empty(most + 1, np.int64),
        np.empty(most + 1, np.int64),
        left,
        np.zeros(count, np.bool_),
    )


@compiled
def _collect(mine: int, home: int, lists: EntryLists, scratch: MixScratch) -> int:
    """Collect free tuples of every list but the seed's own, near its rank `home`; return how many there are."""
    near = 0
    for e in range(scratch.left.shape[0]):
        if e == mine or scratch.left[e] == 0:
            continue
        begin, end = lists.starts[e], lists.starts[e + 1]
        middle = begin + np.searchsorted(lists.nearness[begin:end], home) + 1
        spot, taken = next_free(lists.after, middle), 0
        while taken < lists.reach and spot <= end:
            scratch.places[near] = spot
            near += 1
            taken += 1
            spot = next_free(lists.after, spot + 1)
        spot, taken = next_free(lists.before, middle - 1), 0
        while taken < lists.reach and spot > begin:
            scratch.places[near] = spot
            near += 1
            taken += 1
            spot = next_free(lists.before, spot - 1)
    return near


@compiled
def _nearest_first(
    cell: int,
    near: int,
    lists: EntryLists,
    tuples: Tuples,
    known: Knowledge,
    roots: FloatGrid,
    r: float,
    scratch: MixScratch,
) -> Ints:
    """Order the candidates by distance, those first whose entry would be left with more than its share."""
    free = scratch.left.sum()
    for i in range(near):
        other = lists.pool[scratch.places[i] - 1]
        entry = known.entry_of[tuples.values[other]]
        scratch.far[i] = _distance(cell, tuples.cells[other], known.signatures, roots)
        if entry >= 0 and scratch.left[entry] * r > free - 2 * r:
            scratch.far[i] -= _FIRST
    return np.argsort(scratch.far[:near], kind="mergesort")


@compiled
def _grow(
    seed: int,
    spot: int,
    order: Ints,
    lists: EntryLists,
    tuples: Tuples,
    known: Knowledge,
    standard: Standard,
    scratch: MixScratch,
) -> int:
    """Add one candidate after the other, at most one per entry, until the group holds; return its size, 0 if never."""
    members, values, taken, has = scratch.members, scratch.values, scratch.taken, scratch.has
    has[:] = False
    has[known.entry_of[tuples.values[seed]]] = True
    members[0], values[0], taken[0] = tuples.cells[seed], tuples.values[seed], spot
    n, tries = 1, 0
    for i in order:
        other = lists.pool[scratch.places[i] - 1]
        entry = known.entry_of[tuples.values[other]]
        if entry >= 0:
            if has[entry]:
                continue
            has[entry] = True
        members[n], values[n], taken[n] = tuples.cells[other], tuples.values[other], scratch.places[i]
        n += 1
        if n >= standard.r:
            tries += 1
            if _holds(members[:n], values[:n], known, standard):
                return n
            if tries >= _TRIES:
                break
    return 0


@compiled
def _take(n: int, number: int, lists: EntryLists, entry_of: Ints, group: Ints, scratch: MixScratch) -> None:
    """Put the tuples that were chosen into a group; they are no longer free."""
    no_entry = scratch.left.shape[0] - 1
    for i in range(n):
        place, entry = scratch.taken[i], entry_of[scratch.values[i]]
        group[lists.pool[place - 1]] = number
        lists.after[place] = place + 1
        lists.before[place] = place - 1
        scratch.left[entry if entry >= 0 else no_entry] -= 1


@compiled
def append(
    seeds: Ints,
    order: Ints,
    rank: Ints,
    tuples: Tuples,
    known: Knowledge,
    standard: Standard,
    groups: LinkedGroups,
) -> int:
    """Put each seed into a near group that has no tuple of its entry and still holds; return how many found one.

    `order` are all tuples by nearness, `rank` where each stands.
    """
    placed = 0
    tried = np.full(_TRIES, -1, np.int64)
    for seed in seeds:
        tried[:] = -1
        tries = 0
        for step in range(2, 2 * _REACH):
            at = rank[seed] + (step // 2 if step % 2 else -(step // 2))
            if at < 0 or at >= order.shape[0]:
                continue
            g = groups.group[order[at]]
            if g < 0 or (tried[:tries] == g).any() or not _may_join(seed, g, tuples.values, known.entry_of, groups):
                continue
            if _holds_with(seed, g, tuples, known, standard, groups):
                groups.group[seed] = g
                groups.links[seed] = groups.heads[g]
                groups.heads[g] = seed
                placed += 1
                break
            tried[tries] = g
            tries += 1
            if tries == _TRIES:
                break
    return placed


@compiled
def _may_join(seed: int, g: int, values: Ints, entry_of: Ints, groups: LinkedGroups) -> bool:
    """Ask whether a group has a protected tuple, and none of the seed's entry."""
    protected = False
    t = groups.heads[g]
    while t >= 0:
        entry = entry_of[values[t]]
        if entry >= 0:
            if entry == entry_of[values[seed]]:
                return False
            protected = True
        t = groups.links[t]
    return protected


@compiled
def _holds_with(seed: int, g: int, tuples: Tuples, known: Knowledge, standard: Standard, groups: LinkedGroups) -> bool:
    """Ask whether a group still holds with one more tuple."""
    size = 1
    t = groups.heads[g]
    while t >= 0:
        size += 1
        t = groups.links[t]
    members, values = np.empty(size, np.int64), np.empty(size, np.int64)
    at = 0
    t = groups.heads[g]
    while t >= 0:
        members[at], values[at] = tuples.cells[t], tuples.values[t]
        at += 1
        t = groups.links[t]
    members[at], values[at] = tuples.cells[seed], tuples.values[seed]
    return _holds(members, values, known, standard)
