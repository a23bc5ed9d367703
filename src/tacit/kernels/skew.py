"""Thinning: which rows of each value stay, uniformly at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled


@compiled
def thin(
    codes: NDArray[np.int32],
    left: NDArray[np.int64],
    wanted: NDArray[np.int64],
    uniforms: NDArray[np.float64],
    kept: NDArray[np.bool_],
) -> int:
    """Keep `wanted[v]` of the `left[v]` rows of each value still to come; both are counted down (selection sampling).

    Every set of that many rows of a value is equally likely. `uniforms` are as many numbers in [0, 1) as rows.
    """
    for i in range(codes.shape[0]):
        value = codes[i]
        stays = uniforms[i] * left[value] < wanted[value]
        left[value] -= 1
        wanted[value] -= stays
        kept[i] = stays
    return np.int64(kept.sum())
