"""NCP of a grouping: what its blur costs on average, 0 for the raw table and 1 for a table of stars."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from tacit.kernels.mondrian.space import NOMINAL, Space, attribute_width

__all__ = ["grouping_ncp"]


@numba.njit
def _ncp(space: Space, codes: NDArray[np.int32], order: NDArray[np.int64], group: NDArray[np.int64]) -> float:
    n, q = codes.shape
    seen = np.full(space.start[-1], -1, np.int64)
    total = 0.0
    begin = 0
    while begin < n:
        end = begin
        while end < n and group[order[end]] == group[order[begin]]:
            end += 1
        cost = 0.0
        for a in range(q):
            base = space.start[a]
            if space.kind[a] == NOMINAL:
                distinct = 0
                for i in range(begin, end):
                    at = base + codes[order[i], a]
                    distinct += seen[at] != begin
                    seen[at] = begin
                cost += (distinct - 1) * space.unit[a]
            else:
                low, high = np.int64(1 << 40), np.int64(-1)
                for i in range(begin, end):
                    p = np.int64(space.position[base + codes[order[i], a]])
                    low = min(low, p)
                    high = max(high, p)
                cost += attribute_width(space, a, low, high)
        total += (end - begin) * cost
        begin = end
    return total / max(1, n * q)


def grouping_ncp(space: Space, codes: NDArray[np.int32], group: NDArray[np.int64]) -> float:
    """Return the NCP of a grouping, averaged over rows and attributes.

    Examples
    --------
    >>> from tacit.kernels.mondrian.space import Nominal, space_of
    >>> grouping_ncp(space_of([Nominal(3, 3)]), np.array([[0], [1], [2]], dtype=np.int32), np.array([0, 0, 1]))
    0.333...
    """
    return float(_ncp(space, codes, np.argsort(group, kind="stable"), group))
