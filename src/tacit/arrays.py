"""The types of arrays, one name each, the same in every room; and how lists of unequal lengths lie in one array."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

Ints: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
"""Whole numbers, one per row, group or entry."""

Floats: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
"""Real numbers, one per row, group or entry."""

Flags: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]
"""Yes or no, one per row, group or entry."""

FloatGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float64]]
"""Real numbers in rows and columns."""

FloatCube: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]
"""Real numbers in rows, columns and layers."""

Single: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float32]]
"""Real numbers in single precision, where many are compared."""

Singles: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]
"""Real numbers in single precision, in rows and columns."""

SingleCube: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[np.float32]]
"""Real numbers in single precision, in rows, columns and layers."""

FlagGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.bool_]]
"""Yes or no in rows and columns."""

Words: TypeAlias = np.ndarray[tuple[int], np.dtype[np.uint64]]
"""Words of 64 bits, one per row: hashes."""

WordGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.uint64]]
"""Words of 64 bits in rows and columns: hashes."""


def offsets_of(lengths: ArrayLike) -> Ints:
    """Return where lists of these lengths begin when they stand one after another, and where the last one ends.

    List `i` then takes the places `offsets[i]:offsets[i + 1]`. Flags count as lengths 0 and 1.

    Examples
    --------
    >>> offsets_of([2, 0, 3]).tolist(), offsets_of([]).tolist()
    ([0, 2, 2, 5], [0])
    """
    given = np.asarray(lengths)
    offsets = np.zeros(len(given) + 1, dtype=np.int64)
    np.cumsum(given, dtype=np.int64, out=offsets[1:])
    return offsets


def places_of(starts: Ints, lengths: Ints) -> Ints:
    """Return all places of some lists, list after list, given where each begins and how long it is.

    Examples
    --------
    >>> places_of(np.array([7, 0, 3]), np.array([2, 0, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    offsets = offsets_of(lengths)
    return np.arange(offsets[-1], dtype=np.int64) + np.repeat(starts - offsets[:-1], lengths)


def by_hash(lengths: Ints, hashes: Words) -> Ints:
    """Return the order in which each list is sorted by the hashes of its entries; entries of equal hash keep theirs.

    List numbers and hashes are sorted as one word, many times faster than one after the other. The last bits of a hash
    give way to the number of its list: two entries that differ in these bits alone count as equal.

    Examples
    --------
    >>> by_hash(np.array([2, 0, 3]), np.array([9, 4, 5, 8, 5], np.uint64) << np.uint64(60)).tolist()
    [1, 0, 2, 4, 3]
    """
    bits = np.uint64(len(lengths).bit_length())
    numbers = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    words = (numbers << (np.uint64(64) - bits)) | (hashes >> bits)
    order: Ints = np.argsort(words, kind="stable")
    return order
