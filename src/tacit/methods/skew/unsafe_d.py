"""Unsafe-D-suppression: the fewest rows, and the value that was too frequent stays in plain sight."""

from __future__ import annotations

from tacit.knowledge.skew import Algorithm
from tacit.methods.skew.base import SkewSuppression


class UnsafeDSuppression(SkewSuppression):
    """Take single rows from the most frequent value until the rest is eligible and l values could have been it.

    Somebody who knows the algorithm can often name the value; the audit carries her posterior. It is here for
    comparison.

    Against
    -------
    Somebody who counts the published values and knows nothing else.

    Promise
    -------
    Eligibility of the published rows, and nothing about the name of the most frequent value: what somebody infers who
    knows the algorithm is computed in `docs/threats/skew.md#what-somebody-can-infer-exactly`.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Cost
    ----
    Time O(n + m log m) for n rows and m values. No suppression with the same two conditions withholds fewer rows.

    Examples
    --------
    >>> UnsafeDSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(6, 1)

    References
    ----------
    Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010.
    """

    @property
    def algorithm(self) -> Algorithm:
        """Unsafe-D."""
        return "unsafe-d"
