"""Replay: whether published counts are a possible outcome of an algorithm, by its arithmetic on the table's counts."""

from __future__ import annotations

from tacit.knowledge.skew.counts import Counts, eligible, violating
from tacit.knowledge.skew.safe_d import safe_ranked
from tacit.knowledge.skew.shift import shift_level


def replayed(before: Counts, after: Counts, l: int, algorithm: str, domain: int | None = None) -> bool:
    """Tell whether the algorithm can lead from the counts of a table to the published ones.

    Only Shift, V-Shift and Safe-D are replayed: the multiset of their counts does not depend on what was drawn.

    Parameters
    ----------
    before, after
        Counts per value, of the table and of what is published.
    l
        The parameter of the suppression.
    algorithm
        "shift", "v-shift" or "safe-d".
    domain
        How many values the declared domain has; by default those present.

    Examples
    --------
    >>> import numpy as np
    >>> F = np.array([10, 4, 2, 1, 1])
    >>> replayed(F, np.array([2, 3, 2, 1, 1]), 3, "shift"), replayed(F, np.array([4, 4, 2, 1, 1]), 3, "shift")
    (True, False)
    """
    if (after > before).any() or (after < 0).any():
        return False
    if eligible(before, l):
        return bool(eligible(after, l))
    ranked = sorted((int(count) for count in before if count or domain is not None), reverse=True)
    ranked += [0] * (0 if domain is None else domain - len(ranked))
    if algorithm == "safe-d":
        expected = safe_ranked([count for count in ranked if count], l)
    else:
        k = 1 if algorithm == "shift" else int(violating(before, l).sum())
        target, level = shift_level(ranked, l, k)
        expected = [min(count, level) for count in target]
    published = sorted((int(count) for count in after if count), reverse=True)
    return published == sorted((count for count in expected if count), reverse=True)
