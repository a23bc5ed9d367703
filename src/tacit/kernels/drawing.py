"""Random numbers that a kernel draws from a state it is given, where nobody can say beforehand how many it needs."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from tacit.kernels.compiling import compiled

State: TypeAlias = np.ndarray[tuple[int], np.dtype[np.uint64]]
"""One number, not 0. It changes with every draw."""

_A, _B, _C, _LOW_BITS = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(11)
_UNIT = 2.0**-53


@compiled
def draw(state: State) -> float:
    """Return a number from 0 to below 1 (Marsaglia, Xorshift RNGs, 2003). For searching, not for secrets."""
    x = state[0]
    x ^= x << _A
    x ^= x >> _B
    x ^= x << _C
    state[0] = x
    return float(x >> _LOW_BITS) * _UNIT
