"""Ranges of numbers: whether a range is wide enough, and the cuts of sorted numbers that leave the smallest ranges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["cut_into_ranges", "wide_enough"]


@compiled
def _reaches(low: float, high: float, e: float) -> bool:
    """Say whether high - low >= e, without the rounding of the subtraction.

    The rounded difference is monotone in the true one, so only where it equals e can it be wrong; there the part that
    rounding cut off (Knuth's two-sum) decides. With whole numbers that part is zero.
    """
    difference = high - low
    if difference != e:
        return difference > e
    part = difference - high
    return (high - (difference - part)) - (low + part) >= 0


@compiled
def wide_enough(lows: NDArray[np.float64], highs: NDArray[np.float64], e: float) -> NDArray[np.bool_]:
    """Say of every range whether it reaches e."""
    wide = np.empty(len(lows), np.bool_)
    for i in range(len(lows)):
        wide[i] = _reaches(lows[i], highs[i], e)
    return wide


@compiled
def cut_into_ranges(numbers: NDArray[np.float64], k: int, e: float) -> NDArray[np.int64]:
    """Cut ascending, distinct numbers into ranges of at least k numbers that reach e, with the smallest sum of widths.

    Let cost[j] be the smallest sum of widths of the first j numbers. The last range begins at some i: its width is
    numbers[j - 1] - numbers[i], so cost[j] = numbers[j - 1] + min over allowed i of (cost[i] - numbers[i]). What is
    allowed for j is allowed for j + 1, so a running minimum does: one pass over the numbers.

    Returns the range of each number, counted from 0; empty if the whole is not wide enough itself.
    """
    m = len(numbers)
    cost = np.full(m + 1, np.inf)
    begin = np.full(m + 1, -1, np.int64)
    cost[0] = 0.0
    allowed, best = 0, -1
    for j in range(1, m + 1):
        while allowed <= j - k and _reaches(numbers[allowed], numbers[j - 1], e):
            better = best < 0 or cost[allowed] - numbers[allowed] < cost[best] - numbers[best]
            if cost[allowed] < np.inf and better:
                best = allowed
            allowed += 1
        if best >= 0:
            cost[j] = numbers[j - 1] + (cost[best] - numbers[best])
            begin[j] = best
    ranges = np.zeros(0 if begin[m] < 0 else m, np.int64)
    if len(ranges):
        end = m
        while end > 0:  # mark where a range begins, from the last one back
            ranges[begin[end]] = 1
            end = begin[end]
        ranges[0] = 0
        for i in range(1, m):
            ranges[i] += ranges[i - 1]
    return ranges
