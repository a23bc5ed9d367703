"""No news: posteriors of a group against what was believed before, per person and value."""

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
    News,
)
from tacit.kernels.distribution.certificate import is_possible, swap_bounds
from tacit.kernels.distribution.judging import LIMIT, number_classes
from tacit.kernels.distribution.worlds import class_posteriors, count_states

_ROUNDING = 1.0 + 1e-9
"""What a comparison with a bound from the prior forgives, as that with 1/r does."""


@compiled(forceinline=True)
def most_believed(prior: float, news: News) -> float:
    """Return the largest posterior that is no news: in every tier the limit, or what the gain makes of the prior."""
    most = 1.0
    for t in range(news.limits.shape[0]):
        odds = news.gains[t] * prior
        grown = odds / (1.0 - prior + odds) * _ROUNDING if odds > 0.0 else 0.0
        most = min(most, max(news.limits[t], grown))
    return most


@compiled
def _posteriors(rows: FloatGrid, sizes: Ints, counts: Ints, out: FloatGrid) -> int:
    """Fill the posterior, or a bound of it, for every class and value; return how it is known."""
    by_value, by_class = count_states(counts, LIMIT), count_states(sizes, LIMIT)
    if min(by_value, by_class) <= LIMIT:
        return EXACT if class_posteriors(rows, sizes, counts, by_value <= by_class, out) else IMPOSSIBLE
    if not is_possible(rows, sizes, counts):
        return IMPOSSIBLE
    each = np.empty(rows.shape[0])
    for x in range(rows.shape[1]):
        swap_bounds(rows, sizes, counts, x, each)
        out[:, x] = each
    return CERTIFIED


@compiled
def _is_covered(signature: int, values: Ints, known: Knowledge, cover: float) -> bool:
    """Ask whether every protected value that is likelier than `cover` is among the values of the group."""
    for v in range(known.chances.shape[1]):
        if known.entry_of[v] >= 0 and known.chances[signature, v] > cover:
            there = False
            for w in values:
                there |= w == v
            if not there:
                return False
    return True


@compiled
def judge_news(cells: Ints, values: Ints, counts: Ints, known: Knowledge, news: News) -> tuple[float, int, int, Floats]:
    """Judge one group under every attribute set.

    Return how far the worst posterior is beyond what is no news (above 1: it is news), how it is known, the attribute
    set, and two figures: the largest posterior that the prior does not excuse, and the largest growth of odds among the
    others that exceed the first limit.
    """
    n, m = cells.shape[0], values.shape[0]
    entries = known.entry_chances.shape[1]
    worst, status, where = 0.0, EXACT, GROUP_ALONE
    figures = np.zeros(2)
    ids, sizes, of = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    sums = np.empty(entries)
    for a in range(known.signatures.shape[1]):
        classes = number_classes(cells, known.signatures, a, ids, sizes, of)
        rows, posteriors = np.empty((classes, m)), np.zeros((classes, m))
        for c in range(classes):
            for v in range(m):
                rows[c, v] = known.chances[ids[c], values[v]]
        how = _posteriors(rows, sizes[:classes].copy(), counts, posteriors)
        if how == IMPOSSIBLE:
            return np.inf, IMPOSSIBLE, a, figures
        beyond = 0.0
        for c in range(classes):
            sums[:] = 0.0
            for v in range(m):
                if known.entry_of[values[v]] >= 0:
                    sums[known.entry_of[values[v]]] += posteriors[c, v]
            for e in range(entries):
                if sums[e] <= 0.0:
                    continue
                posterior, prior = min(1.0, sums[e]), known.entry_chances[ids[c], e]
                most = most_believed(prior, news)
                beyond = max(beyond, posterior / most)
                if most <= news.limits[0]:
                    figures[0] = max(figures[0], posterior)
                elif posterior > news.limits[0]:
                    odds = prior * max(1.0 - posterior, 1e-300)
                    figures[1] = max(figures[1], posterior * (1.0 - prior) / odds if odds > 0.0 else np.inf)
            if news.cover < 1.0 and not _is_covered(ids[c], values, known, news.cover):
                beyond = np.inf
        if beyond > worst:
            worst, where = beyond, a
        if how == CERTIFIED and beyond > 1.0:
            how = UNDECIDED
        status = max(status, how)
    return worst, status, where, figures


@compiled
def judge_news_of_many(members: Members, known: Knowledge, news: News) -> tuple[Floats, Ints, Ints, FloatGrid]:
    """Judge every group with a protected value, as `judge_news` does."""
    groups = members.offsets.shape[0] - 1
    beyond, status = np.zeros(groups), np.zeros(groups, np.int64)
    where, figures = np.full(groups, GROUP_ALONE, np.int64), np.zeros((groups, 2))
    for g in range(groups):
        low, high = members.value_offsets[g], members.value_offsets[g + 1]
        unprotected = True
        for e in range(low, high):
            unprotected &= known.entry_of[members.values[e]] < 0
        if unprotected and news.cover > 1.0:
            continue
        cells = members.cells[members.offsets[g] : members.offsets[g + 1]]
        beyond[g], status[g], where[g], figures[g] = judge_news(
            cells, members.values[low:high], members.counts[low:high], known, news
        )
    return beyond, status, where, figures
