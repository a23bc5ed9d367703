"""Sets of labels as bits, 64 to a word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["count", "lowest", "meet", "popcount"]

# Masks and shifts of the well-known way to count bits: in pairs, in fours, in bytes, then all bytes at once.
_M1, _M2, _M4 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_H01 = np.uint64(0x0101010101010101)
_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@compiled(forceinline=True)
def popcount(word: np.uint64) -> int:
    """Count the bits of a word; the compiler knows this idiom and makes one instruction of it."""
    word = word - ((word >> _ONE) & _M1)
    word = (word & _M2) + ((word >> _TWO) & _M2)
    word = (word + (word >> _FOUR)) & _M4
    return np.int64((word * _H01) >> _TOP)


@compiled(forceinline=True)
def lowest(word: np.uint64) -> int:
    """Return the position of the lowest bit of a word that has one."""
    return popcount((word - _ONE) & ~word)


@compiled
def count(words: NDArray[np.uint64]) -> int:
    """Count the bits of a set."""
    total = 0
    for i in range(len(words)):
        total += popcount(words[i])
    return total


@compiled
def meet(bits: NDArray[np.uint64], items: NDArray[np.int32], full: NDArray[np.uint64], out: NDArray[np.uint64]) -> int:
    """Write the labels that have all of the items, and return how many; no item leaves all labels."""
    for k in range(len(out)):
        out[k] = full[k] if len(items) == 0 else bits[items[0], k]
    for j in range(1, len(items)):
        row = items[j]
        for k in range(len(out)):
            out[k] &= bits[row, k]
    return count(out)
