"""Balanced cuts: halves that keep the distribution of the sensitive value.

Where a plain cut would leave a side that the guarantee refuses, the rows of every sensitive value are cut each at
their own middle along an attribute, so that both halves look like the whole. `bend` moves each value's share of the
left half towards what the plain cut would give, as far as the guarantee has room for it.

Of several sensitive columns the tightest is dealt first, the one whose most frequent value has most rows of the group,
and then all together: the rows of every combination of values. The order of the columns in the table does not matter.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.cuts import spread
from tacit.kernels.mondrian.rules import SIZE, RuleTable
from tacit.kernels.mondrian.space import NOMINAL, TREE, Space
from tacit.kernels.mondrian.top_down import allowed, cost_after, divide
from tacit.kernels.mondrian.workspace import Arrangement, Workspace, tally, workspace_for
from tacit.kernels.sorting import stable_order
from tacit.kernels.threads import in_parallel

__all__ = ["deal"]

_BENDS = 4
"""Steps between a cut that keeps the distribution exactly and a plain one; the plainest that is accepted is taken. More
steps find slightly cheaper cuts, and every step judges both sides once more. Chosen by trial."""
_APART = 16_384
"""About how many rows one thread handles in one piece: fewer balance threads better, more start fewer of them. The
outcome does not depend on it. Chosen by trial."""

_LAST = (1 << 31) - 1  # no code of a value is larger


class _Strata(NamedTuple):
    """The rows of a stretch by what must be halved: a sensitive value, or a combination of values.

    Attributes
    ----------
    of_row
        The stratum of each row, in the present order.
    tightest
        The number of the tightest column's value, by stratum; the strata of a value follow one another.
    count
        How many strata there are.
    """

    of_row: NDArray[np.int64]
    tightest: NDArray[np.int64]
    count: int


@compiled
def _by_tightness(rules: RuleTable, workspace: Workspace) -> NDArray[np.int64]:
    """Return the columns that a rule is about, the one first whose most frequent value has most rows of the group.

    Of equally tight ones the one of fewer values comes first.
    """
    columns = len(rules.start) - 1
    key = np.ones(columns, np.int64)
    for r in range(len(rules.kind)):
        if rules.kind[r] == SIZE:
            continue
        column = rules.column[r]
        largest, present = np.int64(0), np.int64(0)
        for v in range(rules.start[column], rules.start[column + 1]):
            largest = max(largest, workspace.whole[v])
            present += workspace.whole[v] > 0
        key[column] = present - (largest << 31)
    order = stable_order(key)
    guarded = 0
    for column in range(columns):
        guarded += key[column] != 1
    return order[:guarded]


@compiled
def _strata(arrangement: Arrangement, begin: int, end: int, columns: NDArray[np.int64]) -> _Strata:
    """Number the combinations of values of some columns that are present, by the first column first.

    The others go up and down in turn, from one value of the first column to the next: what rounding gives a value of
    theirs too much beside one of the first column, it gives it too little beside the next.
    """
    n = end - begin
    of_row = np.zeros(n, np.int64)
    tightest = np.zeros(max(1, n), np.int64)
    count = 1
    key = np.empty(n, np.int64)
    for at in range(len(columns)):
        for i in range(n):
            value = arrangement.sensitive[arrangement.start[arrangement.cell[begin + i]], columns[at]]
            if at > 0 and tightest[of_row[i]] & 1:
                value = _LAST - value
            key[i] = (of_row[i] << 31) | value
        order = stable_order(key)
        above = tightest.copy()
        count = 0
        for j in range(n):
            if j == 0 or key[order[j]] != key[order[j - 1]]:
                tightest[count] = count if at == 0 else above[key[order[j]] >> 31]
                count += 1
            of_row[order[j]] = count - 1
    return _Strata(of_row, tightest, count)


@compiled
def _rank_children(space: Space, a: int, workspace: Workspace) -> None:
    """Number the positions present by the children of their lowest common node, those with most rows first."""
    base = space.start[a]
    present = workspace.present[a]
    level = 0
    while (
        space.path[level, base + workspace.value[base]] != space.path[level, base + workspace.value[base + present - 1]]
    ):
        level += 1
    mass = np.zeros(present, np.int64)  # of the child, at its first position
    head = np.zeros(present, np.int64)
    for j in range(present):
        head[j] = j
        if (
            j
            and space.path[level - 1, base + workspace.value[base + j]]
            == space.path[level - 1, base + workspace.value[base + j - 1]]
        ):
            head[j] = head[j - 1]
        mass[head[j]] += workspace.mass[base + j]
    key = np.empty(present, np.int64)
    for j in range(present):
        key[j] = -mass[head[j]]
    order = stable_order(key)
    for j in range(present):
        workspace.number[base + workspace.value[base + order[j]]] = j


@compiled
def _order(
    space: Space,
    arrangement: Arrangement,
    begin: int,
    end: int,
    a: int,
    strata: _Strata,
    along: NDArray[np.int64],
    order: NDArray[np.int64],
    first: NDArray[np.int64],
    workspace: Workspace,
) -> int:
    """Sort the rows of a stretch by stratum, then along attribute `a` (nominal: frequent values first).

    `along` receives the rank of each row's position along the attribute, `order` the sorted rows, and `first` where
    each stratum ends among them. Return the rank that half of the rows do not exceed.
    """
    base = space.start[a]
    present = workspace.present[a]
    n = end - begin
    if space.kind[a] == NOMINAL:
        by_mass = np.empty(present, np.int64)
        for j in range(present):
            by_mass[j] = -workspace.mass[base + j]
        ranked = stable_order(by_mass)
        for j in range(present):
            workspace.number[base + workspace.value[base + ranked[j]]] = j
    elif space.kind[a] == TREE:
        _rank_children(space, a, workspace)
    else:
        for j in range(present):
            workspace.number[base + workspace.value[base + j]] = j
    for i in range(n):
        along[i] = workspace.number[base + arrangement.points[begin + i, a]]
    for j in range(present):
        workspace.number[base + workspace.value[base + j]] = 0
    # Two counting sorts; the first is stable along the attribute, the second over the values.
    count = np.zeros(present + 1, np.int64)
    for i in range(n):
        count[along[i] + 1] += 1
    middle, total = np.int64(-1), np.int64(0)
    for j in range(present):
        total += count[j + 1]
        if middle < 0 and 2 * total >= n:
            middle = np.int64(j)
        count[j + 1] += count[j]
    sorted_along = np.empty(n, np.int64)
    for i in range(n):
        sorted_along[count[along[i]]] = i
        count[along[i]] += 1
    first[: strata.count + 1] = 0
    for i in range(n):
        first[strata.of_row[i] + 1] += 1
    for v in range(strata.count):
        first[v + 1] += first[v]
    for k in range(n):
        i = sorted_along[k]
        v = strata.of_row[i]
        order[first[v]] = i
        first[v] += 1
    return middle


@compiled
def _halve(
    along: NDArray[np.int64],
    order: NDArray[np.int64],
    first: NDArray[np.int64],
    strata: _Strata,
    middle: int,
    bend: float,
    odd: bool,
    sides: NDArray[np.uint8],
) -> int:
    """Put about half of every stratum's rows on side 0, the first along the attribute; return how many.

    What one stratum of a tightest value has too little of a half, the next one of that value gets.
    """
    i, zeros = 0, 0
    carried = 0.0
    for v in range(strata.count):
        j = first[v]
        below = 0
        for k in range(i, j):
            below += along[order[k]] <= middle
        share = (1.0 - bend) * 0.5 * (j - i) + bend * below + carried
        left = min(np.int64(math.floor(share)), j - i)
        carried = share - left
        if v + 1 == strata.count or strata.tightest[v + 1] != strata.tightest[v]:
            # The middle one of an odd number of rows goes to the side on which the plain cut has it, or all do to
            # side 0: values that are equally frequent in the whole are so in both halves only if all go together.
            if carried >= 0.5 and i + left < j and (odd or along[order[i + left]] <= middle):
                left += 1
            carried = 0.0
        for k in range(i, j):
            sides[order[k]] = k - i >= left
        zeros += left
        i = j
    return zeros


@compiled
def _deal_one(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    end: int,
    bends: int,
    opens: NDArray[np.uint8],
    workspace: Workspace,
) -> None:
    q = len(space.kind)
    token = workspace.seen.max() + 4
    stack = [(np.int64(begin), np.int64(end))]
    sides = np.empty(end - begin, np.uint8)
    best_sides = np.empty(end - begin, np.uint8)
    along = np.empty(end - begin, np.int64)
    order = np.empty(end - begin, np.int64)
    first = np.empty(end - begin + 1, np.int64)
    while len(stack) > 0:
        s, e = stack.pop()
        opens[s] = 1
        if e - s < 2 * rules.smallest:
            continue
        spread(space, arrangement, s, e, workspace)
        workspace.whole[:] = 0
        for i in range(s, e):
            tally(rules, arrangement, i, workspace.whole)
        lowest = math.inf
        columns = _by_tightness(rules, workspace)
        alone = _strata(arrangement, s, e, columns[:1])
        together = _strata(arrangement, s, e, columns)
        for a in range(q):
            if workspace.present[a] == 1:
                continue
            for way in range(min(2, max(1, len(columns)))):
                strata = together if way else alone
                middle = _order(space, arrangement, s, e, a, strata, along, order, first, workspace)
                for b in range(bends, -2, -1):  # bends from the largest down: a smaller one splits at a higher cost
                    zeros = _halve(along, order, first, strata, middle, max(b, 0) / max(1, bends), b < 0, sides)
                    if zeros < rules.smallest or e - s - zeros < rules.smallest:
                        continue
                    if allowed(rules, arrangement, s, e, sides, workspace):
                        cost = cost_after(space, arrangement, s, e, sides, token, workspace)
                        token += 4
                        if cost < lowest:
                            lowest = cost
                            for i in range(e - s):
                                best_sides[i] = sides[i]
                        break
        if lowest < math.inf:
            m = divide(arrangement, s, e, best_sides, workspace)
            stack.append((m, e))
            stack.append((s, m))


@compiled
def _task(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    groups: NDArray[np.int64],
    begin: int,
    end: int,
    bends: int,
    opens: NDArray[np.uint8],
) -> None:
    workspace = workspace_for(space, rules)
    for g in range(begin, end):
        _deal_one(space, rules, arrangement, groups[g], groups[g + 1], bends, opens, workspace)


def deal(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    groups: NDArray[np.int64],
    bends: int = _BENDS,
    threads: int = 0,
) -> NDArray[np.int64]:
    """Cut the groups of an arrangement of single rows further by dealing; reorder it and return where groups begin."""
    n = len(arrangement.cell)
    opens = np.zeros(n, dtype=np.uint8)
    # Stretches of groups with about as many rows each.
    pieces = max(1, min(64, n // _APART))
    bound = np.unique(np.searchsorted(groups, np.linspace(0, n, pieces + 1)[1:-1]))
    ends = np.unique(np.concatenate([[0], bound, [len(groups) - 1]])).tolist()
    tasks = [(space, rules, arrangement, groups, begin, end, bends, opens) for begin, end in pairwise(ends)]
    in_parallel(_task, tasks, threads)
    return np.append(np.flatnonzero(opens), n)
