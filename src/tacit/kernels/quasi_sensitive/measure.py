"""The two measures of a group: how far its beliefs reach, and how far they are from the prior.

Beliefs are integers: a row that links to s labels gives each of them `weight[s]`, about `scale / s`. Sums of integers
do not depend on their order, and what was added can be taken away again without a trace.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Floats, Ints
from tacit.kernels.compiling import compiled

__all__ = ["CLOSENESS", "DIVERSITY", "EVERY", "BeliefRule", "reach"]

DIVERSITY, CLOSENESS = 0, 1
"""The kinds of a rule."""
EVERY = 1 << 40
"""The reach of a group where nobody links: every l holds."""


class BeliefRule(NamedTuple):
    """What the beliefs of a group must satisfy.

    Diversity: the reach with c = a / b is at least l. Closeness: the squared distance from the prior is at most t2.
    The search accepts what misses the bound by less than rounding explains: whoever asks must judge again, exactly.
    """

    kind: int  # DIVERSITY or CLOSENESS
    a: int
    b: int
    l: int
    t2: float
    prior: Floats  # per label; empty for diversity
    loose: float  # how much more than t2 the search accepts


@compiled
def _taken(values: Ints, n: int, room: int) -> tuple[int, int, int]:
    """Take the largest values while their sum is at most `room`: how many, their sum, and the next value.

    The values are reordered. If all are taken the next value is -1.
    """
    # Quickselect by sums: each turn splits what is undecided around a pivot and decides one side of it.
    begin, end = 0, n
    taken, total = 0, np.int64(0)
    while begin < end:
        x, y, z = values[begin], values[(begin + end) // 2], values[end - 1]
        pivot = max(min(x, y), min(max(x, y), z))
        # Three parts, descending: above the pivot | equal | below.
        above, at, below = begin, begin, end
        larger = np.int64(0)
        while at < below:
            v = values[at]
            if v > pivot:
                larger += v
                values[at] = values[above]
                values[above] = v
                above += 1
                at += 1
            elif v < pivot:
                below -= 1
                values[at] = values[below]
                values[below] = v
            else:
                at += 1
        if total + larger > room:
            end = above
            continue
        total += larger
        taken += above - begin
        equal = below - above
        fit = equal if pivot <= 0 else min(equal, (room - total) // pivot)
        total += fit * pivot
        taken += fit
        if fit < equal:
            return taken, total, pivot
        begin = below
    following = np.int64(-1)
    for i in range(taken, n):
        following = max(following, values[i])
    return taken, total, following


@compiled
def reach(values: Ints, n: int, base: int, labels: int, total: int, a: int, b: int, slack: int) -> tuple[int, float]:
    """Return l', the largest l with p1 <= (a / b) (p_l + p_(l+1) + ...), and how far it is to the next, from 0 to 1.

    Parameters
    ----------
    values
        The beliefs of n labels without the base; they are reordered.
    base
        The belief that every label has from rows without items.
    labels
        How many labels there are.
    total
        The sum of all beliefs.
    a, b
        c as a fraction.
    slack
        By how much the inequality, times b, may be missed.
    """
    highest = np.int64(0)
    for i in range(n):
        values[i] += base
        highest = max(highest, values[i])
    if n < labels:
        highest = max(highest, np.int64(base))
    if highest == 0:
        return EVERY, 0.0
    left = a * total - b * highest + slack
    if left < 0:
        return 0, left / (b * highest)
    room = left // a
    taken, summed, following = _taken(values, n, room)
    if following < base and n < labels and base > 0:
        # The values that were not listed are all equal to the base, and none of those listed is smaller.
        fit = min(labels - n, (room - summed) // base)
        taken += fit
        summed += fit * base
        following = base
    part = (room - summed) / following if following > 0 else 0.0
    return taken + 1, min(part, 1.0)
