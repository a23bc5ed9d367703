"""Top-down cuts: the one that leaves the least NCP first, the next best where the guarantee refuses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.indexing import at
from tacit.kernels.mondrian.cuts import mark_sides, next_cut, score_all, spread
from tacit.kernels.mondrian.rules import DISTINCT, RuleTable, accepts
from tacit.kernels.mondrian.space import NOMINAL, Space, attribute_width
from tacit.kernels.mondrian.workspace import TRAITS, Arrangement, Workspace, tally, workspace_for
from tacit.kernels.threads import in_parallel

__all__ = ["allowed", "cost_after", "descend", "divide"]

_LARGE = 4096
"""The most cells of a group that a cut may divide as unevenly as it likes. If a larger group lost a few cells at each
cut, the time would be quadratic."""
_SLIVER = 64
"""Of a larger group either side of a cut has at least one in this many cells, if such a cut is accepted. A smaller
number cuts faster and passes over more of the cheapest cuts; both limits were chosen by trial."""
_APART = 32_768
"""The most cells that one thread handles in one piece, unless a 64th of the table is more: small pieces balance the
threads better, large ones start fewer of them. The outcome does not depend on it. Chosen by trial."""


@compiled(borrows=True)
def cost_after(
    space: Space,
    arrangement: Arrangement,
    begin: int,
    end: int,
    sides: NDArray[np.uint8],
    token: int,
    workspace: Workspace,
) -> float:
    """Return the NCP of both sides of a cut over all attributes; `token` to `token + 3` must be new marks."""
    q = len(space.kind)
    rows0, rows1 = np.int64(0), np.int64(0)
    for i in range(begin, end):
        if sides[i - begin]:
            rows1 += arrangement.weight[i]
        else:
            rows0 += arrangement.weight[i]
    cost = 0.0
    for b in range(q):
        if workspace.present[b] == 1:
            continue
        base = space.start[b]
        if space.kind[b] == NOMINAL:
            distinct0, distinct1 = np.int64(-1), np.int64(-1)
            for i in range(begin, end):
                v = base + arrangement.points[i, b]
                if sides[i - begin]:
                    if workspace.seen[v] < token:
                        workspace.seen[v] = token + 2
                        distinct1 += 1
                    elif workspace.seen[v] == token + 1:
                        workspace.seen[v] = token + 3
                        distinct1 += 1
                elif workspace.seen[v] < token:
                    workspace.seen[v] = token + 1
                    distinct0 += 1
                elif workspace.seen[v] == token + 2:
                    workspace.seen[v] = token + 3
                    distinct0 += 1
            cost += (rows0 * distinct0 + rows1 * distinct1) * space.unit[b]
            continue
        low0, low1, high0, high1 = np.int64(1 << 40), np.int64(1 << 40), np.int64(-1), np.int64(-1)
        for i in range(begin, end):
            v = np.int64(arrangement.points[i, b])
            if sides[i - begin]:
                low1 = min(low1, v)
                high1 = max(high1, v)
            else:
                low0 = min(low0, v)
                high0 = max(high0, v)
        cost += rows0 * attribute_width(space, b, low0, high0) + rows1 * attribute_width(space, b, low1, high1)
    return cost


@compiled(borrows=True)
def _both_diverse(
    rules: RuleTable, arrangement: Arrangement, begin: int, end: int, sides: NDArray[np.uint8], workspace: Workspace
) -> bool:
    """Say whether both sides have enough distinct values, by the traits of the cells where these can tell."""
    left, right = np.uint32(0), np.uint32(0)
    marked = -1  # the column that the traits are about
    for r in range(len(rules.kind)):
        if rules.kind[r] != DISTINCT:
            continue
        column = rules.column[r]
        if marked < 0:
            marked = column
            for i in range(begin, end):
                # A side is 0 or 1: without a branch on it, which a processor cannot foresee.
                on_right = np.uint32(sides[at(i - begin)])
                right |= np.uint32(arrangement.traits[at(i)] * on_right)
                left |= np.uint32(arrangement.traits[at(i)] * (np.uint32(1) - on_right))
        if column == marked and _has_bits(left, rules.count[r]) and _has_bits(right, rules.count[r]):
            continue
        if column == marked and rules.start[column + 1] - rules.start[column] <= TRAITS:
            return False
        if not _both_have(rules.count[r], column, rules, arrangement, begin, end, sides, workspace):
            return False
    return True


@compiled(borrows=True, forceinline=True)
def _has_bits(bits: int, least: int) -> bool:
    """Say whether at least so many bits are set; `bits - 1` differs from `bits` in the lowest one and those below."""
    while bits != 0 and least > 1:
        bits &= bits - np.uint32(1)
        least -= 1
    return bits != 0


@compiled(borrows=True)
def _both_have(
    need: int,
    column: int,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    end: int,
    sides: NDArray[np.uint8],
    workspace: Workspace,
) -> bool:
    """Say whether both sides have enough distinct values in a column; look at no more cells than it takes to know."""
    base = rules.start[column]
    values0, values1 = np.int64(0), np.int64(0)
    for i in range(begin, end):
        mark = 2 if sides[i - begin] else 1
        if (values0 if mark == 1 else values1) >= need:
            continue
        c = arrangement.cell[i]
        for row in range(arrangement.start[c], arrangement.start[c + 1]):
            v = base + arrangement.sensitive[row, column]
            if workspace.part[v] & mark == 0:
                workspace.part[v] |= mark
                if mark == 1:
                    values0 += 1
                else:
                    values1 += 1
        if values0 >= need and values1 >= need:
            break
    workspace.part[base : rules.start[column + 1]] = 0
    return values0 >= need and values1 >= need


@compiled(borrows=True)
def allowed(
    rules: RuleTable, arrangement: Arrangement, begin: int, end: int, sides: NDArray[np.uint8], workspace: Workspace
) -> bool:
    """Say whether the guarantee accepts both sides of a cut, each with enough rows.

    Unless the rules are plain, `workspace.whole` must be the histogram of the stretch.
    """
    if rules.plain:
        return _both_diverse(rules, arrangement, begin, end, sides, workspace)
    rows = np.int64(0)
    workspace.part[:] = 0
    for i in range(begin, end):
        if sides[i - begin] == 0:
            rows += arrangement.weight[i]
            tally(rules, arrangement, i, workspace.part)
    if not accepts(rules, rows, workspace.part, workspace.scratch):
        return False
    rows = -rows
    for i in range(begin, end):
        rows += arrangement.weight[i]
    for v in range(len(workspace.part)):
        workspace.part[v] = workspace.whole[v] - workspace.part[v]
    return accepts(rules, rows, workspace.part, workspace.scratch)


@compiled(borrows=True)
def _choose(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    end: int,
    rows: int,
    fewest: int,
    thorough: int,
    token: int,
    sides: NDArray[np.uint8],
    workspace: Workspace,
) -> bool:
    """Write the sides of the best cut that the guarantee accepts; say whether there is one."""
    q = len(space.kind)
    cells = end - begin
    score_all(space, rows, cells, rules.smallest, fewest, workspace)
    if cells <= thorough:
        for a in range(q):
            if workspace.best[a] >= 0:
                mark_sides(space, arrangement, begin, end, a, workspace.best[a], sides, workspace)
                workspace.full[a] = cost_after(space, arrangement, begin, end, sides, token + 4 * a, workspace)
    if not rules.plain:
        workspace.whole[:] = 0
        for i in range(begin, end):
            tally(rules, arrangement, i, workspace.whole)
    tries = 2 * q if rules.plain else 8 * q
    while True:
        chosen, lowest = -1, math.inf
        for a in range(q):
            if workspace.best[a] >= 0 and workspace.full[a] < lowest:
                chosen, lowest = a, workspace.full[a]
        if chosen < 0:
            return False
        mark_sides(space, arrangement, begin, end, chosen, workspace.best[chosen], sides, workspace)
        if len(workspace.whole) == 0 or allowed(rules, arrangement, begin, end, sides, workspace):
            return True
        tries -= 1
        if tries == 0:
            return False
        # The next best cut of this attribute waits behind the other attributes' first ones.
        next_cut(space, chosen, workspace)
        workspace.full[chosen] = lowest + abs(lowest) + rows


@compiled(borrows=True)
def _swap(arrangement: Arrangement, i: int, j: int) -> None:
    for a in range(arrangement.points.shape[1]):
        arrangement.points[at(i), at(a)], arrangement.points[at(j), at(a)] = (
            arrangement.points[at(j), at(a)],
            arrangement.points[at(i), at(a)],
        )
    arrangement.cell[at(i)], arrangement.cell[at(j)] = arrangement.cell[at(j)], arrangement.cell[at(i)]
    arrangement.weight[at(i)], arrangement.weight[at(j)] = arrangement.weight[at(j)], arrangement.weight[at(i)]
    arrangement.traits[at(i)], arrangement.traits[at(j)] = arrangement.traits[at(j)], arrangement.traits[at(i)]


@compiled(borrows=True)
def divide(arrangement: Arrangement, begin: int, end: int, sides: NDArray[np.uint8], workspace: Workspace) -> int:
    """Bring side 0 before side 1 and return where side 1 begins.

    The first cell that stands too far left changes places with the last one that stands too far right, and so on. Both
    are listed, some at a time, without a branch on the side of a cell, which a processor cannot foresee.
    """
    middle = end
    for i in range(end - begin):
        middle -= sides[at(i)]
    i, j = begin, end - 1
    half = len(workspace.astray) // 2
    left, right, lefts, rights = 0, half, 0, half
    while True:
        if left == lefts:
            left, lefts = 0, 0
            while i < middle and lefts == 0:
                stop = min(i + half, middle)
                for place in range(i, stop):
                    workspace.astray[at(lefts)] = place
                    lefts += sides[at(place - begin)]
                i = stop
        if right == rights:
            right, rights = half, half
            while j >= middle and rights == half:
                stop = max(j - half, middle - 1)
                for place in range(j, stop, -1):
                    workspace.astray[at(rights)] = place
                    rights += 1 - sides[at(place - begin)]
                j = stop
        if left == lefts or right == rights:
            return middle
        pairs = min(lefts - left, rights - right)
        for k in range(pairs):
            _swap(arrangement, workspace.astray[at(left + k)], workspace.astray[at(right + k)])
        left += pairs
        right += pairs


@compiled
def _descend(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    end: int,
    pause: int,
    thorough: int,
    opens: NDArray[np.uint8],
    workspace: Workspace,
) -> None:
    """Cut a stretch until nothing is accepted or at most `pause` cells are left; `opens` marks where parts begin."""
    stack = [(np.int64(begin), np.int64(end))]
    token = workspace.seen.max() + 4
    sides = np.empty(end - begin, np.uint8)
    while len(stack) > 0:
        s, e = stack.pop()
        opens[s] = 1
        if e - s <= max(1, pause):
            continue
        rows = np.int64(0)
        for i in range(s, e):
            rows += arrangement.weight[at(i)]
        if rows < 2 * rules.smallest:
            continue
        spread(space, arrangement, s, e, workspace)
        token += 4 * len(space.kind)
        fewest = (e - s) // _SLIVER if e - s > _LARGE else 1
        is_cut = False
        while not is_cut and fewest > 0:
            is_cut = _choose(space, rules, arrangement, s, e, rows, fewest, thorough, token, sides, workspace)
            fewest = min(fewest - 1, 1)
        if is_cut:
            m = divide(arrangement, s, e, sides, workspace)
            stack.append((m, e))
            stack.append((s, m))


@compiled
def _task(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    begin: int,
    end: int,
    pause: int,
    thorough: int,
    opens: NDArray[np.uint8],
) -> None:
    _descend(space, rules, arrangement, begin, end, pause, thorough, opens, workspace_for(space, rules))


def descend(
    space: Space, rules: RuleTable, arrangement: Arrangement, pause: int = 1, thorough: int = 1024, threads: int = 0
) -> NDArray[np.int64]:
    """Reorder the arrangement into groups and return where they begin (and, last, the number of cells).

    Stretches of at most `thorough` cells are cut by their NCP over all attributes, larger ones by that of the
    attribute cut. Stretches of at most `pause` cells are not cut.
    """
    m = len(arrangement.cell)
    opens = np.zeros(m, dtype=np.uint8)
    coarse = max(m // 64, _APART)
    if m > coarse:
        _task(space, rules, arrangement, 0, m, max(coarse, pause), thorough, opens)
        begins = np.append(np.flatnonzero(opens), m)
        parts = list(zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True))
    else:
        parts = [(0, m)] if m else []
    in_parallel(_task, [(space, rules, arrangement, *part, pause, thorough, opens) for part in parts], threads)
    return np.append(np.flatnonzero(opens), m)
