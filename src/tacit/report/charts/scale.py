"""Scales: where a number lies on an axis, and which numbers stand beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

_TICKS = 5
"""About how many numbers stand beside an axis."""


def as_count(number: float) -> str:
    """Write a number beside an axis.

    Examples
    --------
    >>> as_count(12000.0), as_count(0.25)
    ('12,000', '0.25')
    """
    return f"{number:,.0f}" if number == round(number) else f"{number:g}"


@dataclass(frozen=True)
class Scale:
    """An axis from 0 up, over some pixels.

    Attributes
    ----------
    ticks
        The numbers that stand beside it; the last is its end unless `top` says otherwise.
    pixels
        How long it is.
    powers
        Whether equal factors are equally far apart, from 1 up; nothing is at 0.
    top
        The number at its end.
    """

    ticks: tuple[float, ...]
    pixels: float
    top: float
    powers: bool = False
    label: Callable[[float], str] = as_count

    def place(self, number: float) -> float:
        """Return how many pixels from 0 a number lies; one that is not finite or below 0 lies at 0."""
        if not math.isfinite(number) or number <= 0 or self.top <= 0:
            return 0.0
        share = math.log1p(number) / math.log1p(self.top) if self.powers else number / self.top
        return self.pixels * min(1.0, share)


_MOST = 1e300
"""A scale ends here at the latest: the round number above it must still be a number. Larger ones lie at its end."""


def even(largest: float, pixels: float) -> Scale:
    """Make a scale with round numbers up to the largest, or a little more.

    Examples
    --------
    >>> even(870, 100).ticks
    (0.0, 200.0, 400.0, 600.0, 800.0, 1000.0)
    """
    if not math.isfinite(largest) or largest < 1 / _MOST:
        return Scale((0.0, 1.0), pixels, 1.0)
    largest = min(largest, _MOST)
    raw = largest / _TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = power * next((factor for factor in (1, 2, 5) if raw <= factor * power * (1 + 1e-9)), 10)
    many = math.ceil(largest / step - 1e-9)
    return Scale(tuple(at * step for at in range(many + 1)), pixels, many * step)


def by_powers(largest: float, pixels: float) -> Scale:
    """Make a scale by powers of ten, with 0 at its beginning.

    Examples
    --------
    >>> by_powers(870, 100).ticks
    (0.0, 1.0, 10.0, 100.0, 1000.0)
    """
    digits = len(str(int(min(largest, _MOST)))) if math.isfinite(largest) and largest >= 1 else 0
    ticks = (0.0, *(10.0**power for power in range(digits + 1)))
    return Scale(ticks, pixels, ticks[-1], powers=True)
