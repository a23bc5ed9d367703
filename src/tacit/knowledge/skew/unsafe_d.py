"""Unsafe-D: the fewest records that restore eligibility and leave l candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
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
from tacit.knowledge.skew.levels import Levels


def unsafe_d(frequencies: npt.ArrayLike, l: int, rng: np.random.Generator | None = None) -> Counts:
    """Publish what is left when eligibility and candidacy first hold after taking single records from the top.

    It withholds the fewest records of all suppressions. Somebody who knows the algorithm finds S1, the most frequent
    value, among the values with the highest published count, and often there is only one of these.

    Parameters
    ----------
    frequencies
        One count per value code, zero for absent values.
    l
        Eligibility asked for.
    rng
        Breaks ties between equally frequent values (one of them may lose one record more than another).

    Examples
    --------
    >>> unsafe_d([1, 10, 4, 2, 1], 3).tolist()
    [1, 4, 4, 2, 1]
    """
    counts, l = as_counts(frequencies), as_l(l)
    if eligible(counts, l):
        return counts
    order = rank_order(counts, rng)
    return scatter(unsafe_ranked(present_ranked(counts, order), l), order)


def unsafe_ranked(ranked: Sequence[int], l: int) -> list[int]:
    """Give the counts by rank for the frequencies of an ineligible table, most frequent first.

    Examples
    --------
    >>> unsafe_ranked([10, 4, 2, 1, 1], 3)
    [4, 4, 2, 1, 1]
    """
    require_enough_values(len(ranked), l)
    return Levels(ranked, l).counts(1, ranked[0])
