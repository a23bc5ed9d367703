"""What the adversary believes of every tuple: the largest posterior over attribute sets, and of which value."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.judging import LIMIT, _classes
from tacit.kernels.distribution.worlds import assign, count_states, two_valued


@compiled
def group_posteriors(rows, sizes, counts, out):  # type: ignore[no-untyped-def]
    """Fill p(class : value) in the full view; 0 done, 1 too many states, 2 no possible world."""
    classes, m = rows.shape
    n = sizes.sum()
    by_value, by_class = count_states(counts, LIMIT), count_states(sizes, LIMIT)
    if min(by_value, by_class) > LIMIT:
        return 1
    at = 0
    if by_value <= by_class:
        weights, full = np.empty((n, m)), np.empty((n, m))
        for c in range(classes):
            for _ in range(sizes[c]):
                weights[at] = rows[c]
                at += 1
        if not assign(weights, counts, full):
            return 2
        at = 0
        for c in range(classes):
            out[c] = full[at]
            at += sizes[c]
        return 0
    weights, full = np.empty((n, classes)), np.empty((n, classes))
    for v in range(m):
        for _ in range(counts[v]):
            weights[at] = rows[:, v]
            at += 1
    if not assign(weights, sizes, full):
        return 2
    at = 0
    for v in range(m):
        for c in range(classes):
            out[c, v] = full[at, c] * counts[v] / sizes[c]
        at += counts[v]
    return 0


@compiled
def believe(  # type: ignore[no-untyped-def]
    offsets, cells, value_offsets, values, counts, signatures, chances, entry_of, entry_chances, full
):
    """Return per tuple the largest posterior of an entry, its likeliest value, the attribute set, and whether exact.

    Where the full view has too many states, the two-valued posterior stands in and is marked. An attribute set under
    which the group has no possible world contradicts the release and is passed over.
    """
    best = np.zeros(cells.shape[0])
    value = np.full(cells.shape[0], -1, np.int64)
    where = np.full(cells.shape[0], -1, np.int64)
    exact = np.ones(cells.shape[0], np.bool_)
    entries = entry_chances.shape[1]
    for g in range(offsets.shape[0] - 1):
        begin = offsets[g]
        members = cells[begin : offsets[g + 1]]
        held = values[value_offsets[g] : value_offsets[g + 1]]
        number = counts[value_offsets[g] : value_offsets[g + 1]]
        n, m = members.shape[0], held.shape[0]
        holds, first = np.zeros(entries, np.int64), np.full(entries, -1, np.int64)
        for v in range(m):
            entry = entry_of[held[v]]
            if entry >= 0:
                holds[entry] += number[v]
                if first[entry] < 0:
                    first[entry] = held[v]
        if n == 0 or entries == 0 or holds.max() == 0:
            continue
        ids, sizes, of = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
        each, single = np.empty(n), np.empty(n)
        for a in range(-1, signatures.shape[1]):
            if a < 0:  # the group alone
                classes = 1
                of[:] = 0
                out = np.zeros((1, entries))
                for e in range(entries):
                    out[0, e] = holds[e] / n
            else:
                classes = _classes(members, signatures, a, ids, sizes, of)
                if classes == 1:
                    continue
                out = np.zeros((classes, entries))
                state = 1
                if full:
                    rows, posterior = np.empty((classes, m)), np.zeros((classes, m))
                    for c in range(classes):
                        for v in range(m):
                            rows[c, v] = chances[ids[c], held[v]]
                    state = group_posteriors(rows, sizes[:classes].copy(), number, posterior)
                    if state == 2:
                        continue
                    if state == 0:
                        for c in range(classes):
                            for v in range(m):
                                if entry_of[held[v]] >= 0:
                                    out[c, entry_of[held[v]]] += posterior[c, v]
                    else:
                        exact[begin : offsets[g + 1]] = False
                if state == 1:
                    for e in range(entries):
                        if holds[e] == 0:
                            continue
                        for i in range(n):
                            each[i] = entry_chances[ids[of[i]], e]
                        if two_valued(each, holds[e], single):
                            for i in range(n):
                                out[of[i], e] = single[i]
            for i in range(n):
                for e in range(entries):
                    if out[of[i], e] > best[begin + i] * (1.0 + 1e-12):
                        best[begin + i] = out[of[i], e]
                        value[begin + i] = first[e]
                        where[begin + i] = a
    return best, value, where, exact
