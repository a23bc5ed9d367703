"""One plan per algorithm: what it publishes of given counts, and how many records it withholds in the mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy.typing as npt
from numpy.random import Generator

from tacit.knowledge.skew.algorithms import Algorithm
from tacit.knowledge.skew.counts import Counts
from tacit.knowledge.skew.expected import (
    expected_r_suppression,
    expected_safe_d,
    expected_shift,
    expected_suppress_all,
    expected_unsafe_d,
)
from tacit.knowledge.skew.r_suppression import r_suppression
from tacit.knowledge.skew.safe_d import safe_d
from tacit.knowledge.skew.shift import shift
from tacit.knowledge.skew.suppress_all import suppress_all
from tacit.knowledge.skew.unsafe_d import unsafe_d


@dataclass(frozen=True)
class SuppressionPlan:
    """What an algorithm does with the counts of a sensitive column.

    Attributes
    ----------
    publish
        From frequencies, l and a generator to how many records of each value are published.
    expected
        From frequencies and l to the exact mean number of withheld records.
    """

    publish: Callable[[npt.ArrayLike, int, Generator], Counts]
    expected: Callable[[npt.ArrayLike, int], Fraction]


PLANS: dict[Algorithm, SuppressionPlan] = {
    "unsafe-d": SuppressionPlan(unsafe_d, expected_unsafe_d),
    "safe-d": SuppressionPlan(lambda frequencies, l, rng: safe_d(frequencies, l), expected_safe_d),
    "r-suppression": SuppressionPlan(r_suppression, expected_r_suppression),
    "shift": SuppressionPlan(partial(shift, hide="top"), partial(expected_shift, hide="top")),
    "v-shift": SuppressionPlan(partial(shift, hide="violating"), partial(expected_shift, hide="violating")),
    "suppress-all": SuppressionPlan(lambda frequencies, l, rng: suppress_all(frequencies, l), expected_suppress_all),
}
"""Safe-D and Suppress-All draw nothing; the others draw places or levels, or break ties."""
