"""Recognition: what was noted last of people who are known by hashes of two words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["noted_last"]

_PLACES = 2
"""Places of the table per person, rounded up to a power of two: with fewer, more people are tried who are others."""


@compiled
def _place(table: NDArray[np.int64], asked: NDArray[np.uint64], low: np.uint64, high: np.uint64) -> int:
    """Return the place of the table where somebody stands, or the empty one where she would stand."""
    last = len(table) - 1
    at = np.int64(low & np.uint64(last))  # hashes are spread evenly, so their lowest bits are a place
    while table[at] >= 0 and (asked[table[at], 0] != low or asked[table[at], 1] != high):
        at = (at + 1) & last
    return int(at)


@compiled
def noted_last(
    asked: NDArray[np.uint64], noted: NDArray[np.uint64], what: NDArray[np.int32], unknown: int
) -> NDArray[np.int64]:
    """Return what was noted last of each person asked about; `unknown` of whom nothing was.

    The table holds those who are asked about, so its size does not depend on how many were ever noted.

    Examples
    --------
    >>> asked = np.array([[1, 1], [2, 1], [1, 1]], np.uint64)
    >>> noted_last(asked, np.array([[1, 1], [3, 1], [1, 1]], np.uint64), np.array([5, 6, 7], np.int32), -1).tolist()
    [7, -1, 7]
    """
    size = 2
    while size < _PLACES * len(asked):
        size *= 2
    table, person = np.full(size, -1, np.int64), np.empty(len(asked), np.int64)
    for i in range(len(asked)):
        at = _place(table, asked, asked[i, 0], asked[i, 1])
        if table[at] < 0:
            table[at] = i
        person[i] = table[at]
    found = np.full(len(asked), unknown, np.int64)
    for k in range(len(noted)):
        at = _place(table, asked, noted[k, 0], noted[k, 1])
        if table[at] >= 0:
            found[table[at]] = what[k]
    for i in range(len(asked)):
        found[i] = found[person[i]]
    return found
