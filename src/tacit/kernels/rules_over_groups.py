"""Ask a table of rules about every group of a sparse histogram."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.rules import accepts


@compiled
def judge(rules, sizes, offsets, values, counts, cardinality):  # type: ignore[no-untyped-def]
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
