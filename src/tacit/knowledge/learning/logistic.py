"""Logistic regression: every quasi-identifier has a weight for every value, and all weights are fitted together."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints, offsets_of
from tacit.kernels.learning.arguments import Candidates, LogLinear
from tacit.knowledge.learning.features import Features
from tacit.table import Groups

_RIDGE = 1.0
"""What half the sum of squared weights is multiplied by; the specification's."""

_STEPS = 100
"""Steps of the minimization. After so many on real tables the weights no longer change the third digit of a
probability; more take longer."""

_PRECISION = 1e-7
"""The relative fall of the loss at which the minimization ends: below it a probability changes in the fourth digit."""

_MOST_CELLS = 50_000
"""Kinds of people (equal codes in every column) that weights are fitted to. Above it every kind with a number in
regular distance is taken, so that the time stays bounded."""


def fit_logistic(
    features: Features, laid: Candidates, beliefs: Floats, values: int, known: LogLinear | None = None
) -> LogLinear:
    """Fit multinomial logistic regression with a ridge of 1 by L-BFGS, from what is believed of people.

    The search begins with the weights that are `known`, if these are of plain codes.
    """
    from scipy.optimize import minimize

    cells, weights = _by_cell(features, laid, beliefs, values)
    wide = _design(features, cells)
    shape = (wide.shape[1] + 1, values)
    mass = weights.sum(axis=1, keepdims=True)

    def loss(flat: Floats) -> tuple[float, Floats]:
        parameters = flat.reshape(shape)
        scores = wide @ parameters[:-1] + parameters[-1]
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        sums = chances.sum(axis=1, keepdims=True)
        residual = mass * chances / sums - weights
        value = float((mass * np.log(sums)).sum() - (weights * scores).sum())
        value += 0.5 * _RIDGE * float((parameters[:-1] ** 2).sum())
        gradient = np.vstack([wide.T @ residual + _RIDGE * parameters[:-1], residual.sum(axis=0, keepdims=True)])
        return value, gradient.ravel()

    begin = np.zeros(shape)
    totals = weights.sum(axis=0)
    begin[-1] = np.log((totals + 0.5) / (totals.sum() + 0.5 * values))
    if known is not None and not features.spreads:
        begin[:-1], begin[-1] = known.table, known.bias
    found = minimize(loss, begin.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS, "ftol": _PRECISION})
    parameters = found.x.reshape(shape)
    plain = offsets_of(_widths(features))
    parts = [parameters[plain[column] : plain[column + 1]] for column in range(len(features.sizes))]
    parts = [part if (spread := features.spreads.get(at)) is None else spread @ part for at, part in enumerate(parts)]
    table = np.ascontiguousarray(np.concatenate([np.zeros((0, values)), *parts]))
    return LogLinear(features.starts, table, np.array(parameters[-1]))


def _widths(features: Features) -> list[int]:
    """Return how many plain codes each column has."""
    return [features.spreads[a].shape[1] if a in features.spreads else size for a, size in enumerate(features.sizes)]


def _by_cell(features: Features, laid: Candidates, beliefs: Floats, values: int) -> tuple[Ints, FloatGrid]:
    """Put people with equal codes together: return a row of `features` of each kind, and its believed values."""
    from tacit.kernels.learning.scoring import weigh

    codes = [features.codes[:, a].astype(np.int64) + 1 for a in range(len(features.sizes))]
    kinds = Groups.of(codes, [size + 1 for size in features.sizes], rows=features.people)
    number, first = kinds.ids, kinds.first()
    if kinds.count > _MOST_CELLS:
        chosen = np.linspace(0, kinds.count - 1, _MOST_CELLS).astype(np.int64)
        number = np.full(kinds.count, -1, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        number, first = number[kinds.ids], first[chosen]
    weights = np.zeros((len(first), values))
    cell = np.ascontiguousarray(number[:, None], dtype=np.int32)
    weigh(cell, np.zeros(1, np.int64), laid, beliefs, weights, np.zeros(values))
    used = weights.sum(axis=1) > 0.0
    return first[used], weights[used]


def _design(features: Features, rows: Ints) -> Any:
    """Write codes as ones in a sparse matrix; a blurred cell as the shares of what it may be."""
    from scipy.sparse import coo_matrix, csr_matrix, hstack

    parts = []
    for column, size in enumerate(features.sizes):
        codes = features.codes[rows, column]
        known = np.flatnonzero(codes >= 0)
        one = coo_matrix((np.ones(len(known)), (known, codes[known])), shape=(len(rows), size)).tocsr()
        spread = features.spreads.get(column)
        parts.append(one if spread is None else one @ csr_matrix(spread))
    return hstack(parts).tocsr() if parts else csr_matrix((len(rows), 0))
