"""An order of cells in which neighbours have similar probabilities: the leaves of a k-d tree, from left to right."""

from __future__ import annotations

import numpy as np

from tacit.arrays import FloatGrid, Ints
from tacit.kernels.compiling import compiled

_LEAF = 4
"""Cells. A node with so few is not cut further: their order hardly matters. Chosen by trial."""

_SAMPLE = 64
"""Cells of a node by which the spread of a column is measured. More would choose the widest column more surely and take
longer. Chosen by trial."""

_DEEPEST = 128
"""Nodes that wait on the stack. Each cut halves a node, so that 64 suffice for any number of cells."""


@compiled
def nearness_order(points: FloatGrid) -> Ints:
    """Return the order; each node is cut at the median of the column that varies most."""
    n, d = points.shape
    order = np.arange(n)
    stack = np.empty((_DEEPEST, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, n
    depth = 1
    while depth:
        depth -= 1
        low, high = stack[depth, 0], stack[depth, 1]
        if high - low <= _LEAF:
            continue
        step = max(1, (high - low) // _SAMPLE)
        widest, column = 0.0, -1
        for j in range(d):
            total, square, count = 0.0, 0.0, 0
            for i in range(low, high, step):
                value = points[order[i], j]
                total += value
                square += value * value
                count += 1
            spread = square / count - (total / count) ** 2
            if spread > widest:
                widest, column = spread, j
        if column < 0:
            continue
        part = order[low:high].copy()
        keys = np.empty(high - low)
        for i in range(high - low):
            keys[i] = points[part[i], column]
        ranked = np.argsort(keys, kind="mergesort")
        for i in range(high - low):
            order[low + i] = part[ranked[i]]
        middle = (low + high) // 2
        stack[depth, 0], stack[depth, 1] = middle, high
        stack[depth + 1, 0], stack[depth + 1, 1] = low, middle
        depth += 2
    return order


@compiled
def next_free(free: Ints, i: int) -> int:
    """Return the first place from i upwards that is not taken; `free[i]` points there, and paths are halved."""
    while free[i] != i:
        free[i] = free[free[i]]
        i = free[i]
    return i
