"""Which sensitive values stand in the classes that a victim may be in, as sets of bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["gather", "set_bits", "sizes"]


@compiled
def set_bits(offsets: NDArray[np.int64], values: NDArray[np.int64], words: int) -> NDArray[np.uint64]:
    """Return the values of every class as bits."""
    found = np.zeros((len(offsets) - 1, words), np.uint64)
    for c in range(len(offsets) - 1):
        for e in range(offsets[c], offsets[c + 1]):
            found[c, values[e] >> 6] |= np.uint64(1) << np.uint64(values[e] & 63)
    return found


@compiled
def gather(
    victims: NDArray[np.int64], classes: NDArray[np.int64], label_base: NDArray[np.int64], starts: NDArray[np.int64],
    stops: NDArray[np.int64], rows: NDArray[np.int64], matrices: NDArray[np.bool_], matrix_base: NDArray[np.int64],
    widths: NDArray[np.int64], bits: NDArray[np.uint64], begin: int, end: int, found: NDArray[np.uint64],
) -> None:  # fmt: skip
    """Unite, for the victims `begin .. end`, the values of all classes whose cells may be theirs."""
    attributes = victims.shape[1]
    for i in range(begin, end):
        for c in range(len(classes)):
            fits = True
            for a in range(attributes):
                label, at = label_base[a] + classes[c, a], victims[i, a]
                if rows[label] >= 0:
                    fits = matrices[matrix_base[a] + rows[label] * widths[a] + at]
                else:
                    fits = starts[label] <= at < stops[label]
                if not fits:
                    break
            if fits:
                for w in range(bits.shape[1]):
                    found[i, w] |= bits[c, w]


@compiled
def sizes(found: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count the bits of every set."""
    counts = np.zeros(len(found), np.int64)
    for i in range(len(found)):
        for w in range(found.shape[1]):
            word = found[i, w]
            while word:
                word &= word - np.uint64(1)
                counts[i] += 1
    return counts
