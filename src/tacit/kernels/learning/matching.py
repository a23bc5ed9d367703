"""Matching: inside a group, the probability that a person has a value, over all ways to deal the group's values out."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.worlds import add_endings, count_states, weigh_beginnings
from tacit.kernels.learning.arguments import Candidates, Effort

_BEFORE_COUNTING = 4
"""Rounds of scaling before worlds are counted. They bring sums near one and change no posterior; chosen by trial."""

_LOWEST = -600.0
"""The least score that is still told from an impossible value, relative to the person's best: its exponential is a
number that a few factors do not take out of range."""


@compiled
def match(laid: Candidates, entries: Floats, effort: Effort) -> tuple[Floats, Flags]:
    """Turn scores into beliefs, in place; return the log-likelihood of each group, and whether its worlds were counted.

    The likelihood is that of the group's counts if each person has a value with the exponential of her score; where
    worlds were not counted, a constant that depends on the counts alone is left out.
    """
    groups = laid.offsets.shape[0] - 1
    likelihood, counted = np.zeros(groups), np.ones(groups, np.bool_)
    for g in range(groups):
        n, m = laid.offsets[g + 1] - laid.offsets[g], laid.value_offsets[g + 1] - laid.value_offsets[g]
        block = entries[laid.starts[g] : laid.starts[g] + n * m].reshape(n, m)
        counts = laid.counts[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        likelihood[g], counted[g] = _match_group(block.copy(), counts, effort, block)
    return likelihood, counted


@compiled
def _match_group(given: FloatGrid, counts: Ints, effort: Effort, out: FloatGrid) -> tuple[float, bool]:
    n, m = given.shape
    if n == 0 or m == 0:
        return 0.0, True
    likelihood = _exponentials(given, out)
    if m == 1:
        out[:, 0] = 1.0
        return likelihood, True
    states = count_states(counts, effort.states)
    if states <= effort.states:
        weights = out.copy()
        likelihood += scale(weights, counts, _BEFORE_COUNTING, 0.0)
        total = _count_worlds(weights, counts, states, out)
        if total > 0.0:
            return likelihood + np.log(total), True
        _exponentials(given, out)
    likelihood += scale(out, counts, effort.scalings, effort.tolerance)
    return likelihood, bool((given == given[0]).all())


@compiled
def _exponentials(scores: FloatGrid, out: FloatGrid) -> float:
    """Fill exponentials of scores, the best of each row 1, and return the sum of what was taken off."""
    taken = 0.0
    for i in range(scores.shape[0]):
        top = scores[i].max()
        if top == -np.inf:
            out[i] = 1.0
            continue
        taken += top
        for v in range(scores.shape[1]):
            out[i, v] = 0.0 if scores[i, v] == -np.inf else np.exp(max(_LOWEST, scores[i, v] - top))
    return taken


@compiled
def scale(weights: FloatGrid, counts: Ints, rounds: int, tolerance: float) -> float:
    """Scale columns to their counts and rows to one, in turns; return the logarithm of what worlds were divided by."""
    n, m = weights.shape
    row_factor, column_factor, factor = np.ones(n), np.ones(m), np.ones(m)
    total = np.zeros(m)
    for i in range(n):
        for v in range(m):
            total[v] += weights[i, v]
    logs = 0.0
    for _ in range(rounds):
        worst = 0.0
        for v in range(m):
            worst = max(worst, abs(total[v] - counts[v]))
            factor[v] = counts[v] / total[v] if total[v] > 0.0 else 1.0
            column_factor[v] *= factor[v]
            total[v] = 0.0
        # One pass in the order in which weights lie: columns, the row, and the sums that the next round begins with.
        for i in range(n):
            row = 0.0
            for v in range(m):
                weights[i, v] *= factor[v]
                row += weights[i, v]
            if row > 0.0:
                row_factor[i] /= row
                for v in range(m):
                    weights[i, v] /= row
            for v in range(m):
                total[v] += weights[i, v]
        if worst <= tolerance:
            break
        # Factors are taken into the logarithm before they could leave the range of numbers.
        for v in range(m):
            if not 1e-100 < column_factor[v] < 1e100:
                logs -= counts[v] * np.log(column_factor[v])
                column_factor[v] = 1.0
        for i in range(n):
            if not 1e-100 < row_factor[i] < 1e100:
                logs -= np.log(row_factor[i])
                row_factor[i] = 1.0
    for v in range(m):
        logs -= counts[v] * np.log(column_factor[v])
    for i in range(n):
        logs -= np.log(row_factor[i])
    return logs


@compiled
def _count_worlds(weights: FloatGrid, counts: Ints, states: int, out: FloatGrid) -> float:
    """Fill the share of worlds in which a person has a value; return the weight of all worlds, 0 if there is none."""
    n, m = weights.shape
    stride = np.empty(m, np.int64)
    step = 1
    for v in range(m):
        stride[v] = step
        step *= counts[v] + 1
    forward = np.zeros(states)
    weigh_beginnings(weights, counts, stride, forward)
    total = forward[states - 1]
    if not total > 0.0:
        return 0.0
    out[:, :] = 0.0
    add_endings(weights, counts, stride, forward, out)
    for i in range(n):
        mass = 0.0
        for v in range(m):
            mass += out[i, v]
        for v in range(m):
            out[i, v] /= mass
    return total
