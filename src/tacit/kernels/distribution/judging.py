"""The largest posterior of a group over all attribute sets, and of many groups."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.certificate import swap_bound
from tacit.kernels.distribution.worlds import assign, count_states, two_valued

EXACT, CERTIFIED, UNDECIDED, IMPOSSIBLE = 0, 1, 2, 3
CHEAP = 512  # as many states cost less than to look for a certificate
LIMIT = 1 << 16
_PRODUCTS = 400_000_000


@compiled
def _classes(cells, signatures, a, ids, sizes, of):  # type: ignore[no-untyped-def]
    """Number the tuples with equal signatures under one attribute set."""
    count = 0
    for i in range(cells.shape[0]):
        signature = signatures[cells[i], a]
        at = 0
        while at < count and ids[at] != signature:
            at += 1
        if at == count:
            ids[count] = signature
            sizes[count] = 0
            count += 1
        sizes[at] += 1
        of[i] = at
    return count


@compiled
def _largest(marginals, entry, entries):  # type: ignore[no-untyped-def]
    """Sum over the values of each entry, and return the largest sum of any row."""
    sums = np.zeros(entries)
    worst = 0.0
    for i in range(marginals.shape[0]):
        sums[:] = 0.0
        for v in range(marginals.shape[1]):
            if entry[v] >= 0:
                sums[entry[v]] += marginals[i, v]
        worst = max(worst, sums.max())
    return worst


@compiled
def _full(rows, sizes, counts, entry, entries, bound):  # type: ignore[no-untyped-def]
    """Return the largest posterior in the full view, and how it is known."""
    classes, m = rows.shape
    n = sizes.sum()
    by_value, by_class = count_states(counts, LIMIT), count_states(sizes, LIMIT)
    states = min(by_value, by_class)
    guess = np.inf
    if states > CHEAP:
        guess = 0.0
        sums = np.zeros(entries)
        for x in range(m):
            if entry[x] >= 0:
                sums[entry[x]] += swap_bound(rows, sizes, counts, x)
        guess = min(1.0, sums.max())
        if guess <= bound:
            return guess, CERTIFIED
        if states > LIMIT:
            return guess, UNDECIDED
    marginals = np.zeros((classes, m))
    if by_value <= by_class:
        weights = np.empty((n, m))
        full = np.empty((n, m))
        at = 0
        for c in range(classes):
            for _ in range(sizes[c]):
                weights[at] = rows[c]
                at += 1
        if not assign(weights, counts, full):
            return 1.0, IMPOSSIBLE
        at = 0
        for c in range(classes):
            marginals[c] = full[at]
            at += sizes[c]
    else:
        weights = np.empty((n, classes))
        full = np.empty((n, classes))
        at = 0
        for v in range(m):
            for _ in range(counts[v]):
                weights[at] = rows[:, v]
                at += 1
        if not assign(weights, sizes, full):
            return 1.0, IMPOSSIBLE
        at = 0
        for v in range(m):
            for c in range(classes):
                marginals[c, v] = full[at, c] * counts[v] / sizes[c]
            at += counts[v]
    return _largest(marginals, entry, entries), EXACT


@compiled
def _two(chances, sizes, k, bound):  # type: ignore[no-untyped-def]
    """Return the largest posterior in the two-valued view, and how it is known."""
    n = sizes.sum()
    if n * min(k, n) > _PRODUCTS:
        rows = np.empty((chances.shape[0], 2))
        rows[:, 0] = chances
        rows[:, 1] = 1.0 - chances
        guess = swap_bound(rows, sizes, np.array([k, n - k]), 0)
        return guess, CERTIFIED if guess <= bound else UNDECIDED
    each = np.empty(n)
    posterior = np.empty(n)
    at = 0
    for c in range(chances.shape[0]):
        for _ in range(sizes[c]):
            each[at] = chances[c]
            at += 1
    if not two_valued(each, k, posterior):
        return 1.0, IMPOSSIBLE
    return posterior.max(), EXACT


@compiled
def judge(cells, values, counts, signatures, chances, entry_of, entry_chances, full, bound, hasty):  # type: ignore[no-untyped-def]
    """Return of one group the largest posterior of a protected entry, how it is known, and the attribute set.

    `cells` are the tuples (rows of `signatures`), `values` and `counts` the multiset they share. With `hasty` the first
    attribute set that breaks the bound ends the search.
    """
    n, m = cells.shape[0], values.shape[0]
    entries = entry_chances.shape[1]
    held = np.zeros(entries, np.int64)
    entry = np.empty(m, np.int64)
    for v in range(m):
        entry[v] = entry_of[values[v]]
        if entry[v] >= 0:
            held[entry[v]] += counts[v]
    top = held.max() if entries else 0
    if top == 0:
        return 0.0, EXACT, -1
    worst, status, where = top / n, EXACT, -1
    if hasty and worst > bound:
        return worst, status, where
    ids = np.empty(n, np.int64)
    sizes = np.empty(n, np.int64)
    of = np.empty(n, np.int64)
    for a in range(signatures.shape[1]):
        classes = _classes(cells, signatures, a, ids, sizes, of)
        if full:
            rows = np.empty((classes, m))
            alike = True
            for c in range(classes):
                for v in range(m):
                    rows[c, v] = chances[ids[c], values[v]]
                    alike &= rows[c, v] == rows[0, v]
            if alike:
                possible = True
                for v in range(m):
                    possible &= rows[0, v] > 0.0
                if possible:
                    continue  # every world is as likely as any other
            found, known = _full(rows, sizes[:classes].copy(), counts, entry, entries, bound)
            if found > worst or known == IMPOSSIBLE:
                worst, where = max(worst, found), a
            status = max(status, known)
        else:
            for e in range(entries):
                if held[e] == 0 or (classes == 1 and 0.0 < entry_chances[ids[0], e] < 1.0):
                    continue
                each = np.empty(classes)
                for c in range(classes):
                    each[c] = entry_chances[ids[c], e]
                found, known = _two(each, sizes[:classes].copy(), held[e], bound)
                if found > worst or known == IMPOSSIBLE:
                    worst, where = max(worst, found), a
                status = max(status, known)
        if hasty and (worst > bound or status >= UNDECIDED):
            break
    return worst, status, where


@compiled
def judge_many(  # type: ignore[no-untyped-def]
    offsets, cells, value_offsets, values, counts, signatures, chances, entry_of, entry_chances, full, bound
):
    """Judge every group; group g holds `cells[offsets[g]:offsets[g + 1]]` and the same of values and counts."""
    groups = offsets.shape[0] - 1
    posterior = np.zeros(groups)
    status = np.zeros(groups, np.int64)
    where = np.full(groups, -1, np.int64)
    for g in range(groups):
        low, high = value_offsets[g], value_offsets[g + 1]
        bare = True
        for e in range(low, high):
            bare &= entry_of[values[e]] < 0
        if bare:
            continue
        posterior[g], status[g], where[g] = judge(
            cells[offsets[g] : offsets[g + 1]],
            values[low:high],
            counts[low:high],
            signatures,
            chances,
            entry_of,
            entry_chances,
            full,
            bound,
            False,
        )
    return posterior, status, where
