"""Gains: of whom does the adversary learn more than she knew before, and how much."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import GROUP_ALONE, Members, Signatures
from tacit.kernels.distribution.judging import LIMIT, number_classes
from tacit.kernels.distribution.worlds import class_posteriors, count_states

_ROUNDS = 50
"""Rounds of scaling where worlds cannot be counted. More rounds bring the guess nearer to its limit; groups of Mondrian
change by less than a thousandth after thirty."""

_ROUNDING = 1.0 + 1e-9
"""What a comparison with a bound forgives, as that of r-robustness does."""


@compiled
def _guess(rows: FloatGrid, sizes: Ints, counts: Ints, out: FloatGrid) -> None:
    """Fill about the posterior: shares of each class and value that add up, by classes and by values."""
    classes, m = rows.shape
    for c in range(classes):
        for v in range(m):
            out[c, v] = rows[c, v]
    for _ in range(_ROUNDS):
        for v in range(m):
            total = 0.0
            for c in range(classes):
                total += sizes[c] * out[c, v]
            for c in range(classes):
                out[c, v] *= counts[v] / total if total > 0.0 else 0.0
        for c in range(classes):
            total = 0.0
            for v in range(m):
                total += out[c, v]
            for v in range(m):
                out[c, v] /= total if total > 0.0 else 1.0


@compiled
def gains(
    members: Members, signatures: Signatures, chances: FloatGrid, limit: float, gain: float
) -> tuple[Floats, Floats, Ints, Flags]:
    """Find, per tuple, the surest news over all attribute sets and values.

    News is a posterior above the limit whose odds are more than `gain` times those before, by the same distribution and
    attribute set. Return the posterior (0: no news), what was believed before, the set, and if worlds were counted.
    """
    people = members.cells.shape[0]
    posterior, before = np.zeros(people), np.zeros(people)
    where, counted = np.full(people, GROUP_ALONE, np.int64), np.ones(people, np.bool_)
    for g in range(members.offsets.shape[0] - 1):
        begin, end = members.offsets[g], members.offsets[g + 1]
        values = members.values[members.value_offsets[g] : members.value_offsets[g + 1]]
        counts = members.counts[members.value_offsets[g] : members.value_offsets[g + 1]]
        n, m = end - begin, values.shape[0]
        ids, sizes, of = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
        by_value = count_states(counts, LIMIT)
        for a in range(signatures.shape[1]):
            classes = number_classes(members.cells[begin:end], signatures, a, ids, sizes, of)
            rows, shares = np.empty((classes, m)), np.zeros((classes, m))
            for c in range(classes):
                for v in range(m):
                    rows[c, v] = chances[ids[c], values[v]]
            by_class = count_states(sizes[:classes], LIMIT)
            if min(by_value, by_class) > LIMIT:
                for i in range(begin, end):
                    counted[i] = False
                _guess(rows, sizes, counts, shares)
            elif not class_posteriors(rows, sizes[:classes].copy(), counts, by_value <= by_class, shares):
                continue  # the attribute set contradicts the release: it tells nothing
            for i in range(n):
                c = of[i]
                for v in range(m):
                    prior, now = chances[ids[c], values[v]], shares[c, v]
                    grown = now * (1.0 - prior) > gain * prior * (1.0 - now) * _ROUNDING
                    if now > limit * _ROUNDING and grown and now > posterior[begin + i] * _ROUNDING:
                        posterior[begin + i], before[begin + i], where[begin + i] = now, prior, a
    return posterior, before, where, counted
