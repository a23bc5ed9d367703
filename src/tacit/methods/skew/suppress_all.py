"""Suppress-All: a table that is not eligible is not published."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy.typing as npt
from numpy.random import Generator

from tacit.knowledge.skew import Counts, expected_suppress_all, suppress_all
from tacit.methods.base import Method
from tacit.methods.skew.base import SkewSuppression


class SuppressAll(SkewSuppression):
    """Publish everything if the table is l-eligible, and nothing if not. The yardstick of the others.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Examples
    --------
    >>> SuppressAll(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(18, 1)
    """

    def plan(self, frequencies: Counts, rng: Generator) -> Counts:
        """Publish all or nothing."""
        return suppress_all(frequencies, self.l)

    def expected_suppression(self, frequencies: npt.ArrayLike) -> Fraction:
        """Return the number of withheld rows."""
        return expected_suppress_all(frequencies, self.l)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2)]
