"""Safe-D: cut the l most frequent values to the frequency of the l-th."""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from tacit.knowledge.skew.counts import (
    Counts,
    as_counts,
    as_l,
    eligible,
    present_ranked,
    rank_order,
    require_enough_values,
    scatter,
)


def safe_d(frequencies: npt.ArrayLike, l: int) -> Counts:
    """Publish every count cut to the l-th largest frequency.

    All suppressed records belong to the values that are tied at the top, and there are at least l of those. So not only
    the name of the most frequent value is hidden: everybody, published or withheld, is linked to any value with
    probability at most 1/l. It costs more than Shift.

    Parameters
    ----------
    frequencies
        One count per value code, zero for absent values.
    l
        Eligibility asked for.

    Examples
    --------
    >>> safe_d([1, 10, 4, 2, 1], 3).tolist()
    [1, 2, 2, 2, 1]
    """
    counts, l = as_counts(frequencies), as_l(l)
    if eligible(counts, l):
        return counts
    order = rank_order(counts)  # tied values are cut to the same count, so ties need no draw
    return scatter(safe_ranked(present_ranked(counts, order), l), order)


def safe_ranked(ranked: Sequence[int], l: int) -> list[int]:
    """Give the counts by rank for the frequencies of an ineligible table, most frequent first.

    Examples
    --------
    >>> safe_ranked([10, 4, 2, 1, 1], 3)
    [2, 2, 2, 1, 1]
    """
    require_enough_values(len(ranked), l)
    level = ranked[l - 1]
    return [min(f, level) for f in ranked]
