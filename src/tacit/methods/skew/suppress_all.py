"""Suppress-All: a table that is not eligible is not published."""

from __future__ import annotations

from tacit.knowledge.skew import Algorithm
from tacit.methods.skew.base import SkewSuppression


class SuppressAll(SkewSuppression):
    """Publish everything if the table is l-eligible, and nothing if not: what the other suppressions are measured by.

    Against
    -------
    Somebody who counts the published values and knows the algorithm.

    Promise
    -------
    Eligibility of the published rows. That nothing is published says that some value was too frequent, not which one;
    see `docs/threats/skew.md#what-somebody-can-infer-exactly`. l-dichotomy is not claimed.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Cost
    ----
    Time O(n) for n rows. It withholds none of them or all.

    Examples
    --------
    >>> SuppressAll(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(18, 1)

    References
    ----------
    Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010.
    """

    @property
    def algorithm(self) -> Algorithm:
        """Suppress-All."""
        return "suppress-all"
