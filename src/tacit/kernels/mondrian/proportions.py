"""Groups in the proportions of the table, drawn from boxes: what cuts do not find if values go with attributes.

A cut has all rows of a region on one side. Where education goes with occupation, no cut of education is accepted under
t-closeness, and so every group covers all educations. But the rows of a region need not be in one group: here, the
boxes are visited from the cheapest to the dearest, and of the rows of a box that are in no group yet as many form one
as can have the proportions of the table. What a box has too much of waits for a larger one. Groups take rather too many
rows of the values that would otherwise be too frequent among those that wait, so that in the end few rows are left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.indexing import at
from tacit.kernels.mondrian.cells import mixed
from tacit.kernels.mondrian.rules import EQUAL, RuleTable, accepts
from tacit.kernels.mondrian.space import Space
from tacit.kernels.mondrian.workspace import Arrangement

__all__ = ["draw", "levels_to_visit"]

_CANDIDATES = 1 << 16
"""How many choices of a level per attribute are looked at before the visits are spread over them. More would take time
and memory, and make little difference: of all of them only some hundred are visited."""


def levels_to_visit(space: Space, points: NDArray[np.int32], visits: int) -> NDArray[np.int64]:
    """Return choices of a level per attribute, the cheapest first on average over the points, the root of all last.

    Examples
    --------
    >>> from tacit.kernels.mondrian.space import Nominal, space_of
    >>> points = np.array([[0, 0], [1, 2]], dtype=np.int32)
    >>> levels_to_visit(space_of([Nominal(2, 2), Nominal(3, 3)]), points, 3).tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    q = len(space.kind)
    depth = [int(d) for d in space.depth]
    every = 1
    for d in depth:
        every *= d
    # If there are too many choices, even steps through all of them; a step is odd and near the golden section.
    many = min(every, _CANDIDATES)
    step = 1 if many == every else int(every * 0.6180339887498949) | 1
    numbers = [i * step % every for i in range(many)]
    chosen = np.empty((many, q), dtype=np.int64)
    for a in range(q):
        chosen[:, a] = [number % depth[a] for number in numbers]
        numbers = [number // depth[a] for number in numbers]
    cost = np.zeros(many)
    for a in range(q):
        places = space.start[a] + points[:, a]
        cost += np.array([float(space.share[h, places].mean()) for h in range(depth[a])])[chosen[:, a]]
    order = np.argsort(cost, kind="stable")
    spread = np.unique(np.linspace(0, many - 1, max(1, min(visits, many))).astype(np.int64))
    return np.concatenate([chosen[order[spread[:-1]]], np.array([[d - 1 for d in depth]], dtype=np.int64)])


@compiled
def _boxes(
    space: Space,
    arrangement: Arrangement,
    level: NDArray[np.int64],
    waiting: NDArray[np.int64],
    table: NDArray[np.int64],
    keys: NDArray[np.uint64],
    box: NDArray[np.int64],
) -> int:
    """Write the box of every row that waits, numbered as they appear; return how many there are."""
    q = len(level)
    last = np.uint64(len(table) - 1)
    table[:] = -1
    boxes = np.int64(0)
    for w in range(len(waiting)):
        key = np.uint64(0)
        for a in range(q):
            node = space.path[at(level[a]), at(space.start[at(a)] + arrangement.points[at(waiting[w]), at(a)])]
            key = mixed(key + np.uint64(node) + np.uint64(1))
        slot = key & last
        while table[slot] >= 0 and keys[at(table[slot])] != key:
            slot = (slot + np.uint64(1)) & last
        if table[slot] < 0:
            table[slot] = boxes
            keys[at(boxes)] = key
            boxes += 1
        box[w] = table[slot]
    return boxes


@compiled(borrows=True)
def _lacking(size: int, have: NDArray[np.int64], share: NDArray[np.float64]) -> float:
    """Return how many rows of too rare values a group of this size lacks, if it takes no more than there are."""
    lacking = 0.0
    for v in range(len(share)):
        lacking += max(0.0, size * share[at(v)] - have[at(v)])
    return lacking


@compiled(borrows=True)
def _choose(
    size: int,
    have: NDArray[np.int64],
    share: NDArray[np.float64],
    pressure: NDArray[np.float64],
    distance: float,
    take: NDArray[np.int64],
) -> bool:
    """Choose how many rows of each value form a group of this size; say whether it is within the distance."""
    missing = size
    for v in range(len(share)):
        take[v] = min(have[v], np.int64(size * share[v]))
        missing -= take[v]
    while missing > 0:  # the values that are too frequent among all that wait come first
        best, most = np.int64(-1), 0.0
        for v in range(len(share)):
            if take[v] < have[v]:
                wanted = pressure[v] - (take[v] - size * share[v])
                if best < 0 or wanted > most:
                    best, most = np.int64(v), wanted
        take[best] += 1
        missing -= 1
    lacking = _lacking(size, take, share)
    while lacking > distance * size:
        # A row of the value that the group has too much of is changed for one of the value that it lacks most.
        rare, least, frequent, most = np.int64(-1), 0.0, np.int64(-1), 0.0
        for v in range(len(share)):
            over = take[v] - size * share[v]
            if take[v] < have[v] and over < least:
                rare, least = np.int64(v), over
            if over > most:
                frequent, most = np.int64(v), over
        if rare < 0 or frequent < 0:
            return False
        take[rare] += 1
        take[frequent] -= 1
        before, lacking = lacking, _lacking(size, take, share)
        if lacking >= before - 1e-12:
            return False
    return True


class _Proportions(NamedTuple):
    """What a group should look like.

    Row i of an arrangement of single rows has the value `value[i]`. The table has `share[v]` of value v, and a group
    may be within `distance` of it.
    """

    value: NDArray[np.int64]
    share: NDArray[np.float64]
    distance: float


class _Room(NamedTuple):
    """Arrays that are filled anew for every box: rows there are and rows taken of each value, and what rules count."""

    have: NDArray[np.int64]
    take: NDArray[np.int64]
    pressure: NDArray[np.float64]
    histogram: NDArray[np.int64]
    scratch: NDArray[np.int64]


@compiled
def draw(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    levels: NDArray[np.int64],
    label: NDArray[np.int32],
) -> int:
    """Draw groups of single rows from the boxes of one choice of levels after the other; return how many.

    The first rule about an equal distance says which proportions; all rules are asked about each group. Rows that are
    left in the end take whole groups to them, the dearest first, until all together are accepted.
    """
    n = len(arrangement.cell)
    wanted = _proportions(rules, arrangement)
    values = len(wanted.share)
    room = _Room(
        np.zeros(values, np.int64),
        np.zeros(values, np.int64),
        np.zeros(values),
        np.zeros(rules.start[-1], np.int64),
        np.zeros(rules.scratch, np.int64),
    )
    label[:] = -1
    left = np.zeros(values, np.int64)  # the rows of each value that wait
    for i in range(n):
        left[wanted.value[i]] += 1
    waiting = np.arange(n)
    capacity = 16
    while capacity < 2 * n:
        capacity *= 2
    table, keys, box = np.empty(capacity, np.int64), np.empty(n, np.uint64), np.empty(n, np.int64)
    groups = np.int64(0)
    for turn in range(len(levels)):
        if len(waiting) == 0:
            break
        boxes = _boxes(space, arrangement, levels[turn], waiting, table, keys, box)
        begin, inside = _by_box(boxes, waiting, box)
        for b in range(boxes):
            size = _largest(wanted, inside, begin[b], begin[b + 1], room.have)
            # Most boxes have too few rows. The rules are many arrays, and handing them on takes longer than that test.
            if size >= max(1, rules.smallest) and _draw_group(
                rules, arrangement, wanted, inside, begin[b], begin[b + 1], size, left, room, label, groups
            ):
                groups += 1
        waiting = waiting[label[waiting] < 0]
    return groups if len(waiting) == 0 else _dissolve(rules, arrangement, waiting, room, label, groups)


@compiled
def _proportions(rules: RuleTable, arrangement: Arrangement) -> _Proportions:
    """Read what the first rule about an equal distance asks for, and the value of every row."""
    rule = np.int64(0)
    while rules.kind[rule] != EQUAL:
        rule += 1
    column = rules.column[rule]
    values = rules.start[column + 1] - rules.start[column]
    reference = rules.first[rules.data_start[rule] : rules.data_start[rule] + values]
    value = np.empty(len(arrangement.cell), np.int64)
    for i in range(len(value)):
        value[i] = arrangement.sensitive[arrangement.start[arrangement.cell[i]], column]
    return _Proportions(value, reference / reference.sum(), rules.top[rule] / rules.bottom[rule])


@compiled
def _by_box(
    boxes: int, waiting: NDArray[np.int64], box: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the rows of each box begin, and the rows that wait, box by box."""
    begin = np.zeros(boxes + 1, np.int64)
    for w in range(len(waiting)):
        begin[box[w] + 1] += 1
    for b in range(boxes):
        begin[b + 1] += begin[b]
    inside, to = np.empty(len(waiting), np.int64), begin[:-1].copy()
    for w in range(len(waiting)):
        inside[to[box[w]]] = waiting[w]
        to[box[w]] += 1
    return begin, inside


@compiled(borrows=True)
def _draw_group(
    rules: RuleTable,
    arrangement: Arrangement,
    wanted: _Proportions,
    inside: NDArray[np.int64],
    begin: int,
    end: int,
    size: int,
    left: NDArray[np.int64],
    room: _Room,
    label: NDArray[np.int32],
    number: int,
) -> bool:
    """Form a group of so many rows of one box, of whose values there are `room.have`; say whether rules accept it."""
    remaining = np.int64(0)
    for v in range(len(left)):
        remaining += left[v]
    for v in range(len(left)):
        room.pressure[v] = left[v] - remaining * wanted.share[v]
    if not _choose(size, room.have, wanted.share, room.pressure, wanted.distance, room.take):
        return False
    # All rules are asked, in whole numbers: what was computed above only proposes.
    for h in range(len(room.histogram)):
        room.histogram[h] = 0
    for v in range(len(left)):
        room.have[v] = room.take[v]
    for j in range(begin, end):
        if room.have[wanted.value[inside[j]]] > 0:
            room.have[wanted.value[inside[j]]] -= 1
            _count_row(rules, arrangement, inside[j], room.histogram)
    if not accepts(rules, size, room.histogram, room.scratch):
        return False
    for j in range(begin, end):
        v = wanted.value[inside[j]]
        if room.take[v] > 0:
            room.take[v] -= 1
            left[v] -= 1
            label[inside[j]] = number
    return True


@compiled(borrows=True)
def _largest(wanted: _Proportions, inside: NDArray[np.int64], begin: int, end: int, have: NDArray[np.int64]) -> int:
    """Count the rows of one box by value; return how many of them at most are within the distance."""
    for v in range(len(have)):
        have[v] = 0
    for j in range(begin, end):
        have[wanted.value[inside[j]]] += 1
    low, high = np.int64(0), end - begin + 1
    while high - low > 1:  # what a group lacks grows faster than the group
        size = (low + high) // 2
        if _lacking(size, have, wanted.share) <= wanted.distance * size:
            low = size
        else:
            high = size
    return low


@compiled
def _dissolve(
    rules: RuleTable,
    arrangement: Arrangement,
    waiting: NDArray[np.int64],
    room: _Room,
    label: NDArray[np.int32],
    groups: int,
) -> int:
    """Let rows that are left take groups to them until they are accepted; return how many groups there are then.

    Later groups come from dearer boxes: they are dissolved first.
    """
    n = len(label)
    begin, order = _by_box(groups, np.flatnonzero(label >= 0), label[label >= 0].astype(np.int64))
    room.histogram[:] = 0
    for i in waiting:
        _count_row(rules, arrangement, i, room.histogram)
    rows = len(waiting)
    while groups > 0 and not accepts(rules, rows, room.histogram, room.scratch):
        groups -= 1
        for j in range(begin[groups], begin[groups + 1]):
            label[order[j]] = -1
            _count_row(rules, arrangement, order[j], room.histogram)
        rows += begin[groups + 1] - begin[groups]
    for i in range(n):
        if label[i] < 0:
            label[i] = groups
    return groups + 1


@compiled(borrows=True)
def _count_row(rules: RuleTable, arrangement: Arrangement, i: int, histogram: NDArray[np.int64]) -> None:
    row = arrangement.start[arrangement.cell[i]]
    for column in range(arrangement.sensitive.shape[1]):
        histogram[rules.start[column] + arrangement.sensitive[row, column]] += 1
