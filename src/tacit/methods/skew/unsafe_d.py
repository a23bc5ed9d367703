"""Unsafe-D-suppression: the fewest rows, and the value that was too frequent stays in plain sight."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy.typing as npt
from numpy.random import Generator

from tacit.knowledge.skew import Counts, expected_unsafe_d, unsafe_d
from tacit.methods.base import Method
from tacit.methods.skew.base import SkewSuppression


class UnsafeDSuppression(SkewSuppression):
    """Take single rows from the most frequent value until the rest is eligible and l values could have been it.

    Whoever knows the algorithm can often name the value; the audit carries the posterior. For comparison.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Examples
    --------
    >>> UnsafeDSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(6, 1)
    """

    def plan(self, frequencies: Counts, rng: Generator) -> Counts:
        """Take records; the generator breaks ties."""
        return unsafe_d(frequencies, self.l, rng)

    def expected_suppression(self, frequencies: npt.ArrayLike) -> Fraction:
        """Return the number of withheld rows."""
        return expected_unsafe_d(frequencies, self.l)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2)]
