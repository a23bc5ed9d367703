"""Which way each row leans: the mean of a vector over the labels that it links to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.bits import lowest, meet

__all__ = ["lean"]


@compiled
def lean(
    bits: NDArray[np.uint64],
    full: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    codes: NDArray[np.int32],
    vector: NDArray[np.float64],
    begin: int,
    end: int,
    out: NDArray[np.float64],
) -> None:
    """Write the mean over its labels for each of the rows `begin .. end - 1`; 0 for a row that links to none."""
    words = np.empty(len(full), np.uint64)
    for r in range(begin, end):
        size = meet(bits, codes[offsets[r] : offsets[r + 1]], full, words)
        total = 0.0
        for k in range(len(words)):
            word = words[k]
            while word:
                total += vector[64 * k + lowest(word)]
                word &= word - np.uint64(1)
        out[r] = total / size if size else 0.0
