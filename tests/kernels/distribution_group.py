"""The kernels of one group, for a table of probabilities that is given outright."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from tacit.kernels.distribution.arguments import IMPOSSIBLE, UNDECIDED
from tacit.kernels.distribution.beliefs import group_posteriors
from tacit.kernels.distribution.certificate import swap_bound
from tacit.kernels.distribution.worlds import two_valued


def posteriors(chances: Any, counts: Sequence[int], *, view: Literal["exact", "paper"] = "exact") -> Any:
    """Return p(t_j : v) of every tuple and value of a group; None if no world is possible.

    `chances` has one row per tuple and one column per value; `counts` says how many of the tuples have each value.
    """
    rows, number = np.ascontiguousarray(chances, dtype=np.float64), np.asarray(counts, dtype=np.int64)
    out = np.zeros(rows.shape)
    if view == "exact":
        status = group_posteriors(rows, np.ones(len(rows), dtype=np.int64), number, out)
        assert status != UNDECIDED, "too many worlds to count"
        return None if status == IMPOSSIBLE else out
    each, possible = np.zeros(len(rows)), True
    for v, k in enumerate(number):
        possible &= bool(two_valued(np.ascontiguousarray(rows[:, v]), int(k), each))
        out[:, v] = each
    return out if possible else None


def swap_bounds(chances: Any, counts: Sequence[int]) -> Any:
    """Return of every value a bound of its largest posterior in the exact view, for groups of any size."""
    rows, number = np.ascontiguousarray(chances, dtype=np.float64), np.asarray(counts, dtype=np.int64)
    ones = np.ones(len(rows), dtype=np.int64)
    return np.array([swap_bound(rows, ones, number, v) for v in range(len(number))])
