"""The mean of a vector over the labels that each row links to."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Floats
from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.bits import lowest
from tacit.kernels.quasi_sensitive.rows import RowItems, link

__all__ = ["label_means"]


@compiled
def label_means(rows: RowItems, vector: Floats, begin: int, end: int, out: Floats) -> None:
    """Write the mean over its labels for each of the rows `begin .. end - 1`; 0 for a row that links to none."""
    words = np.empty(len(rows.full), np.uint64)
    for r in range(begin, end):
        size = link(rows, r, words)
        total = 0.0
        for k in range(len(words)):
            word = words[k]
            while word:
                total += vector[64 * k + lowest(word)]
                word &= word - np.uint64(1)
        out[r] = total / size if size else 0.0
