"""What the adversary believes of every tuple: the largest posterior over attribute sets, and of which value."""

from __future__ import annotations

import numpy as np
from numba import njit

from tacit.kernels.distribution.judging import LIMIT, _classes
from tacit.kernels.distribution.worlds import assign, count_states, two_valued


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def believe(offsets, cells, value_offsets, values, counts, signatures, chances, full):  # type: ignore[no-untyped-def]
    """Return per tuple the largest posterior, its value, its attribute set, and whether it is exact in the view asked.

    Where the full view has too many states, the two-valued posterior stands in and is marked. An attribute set under
    which the group has no possible world contradicts the release and is passed over.
    """
    best = np.zeros(cells.shape[0])
    value = np.full(cells.shape[0], -1, np.int64)
    where = np.full(cells.shape[0], -1, np.int64)
    exact = np.ones(cells.shape[0], np.bool_)
    for g in range(offsets.shape[0] - 1):
        members = cells[offsets[g] : offsets[g + 1]]
        held = values[value_offsets[g] : value_offsets[g + 1]]
        number = counts[value_offsets[g] : value_offsets[g + 1]]
        n, m = members.shape[0], held.shape[0]
        if n == 0 or m == 0:
            continue
        ids, sizes, of = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
        each, single = np.empty(n), np.empty(n)
        for a in range(signatures.shape[1]):
            classes = _classes(members, signatures, a, ids, sizes, of)
            rows = np.empty((classes, m))
            for c in range(classes):
                for v in range(m):
                    rows[c, v] = chances[ids[c], held[v]]
            out = np.zeros((classes, m))
            state = group_posteriors(rows, sizes[:classes].copy(), number, out) if full else 1
            if state == 2:
                continue
            if state == 1:
                if full:
                    exact[offsets[g] : offsets[g + 1]] = False
                for v in range(m):
                    for i in range(n):
                        each[i] = rows[of[i], v]
                    if two_valued(each, number[v], single):
                        for i in range(n):
                            out[of[i], v] = single[i]
            for i in range(n):
                for v in range(m):
                    if out[of[i], v] > best[offsets[g] + i]:
                        best[offsets[g] + i] = out[of[i], v]
                        value[offsets[g] + i] = held[v]
                        where[offsets[g] + i] = a
    return best, value, where, exact
