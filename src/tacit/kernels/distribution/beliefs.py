"""What the adversary believes of every tuple: the largest posterior over attribute sets, and of which value."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import EXACT, GROUP_ALONE, IMPOSSIBLE, UNDECIDED, Knowledge, Members
from tacit.kernels.distribution.judging import LIMIT, number_classes
from tacit.kernels.distribution.worlds import class_posteriors, count_states, two_valued

_SURER = 1.0 + 1e-12
"""A factor. A posterior replaces another only if it exceeds it by more than rounding: then the smaller attribute set,
which comes first, is named."""


@compiled
def group_posteriors(rows: FloatGrid, sizes: Ints, counts: Ints, out: FloatGrid) -> int:
    """Fill p(class : value) in the exact view; say EXACT, UNDECIDED (too many worlds) or IMPOSSIBLE (no world)."""
    by_value, by_class = count_states(counts, LIMIT), count_states(sizes, LIMIT)
    if min(by_value, by_class) > LIMIT:
        return UNDECIDED
    return EXACT if class_posteriors(rows, sizes, counts, by_value <= by_class, out) else IMPOSSIBLE


@compiled
def _entries_in(values: Ints, counts: Ints, entry_of: Ints, entries: int) -> tuple[Ints, Ints]:
    """Return, per entry, how many of a group hold it, and the first value of it in the group (-1 for none)."""
    holds, first = np.zeros(entries, np.int64), np.full(entries, -1, np.int64)
    for v in range(values.shape[0]):
        entry = entry_of[values[v]]
        if entry >= 0:
            holds[entry] += counts[v]
            if first[entry] < 0:
                first[entry] = values[v]
    return holds, first


@compiled
def _by_exact_view(ids: Ints, sizes: Ints, values: Ints, counts: Ints, known: Knowledge, out: FloatGrid) -> int:
    """Add to `out` the posterior of each class and entry; say how it is known, as `group_posteriors` does."""
    classes, m = ids.shape[0], values.shape[0]
    rows, posterior = np.empty((classes, m)), np.zeros((classes, m))
    for c in range(classes):
        for v in range(m):
            rows[c, v] = known.chances[ids[c], values[v]]
    status = group_posteriors(rows, sizes.copy(), counts, posterior)
    if status == EXACT:
        for c in range(classes):
            for v in range(m):
                entry = known.entry_of[values[v]]
                if entry >= 0:
                    out[c, entry] += posterior[c, v]
    return status


@compiled
def _by_paper_view(ids: Ints, of: Ints, holds: Ints, known: Knowledge, out: FloatGrid) -> None:
    """Fill the posterior of each class and entry; entries that contradict the group keep 0."""
    n = of.shape[0]
    each, posterior = np.empty(n), np.empty(n)
    for e in range(holds.shape[0]):
        if holds[e] == 0:
            continue
        for i in range(n):
            each[i] = known.entry_chances[ids[of[i]], e]
        if two_valued(each, holds[e], posterior):
            for i in range(n):
                out[of[i], e] = posterior[i]


@compiled
def believe(members: Members, known: Knowledge, exact_view: bool) -> tuple[Floats, Ints, Ints, Flags]:
    """Return per tuple the largest posterior of an entry, its likeliest value, the attribute set, and whether exact.

    Where the exact view has too many worlds, the posterior of the paper's view stands in and is marked. An attribute
    set under which the group has no possible world contradicts the release and is passed over.
    """
    people = members.cells.shape[0]
    best = np.zeros(people)
    value = np.full(people, -1, np.int64)
    where = np.full(people, GROUP_ALONE, np.int64)
    exact = np.ones(people, np.bool_)
    entries = known.entry_chances.shape[1]
    for g in range(members.offsets.shape[0] - 1):
        begin, end = members.offsets[g], members.offsets[g + 1]
        cells = members.cells[begin:end]
        values = members.values[members.value_offsets[g] : members.value_offsets[g + 1]]
        counts = members.counts[members.value_offsets[g] : members.value_offsets[g + 1]]
        n = end - begin
        holds, first = _entries_in(values, counts, known.entry_of, entries)
        if n == 0 or entries == 0 or holds.max() == 0:
            continue
        ids, sizes, of = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64)
        alone = np.empty((1, entries))
        for e in range(entries):
            alone[0, e] = holds[e] / n
        _raise(alone, of, first, GROUP_ALONE, best[begin:end], value[begin:end], where[begin:end])
        for a in range(known.signatures.shape[1]):
            classes = number_classes(cells, known.signatures, a, ids, sizes, of)
            if classes == 1:
                continue
            out = np.zeros((classes, entries))
            status = UNDECIDED
            if exact_view:
                status = _by_exact_view(ids[:classes], sizes[:classes], values, counts, known, out)
                if status == IMPOSSIBLE:
                    continue
                if status == UNDECIDED:
                    exact[begin:end] = False
            if status == UNDECIDED:
                _by_paper_view(ids, of, holds, known, out)
            _raise(out, of, first, a, best[begin:end], value[begin:end], where[begin:end])
    return best, value, where, exact


@compiled
def _raise(posteriors: FloatGrid, of: Ints, first: Ints, a: int, best: Floats, value: Ints, where: Ints) -> None:
    """Replace what was believed of each tuple where this attribute set makes her surer of an entry."""
    for i in range(of.shape[0]):
        for e in range(posteriors.shape[1]):
            if posteriors[of[i], e] > best[i] * _SURER:
                best[i] = posteriors[of[i], e]
                value[i] = first[e]
                where[i] = a
