"""Parts of near rows: cut again and again along the attribute in which a part is widest, so that parts stay eligible.

A part of n rows in which no value is in more than n / l can be cut at any multiple k l of l along any order of its
rows, so that no value is in more than 1/l of either side: of the c rows of a value, at most k may be on the first side
and at least c - (n - k l) // l must be. Between these limits the rows follow the order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import NOMINAL, Space
from tacit.kernels.sorting import stable_order

__all__ = ["NearRows", "cut_near"]

_SAMPLE = 128
"""About how many rows of a part tell how wide it is. More rows find the widest attribute more surely; at every level of
cuts as many are measured in every part. Chosen by trial."""
_SPARSE = 4
"""Positions per row: values of a wider range are sorted by comparing, others by counting. Chosen by trial."""


class NearRows(NamedTuple):
    """Rows, where they stand, and what their standing tells about their values; a part is a stretch of `order`."""

    space: Space
    weight: NDArray[np.float64]  # what a difference in an attribute counts
    points: NDArray[np.int32]  # the position of each row in every attribute
    level: NDArray[np.int32]  # of a position of an attribute: the line of `evidence` about it
    evidence: NDArray[np.float32]  # [level, value]: the logarithm of how frequent the level is among rows of the value
    value: NDArray[np.int32]  # the sensitive code of each row
    order: NDArray[np.int64]  # the rows, part after part


class _Work(NamedTuple):
    """Arrays that are written anew for each part."""

    mass: NDArray[np.int64]  # per position of an attribute: its rows, all 0 between uses
    key: NDArray[np.int32]  # the positions of the rows in the attribute that is cut, or their values along the cut
    along: NDArray[np.int64]  # the rows in the order of a cut
    other: NDArray[np.int64]  # the rows of the second side
    count: NDArray[np.int64]  # per value: its rows, all 0 between uses
    passed: NDArray[np.int64]  # per value: those of them that the walk along a cut has passed, all 0 between uses
    width: NDArray[np.float64]  # per attribute


@compiled
def _measure(rows: NearRows, begin: int, end: int, work: _Work) -> None:
    """Write how wide a part is: the range of numbers, or the share of rows that differ from the commonest value."""
    step = max(1, (end - begin) // _SAMPLE)
    for a in range(len(rows.weight)):
        base = rows.space.start[a]
        nominal = rows.space.kind[a] == NOMINAL
        low, high, most, seen = np.int64(1 << 40), np.int64(-1), np.int64(0), np.int64(0)
        for j in range(begin, end, step):
            position = np.int64(rows.points[rows.order[j], a])
            low = min(low, position)
            high = max(high, position)
            if nominal:
                work.mass[position] += 1
                most = max(most, work.mass[position])
                seen += 1
        if not nominal:
            width = min(1.0, rows.space.value[base + high] - rows.space.value[base + low])
            work.width[a] = rows.weight[a] * width
            continue
        for j in range(begin, end, step):
            work.mass[rows.points[rows.order[j], a]] = 0
        work.width[a] = rows.weight[a] * (1.0 - most / seen)


@compiled
def _sort(rows: NearRows, begin: int, end: int, a: int, work: _Work) -> None:
    """Write the rows of a part to `along`, sorted by an attribute; of a nominal one the commonest values first."""
    n = end - begin
    low, high = np.int64(1 << 40), np.int64(-1)
    for j in range(n):
        position = rows.points[rows.order[begin + j], a]
        work.key[j] = position
        low = min(low, np.int64(position))
        high = max(high, np.int64(position))
    nominal = rows.space.kind[a] == NOMINAL
    if high - low > _SPARSE * n and not nominal:
        by = stable_order(work.key[:n])
        for j in range(n):
            work.along[j] = rows.order[begin + by[j]]
        return
    for j in range(n):
        work.mass[work.key[j]] += 1
    by_mass = np.zeros(high - low + 1, np.int64)
    for k in range(len(by_mass) if nominal else 0):
        by_mass[k] = -work.mass[low + k]
    ranked = stable_order(by_mass)
    to = np.int64(0)
    for k in range(len(ranked)):
        alike = work.mass[low + ranked[k]]
        work.mass[low + ranked[k]] = to
        to += alike
    for j in range(n):
        work.along[work.mass[work.key[j]]] = rows.order[begin + j]
        work.mass[work.key[j]] += 1
    work.mass[low : high + 1] = 0


@compiled
def _divide(rows: NearRows, begin: int, end: int, first: int, l: int, work: _Work) -> bool:
    """Walk along a cut and let `first` rows, a multiple of l, be the first side; say whether both sides are eligible.

    They always are if no value is in more than 1/l, except where few rows are over: then the part is left as it was.
    """
    n = end - begin
    most, rest = first // l, (n - first) // l
    for j in range(n):
        work.key[j] = rows.value[work.along[j]]
        work.count[work.key[j]] += 1
    taken = np.int64(0)  # those that must be on the first side are counted before the walk begins
    for j in range(n):
        if work.passed[work.key[j]] == 0:
            work.passed[work.key[j]] = 1
            taken += max(0, work.count[work.key[j]] - rest)
    for j in range(n):
        work.passed[work.key[j]] = 0
    fits = taken <= first
    to, out = begin, 0
    for j in range(n):
        v = work.key[j]
        must = work.passed[v] < work.count[v] - rest
        may = not must and work.passed[v] < most and taken < first
        work.passed[v] += 1
        taken += may
        if must or may:
            rows.order[to] = work.along[j]
            to += 1
        else:
            work.other[out] = work.along[j]
            out += 1
    for j in range(out):
        rows.order[to + j] = work.other[j]
    for j in range(n):
        work.count[work.key[j]] = 0
        work.passed[work.key[j]] = 0
    return fits and to - begin == first


@compiled
def cut_near(rows: NearRows, parts: NDArray[np.int64], l: int, cap: int) -> NDArray[np.int64]:
    """Cut parts further until they have at most `cap` rows; return where they begin and, last, the number of rows.

    Part `p` is the stretch `parts[p] .. parts[p + 1]`; all but the last have a multiple of l rows. A part of fewer than
    about 2 l^2 rows may be left whole, however large.
    """
    longest = np.max(np.diff(parts))
    widest = np.int64(1)
    for a in range(len(rows.weight)):
        widest = max(widest, rows.space.start[a + 1] - rows.space.start[a])
    values = rows.evidence.shape[1]
    work = _Work(
        np.zeros(widest, np.int64),
        np.empty(longest, np.int32),
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
        np.zeros(values, np.int64),
        np.zeros(values, np.int64),
        np.zeros(len(rows.weight), np.float64),
    )
    opens = np.zeros(parts[-1] + 1, np.bool_)
    opens[parts[-1]] = True
    stack = [(parts[p], parts[p + 1]) for p in range(len(parts) - 1)]
    while len(stack) > 0:
        s, e = stack.pop()
        opens[s] = True
        if e - s <= cap:
            continue
        _measure(rows, s, e, work)
        _sort(rows, s, e, np.argmax(work.width), work)
        first = l * ((e - s) // (2 * l))
        if _divide(rows, s, e, first, l, work):
            stack.append((s + first, e))
            stack.append((s, s + first))
    return np.flatnonzero(opens)
