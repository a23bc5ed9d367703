"""What the adversary believes after seeing the published counts, as a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from tacit.knowledge.skew.algorithms import Algorithm

Prior: TypeAlias = Literal["frequencies", "assignments"]
"""Before: all vectors of frequencies equally likely, or all assignments of values to records equally likely."""

Beliefs: TypeAlias = tuple[Fraction, ...] | None
"""One exact probability per value, or None: not computed because that would take too long."""


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """Exact posteriors for each value, in the order in which the published counts were given.

    Parameters
    ----------
    algorithm, prior
        What the adversary knows and believed.
    n, l
        Records of the table before suppression, and the parameter of the suppression.
    most_frequent
        Probability that the value is S1, the most frequent one (ties in the table broken at random).
    violating
        Probability that the value was in more than n/l records.
    withheld
        Probability that a withheld person has the value; nothing but zeros when nobody is withheld.
    """

    algorithm: Algorithm
    prior: Prior
    n: int
    l: int
    most_frequent: Beliefs
    violating: Beliefs
    withheld: Beliefs

    @property
    def complete(self) -> bool:
        """Tell whether everything could be computed."""
        return None not in (self.most_frequent, self.violating, self.withheld)


def by_level(counts: Sequence[int], belief: dict[int, Fraction]) -> tuple[Fraction, ...]:
    """Give every value the belief of its published count: nothing tells values with equal counts apart."""
    return tuple(belief.get(count, Fraction(0)) for count in counts)
