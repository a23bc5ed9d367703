"""Shift-suppression: hide which value was too frequent, at the least cost that is safe."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy.typing as npt
from numpy.random import Generator
from pydantic import Field

from tacit.knowledge.skew import Counts, Hide, expected_shift, shift
from tacit.methods.base import Method
from tacit.methods.skew.base import SkewSuppression


class ShiftSuppression(SkewSuppression):
    """Give the too frequent value a random one of l places in the order of published counts.

    The most frequent value takes one of the l top places at random, the others keep their order in the places that are
    left, and counts are cut until the rest is l-eligible. Whoever knows the algorithm and how often values occur, but
    not which value occurs how often, finds each of l values equally likely to be the most frequent one. No suppression
    that is safe for every such prior publishes more of any rank.

    It hides a name, not people: a withheld person may have the value with far more than 1/l (the audit says how much);
    `SafeDSuppression` bounds that too, at a higher cost.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.
    hide
        "violating" (the default): every value in more than 1/l of the rows; "top": the most frequent value only.

    Examples
    --------
    >>> ShiftSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(9, 1)

    References
    ----------
    `docs/threats/skew.md` holds the proofs.
    """

    dichotomous: ClassVar[bool] = True

    hide: Hide = Field("violating", description='"violating" hides every value above n/l, "top" the most frequent one')

    def plan(self, frequencies: Counts, rng: Generator) -> Counts:
        """Draw places, shift and cut."""
        return shift(frequencies, self.l, rng, self.hide)

    def expected_suppression(self, frequencies: npt.ArrayLike) -> Fraction:
        """Return the number of withheld rows; it is the same for every draw."""
        return expected_shift(frequencies, self.l, self.hide)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2), cls(l=3, hide="top")]
