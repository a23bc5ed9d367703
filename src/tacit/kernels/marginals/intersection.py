"""Which sensitive values stand in the classes that a victim may be in, as sets of bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.linkage import CellCovers, may_be

__all__ = ["ClassValues", "gather", "set_bits", "sizes"]


class ClassValues(NamedTuple):
    """The classes of a marginal: class `c` shows the cells `cells[c]`, one per column, and has the values `bits[c]`."""

    cells: NDArray[np.int64]
    bits: NDArray[np.uint64]


@compiled
def set_bits(offsets: NDArray[np.int64], values: NDArray[np.int64], words: int) -> NDArray[np.uint64]:
    """Return the values of every class as bits: value `v` is bit `v % 64` of word `v // 64`."""
    bits = np.zeros((len(offsets) - 1, words), np.uint64)
    for c in range(len(offsets) - 1):
        for e in range(offsets[c], offsets[c + 1]):
            bits[c, values[e] >> 6] |= np.uint64(1) << np.uint64(values[e] & 63)
    return bits


@compiled
def gather(
    victims: NDArray[np.int64],
    classes: ClassValues,
    covers: CellCovers,
    begin: int,
    end: int,
    allowed: NDArray[np.uint64],
) -> None:
    """Unite, for the victims `begin .. end`, the values of all classes whose cells may be theirs."""
    for i in range(begin, end):
        for c in range(len(classes.cells)):
            fits = True
            for a in range(victims.shape[1]):
                if not may_be(covers, a, classes.cells[c, a], victims[i, a]):
                    fits = False
                    break
            if fits:
                for w in range(classes.bits.shape[1]):
                    allowed[i, w] |= classes.bits[c, w]


@compiled
def sizes(sets: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count the bits of every set."""
    counts = np.zeros(len(sets), np.int64)
    for i in range(len(sets)):
        for w in range(sets.shape[1]):
            word = sets[i, w]
            while word:
                word &= word - np.uint64(1)  # takes the lowest bit away
                counts[i] += 1
    return counts
