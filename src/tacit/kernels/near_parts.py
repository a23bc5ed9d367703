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

__all__ = ["NearRows", "cut_near", "stand"]

_SAMPLE = 128
"""About how many rows of a part tell how wide it is. More rows find the widest attribute more surely; at every level of
cuts as many are measured in every part. Chosen by trial."""
_SPARSE = 4
"""Positions per row: values of a wider range are sorted by comparing, others by counting. Chosen by trial."""
_SHIFT = 32
_ROW = (1 << _SHIFT) - 1


class NearRows(NamedTuple):
    """Rows, where they stand, and what their standing tells about their values; a part is a stretch of `order`."""

    space: Space
    weight: NDArray[np.float64]  # what a difference in an attribute counts
    points: NDArray[np.int32]  # [attribute, row]: the position of each row in every attribute
    level: NDArray[np.int32]  # of a position of an attribute: the line of `evidence` about it
    evidence: NDArray[np.float32]  # [level, value]: the logarithm of how frequent the level is among rows of the value
    value: NDArray[np.int32]  # the sensitive code of each row
    order: NDArray[np.int64]  # the rows, part after part


class _Work(NamedTuple):
    """Arrays that are written anew for each part. While parts are cut, a row carries its value in its upper half."""

    bound: NDArray[np.float64]  # per attribute: no part is wider
    widest: NDArray[np.int64]  # the attributes, those that may be widest first
    mass: NDArray[np.int64]  # per position of an attribute: its rows, all 0 between uses
    key: NDArray[np.int32]  # the positions of the rows in the attribute that is cut
    along: NDArray[np.int64]  # the rows in the order of a cut
    other: NDArray[np.int64]  # the rows of the second side
    count: NDArray[np.int64]  # per value: its rows, all 0 between uses
    passed: NDArray[np.int64]  # per value: those of them that the walk along a cut has passed, all 0 between uses
    before: NDArray[np.int64]  # per value: those of them before the cut, all 0 between uses
    goes: NDArray[np.int64]  # per value: how many of its rows go to the first side
    present: NDArray[np.int64]  # the values that have rows


@compiled
def stand(
    codes: NDArray[np.int32],
    position: NDArray[np.int32],
    level: NDArray[np.int64],
    value: NDArray[np.int32],
    values: int,
    points: NDArray[np.int32],
) -> NDArray[np.int64]:
    """Write the position of each row in an attribute; return how many rows of each level of it have each value.

    `position` and `level` are those of a code.
    """
    counts = np.zeros((np.max(level) + 1, values), np.int64)
    for i in range(len(codes)):
        points[i] = position[codes[i]]
        counts[level[codes[i]], value[i]] += 1
    return counts


