"""Shift-suppression: hide which value was too frequent, at the least cost that is safe."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from tacit.knowledge.skew import Algorithm, Hide
from tacit.methods.base import Method
from tacit.methods.skew.base import SkewSuppression


class ShiftSuppression(SkewSuppression):
    """Give the too frequent value a random one of l places in the order of published counts.

    The most frequent value takes one of the l top places at random, the others keep their order in the places that are
    left, and counts are cut until the rest is l-eligible. No suppression that is safe for every prior that treats the
    values alike publishes more of any rank.

    It hides a name, not people: a withheld person may have the value with far more than 1/l (the audit says how much);
    `SafeDSuppression` bounds that too, at a higher cost.

    Against
    -------
    Somebody who knows the algorithm, l, how many rows the table had, and perhaps how often values occur, but not which
    value occurs how often.

    Promise
    -------
    l-dichotomy: such a reader believes of no value with more than 1/l that it was the most frequent one; with
    `hide="violating"`, that it was any of the too frequent ones. Proved in `docs/threats/skew.md#why-it-holds`.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.
    hide
        "violating" (the default): every value in more than 1/l of the rows; "top": the most frequent value only.

    Cost
    ----
    Time O(n + m log m) for n rows and m values. How many rows are withheld does not depend on the draw:
    `expected_suppression` is exact.

    Examples
    --------
    >>> ShiftSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(9, 1)

    References
    ----------
    The problem: Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010. The method is this project's own.
    """

    hide: Hide = Field("violating", description='"violating" hides every value above n/l, "top" the most frequent one')

    @property
    def algorithm(self) -> Algorithm:
        """Shift for the most frequent value, V-Shift for all that are too frequent."""
        return "v-shift" if self.hide == "violating" else "shift"

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2), cls(l=3, hide="top")]
