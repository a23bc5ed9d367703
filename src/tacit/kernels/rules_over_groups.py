"""Ask a table of rules about every group of a sparse histogram."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.rules import RuleTable, accepts


@compiled
def judge(
    rules: RuleTable,
    sizes: NDArray[np.int64],
    offsets: NDArray[np.int64],
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    cardinality: int,
) -> NDArray[np.bool_]:
    """Say of every group whether all rules, which are about one column, accept it; an empty group is accepted."""
    groups = sizes.shape[0]
    held = np.ones(groups, np.bool_)
    histogram = np.zeros(cardinality, np.int64)
    scratch = np.zeros(rules.scratch, np.int64)
    for g in range(groups):
        if sizes[g] == 0:
            continue
        for e in range(offsets[g], offsets[g + 1]):
            histogram[values[e]] = counts[e]
        held[g] = accepts(rules, sizes[g], histogram, scratch)
        for e in range(offsets[g], offsets[g + 1]):
            histogram[values[e]] = 0
    return held
