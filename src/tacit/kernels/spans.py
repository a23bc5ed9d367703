"""The first and the last code of every group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["spans"]


@compiled
def spans(
    ids: NDArray[np.int64], codes: NDArray[np.int32], count: int, cardinality: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the least and the largest code of each of `count` groups; `cardinality` and -1 for an empty group.

    Rows of no group (-1) are left out.
    """
    low, high = np.full(count, cardinality, np.int64), np.full(count, -1, np.int64)
    for i in range(len(ids)):
        group, code = ids[i], codes[i]
        if group >= 0:
            low[group] = min(low[group], code)
            high[group] = max(high[group], code)
    return low, high
