"""Sums per known set, in an open hash table that grows: key -1 is a free slot."""

from __future__ import annotations

import numpy as np
from numba import njit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def _place(keys, key):  # type: ignore[no-untyped-def]
    mask = keys.shape[0] - 1
    at = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(20)) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


@njit(cache=True, nogil=True)
def add_to_set(keys, sums, used, key, value):  # type: ignore[no-untyped-def]
    """Add to the sum of one known set; returns the table, which may have grown."""
    if 2 * used >= keys.shape[0]:
        wider, wider_sums = np.full(4 * keys.shape[0], np.int64(-1)), np.zeros(4 * keys.shape[0])
        for k in range(keys.shape[0]):
            if keys[k] != -1:
                at = _place(wider, keys[k])
                wider[at], wider_sums[at] = keys[k], sums[k]
        keys, sums = wider, wider_sums
    at = _place(keys, key)
    if keys[at] == -1:
        keys[at] = key
        used += 1
    sums[at] += value
    return keys, sums, used
