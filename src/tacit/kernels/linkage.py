"""Which classes of a release a victim may be in, and what that says of her.

Victims come sorted, so neighbours share their first values: the candidates that remain after each column are kept on a
stack, and only the columns that changed are filtered again. A column of plain values is looked up, not scanned.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from tacit.kernels.compiling import compiled


@compiled(inline="always")
def _may_be(label, at, base, starts, stops, rows, matrices, matrix_base, width):  # type: ignore[no-untyped-def]
    row = rows[base + label]
    if row >= 0:
        return matrices[matrix_base + row * width + at]
    return starts[base + label] <= at < stops[base + label]


@compiled(parallel=True)
def link(  # type: ignore[no-untyped-def]
    victims,
    classes,
    lookup,
    label_base,
    starts,
    stops,
    rows,
    matrices,
    matrix_base,
    widths,
    weights,
    offsets,
    values,
    spreads,
    cardinality,
    chunks,
):
    """Return, per victim, the number of candidate rows, the likeliest value and its expected number of rows.

    `victims` are positions per column, sorted by column order; `classes` are labels per column. With `lookup`, the
    first column holds plain values, and `classes` are sorted by their position in it.
    """
    v, q = victims.shape
    c = classes.shape[0]
    candidates = np.zeros(v, np.int64)
    best = np.full(v, -1, np.int64)
    mass = np.zeros(v, np.float64)
    firsts = np.empty(c, np.int64)
    if lookup:
        for i in range(c):
            firsts[i] = starts[label_base[0] + classes[i, 0]]
    step = (v + chunks - 1) // chunks
    for chunk in prange(chunks):
        stack = np.empty((q + 1, c), np.int32)
        lengths = np.zeros(q + 1, np.int64)
        for i in range(c):
            stack[0, i] = i
        lengths[0] = c
        scratch = np.zeros(cardinality, np.float64)
        marked = np.zeros(cardinality, np.bool_)
        touched = np.empty(cardinality, np.int64)
        begin = chunk * step
        for i in range(begin, min(v, begin + step)):
            depth = 0
            if i > begin:
                while depth < q and victims[i, depth] == victims[i - 1, depth]:
                    depth += 1
                if depth == q:
                    candidates[i], best[i], mass[i] = candidates[i - 1], best[i - 1], mass[i - 1]
                    continue
            for d in range(depth, q):
                at = victims[i, d]
                count = 0
                if d == 0 and lookup:
                    low = np.searchsorted(firsts, at, side="left")
                    high = np.searchsorted(firsts, at, side="right")
                    for k in range(low, high):
                        if stops[label_base[0] + classes[k, 0]] > at:
                            stack[1, count] = k
                            count += 1
                else:
                    for k in range(lengths[d]):
                        candidate = stack[d, k]
                        if _may_be(
                            classes[candidate, d],
                            at,
                            label_base[d],
                            starts,
                            stops,
                            rows,
                            matrices,
                            matrix_base[d],
                            widths[d],
                        ):
                            stack[d + 1, count] = candidate
                            count += 1
                lengths[d + 1] = count
            found = 0
            total = 0
            for k in range(lengths[q]):
                candidate = stack[q, k]
                total += weights[candidate]
                for e in range(offsets[candidate], offsets[candidate + 1]):
                    value = values[e]
                    if not marked[value]:
                        marked[value] = True
                        touched[found] = value
                        found += 1
                    scratch[value] += spreads[e]
            candidates[i] = total
            for k in range(found):
                value = touched[k]
                if scratch[value] > mass[i] or (scratch[value] == mass[i] and value < best[i]):
                    mass[i] = scratch[value]
                    best[i] = value
                scratch[value] = 0.0
                marked[value] = False
    return candidates, best, mass
