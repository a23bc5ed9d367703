"""Groups of several protected tuples: near ones, no two of an entry, and leftovers put into groups that bear them."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.judging import CERTIFIED, judge
from tacit.kernels.distribution.nearness import next_free

_REACH = 400
_TRIES = 24


@compiled
def _distance(u, v, signatures, roots):  # type: ignore[no-untyped-def]
    """Return the squared Hellinger distance of two cells, summed over attribute sets."""
    total = 0.0
    for a in range(signatures.shape[1]):
        s, t = signatures[u, a], signatures[v, a]
        if s != t:
            for x in range(roots.shape[1]):
                total += (roots[s, x] - roots[t, x]) ** 2
    return total


@compiled
def _may_hold(members, n, values, entry_of, signatures, entry_chances, r, bare):  # type: ignore[no-untyped-def]
    """Test each entry by its odds: the paper's bound with `bare`, else a guess that spares hopeless worlds."""
    for i in range(n):
        entry = entry_of[values[i]]
        if entry < 0:
            continue
        for a in range(signatures.shape[1]):
            total, high, low = 0.0, 0.0, np.inf
            for j in range(n):
                f = entry_chances[signatures[members[j], a], entry]
                if f >= 1.0:
                    return False
                odds = f / (1.0 - f)
                total += odds
                high = max(high, odds)
                low = min(low, odds)
            if bare and high * (r - 1.0) > (n - 1) * low * (1.0 + 1e-12):
                return False
            if not bare and high * r > total * 1.25:
                return False
    return True


@compiled
def _holds(members, n, values, signatures, chances, entry_of, entry_chances, r, bound, full, bare):  # type: ignore[no-untyped-def]
    if n < r or not _may_hold(members, n, values, entry_of, signatures, entry_chances, r, bare):
        return False
    if bare:
        return True
    ranked = np.sort(values[:n])
    present, counts = np.empty(n, np.int64), np.zeros(n, np.int64)
    m = 0
    for i in range(n):
        if i == 0 or ranked[i] != ranked[i - 1]:
            present[m] = ranked[i]
            m += 1
        counts[m - 1] += 1
    posterior, status, _w = judge(
        members[:n], present[:m], counts[:m], signatures, chances, entry_of, entry_chances, full, bound, True
    )
    return posterior <= bound and status <= CERTIFIED


@compiled
def mix(  # type: ignore[no-untyped-def]
    seeds, pool, places, starts, after, before, cells, values, signatures, chances, roots, entry_of, entry_chances,
    r, bound, full, bare, reach, group, group_number,
):  # fmt: skip
    """Give each seed that is still free a group of near tuples, one per entry; return the next group number.

    `pool` lists the free tuples entry by entry (those of no entry last), each list by place; `starts` are its bounds.
    Entries that would else be left with too many tuples are taken first, so that the rest stays eligible.
    """
    entries = starts.shape[0] - 2
    lists = entries + 1
    left = np.zeros(lists, np.int64)
    for e in range(lists):
        for i in range(starts[e], starts[e + 1]):
            left[e] += after[i + 1] == i + 1
    free = left.sum()
    spots = np.empty(cells.shape[0], np.int64)
    for i in range(pool.shape[0]):
        spots[pool[i]] = i + 1
    most = 2 * reach * lists
    found, far = np.empty(most, np.int64), np.empty(most)
    members, held, at = np.empty(most + 1, np.int64), np.empty(most + 1, np.int64), np.empty(most + 1, np.int64)
    has = np.zeros(lists, np.bool_)
    for seed in seeds:
        if group[seed] >= 0:
            continue
        near = 0
        mine = entry_of[values[seed]]
        for e in range(lists):
            if e == mine or left[e] == 0:
                continue
            middle = starts[e] + np.searchsorted(places[starts[e] : starts[e + 1]], places[spots[seed] - 1]) + 1
            spot, taken = next_free(after, middle), 0
            while taken < reach and spot <= starts[e + 1]:
                found[near] = spot
                near += 1
                taken += 1
                spot = next_free(after, spot + 1)
            spot, taken = next_free(before, middle - 1), 0
            while taken < reach and spot > starts[e]:
                found[near] = spot
                near += 1
                taken += 1
                spot = next_free(before, spot - 1)
        for i in range(near):
            other = pool[found[i] - 1]
            far[i] = _distance(cells[seed], cells[other], signatures, roots)
            if entry_of[values[other]] >= 0 and left[entry_of[values[other]]] * r > free - 2 * r:
                far[i] -= 1e9
        order = np.argsort(far[:near], kind="mergesort")
        has[:] = False
        members[0], held[0], at[0] = cells[seed], values[seed], spots[seed]
        has[mine] = True
        n, tries, done = 1, 0, False
        for i in order:
            other = pool[found[i] - 1]
            e = entry_of[values[other]]
            if e >= 0 and has[e]:
                continue
            if e >= 0:
                has[e] = True
            members[n], held[n], at[n] = cells[other], values[other], found[i]
            n += 1
            if n >= r:
                tries += 1
                if _holds(members, n, held, signatures, chances, entry_of, entry_chances, r, bound, full, bare):
                    done = True
                    break
                if tries >= _TRIES:
                    break
        if done:
            for i in range(n):
                tuple_ = pool[at[i] - 1]
                group[tuple_] = group_number
                after[at[i]] = at[i] + 1
                before[at[i]] = at[i] - 1
                left[entry_of[held[i]] if entry_of[held[i]] >= 0 else entries] -= 1
                free -= 1
            group_number += 1
    return group_number


@compiled
def append(  # type: ignore[no-untyped-def]
    seeds, order, rank, cells, values, signatures, chances, entry_of, entry_chances, r, bound, full, bare, group,
    heads, links,
):  # fmt: skip
    """Put each seed into a near group that has no tuple of its entry and still holds; return how many found one.

    `heads` is the first tuple of each group, `links` the next tuple of the same group, -1 at the end.
    """
    n = order.shape[0]
    placed = 0
    tried = np.full(_TRIES, -1, np.int64)
    for seed in seeds:
        tried[:] = -1
        tries = 0
        for step in range(2, 2 * _REACH):
            at = rank[seed] + (step // 2 if step % 2 else -(step // 2))
            if at < 0 or at >= n:
                continue
            g = group[order[at]]
            if g < 0 or (tried[:tries] == g).any():
                continue
            size, clash, several = 0, False, False
            t = heads[g]
            while t >= 0:
                e = entry_of[values[t]]
                clash |= e >= 0 and e == entry_of[values[seed]]
                several |= e >= 0
                size += 1
                t = links[t]
            if clash or not several:
                continue
            members, held = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
            size = 0
            t = heads[g]
            while t >= 0:
                members[size], held[size] = cells[t], values[t]
                size += 1
                t = links[t]
            members[size], held[size] = cells[seed], values[seed]
            if _holds(members, size + 1, held, signatures, chances, entry_of, entry_chances, r, bound, full, bare):
                group[seed] = g
                links[seed] = heads[g]
                heads[g] = seed
                placed += 1
                break
            tried[tries] = g
            tries += 1
            if tries == _TRIES:
                break
    return placed
