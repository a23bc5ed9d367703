"""Groups in the proportions of the table, drawn from boxes: what cuts do not find if values go with attributes.

A cut has all rows of a region on one side. Where education goes with occupation, no cut of education is accepted under
t-closeness, and so every group covers all educations. But the rows of a region need not be in one group: here, the
boxes are visited from the cheapest to the dearest, and of the rows of a box that are in no group yet as many form one
as can have the proportions of the table. What a box has too much of waits for a larger one. Groups take rather too many
rows of the values that would otherwise be too frequent among those that wait, so that in the end few rows are left.
"""

from __future__ import annotations

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
    rule = np.int64(0)
    while rules.kind[rule] != EQUAL:
        rule += 1
    first = rules.start[rules.column[rule]]
    values = rules.start[rules.column[rule] + 1] - first
    distance = rules.top[rule] / rules.bottom[rule]
    reference = rules.first[rules.data_start[rule] : rules.data_start[rule] + values]
    share = reference / reference.sum()
    value = np.empty(n, np.int64)
    for i in range(n):
        value[i] = arrangement.sensitive[arrangement.start[arrangement.cell[i]], rules.column[rule]]
    label[:] = -1
    left = np.zeros(values, np.int64)  # the rows of each value that wait
    for i in range(n):
        left[value[i]] += 1
    waiting = np.arange(n)
    capacity = 16
    while capacity < 2 * n:
        capacity *= 2
    table, keys, box = np.empty(capacity, np.int64), np.empty(n, np.uint64), np.empty(n, np.int64)
    have, take = np.zeros(values, np.int64), np.zeros(values, np.int64)
    pressure = np.zeros(values)
    histogram, scratch = np.zeros(rules.start[-1], np.int64), np.zeros(rules.scratch, np.int64)
    groups = np.int64(0)
    for turn in range(len(levels)):
        waits = len(waiting)
        if waits == 0:
            break
        boxes = _boxes(space, arrangement, levels[turn], waiting, table, keys, box)
        begin = np.zeros(boxes + 1, np.int64)
        for w in range(waits):
            begin[box[w] + 1] += 1
        for b in range(boxes):
            begin[b + 1] += begin[b]
        inside, to = np.empty(waits, np.int64), begin[:-1].copy()
        for w in range(waits):
            inside[to[box[w]]] = waiting[w]
            to[box[w]] += 1
        for b in range(boxes):
            s, e = begin[b], begin[b + 1]
            if e - s < rules.smallest:
                continue
            have[:] = 0
            for j in range(s, e):
                have[value[inside[j]]] += 1
            low, high = np.int64(0), e - s + 1
            while high - low > 1:  # what a group lacks grows faster than the group
                size = (low + high) // 2
                if _lacking(size, have, share) <= distance * size:
                    low = size
                else:
                    high = size
            if low < max(1, rules.smallest):
                continue
            remaining = left.sum()
            for v in range(values):
                pressure[v] = left[v] - remaining * share[v]
            if not _choose(low, have, share, pressure, distance, take):
                continue
            # All rules are asked, in whole numbers: what was computed above only proposes.
            histogram[:] = 0
            have[:] = take
            for j in range(s, e):
                if have[value[inside[j]]] > 0:
                    have[value[inside[j]]] -= 1
                    _count_row(rules, arrangement, inside[j], histogram)
            if not accepts(rules, low, histogram, scratch):
                continue
            for j in range(s, e):
                if take[value[inside[j]]] > 0:
                    take[value[inside[j]]] -= 1
                    left[value[inside[j]]] -= 1
                    label[inside[j]] = groups
            groups += 1
        still = np.int64(0)
        for w in range(waits):
            if label[waiting[w]] < 0:
                waiting[still] = waiting[w]
                still += 1
        waiting = waiting[:still]
    if len(waiting) == 0:
        return groups
    # Later groups come from dearer boxes: they are dissolved first.
    size = np.zeros(groups, np.int64)
    for i in range(n):
        if label[i] >= 0:
            size[label[i]] += 1
    order, place = np.empty(n - len(waiting), np.int64), np.zeros(groups + 1, np.int64)
    for g in range(groups):
        place[g + 1] = place[g] + size[g]
    for i in range(n):
        if label[i] >= 0:
            order[place[label[i]]] = i
            place[label[i]] += 1
    histogram[:] = 0
    for i in waiting:
        _count_row(rules, arrangement, i, histogram)
    rows, end = len(waiting), n - len(waiting)
    while groups > 0 and not accepts(rules, rows, histogram, scratch):
        groups -= 1
        for j in range(end - size[groups], end):
            label[order[j]] = -1
            _count_row(rules, arrangement, order[j], histogram)
        rows += size[groups]
        end -= size[groups]
    for i in range(n):
        if label[i] < 0:
            label[i] = groups
    return groups + 1


@compiled(borrows=True)
def _count_row(rules: RuleTable, arrangement: Arrangement, i: int, histogram: NDArray[np.int64]) -> None:
    row = arrangement.start[arrangement.cell[i]]
    for column in range(arrangement.sensitive.shape[1]):
        histogram[rules.start[column] + arrangement.sensitive[row, column]] += 1
