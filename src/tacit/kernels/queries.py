"""COUNT queries over the classes of a release: a class counts by the share of its box that lies in the query."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["box_shares", "count"]


@compiled
def box_shares(
    low: NDArray[np.float64], high: NDArray[np.float64], row: NDArray[np.int64], prefix: NDArray[np.int64],
    step: float, bounds: NDArray[np.float64], places: NDArray[np.int64], share: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill in which share of every label lies in a query.

    Parameters
    ----------
    low, high, row
        A label is an interval, or, where `row >= 0`, that row of `prefix`.
    prefix
        `prefix[row, i]`: how many of the first `i` places a label may stand for.
    step
        The distance of neighbouring values, 0 where values lie anywhere.
    bounds, places
        The query: first and last value of an interval, first place and the one after the last.
    """
    for i in range(len(low)):
        if row[i] >= 0:
            whole = prefix[row[i], prefix.shape[1] - 1]
            inside = prefix[row[i], places[1]] - prefix[row[i], places[0]]
            share[i] = inside / whole if whole > 0 else 0.0
            continue
        first, last = max(low[i], bounds[0]), min(high[i], bounds[1])
        if last < first:
            share[i] = 0.0
        elif high[i] - low[i] + step > 0.0:
            share[i] = min(1.0, (last - first + step) / (high[i] - low[i] + step))
        else:
            share[i] = 1.0


@compiled
def count(
    codes: NDArray[np.int64], base: NDArray[np.int64], share: NDArray[np.float64], asked: NDArray[np.int64],
    offsets: NDArray[np.int64], place: NDArray[np.int64], weights: NDArray[np.float64], first: int, end: int,
) -> float:  # fmt: skip
    """Return the expected count: `share` has the labels of attribute `a` from `base[a]` on.

    Class `c` has the label `codes[a, c]`, and sensitive values at the places `place[offsets[c]:offsets[c + 1]]`, with
    weights; those from `first` to before `end` count. Only the attributes in `asked` are looked at.
    """
    total = 0.0
    for c in range(codes.shape[1]):
        part = 1.0
        for j in range(asked.shape[0]):  # to stop at 0 would take longer: a processor cannot guess when
            part *= share[base[asked[j]] + codes[asked[j], c]]
        if part == 0.0:
            continue
        inside = 0.0
        for e in range(offsets[c], offsets[c + 1]):
            if first <= place[e] < end:
                inside += weights[e]
        total += part * inside
    return total
