"""Rows with items, the labels that each item goes with, and groups of rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.bits import lowest, meet

__all__ = ["GroupedRows", "RowItems", "count_links", "link", "link_sizes"]


class RowItems(NamedTuple):
    """The items of every row, as codes, and the labels of every item, as bits."""

    bits: NDArray[np.uint64]  # [item, word]: the labels that an item goes with
    full: NDArray[np.uint64]  # all labels
    labels: int  # how many labels there are
    offsets: Ints  # row r holds codes[offsets[r]:offsets[r + 1]]
    codes: NDArray[np.int32]


class GroupedRows(NamedTuple):
    """Rows in groups, with how many labels each row links to."""

    order: Ints  # group g has the rows order[starts[g]:starts[g + 1]]
    starts: Ints
    sizes: Ints  # per row, not in `order`


@compiled
def link(rows: RowItems, r: int, words: NDArray[np.uint64]) -> int:
    """Write the labels that row r links to, as bits, and return how many they are."""
    return meet(rows.bits, rows.codes[rows.offsets[r] : rows.offsets[r + 1]], rows.full, words)


@compiled
def link_sizes(rows: RowItems, begin: int, end: int, out: Ints) -> None:
    """Write how many labels each of the rows `begin .. end - 1` links to."""
    words = np.empty(len(rows.full), np.uint64)
    for r in range(begin, end):
        out[r] = link(rows, r, words)


@compiled
def count_links(rows: RowItems, chosen: Ints, rank: Ints, out: NDArray[np.int64]) -> None:
    """Count for every label the chosen rows that link to it, by how many labels they link to.

    `rank[s]` is the line of `out` for the rows that link to s labels.
    """
    words = np.empty(len(rows.full), np.uint64)
    for r in chosen:
        size = link(rows, r, words)
        for k in range(len(words)):
            word = words[k]
            while word:
                out[rank[size], 64 * k + lowest(word)] += 1
                word &= word - np.uint64(1)
