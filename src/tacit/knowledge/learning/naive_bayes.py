"""Naive Bayes: given the value, every quasi-identifier tells independently of the others."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Floats
from tacit.kernels.learning.arguments import Candidates, LogLinear
from tacit.knowledge.learning.features import Features


def fit_naive_bayes(
    features: Features, laid: Candidates, beliefs: Floats, values: int, smoothing: float = 0.5
) -> LogLinear:
    """Count p(v) and p(x_a | v) from beliefs, with `smoothing` people added to every value of every column.

    A blurred cell is counted for the codes that it may be, evenly; its own probability is the mean of theirs.
    """
    from tacit.kernels.learning.scoring import weigh

    starts = features.starts
    table, totals = np.zeros((starts[-1], values)), np.zeros(values)
    weigh(features.codes, starts, laid, beliefs, table, totals)
    bias = np.log((totals + smoothing) / (totals.sum() + smoothing * values))
    for column in range(len(features.sizes)):
        part = table[starts[column] : starts[column + 1]]
        spread = features.spreads.get(column)
        counts = part if spread is None else spread.T @ part
        chances = (counts + smoothing) / (counts.sum(axis=0) + smoothing * len(counts))
        part[:] = np.log(chances if spread is None else spread @ chances)
    return LogLinear(starts, table, bias)
