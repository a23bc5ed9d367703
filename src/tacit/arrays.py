"""The types of arrays: one name each, the same in every room."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

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
