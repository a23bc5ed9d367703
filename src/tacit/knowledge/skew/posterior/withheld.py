"""What a withheld person probably has, for somebody who knows how often the values occur but not which is which."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.errors import ParameterError
from tacit.knowledge.skew.counts import as_counts, as_l, eligible
from tacit.knowledge.skew.posterior.symmetric_tables import runs
from tacit.knowledge.skew.shift import Hide, hidden_values, shift_level


def withheld_by_count(frequencies: npt.ArrayLike, l: int, hide: Hide = "violating") -> dict[int, Fraction]:
    """Give for each published count of Shift the probability that a withheld person has one value with that count.

    The value at place i of a block is the hidden one for one draw of l, the one that belongs there for l - i draws,
    and the one before it for i - 1 draws. With F1 the hidden value's frequency, the value at place i <= l lost on
    average (F1 + (l-i) F(i+1) + (i-1) F(i) - l c(i)) / l of the X withheld records. Shift does not bound this: it
    hides the name of the most frequent value, not what the withheld have.

    Parameters
    ----------
    frequencies
        One count per value code of the declared domain of an ineligible table, zero for absent values.
    l
        Parameter of the suppression.
    hide
        As in :func:`tacit.knowledge.skew.shift`.

    Examples
    --------
    >>> {count: str(p) for count, p in withheld_by_count([10, 4, 2, 1, 1], 3).items()}
    {3: '1/3', 2: '1/3', 1: '0'}
    """
    counts, l = as_counts(frequencies), as_l(l)
    if eligible(counts, l):
        raise ParameterError(f"The table is {l}-eligible: nobody is withheld.")
    ranked: list[int] = np.sort(counts)[::-1].tolist()
    k = hidden_values(counts, l, hide)
    target, level = shift_level(ranked, l, k)
    cut = [min(g, level) for g in target]
    others = ranked[k:]
    lost = [Fraction(g - c) for g, c in zip(target, cut, strict=True)]
    for block in range(k):
        own = others[block * (l - 1) : (block + 1) * (l - 1)]
        for i in range(1, l + 1):
            place = block * l + i - 1
            here, before = (own[i - 1] if i < l else 0), (own[i - 2] if i > 1 else 0)
            lost[place] = Fraction(ranked[block] + (l - i) * here + (i - 1) * before, l) - cut[place]
    withheld = sum(ranked) - sum(cut)
    shares, start = {}, 0
    for count, size in runs(cut):
        shares[count] = sum(lost[start : start + size], start=Fraction(0)) / (size * withheld)
        start += size
    return shares
