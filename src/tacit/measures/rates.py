"""Rates: how often an attack is right, with Wilson's interval, and beside people who are not in the release."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

CONFIDENCE = 0.95
"""The share of intervals that hold the true rate, if the people are a random draw."""

_Z = 1.959963984540054
"""The quantile of the normal distribution that belongs to `CONFIDENCE`."""


def wilson(right: float, people: int) -> tuple[float, float]:
    """Return Wilson's interval of a share; of nobody, everything is possible.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(0, 10)], [round(end, 4) for end in wilson(5, 10)], wilson(0, 0)
    ([0.0, 0.2775], [0.2366, 0.7634], (0.0, 1.0))

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 1927.
    """
    if people <= 0:
        return 0.0, 1.0
    share, square = right / people, _Z * _Z
    middle = (share + square / (2 * people)) / (1 + square / people)
    half = _Z / (1 + square / people) * sqrt(share * (1 - share) / people + square / (4 * people * people))
    low = 0.0 if right <= 0 else max(0.0, middle - half)
    return low, 1.0 if right >= people else min(1.0, middle + half)


@dataclass(frozen=True)
class Rate:
    """Of so many people, so many were guessed right; expected numbers may be broken.

    Examples
    --------
    >>> rate = Rate(30, 100)
    >>> rate.share, [round(end, 3) for end in rate.interval]
    (0.3, [0.219, 0.396])
    """

    right: float
    people: int

    @property
    def share(self) -> float:
        """The share that was guessed right, 0 of nobody."""
        return self.right / self.people if self.people else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share."""
        return wilson(self.right, self.people)

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {"right": self.right, "people": self.people, "share": self.share, "interval": list(self.interval)}


@dataclass(frozen=True)
class Baseline:
    """The same attack on people who are in a release and on people who are not.

    Attributes
    ----------
    inside
        People of a random part, of which a second release was made; it is never published.
    outside
        People who were left out of it.
    """

    inside: Rate
    outside: Rate

    @property
    def gain(self) -> float:
        """How much more often the attack is right about people who are in the release."""
        return self.inside.share - self.outside.share

    @property
    def telling(self) -> bool:
        """Whether the intervals of the two lie apart, so that the gain is more than chance."""
        return self.inside.interval[0] > self.outside.interval[1]

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "inside": self.inside.to_json(),
            "outside": self.outside.to_json(),
            "gain": self.gain,
            "telling": self.telling,
        }
