"""Injector's buckets: each tuple could have any of the bucket's values."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.nearness import next_free

_LOOK = 60


@compiled
def fill_buckets(pool, places, starts, after, before, cells, values, forbidden, width, bucket):  # type: ignore[no-untyped-def]
    """Fill buckets of `width` values, the most frequent first, with near tuples; return the number of buckets.

    `pool` lists the tuples value by value, each list by place; `starts` are its bounds. A tuple is taken if it may have
    every value of the bucket, and every tuple of the bucket may have its value.
    """
    left = starts[1:] - starts[:-1]
    number = 0
    chosen, held = np.empty(width, np.int64), np.empty(width, np.int64)
    while True:
        order = np.argsort(-left, kind="mergesort")
        if left[order[0]] == 0:
            return number
        top = order[0]
        spot = next_free(after, starts[top] + 1)
        home = places[spot - 1]
        chosen[0], held[0] = spot, top
        n = 1
        for v in order[1:]:
            if n == width or left[v] == 0:
                break
            allowed = True
            for i in range(n):
                allowed &= not forbidden[cells[pool[chosen[i] - 1]], v]
            if not allowed:
                continue
            middle = starts[v] + np.searchsorted(places[starts[v] : starts[v + 1]], home) + 1
            right, back = next_free(after, middle), next_free(before, middle - 1)
            for _ in range(_LOOK):
                ahead, behind = right <= starts[v + 1], back > starts[v]
                if not ahead and not behind:
                    break
                if ahead and (not behind or places[right - 1] - home <= home - places[back - 1]):
                    candidate = right
                    right = next_free(after, right + 1)
                else:
                    candidate = back
                    back = next_free(before, back - 1)
                fits = True
                for i in range(n):
                    fits &= not forbidden[cells[pool[candidate - 1]], held[i]]
                if fits:
                    chosen[n], held[n] = candidate, v
                    n += 1
                    break
        if n == width:
            for i in range(n):
                bucket[pool[chosen[i] - 1]] = number
            number += 1
        for i in range(n if n == width else 1):  # a seed without a bucket is left over
            after[chosen[i]] = chosen[i] + 1
            before[chosen[i]] = chosen[i] - 1
            left[held[i]] -= 1


@compiled
def join_buckets(rest, order, rank, cells, values, forbidden, reach, bucket, heads, links):  # type: ignore[no-untyped-def]
    """Put each leftover into a near bucket without its value, where everybody may have every value; count them."""
    placed = 0
    for seed in rest:
        for step in range(2, 2 * reach):
            at = rank[seed] + (step // 2 if step % 2 else -(step // 2))
            if at < 0 or at >= order.shape[0] or bucket[order[at]] < 0:
                continue
            t, fits = heads[bucket[order[at]]], True
            while t >= 0 and fits:
                fits = (
                    values[t] != values[seed]
                    and not forbidden[cells[seed], values[t]]
                    and not forbidden[cells[t], values[seed]]
                )
                t = links[t]
            if fits:
                g = bucket[order[at]]
                bucket[seed] = g
                links[seed] = heads[g]
                heads[g] = seed
                placed += 1
                break
    return placed
