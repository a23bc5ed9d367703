"""Scores and counts of a reader who learns equal sums that are written out, whichever values a group has."""

import numpy as np
import pytest

from tacit.kernels.learning.arguments import Candidates, LogLinear
from tacit.kernels.learning.scoring import score, score_all, weigh


def some_groups(rng, *, values, held, columns):
    """Six groups of five people each, with `held` of the values each; some codes are not known."""
    chosen = np.concatenate([np.sort(rng.choice(values, held, replace=False)) for _ in range(6)])
    sizes = np.full(6, 5)
    offsets, value_offsets = np.arange(7) * 5, np.arange(7) * held
    starts = np.concatenate([[0], np.cumsum(sizes * held)])
    laid = Candidates(offsets, rng.permutation(30), value_offsets, chosen, np.ones(len(chosen), np.int64), starts)
    return laid, rng.integers(-1, 4, (30, columns)).astype(np.int32)


def entries(laid):
    """Say of every entry whose it is and which value it is about, in the order of the entries."""
    for group in range(len(laid.offsets) - 1):
        for place in range(laid.offsets[group], laid.offsets[group + 1]):
            for at in range(laid.value_offsets[group], laid.value_offsets[group + 1]):
                yield int(laid.rows[place]), int(laid.values[at])


@pytest.mark.parametrize(("values", "held"), [(3, 3), (7, 2), (40, 3), (9, 1)])
@pytest.mark.parametrize("columns", [0, 1, 3, 4, 6, 9])
def test_scores_are_sums_over_columns_and_counts_are_sums_over_people(values, held, columns):
    rng = np.random.default_rng(values + columns)
    laid, codes = some_groups(rng, values=values, held=held, columns=columns)
    starts = np.arange(columns + 1) * 4
    model = LogLinear(starts, rng.normal(size=(4 * columns, values)), rng.normal(size=values))
    scores, every = np.empty(laid.starts[-1]), np.empty((30, values))
    score(codes, model, laid, scores)
    score_all(codes, np.arange(30), model, every)

    def by_hand(row, value):
        total = model.bias[value]
        for column in range(columns):
            if codes[row, column] >= 0:
                total += model.table[starts[column] + codes[row, column], value]
        return total

    assert scores.tolist() == [by_hand(row, value) for row, value in entries(laid)]
    assert every.tolist() == [[by_hand(row, value) for value in range(values)] for row in range(30)]

    beliefs = rng.random(laid.starts[-1])
    table, totals = np.zeros((4 * columns, values)), np.zeros(values)
    weigh(codes, starts, laid, beliefs, table, totals)
    expected, whole = np.zeros((4 * columns, values)), np.zeros(values)
    for belief, (row, value) in zip(beliefs, entries(laid), strict=True):
        whole[value] += belief
        for column in range(columns):
            if codes[row, column] >= 0:
                expected[starts[column] + codes[row, column], value] += belief
    assert table.tolist() == expected.tolist()
    assert totals.tolist() == whole.tolist()
