"""R-suppression, as published."""

from __future__ import annotations

from tacit.knowledge.skew import Algorithm
from tacit.methods.skew.base import SkewSuppression


class RSuppression(SkewSuppression):
    """Send the most frequent value to a random level first, then suppress as Unsafe-D does.

    The paper's proof assumes that all eligible sets are equally likely. They are not, so l-dichotomy is not claimed;
    the audit carries the posterior that somebody reaches who knows the algorithm. It is here for comparison; use
    `ShiftSuppression`.

    Against
    -------
    Somebody who counts the published values and knows nothing else.

    Promise
    -------
    Eligibility of the published rows. The paper's theorem does not hold: see
    `docs/threats/skew.md#and-r-suppression`.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Cost
    ----
    Time O(n + m log m) for n rows and m values. `expected_suppression` is the exact mean over all draws, in
    O(m log m + l^2).

    Examples
    --------
    >>> RSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(71, 9)

    References
    ----------
    Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010.
    """

    @property
    def algorithm(self) -> Algorithm:
        """R-suppression."""
        return "r-suppression"
