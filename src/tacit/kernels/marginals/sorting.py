"""A stable sort of the tuples of one list by a key: small, because lists are, and quick to compile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["sort_by"]

_RUN = 16
"""Tuples that are sorted by insertion before runs are merged. Insertion takes the square of it, but a list that short
needs no second array. Chosen by trial; no measurement of other lengths was kept."""


@compiled
def sort_by(keys: NDArray[np.int64], lists: NDArray[np.int64], v: int, begin: int, size: int) -> None:
    """Sort `lists[v, begin:begin + size]` by `keys[:size]`, which are sorted with them: short runs, then merges."""
    for run in range(0, size, _RUN):
        for i in range(run + 1, min(size, run + _RUN)):
            key, row, j = keys[i], lists[v, begin + i], i
            while j > run and keys[j - 1] > key:
                keys[j], lists[v, begin + j] = keys[j - 1], lists[v, begin + j - 1]
                j -= 1
            keys[j], lists[v, begin + j] = key, row
    if size <= _RUN:
        return
    other_keys, other_rows = np.empty(size, np.int64), np.empty(size, np.int64)
    length = _RUN
    while length < size:
        for left in range(0, size, 2 * length):
            middle, right = min(size, left + length), min(size, left + 2 * length)
            i, j = left, middle
            for to in range(left, right):
                if i < middle and (j >= right or keys[i] <= keys[j]):
                    other_keys[to], other_rows[to] = keys[i], lists[v, begin + i]
                    i += 1
                else:
                    other_keys[to], other_rows[to] = keys[j], lists[v, begin + j]
                    j += 1
        for i in range(size):
            keys[i], lists[v, begin + i] = other_keys[i], other_rows[i]
        length *= 2
