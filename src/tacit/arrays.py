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

FlagGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.bool_]]
"""Yes or no in rows and columns."""

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
