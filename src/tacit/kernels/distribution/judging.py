"""The largest posterior of a group over all attribute sets, and of many groups."""

from __future__ import annotations

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import (
    CERTIFIED,
    EXACT,
    GROUP_ALONE,
    IMPOSSIBLE,
    UNDECIDED,
    Knowledge,
    Members,
    Signatures,
)
from tacit.kernels.distribution.certificate import is_possible, swap_bound
from tacit.kernels.distribution.worlds import class_posteriors, count_states, two_valued

CHEAP = 512
"""States. So few are counted at once, because a certificate would take as long. Chosen by trial."""

LIMIT = 1 << 16
"""States. Groups with more are not counted: a certificate decides, or nothing does. A larger limit decides more groups
and takes proportionally longer and more memory. Chosen by trial: ART's groups rarely need more."""

_PRODUCTS = 400_000_000
"""Tuples times holders. Beyond, a posterior of the paper's view is bounded and not counted, as counting would take
longer than about a second. Chosen by trial."""


@compiled
def number_classes(cells: Ints, signatures: Signatures, a: int, ids: Ints, sizes: Ints, of: Ints) -> int:
    """Number the tuples with equal signatures under one attribute set: `of` each tuple, and of each class its size."""
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
def _largest(posteriors: FloatGrid, entry: Ints, entries: int) -> float:
    """Sum over the values of each entry, and return the largest sum of any row."""
    sums = np.zeros(entries)
    worst = 0.0
    for i in range(posteriors.shape[0]):
        sums[:] = 0.0
        for v in range(posteriors.shape[1]):
            if entry[v] >= 0:
                sums[entry[v]] += posteriors[i, v]
        worst = max(worst, sums.max())
    return worst


@compiled
def _in_exact_view(
    rows: FloatGrid, sizes: Ints, counts: Ints, entry: Ints, entries: int, bound: float
) -> tuple[float, int]:
    """Return the largest posterior in the exact view, and how it is known."""
    classes, m = rows.shape
    by_value, by_class = count_states(counts, LIMIT), count_states(sizes, LIMIT)
    states = min(by_value, by_class)
    if states > CHEAP:
        sums = np.zeros(entries)
        for x in range(m):
            if entry[x] >= 0:
                sums[entry[x]] += swap_bound(rows, sizes, counts, x)
        certificate = min(1.0, sums.max())
        if certificate <= bound or states > LIMIT:
            if not is_possible(rows, sizes, counts):
                return 1.0, IMPOSSIBLE
            return certificate, CERTIFIED if certificate <= bound else UNDECIDED
    posteriors = np.zeros((classes, m))
    if not class_posteriors(rows, sizes, counts, by_value <= by_class, posteriors):
        return 1.0, IMPOSSIBLE
    return _largest(posteriors, entry, entries), EXACT


@compiled
def _in_paper_view(chances: Floats, sizes: Ints, k: int, bound: float) -> tuple[float, int]:
    """Return the largest posterior in the paper's view, and how it is known."""
    n = sizes.sum()
    if n * min(k, n) > _PRODUCTS:
        rows = np.empty((chances.shape[0], 2))
        rows[:, 0] = chances
        rows[:, 1] = 1.0 - chances
        counts = np.array([k, n - k])
        if not is_possible(rows, sizes, counts):
            return 1.0, IMPOSSIBLE
        certificate = swap_bound(rows, sizes, counts, 0)
        return certificate, CERTIFIED if certificate <= bound else UNDECIDED
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
def _exact_under(
    ids: Ints, sizes: Ints, values: Ints, counts: Ints, entry: Ints, known: Knowledge, bound: float
) -> tuple[float, int]:
    """Judge one attribute set in the exact view; 0 where all worlds are equally likely."""
    classes, m = ids.shape[0], values.shape[0]
    rows = np.empty((classes, m))
    alike = True
    for c in range(classes):
        for v in range(m):
            rows[c, v] = known.chances[ids[c], values[v]]
            alike &= rows[c, v] == rows[0, v]
    if alike:
        possible = True
        for v in range(m):
            possible &= rows[0, v] > 0.0
        if possible:  # every world is as likely as any other: the set says no more than the group alone
            return 0.0, EXACT
    return _in_exact_view(rows, sizes.copy(), counts, entry, known.entry_chances.shape[1], bound)


@compiled
def _paper_under(ids: Ints, sizes: Ints, held: Ints, known: Knowledge, bound: float) -> tuple[float, int]:
    """Judge one attribute set in the paper's view: each entry against all else."""
    classes = ids.shape[0]
    worst, status = 0.0, EXACT
    for e in range(held.shape[0]):
        if held[e] == 0 or (classes == 1 and 0.0 < known.entry_chances[ids[0], e] < 1.0):
            continue
        each = np.empty(classes)
        for c in range(classes):
            each[c] = known.entry_chances[ids[c], e]
        posterior, how = _in_paper_view(each, sizes.copy(), held[e], bound)
        worst, status = max(worst, posterior), max(status, how)
    return worst, status


@compiled
def judge(
    cells: Ints, values: Ints, counts: Ints, known: Knowledge, exact_view: bool, bound: float, hasty: bool
) -> tuple[float, int, int]:
    """Return of one group the largest posterior of a protected entry, how it is known, and the attribute set.

    `cells` are the tuples (rows of `known.signatures`), `values` and `counts` the multiset they share. With `hasty` the
    first attribute set that breaks the bound ends the search.
    """
    n, m = cells.shape[0], values.shape[0]
    entries = known.entry_chances.shape[1]
    held = np.zeros(entries, np.int64)
    entry = np.empty(m, np.int64)
    for v in range(m):
        entry[v] = known.entry_of[values[v]]
        if entry[v] >= 0:
            held[entry[v]] += counts[v]
    top = held.max() if entries else 0
    if top == 0:
        return 0.0, EXACT, GROUP_ALONE
    worst, status, where = top / n, EXACT, GROUP_ALONE
    if hasty and worst > bound:
        return worst, status, where
    ids = np.empty(n, np.int64)
    sizes = np.empty(n, np.int64)
    of = np.empty(n, np.int64)
    for a in range(known.signatures.shape[1]):
        classes = number_classes(cells, known.signatures, a, ids, sizes, of)
        if exact_view:
            posterior, how = _exact_under(ids[:classes], sizes[:classes], values, counts, entry, known, bound)
        else:
            posterior, how = _paper_under(ids[:classes], sizes[:classes], held, known, bound)
        if posterior > worst or how == IMPOSSIBLE:
            worst, where = max(worst, posterior), a
        status = max(status, how)
        if hasty and (worst > bound or status >= UNDECIDED):
            break
    return worst, status, where


@compiled
def judge_many(members: Members, known: Knowledge, exact_view: bool, bound: float) -> tuple[Floats, Ints, Ints]:
    """Judge every group: its largest posterior, how it is known, and under which attribute set."""
    groups = members.offsets.shape[0] - 1
    posterior = np.zeros(groups)
    status = np.zeros(groups, np.int64)
    where = np.full(groups, GROUP_ALONE, np.int64)
    for g in range(groups):
        low, high = members.value_offsets[g], members.value_offsets[g + 1]
        unprotected = True
        for e in range(low, high):
            unprotected &= known.entry_of[members.values[e]] < 0
        if unprotected:
            continue
        posterior[g], status[g], where[g] = judge(
            members.cells[members.offsets[g] : members.offsets[g + 1]],
            members.values[low:high],
            members.counts[low:high],
            known,
            exact_view,
            bound,
            False,
        )
    return posterior, status, where
