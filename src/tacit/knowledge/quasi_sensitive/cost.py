"""The cost of removed items: the first of a row of w costs 1/w, the next 1/(w - 1), the last 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.arrays import Floats


def harmonic(sizes: np.ndarray[Any, Any]) -> Floats:
    """Return 1 + 1/2 + ... + 1/w of each size w: what it costs to remove all of a row's items.

    Examples
    --------
    >>> harmonic(np.array([0, 1, 2])).tolist()
    [0.0, 1.0, 1.5]
    """
    most = int(sizes.max(initial=0))
    sums = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, most + 1))])
    return np.asarray(sums[sizes], dtype=np.float64)


def removal_cost(before: np.ndarray[Any, Any], after: np.ndarray[Any, Any]) -> float:
    """Return T: the cost of what was removed over the cost of everything, from the numbers of items before and after.

    The two need not be aligned: only sums matter. A row that is not there any more has lost everything.

    Examples
    --------
    >>> removal_cost(np.array([2]), np.array([1])) == (1 / 2) / (1 + 1 / 2)
    True
    >>> removal_cost(np.array([0]), np.array([0]))
    0.0
    """
    whole = float(harmonic(before).sum())
    return max(0.0, whole - float(harmonic(after).sum())) / whole if whole else 0.0
