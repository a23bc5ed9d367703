"""A set of known sets: bit masks in an open hash table that grows; -1 is a free slot."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Ints
from tacit.kernels.compiling import compiled

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: multiplying by it spreads neighbouring masks over the table (Knuth)."""
_SHIFT = np.uint64(20)
"""Bits that are dropped after the multiplication, because the low ones depend on few bits of the mask. 44 are left,
more than any table needs."""


@compiled
def _place(keys: Ints, key: int) -> int:
    """Return where a known set is, or where it is to be put."""
    mask = keys.shape[0] - 1
    at = np.int64((np.uint64(key) * _GOLDEN) >> _SHIFT) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


@compiled
def add_to_set(keys: Ints, used: int, key: int) -> tuple[Ints, int]:
    """Put in one known set; returns the table, which may have grown, and how many are in it."""
    # At most half full: a search then passes over few other sets.
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
