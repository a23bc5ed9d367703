"""Safe-D-suppression: nobody, published or withheld, is linked to a value with more than 1/l."""

from __future__ import annotations

from tacit.knowledge.skew import Algorithm
from tacit.methods.skew.base import SkewSuppression


class SafeDSuppression(SkewSuppression):
    """Cut the l most frequent values to the frequency of the l-th.

    All withheld rows have one of at least l values with equal published counts. It withholds the most rows of all
    suppressions but Suppress-All.

    Against
    -------
    Somebody who knows the algorithm, l, how many rows the table had, who is withheld, and perhaps how often values
    occur, but not which value occurs how often.

    Promise
    -------
    l-dichotomy: such a reader believes of no value with more than 1/l that it was the most frequent one. Besides, she
    believes no value of a withheld person with more than 1/l. Proved in `docs/threats/skew.md#why-it-holds`.

    Parameters
    ----------
    l
        No value in more than 1/l of the published rows.

    Cost
    ----
    Time O(n + m log m) for n rows and m values. It withholds the sum over the l most frequent values of what they are
    above the l-th.

    Examples
    --------
    >>> SafeDSuppression(l=3).expected_suppression([10, 4, 2, 1, 1])
    Fraction(10, 1)

    References
    ----------
    Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010.
    """

    @property
    def algorithm(self) -> Algorithm:
        """Safe-D."""
        return "safe-d"
