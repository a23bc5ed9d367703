"""Sorting by counting: rows in the order of whole numbers that are not much more than there are rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["counted_order"]


@compiled
def counted_order(
    key: NDArray[np.int64], keys: int, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows from the least key to the greatest, equal ones as they came, and where each key begins.

    Keys are below `keys`. A row with a key below 0 is left out.

    Examples
    --------
    >>> order, start = counted_order(np.array([2, 0, -1, 2]), 3, np.arange(4)[::-1].copy())
    >>> order.tolist(), start.tolist()
    ([1, 3, 0], [0, 1, 1, 3])
    """
    start = np.zeros(keys + 1, np.int64)
    for row in rows:
        if key[row] >= 0:
            start[key[row] + 1] += 1
    for k in range(keys):
        start[k + 1] += start[k]
    at = start.copy()
    order = np.empty(start[keys], np.int64)
    for row in rows:
        if key[row] >= 0:
            order[at[key[row]]] = row
            at[key[row]] += 1
    return order, start
