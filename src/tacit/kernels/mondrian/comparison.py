"""Exact comparison of products of integers, wide enough that no count overflows it."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled

__all__ = ["product_at_most", "product_below"]


@compiled
def _product(a: int, b: int) -> tuple[int, int]:
    """Return the high and low 64 bits of a * b for 0 <= a, b < 2**63."""
    mask = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    x, y = np.uint64(a), np.uint64(b)
    xl, xh, yl, yh = x & mask, x >> half, y & mask, y >> half
    low = xl * yl
    middle = xh * yl + (low >> half)
    other = xl * yh + (middle & mask)
    return xh * yh + (middle >> half) + (other >> half), (other << half) | (low & mask)


@compiled
def product_at_most(a: int, b: int, c: int, d: int) -> bool:
    """Say whether a * b <= c * d, for integers from 0 to 2**63 - 1, without rounding.

    Examples
    --------
    >>> product_at_most(2**40, 2**40, 2**41, 2**39), product_at_most(2**40, 2**40 + 1, 2**41, 2**39)
    (True, False)
    """
    high, low = _product(a, b)
    other_high, other_low = _product(c, d)
    return bool(high < other_high or (high == other_high and low <= other_low))


@compiled
def product_below(a: int, b: int, c: int, d: int) -> bool:
    """Say whether a * b < c * d, for integers from 0 to 2**63 - 1, without rounding."""
    return not product_at_most(c, d, a, b)
