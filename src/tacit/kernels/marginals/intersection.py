"""Which sensitive values stand in the classes that a victim may be in, as sets of bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.linkage import CellCovers, may_be

__all__ = ["ClassValues", "gather", "locate", "set_bits", "sizes"]


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


@compiled
def locate(
    victims: NDArray[np.int64],
    cells: NDArray[np.int64],
    group: NDArray[np.int64],
    covers: CellCovers,
    begin: int,
    end: int,
    found: NDArray[np.int64],
) -> None:
    """Find, for the victims `begin .. end`, the one group whose cells may be theirs: -1 for none, -2 for several.

    Class `c` shows the cells `cells[c]` and belongs to the group `group[c]`.
    """
    for i in range(begin, end):
        mine = -1
        for c in range(len(cells)):
            if mine == group[c]:
                continue
            fits = True
            for a in range(victims.shape[1]):
                if not may_be(covers, a, cells[c, a], victims[i, a]):
                    fits = False
                    break
            if fits:
                if mine >= 0:
                    mine = -2
                    break
                mine = group[c]
        found[i] = mine
