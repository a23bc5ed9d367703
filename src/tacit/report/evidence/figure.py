"""RiskFigure: one figure under a heading, with who attacks, an interval, and people who are not in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tacit.measures.rates import Baseline, Rate

NOT_ASSESSED = "not assessed"


@dataclass(frozen=True)
class RiskFigure:
    """How often an attack is right.

    Attributes
    ----------
    name
        What is measured.
    adversary
        Who attacks, and what she knows.
    rate
        How often she is right, of how many; None where it was not assessed.
    baseline
        The same attack on people in and outside a second release that is never published; None where nobody asked.
    population
        How often she would be right knowing only the population; None where that is not a guess about values.
    sentence
        What the figure means or, where it was not assessed, why.
    """

    name: str
    adversary: str
    rate: Rate | None
    sentence: str
    baseline: Baseline | None = None
    population: float | None = None

    @property
    def assessed(self) -> bool:
        """Whether there is a figure."""
        return self.rate is not None

    @property
    def written(self) -> str:
        """The figure as text, with its interval."""
        return NOT_ASSESSED if self.rate is None else written(self.rate)

    @property
    def compared(self) -> str:
        """What people who are not in the release are told of, as text."""
        parts = []
        if self.population is not None:
            parts.append(f"from the population alone {self.population:.1%}")
        if self.baseline is not None:
            inside, outside = self.baseline.inside, self.baseline.outside
            parts.append(
                f"in a second release {written(inside)}; left out of it {written(outside)}; gain "
                f"{self.baseline.gain:+.1%}, {'more than' if self.baseline.telling else 'within'} chance"
            )
        return "; ".join(parts) or NOT_ASSESSED

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "name": self.name,
            "adversary": self.adversary,
            "assessed": self.assessed,
            "rate": None if self.rate is None else self.rate.to_json(),
            "baseline": None if self.baseline is None else self.baseline.to_json(),
            "population": self.population,
            "sentence": self.sentence,
        }


def written(rate: Rate) -> str:
    """Write a rate with its interval.

    Examples
    --------
    >>> written(Rate(30, 100))
    '30.0% of 100 (95% interval 21.9% to 39.6%)'
    """
    low, high = rate.interval
    return f"{rate.share:.1%} of {rate.people:,} (95% interval {low:.1%} to {high:.1%})"
