"""Safe-D-suppression: nobody, published or withheld, is linked to a value with more than 1/l."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy.typing as npt
from numpy.random import Generator

from tacit.knowledge.skew import Counts, expected_safe_d, safe_d
from tacit.methods.base import Method
from tacit.methods.skew.base import SkewSuppression


class SafeDSuppression(SkewSuppression):
    """Cut the l most frequent values to the frequency of the l-th.

    All withheld rows lie in at least l values with equal published counts, so a withheld person has each of them with
    probability at most 1/l. It costs the most.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Examples
    --------
    >>> SafeDSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(10, 1)
    """

    dichotomous: ClassVar[bool] = True

    def plan(self, frequencies: Counts, rng: Generator) -> Counts:
        """Cut; nothing is drawn."""
        return safe_d(frequencies, self.l)

    def expected_suppression(self, frequencies: npt.ArrayLike) -> Fraction:
        """Return the number of withheld rows."""
        return expected_safe_d(frequencies, self.l)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2)]
