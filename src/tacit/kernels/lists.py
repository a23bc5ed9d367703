"""Equal lists get equal numbers: the sets of values of groups, compared exactly and looked up by a hash."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["number_lists"]

# The constants of the FNV hash.
_PRIME = np.uint64(0x100000001B3)
_BASIS = np.uint64(0xCBF29CE484222325)


@compiled
def number_lists(offsets: NDArray[np.int64], values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the lists `values[offsets[i]:offsets[i + 1]]` in order of appearance; return also the first list of each.

    Examples
    --------
    >>> number_lists(np.array([0, 2, 3, 5]), np.array([4, 7, 4, 4, 7]))
    (array([0, 1, 0]), array([0, 1]))
    """
    n = len(offsets) - 1
    bits = 4
    while (1 << bits) < 2 * n:
        bits += 1
    slots = np.full(1 << bits, -1, np.int64)
    first = np.empty(n, np.int64)
    numbers = np.empty(n, np.int64)
    different = 0
    for i in range(n):
        key = _BASIS
        for j in range(offsets[i], offsets[i + 1]):
            key = (key ^ np.uint64(values[j])) * _PRIME
            key ^= key >> np.uint64(29)
        at = np.int64(key & np.uint64((1 << bits) - 1))
        while True:
            known = slots[at]
            if known < 0:
                slots[at] = different
                first[different] = i
                numbers[i] = different
                different += 1
                break
            other = first[known]
            length = offsets[i + 1] - offsets[i]
            same = offsets[other + 1] - offsets[other] == length
            for j in range(length):
                if not same:
                    break
                same = values[offsets[i] + j] == values[offsets[other] + j]
            if same:
                numbers[i] = known
                break
            at = (at + 1) & ((1 << bits) - 1)
    return numbers, first[:different].copy()
