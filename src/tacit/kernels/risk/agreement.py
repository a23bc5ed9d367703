"""Where rows agree with one victim, as bit masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Ints
from tacit.kernels.compiling import compiled


@compiled
def agreement(rows: NDArray[np.int32], weight: Ints, victim: NDArray[np.int32]) -> tuple[Ints, Ints]:
    """Return the attributes in which each row agrees with the victim, and how many people agree in each attribute."""
    n, a = rows.shape
    masks, agree = np.empty(n, np.int64), np.zeros(a, np.int64)
    for s in range(n):
        mask = np.int64(0)
        for l in range(a):
            code = rows[s, l]
            if code == victim[l] or code < 0 or victim[l] < 0:
                mask |= np.int64(1) << l
                agree[l] += weight[s]
        masks[s] = mask
    return masks, agree
