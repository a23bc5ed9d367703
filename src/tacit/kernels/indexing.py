"""Indices that are known not to be negative."""

from __future__ import annotations

import numpy as np

__all__ = ["at"]

at = np.uint64
"""`array[at(i)]` is `array[i]` for i >= 0. Of a signed index Numba asks each time whether it counts from the end."""