@compiled(borrows=True)
def _width(rows: NearRows, begin: int, end: int, a: int, work: _Work) -> float:
    """Return how wide a part is: the range of numbers, or the share of rows that differ from the commonest value."""
    step = max(1, (end - begin) // _SAMPLE)
    base = rows.space.start[a]
    points = rows.points[a]
    low, high, seen = np.int64(1 << 40), np.int64(-1), np.int64(0)
    nominal = rows.space.kind[a] == NOMINAL
    for j in range(begin, end, step):
        position = np.int64(points[rows.order[j] & _ROW])
        low = min(low, position)
        high = max(high, position)
        if nominal:
            work.mass[position] += 1
            seen += 1
    if not nominal:
        return rows.weight[a] * min(1.0, rows.space.value[base + high] - rows.space.value[base + low])
    most = np.int64(0)
    if high - low < seen:
        for position in range(low, high + 1):
            most = max(most, work.mass[position])
            work.mass[position] = 0
    else:
        for j in range(begin, end, step):
            position = np.int64(points[rows.order[j] & _ROW])
            most = max(most, work.mass[position])
            work.mass[position] = 0
    return rows.weight[a] * (1.0 - most / seen)


@compiled(borrows=True)
def _widest(rows: NearRows, begin: int, end: int, work: _Work) -> int:
    """Return the attribute in which a part is widest, the first of several; those that cannot be are not measured."""
    chosen, most = np.int64(0), -1.0
    for k in range(len(work.widest)):
        a = work.widest[k]
        if work.bound[a] < most:
            break
        width = _width(rows, begin, end, a, work)
        if width > most or (width == most and a < chosen):
            chosen, most = a, width
    return chosen


@compiled
def _commonest_first(mass: NDArray[np.int64]) -> None:
    """Write where the rows of each position begin if those of the commonest come first."""
    ranked = stable_order(-mass)
    to = np.int64(0)
    for k in range(len(ranked)):
        alike = mass[ranked[k]]
        mass[ranked[k]] = to
        to += alike


@compiled
def _by_comparing(key: NDArray[np.int32], order: NDArray[np.int64], along: NDArray[np.int64]) -> None:
    """Write the rows in the order of their keys."""
    by = stable_order(key)
    for j in range(len(by)):
        along[j] = order[by[j]]


@compiled(borrows=True)
def _sort(rows: NearRows, begin: int, end: int, a: int, work: _Work) -> None:
    """Write the rows of a part to `along`, sorted by an attribute; of a nominal one the commonest values first."""
    n = end - begin
    points, order, key, along = rows.points[a], rows.order[begin:end], work.key[: end - begin], work.along
    low, high = np.int64(1 << 40), np.int64(-1)
    for j in range(n):
        position = points[order[j] & _ROW]
        key[j] = position
        low = min(low, np.int64(position))
        high = max(high, np.int64(position))
    nominal = rows.space.kind[a] == NOMINAL
    if high - low > _SPARSE * n and not nominal:
        _by_comparing(key, order, along)
        return
    mass = work.mass[low : high + 1]
    for j in range(n):  # not in the loop above: there a processor would wait for each position before the next
        mass[key[j] - low] += 1
    if nominal:
        _commonest_first(mass)
    else:
        to = np.int64(0)
        for k in range(len(mass)):
            alike = mass[k]
            mass[k] = to
            to += alike
    for j in range(n):
        at = key[j] - low
        along[mass[at]] = order[j]
        mass[at] += 1
    mass[:] = 0


@compiled(borrows=True)
def _divide(rows: NearRows, begin: int, end: int, first: int, l: int, work: _Work) -> bool:
    """Walk along a cut and let `first` rows, a multiple of l, be the first side; say whether both sides are eligible.

    They always are if no value is in more than 1/l, except where few rows are over: then the part is left as it was.
    Rows that the order would put on the other side are those next to the cut.
    """
    n = end - begin
    most, rest = first // l, (n - first) // l
    present = 0
    for j in range(n):
        v = work.along[j] >> _SHIFT
        if work.count[v] == 0:
            work.present[present] = v
            present += 1
        work.count[v] += 1
    taken = np.int64(0)  # those that must be on the first side are counted before the walk begins
    for k in range(present):
        v = work.present[k]
        work.count[v] -= rest
        taken += max(0, work.count[v])
    fits = taken <= first
    to, out = begin, 0
    for j in range(n):
        row = work.along[j]
        v = row >> _SHIFT
        passed = work.passed[v]
        must = passed < work.count[v]
        may = (not must) & (passed < most) & (taken < first)
        work.passed[v] = passed + 1
        taken += may
        # Written to both sides, and kept on one: which one cannot be foreseen by a processor.
        rows.order[to] = row
        work.other[out] = row
        to += must | may
        out += not (must | may)
    for j in range(out):
        rows.order[to + j] = work.other[j]
    for k in range(present):
        work.count[work.present[k]] = 0
        work.passed[work.present[k]] = 0
    return fits and to - begin == first


@compiled(borrows=True)
def _spare(work: _Work, v: int, more: bool, most: int, rest: int) -> int:
    """Return how many more rows of a value may go to the first side, or how many fewer."""
    if more:
        return min(most, work.count[v]) - work.goes[v]
    return work.goes[v] - max(0, work.count[v] - rest)


@compiled(borrows=True)
def _share_out(present: int, first: int, n: int, l: int, work: _Work) -> bool:
    """Say how many rows of each value go to the first side; return whether both sides can be eligible.

    As many as there are before the cut, unless that is too many or too few. What is then over or missing is taken from
    the values that may have fewer or more, in proportion to how many.
    """
    most, rest = first // l, (n - first) // l
    taken = np.int64(0)
    for k in range(present):
        v = work.present[k]
        work.goes[v] = min(max(work.before[v], work.count[v] - rest), most)
        taken += work.goes[v]
    more, missing = taken < first, abs(first - taken)
    spare = np.int64(0)
    for k in range(present):
        spare += _spare(work, work.present[k], more, most, rest)
    seen, moved = np.int64(0), np.int64(0)
    for k in range(present):
        v = work.present[k]
        seen += _spare(work, v, more, most, rest)
        until = seen * missing // max(spare, 1)
        work.goes[v] += until - moved if more else moved - until
        moved = until
    return missing <= spare


@compiled(borrows=True)
def _divide_leaving(rows: NearRows, begin: int, end: int, first: int, l: int, work: _Work) -> bool:
    """Do what `_divide` does, but let the rows that change sides be those which are farthest from the cut.

    Where a value must be in nearly every bucket and is commoner at one end of an order, many rows must change sides. If
    those next to the cut do, all rows of the value move along a little, and in every bucket the row that comes later
    in the order has the value. So those change sides who are told from others anyway, and the others stay together.
    """
    present = 0
    for j in range(end - begin):
        v = work.along[j] >> _SHIFT
        if work.count[v] == 0:
            work.present[present] = v
            present += 1
        work.count[v] += 1
        work.before[v] += j < first
    fits = _share_out(present, first, end - begin, l, work)
    to, out = begin, 0
    for side in range(2):
        # On either side of the cut, the first few rows of a value go to the second side, and all behind to the first.
        for k in range(present):
            v = work.present[k]
            stay = min(work.goes[v], work.before[v])
            here = work.before[v] if side == 0 else work.count[v] - work.before[v]
            work.passed[v] = (stay if side == 0 else work.goes[v] - stay) - here  # below 0: so many more go elsewhere
        for j in range(0 if side == 0 else first, first if side == 0 else end - begin):
            row = work.along[j]
            v = row >> _SHIFT
            goes = work.passed[v] >= 0
            work.passed[v] += 1
            # Written to both sides, and kept on one: which one cannot be foreseen by a processor.
            rows.order[to] = row
            work.other[out] = row
            to += goes
            out += not goes
    for j in range(out):
        rows.order[to + j] = work.other[j]
    for k in range(present):
        v = work.present[k]
        work.count[v] = 0
        work.before[v] = 0
        work.passed[v] = 0
    return fits


@compiled
def _work_for(rows: NearRows, longest: int) -> _Work:
    """Return arrays for parts of at most so many rows."""
    q, values = len(rows.weight), rows.evidence.shape[1]
    bound = np.empty(q, np.float64)
    positions = np.int64(1)
    for a in range(q):
        base, end = rows.space.start[a], rows.space.start[a + 1]
        positions = max(positions, end - base)
        bound[a] = rows.weight[a]
        if rows.space.kind[a] != NOMINAL:
            bound[a] *= min(1.0, rows.space.value[end - 1] - rows.space.value[base])
        else:
            bound[a] *= 1.0 - 1 / (end - base)
    widest = np.arange(q)
    for k in range(1, q):
        at = k
        while at > 0 and bound[widest[at - 1]] < bound[widest[at]]:
            widest[at - 1], widest[at] = widest[at], widest[at - 1]
            at -= 1
    return _Work(
        bound,
        widest,
        np.zeros(positions, np.int64),
        np.empty(longest, np.int32),
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
        np.zeros(values, np.int64),
        np.zeros(values, np.int64),
        np.zeros(values, np.int64),
        np.empty(values, np.int64),
        np.empty(values, np.int64),
    )


@compiled
def cut_near(rows: NearRows, parts: NDArray[np.int64], l: int, cap: int, tight: bool) -> NDArray[np.int64]:
    """Cut parts further until they have at most `cap` rows; return where they begin and, last, the number of rows.

    Part `p` is the stretch `parts[p] .. parts[p + 1]`; all but the last have a multiple of l rows. A part of fewer than
    about 2 l^2 rows may be left whole, however large. `tight` says that a value must be in nearly every bucket.
    """
    work = _work_for(rows, np.max(np.diff(parts)))
    opens = np.zeros(parts[-1] + 1, np.bool_)
    opens[parts[-1]] = True
    for j in range(len(rows.order)):
        rows.order[j] |= np.int64(rows.value[rows.order[j]]) << _SHIFT
    stack = [(parts[p], parts[p + 1]) for p in range(len(parts) - 1)]
    while len(stack) > 0:
        s, e = stack.pop()
        opens[s] = True
        if e - s <= cap:
            continue
        _sort(rows, s, e, _widest(rows, s, e, work), work)
        first = l * ((e - s) // (2 * l))
        fits = _divide_leaving(rows, s, e, first, l, work) if tight else _divide(rows, s, e, first, l, work)
        if fits:
            stack.append((s + first, e))
            stack.append((s, s + first))
    for j in range(len(rows.order)):
        rows.order[j] &= _ROW
    return np.flatnonzero(opens)
