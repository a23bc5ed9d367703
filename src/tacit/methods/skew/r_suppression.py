"""R-suppression, as published."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy.typing as npt
from numpy.random import Generator

from tacit.knowledge.skew import Counts, expected_r_suppression, r_suppression
from tacit.methods.base import Method
from tacit.methods.skew.base import SkewSuppression


class RSuppression(SkewSuppression):
    """Send the most frequent value to a random level first, then suppress as Unsafe-D does.

    The paper's proof assumes that all eligible sets are equally likely. They are not, so l-dichotomy is not claimed;
    the audit carries the posterior that an adversary reaches. For comparison; use `ShiftSuppression`.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Examples
    --------
    >>> RSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(71, 9)
    """

    def plan(self, frequencies: Counts, rng: Generator) -> Counts:
        """Draw a rank and a level, then take single records."""
        return r_suppression(frequencies, self.l, rng)

    def expected_suppression(self, frequencies: npt.ArrayLike) -> Fraction:
        """Return the mean over all draws."""
        return expected_r_suppression(frequencies, self.l)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2)]
