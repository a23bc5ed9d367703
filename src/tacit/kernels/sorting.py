"""Sorting: the order of some numbers, equal ones as they came.

NumPy's `argsort` can be compiled too; but it takes three times as long to compile as this, in every kernel that sorts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.arrays import Ints
from tacit.kernels.compiling import compiled

_RUN = 16
"""Keys that are sorted by insertion, before runs of them are merged; chosen by trial."""


@compiled
def stable_order(keys: np.ndarray[tuple[int], np.dtype[Any]]) -> Ints:
    """Return the places of the keys from the least to the greatest, equal ones in their order; none may be NaN.

    Examples
    --------
    >>> stable_order(np.array([3, 1, 2, 1])).tolist()
    [1, 3, 2, 0]
    """
    n = keys.shape[0]
    order, merged = np.empty(n, np.int64), np.empty(n, np.int64)
    for begin in range(0, n, _RUN):
        for i in range(begin, min(begin + _RUN, n)):
            to = i
            while to > begin and keys[order[to - 1]] > keys[i]:
                order[to] = order[to - 1]
                to -= 1
            order[to] = i
    width = _RUN
    while width < n:
        for begin in range(0, n, 2 * width):
            middle, end = min(begin + width, n), min(begin + 2 * width, n)
            left, right = begin, middle
            for to in range(begin, end):
                if left < middle and (right == end or keys[order[left]] <= keys[order[right]]):
                    merged[to] = order[left]
                    left += 1
                else:
                    merged[to] = order[right]
                    right += 1
        order, merged = merged, order
        width *= 2
    return order
