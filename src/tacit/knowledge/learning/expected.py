"""How often a reader who learns expects to be right about groups that are not published yet."""

from __future__ import annotations

import numpy as np

from tacit.knowledge.learning.candidates import candidates, some_groups
from tacit.knowledge.learning.features import Features
from tacit.knowledge.learning.reading import read
from tacit.table import Groups, Histogram, Table

_PEOPLE = 20_000
"""People in the groups that are read: enough for a figure in whole percents, and bounded work on larger tables."""
_ROUNDS = 25
"""Rounds at most, as many as the reader of an audit tries."""


def expected_right(table: Table, name: str, groups: Groups) -> float:
    """Return the mean of what a naive Bayes reader believes most, over the people of evenly spread groups.

    Examples
    --------
    >>> frame = {"sex": ["f", "m"] * 20, "ill": ["gout", "flu"] * 20}
    >>> table = Table(frame, quasi_identifiers="sex", sensitive="ill")
    >>> round(expected_right(table, "ill", Groups(np.arange(40) // 2, 20)), 1)
    0.5
    """
    codes = table.codes(name)
    laid = candidates(groups, Histogram.of(groups.ids, groups.count, codes.codes, codes.cardinality))
    step = max(1, len(laid.rows) // _PEOPLE)
    laid = some_groups(laid, np.arange(0, groups.count, step))
    reading = read(Features.of_table(table), [laid], codes.cardinality, rounds=_ROUNDS)
    distinct = np.repeat(np.diff(laid.value_offsets), np.diff(laid.offsets))
    return float(np.maximum.reduceat(reading.beliefs, np.cumsum(distinct) - distinct).mean())
