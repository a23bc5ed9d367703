"""Injector's buckets: each tuple could have any of the bucket's values."""

from __future__ import annotations

import numpy as np

from tacit.arrays import FlagGrid, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import EntryLists, LinkedGroups, Tuples
from tacit.kernels.distribution.nearness import next_free


@compiled
def fill_buckets(lists: EntryLists, tuples: Tuples, forbidden: FlagGrid, width: int, bucket: Ints) -> int:
    """Fill buckets of `width` values, the most frequent first, with near tuples; return the number of buckets.

    `lists` are the tuples value by value. `forbidden[c, v]` says that a tuple of cell c cannot have value v. A tuple is
    taken if it may have every value of the bucket, and every tuple of the bucket may have its value.
    """
    left = lists.starts[1:] - lists.starts[:-1]
    number = 0
    places, held = np.empty(width, np.int64), np.empty(width, np.int64)
    while True:
        order = np.argsort(-left, kind="mergesort")
        if left[order[0]] == 0:
            return number
        n = _fill_one(order, left, lists, tuples.cells, forbidden, places, held)
        if n == width:
            for i in range(n):
                bucket[lists.pool[places[i] - 1]] = number
            number += 1
        for i in range(n if n == width else 1):  # a seed without a bucket is left over
            lists.after[places[i]] = places[i] + 1
            lists.before[places[i]] = places[i] - 1
            left[held[i]] -= 1


@compiled
def _fill_one(
    order: Ints, left: Ints, lists: EntryLists, cells: Ints, forbidden: FlagGrid, places: Ints, held: Ints
) -> int:
    """Take the first tuple of the most frequent value, and near tuples of other values; return how many fit."""
    width = places.shape[0]
    top = order[0]
    places[0], held[0] = next_free(lists.after, lists.starts[top] + 1), top
    home = lists.nearness[places[0] - 1]
    n = 1
    for v in order[1:]:
        if n == width or left[v] == 0:
            break
        allowed = True
        for i in range(n):
            allowed &= not forbidden[cells[lists.pool[places[i] - 1]], v]
        if allowed:
            place = _near_tuple(v, home, lists, cells, forbidden, held[:n])
            if place >= 0:
                places[n], held[n] = place, v
                n += 1
    return n


@compiled
def _near_tuple(v: int, home: int, lists: EntryLists, cells: Ints, forbidden: FlagGrid, held: Ints) -> int:
    """Return the place of the nearest free tuple with value v that may have every value of the bucket; -1 for none.

    The `reach` tuples nearest to the rank `home` are looked at.
    """
    begin, end = lists.starts[v], lists.starts[v + 1]
    middle = begin + np.searchsorted(lists.nearness[begin:end], home) + 1
    right, back = next_free(lists.after, middle), next_free(lists.before, middle - 1)
    for _ in range(lists.reach):
        ahead, behind = right <= end, back > begin
        if not ahead and not behind:
            break
        if ahead and (not behind or lists.nearness[right - 1] - home <= home - lists.nearness[back - 1]):
            candidate = right
            right = next_free(lists.after, right + 1)
        else:
            candidate = back
            back = next_free(lists.before, back - 1)
        fits = True
        for value in held:
            fits &= not forbidden[cells[lists.pool[candidate - 1]], value]
        if fits:
            return candidate
    return -1


@compiled
def join_buckets(
    leftovers: Ints,
    order: Ints,
    rank: Ints,
    tuples: Tuples,
    forbidden: FlagGrid,
    reach: int,
    buckets: LinkedGroups,
) -> int:
    """Put each leftover into a near bucket without its value, where everybody may have every value; count them.

    `order` are all tuples by nearness, `rank` where each stands; `reach` tuples on each side are looked at.
    """
    placed = 0
    for seed in leftovers:
        for step in range(2, 2 * reach):
            at = rank[seed] + (step // 2 if step % 2 else -(step // 2))
            if at < 0 or at >= order.shape[0] or buckets.group[order[at]] < 0:
                continue
            b = buckets.group[order[at]]
            if _may_join(seed, b, tuples, forbidden, buckets):
                buckets.group[seed] = b
                buckets.links[seed] = buckets.heads[b]
                buckets.heads[b] = seed
                placed += 1
                break
    return placed


@compiled
def _may_join(seed: int, b: int, tuples: Tuples, forbidden: FlagGrid, buckets: LinkedGroups) -> bool:
    """Ask whether a bucket lacks the tuple's value, and nothing is ruled out between its tuples and this one."""
    cell, value = tuples.cells[seed], tuples.values[seed]
    t = buckets.heads[b]
    while t >= 0:
        if tuples.values[t] == value or forbidden[cell, tuples.values[t]] or forbidden[tuples.cells[t], value]:
            return False
        t = buckets.links[t]
    return True
