"""Group numbers of rows with equal keys, by an open hash table that grows with the number of distinct keys."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: spreads neighbouring keys


@compiled
def _slot(key: int, shift: int) -> int:
    return np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(shift))


@compiled
def _free(bits: int) -> NDArray[np.int64]:
    """Return a table of free slots. `np.full` would take a second to compile, for its errors."""
    table = np.empty(1 << bits, np.int64)
    table[:] = -1
    return table


@compiled
def number_keys(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number equal keys alike, in order of appearance; return the numbers and the distinct keys."""
    n = keys.shape[0]
    ids = np.empty(n, np.int64)
    bits = 10
    table = _free(bits)
    distinct = np.empty(1 << (bits - 1), keys.dtype)
    numbered = 0
    for i in range(n):
        key = keys[i]
        mask = (1 << bits) - 1
        at = _slot(key, 64 - bits)
        while table[at] >= 0 and distinct[table[at]] != key:
            at = (at + 1) & mask
        if table[at] < 0:
            if numbered == distinct.shape[0]:
                bits += 2
                mask = (1 << bits) - 1
                bigger = np.empty(1 << (bits - 1), keys.dtype)
                for j in range(numbered):
                    bigger[j] = distinct[j]
                distinct = bigger
                table = _free(bits)
                for j in range(numbered):
                    other = _slot(distinct[j], 64 - bits)
                    while table[other] >= 0:
                        other = (other + 1) & mask
                    table[other] = j
                at = _slot(key, 64 - bits)
                while table[at] >= 0:
                    at = (at + 1) & mask
            table[at] = numbered
            distinct[numbered] = key
            numbered += 1
        ids[i] = table[at]
    return ids, distinct[:numbered].copy()
