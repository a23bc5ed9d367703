"""Suppress-All: publish an eligible table, and nothing of any other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.knowledge.skew.counts import Counts, as_counts, eligible


def suppress_all(frequencies: npt.ArrayLike, l: int) -> Counts:
    """Publish everything if the table is eligible, else nothing (also when l exceeds the number of values).

    Parameters
    ----------
    frequencies
        One count per value code, zero for absent values.
    l
        Eligibility asked for.

    Examples
    --------
    >>> suppress_all([10, 4, 2, 1, 1], 3).tolist()
    [0, 0, 0, 0, 0]
    """
    counts = as_counts(frequencies)
    return counts if eligible(counts, l) else np.zeros_like(counts)
