"""A set of known sets: bit masks in an open hash table that grows; -1 is a free slot."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@compiled
def _place(keys, key):  # type: ignore[no-untyped-def]
    mask = keys.shape[0] - 1
    at = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(20)) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


@compiled
def add_to_set(keys, used, key):  # type: ignore[no-untyped-def]
    """Put in one known set; returns the table, which may have grown, and how many are in it."""
    if 2 * used >= keys.shape[0]:
        wider = np.full(4 * keys.shape[0], np.int64(-1))
        for k in range(keys.shape[0]):
            if keys[k] != -1:
                wider[_place(wider, keys[k])] = keys[k]
        keys = wider
    at = _place(keys, key)
    if keys[at] == -1:
        keys[at] = key
        used += 1
    return keys, used
