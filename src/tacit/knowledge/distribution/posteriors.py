"""Posteriors of one group, for a table of probabilities that is given outright."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from tacit.arrays import FloatGrid, Floats
from tacit.errors import ParameterError


def posteriors(chances: Any, counts: Sequence[int], *, view: Literal["full", "two-valued"] = "full") -> FloatGrid:
    """Return p(t_j : v) of every tuple and value of a group.

    Parameters
    ----------
    chances
        One row per tuple, one column per value: the probability of the value, given the tuple's signature.
    counts
        How many of the tuples have each value.
    view
        "full": every value has its own probability (equation 1). "two-valued": a value is held or not.

    Examples
    --------
    >>> posteriors([[0.1, 0.9], [0.003, 0.997]], [1, 1]).round(4).tolist()
    [[0.9736, 0.0264], [0.0264, 0.9736]]
    >>> posteriors([[0.5, 0.5], [0.5, 0.5], [0.2, 0.8], [0.2, 0.8]], [2, 2])[0, 0] * 11
    np.float64(8.0)
    """
    from tacit.kernels.distribution.beliefs import group_posteriors
    from tacit.kernels.distribution.worlds import two_valued

    rows, number = _checked(chances, counts)
    out = np.zeros(rows.shape)
    if view == "full":
        done = group_posteriors(rows, np.ones(len(rows), dtype=np.int64), number, out)
        if done == 1:
            raise ParameterError(
                f"A group of {len(rows)} tuples with {len(number)} values has too many worlds to count.",
                hint="Ask for the two-valued view, or for `swap_bounds`.",
            )
        possible = done == 0
    else:
        each = np.zeros(len(rows))
        possible = True
        for v, k in enumerate(number):
            possible &= bool(two_valued(np.ascontiguousarray(rows[:, v]), int(k), each))
            out[:, v] = each
    if not possible:
        raise ParameterError("The group has no possible world.", hint="The probabilities contradict the values.")
    return out


def swap_bounds(chances: Any, counts: Sequence[int]) -> Floats:
    """Return of every value a bound of its largest posterior in the full view, for groups of any size.

    Examples
    --------
    >>> swap_bounds([[0.1, 0.9], [0.003, 0.997]], [1, 1]).round(4).tolist()
    [0.9736, 0.9736]
    """
    from tacit.kernels.distribution.certificate import swap_bound

    rows, number = _checked(chances, counts)
    ones = np.ones(len(rows), dtype=np.int64)
    return np.array([swap_bound(rows, ones, number, v) for v in range(len(number))])


def _checked(chances: Any, counts: Sequence[int]) -> tuple[FloatGrid, Any]:
    rows = np.ascontiguousarray(chances, dtype=np.float64)
    number = np.asarray(counts, dtype=np.int64)
    if rows.ndim != 2 or rows.shape[1] != len(number) or int(number.sum()) != len(rows) or (number < 0).any():
        raise ParameterError(
            f"Probabilities of shape {rows.shape} do not fit {len(number)} values in {int(number.sum())} tuples.",
            hint="One row per tuple, one column per value; the counts sum to the number of tuples.",
        )
    return rows, number
