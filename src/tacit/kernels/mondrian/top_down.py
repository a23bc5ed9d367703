"""Top-down cuts: the one that leaves the least NCP first, the next best where the guarantee refuses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.cuts import mark_sides, next_cut, score_all, spread
from tacit.kernels.mondrian.rules import DISTINCT, Rules, accepts
from tacit.kernels.mondrian.space import Space, attribute_width
from tacit.kernels.mondrian.workspace import Stock, Work, tally, work_for
from tacit.kernels.threads import in_parallel

__all__ = ["allowed", "cost_after", "descend", "divide"]

_LARGE = 4096  # above this many cells a cut must not peel off slivers, or the cost would be quadratic
_SLIVER = 64
_APART = 32768  # cells that one thread handles alone


@compiled
def cost_after(
    space: Space, stock: Stock, begin: int, end: int, sides: NDArray[np.uint8], token: int, work: Work
) -> float:
    """Return the NCP of both sides of a cut over all attributes; `token` to `token + 3` must be new marks."""
    q = len(space.kind)
    rows0, rows1 = np.int64(0), np.int64(0)
    for i in range(begin, end):
        if sides[i - begin]:
            rows1 += stock.weight[i]
        else:
            rows0 += stock.weight[i]
    cost = 0.0
    for b in range(q):
        if work.present[b] == 1:
            continue
        at = space.start[b]
        if space.kind[b] == 1:
            distinct0, distinct1 = np.int64(-1), np.int64(-1)
            for i in range(begin, end):
                v = at + stock.points[i, b]
                if sides[i - begin]:
                    if work.seen[v] < token:
                        work.seen[v] = token + 2
                        distinct1 += 1
                    elif work.seen[v] == token + 1:
                        work.seen[v] = token + 3
                        distinct1 += 1
                elif work.seen[v] < token:
                    work.seen[v] = token + 1
                    distinct0 += 1
                elif work.seen[v] == token + 2:
                    work.seen[v] = token + 3
                    distinct0 += 1
            cost += (rows0 * distinct0 + rows1 * distinct1) * space.unit[b]
            continue
        low0, low1, high0, high1 = np.int64(1 << 40), np.int64(1 << 40), np.int64(-1), np.int64(-1)
        for i in range(begin, end):
            v = np.int64(stock.points[i, b])
            if sides[i - begin]:
                low1 = min(low1, v)
                high1 = max(high1, v)
            else:
                low0 = min(low0, v)
                high0 = max(high0, v)
        cost += rows0 * attribute_width(space, b, low0, high0) + rows1 * attribute_width(space, b, low1, high1)
    return cost


@compiled
def _both_diverse(rules: Rules, stock: Stock, begin: int, end: int, sides: NDArray[np.uint8], work: Work) -> bool:
    """Say whether both sides have enough distinct values; look at no more cells than it takes to know."""
    for r in range(len(rules.kind)):
        if rules.kind[r] != DISTINCT:
            continue
        column = rules.column[r]
        base = rules.start[column]
        need = rules.count[r]
        found0, found1 = np.int64(0), np.int64(0)
        for i in range(begin, end):
            mark = 2 if sides[i - begin] else 1
            if (found0 if mark == 1 else found1) >= need:
                continue
            c = stock.cell[i]
            for row in range(stock.start[c], stock.start[c + 1]):
                v = base + stock.sensitive[row, column]
                if work.part[v] & mark == 0:
                    work.part[v] |= mark
                    if mark == 1:
                        found0 += 1
                    else:
                        found1 += 1
            if found0 >= need and found1 >= need:
                break
        work.part[base : rules.start[column + 1]] = 0
        if found0 < need or found1 < need:
            return False
    return True


@compiled
def allowed(rules: Rules, stock: Stock, begin: int, end: int, sides: NDArray[np.uint8], work: Work) -> bool:
    """Say whether the guarantee accepts both sides of a cut, each with enough rows.

    Unless the rules are plain, `work.whole` must be the histogram of the stretch.
    """
    if rules.plain:
        return _both_diverse(rules, stock, begin, end, sides, work)
    rows = np.int64(0)
    work.part[:] = 0
    for i in range(begin, end):
        if sides[i - begin] == 0:
            rows += stock.weight[i]
            tally(rules, stock, i, work.part)
    if not accepts(rules, rows, work.part, work.scratch):
        return False
    rows = -rows
    for i in range(begin, end):
        rows += stock.weight[i]
    for v in range(len(work.part)):
        work.part[v] = work.whole[v] - work.part[v]
    return accepts(rules, rows, work.part, work.scratch)


@compiled
def _choose(
    space: Space,
    rules: Rules,
    stock: Stock,
    begin: int,
    end: int,
    rows: int,
    fewest: int,
    thorough: int,
    token: int,
    sides: NDArray[np.uint8],
    work: Work,
) -> bool:
    """Write the sides of the best cut that the guarantee accepts; say whether there is one."""
    q = len(space.kind)
    cells = end - begin
    score_all(space, rows, cells, rules.smallest, fewest, work)
    if cells <= thorough:
        for a in range(q):
            if work.best[a] >= 0:
                mark_sides(space, stock, begin, end, a, work.best[a], sides, work)
                work.full[a] = cost_after(space, stock, begin, end, sides, token + 4 * a, work)
    if not rules.plain:
        work.whole[:] = 0
        for i in range(begin, end):
            tally(rules, stock, i, work.whole)
    tries = 2 * q if rules.plain else 8 * q
    while True:
        chosen, lowest = -1, math.inf
        for a in range(q):
            if work.best[a] >= 0 and work.full[a] < lowest:
                chosen, lowest = a, work.full[a]
        if chosen < 0:
            return False
        mark_sides(space, stock, begin, end, chosen, work.best[chosen], sides, work)
        if len(work.whole) == 0 or allowed(rules, stock, begin, end, sides, work):
            return True
        tries -= 1
        if tries == 0:
            return False
        # The next best cut of this attribute waits behind the other attributes' first ones.
        next_cut(space, chosen, work)
        work.full[chosen] = lowest + abs(lowest) + rows


@compiled
def _swap(stock: Stock, i: int, j: int) -> None:
    for a in range(stock.points.shape[1]):
        stock.points[i, a], stock.points[j, a] = stock.points[j, a], stock.points[i, a]
    stock.cell[i], stock.cell[j] = stock.cell[j], stock.cell[i]
    stock.weight[i], stock.weight[j] = stock.weight[j], stock.weight[i]


@compiled
def divide(stock: Stock, begin: int, end: int, sides: NDArray[np.uint8]) -> int:
    """Bring side 0 before side 1 and return where side 1 begins."""
    i, j = begin, end - 1
    while True:
        while i <= j and sides[i - begin] == 0:
            i += 1
        while i <= j and sides[j - begin]:
            j -= 1
        if i > j:
            return i
        _swap(stock, i, j)
        sides[i - begin], sides[j - begin] = 0, 1


@compiled
def _descend(
    space: Space,
    rules: Rules,
    stock: Stock,
    begin: int,
    end: int,
    pause: int,
    thorough: int,
    opens: NDArray[np.uint8],
    work: Work,
) -> None:
    """Cut a stretch until nothing is accepted or at most `pause` cells are left; `opens` marks where parts begin."""
    stack = [(np.int64(begin), np.int64(end))]
    token = work.seen.max() + 4
    sides = np.empty(end - begin, np.uint8)
    while len(stack) > 0:
        s, e = stack.pop()
        opens[s] = 1
        if e - s <= max(1, pause):
            continue
        rows = np.int64(0)
        for i in range(s, e):
            rows += stock.weight[i]
        if rows < 2 * rules.smallest:
            continue
        spread(space, stock, s, e, work)
        token += 4 * len(space.kind)
        fewest = (e - s) // _SLIVER if e - s > _LARGE else 1
        found = False
        while not found and fewest > 0:
            found = _choose(space, rules, stock, s, e, rows, fewest, thorough, token, sides, work)
            fewest = min(fewest - 1, 1)
        if found:
            m = divide(stock, s, e, sides)
            stack.append((m, e))
            stack.append((s, m))


@compiled
def _task(
    space: Space,
    rules: Rules,
    stock: Stock,
    begin: int,
    end: int,
    pause: int,
    thorough: int,
    opens: NDArray[np.uint8],
) -> None:
    _descend(space, rules, stock, begin, end, pause, thorough, opens, work_for(space, rules))


def descend(
    space: Space, rules: Rules, stock: Stock, pause: int = 1, thorough: int = 1024, threads: int = 0
) -> NDArray[np.int64]:
    """Reorder the stock into groups and return where they begin (and, last, the number of cells).

    Stretches of at most `thorough` cells are cut by their NCP over all attributes, larger ones by that of the
    attribute cut. With `pause` > 1 stretches of at most so many cells are left whole.
    """
    m = len(stock.cell)
    opens = np.zeros(m, dtype=np.uint8)
    coarse = max(m // 64, _APART)
    if m > coarse:
        _task(space, rules, stock, 0, m, max(coarse, pause), thorough, opens)
        begins = np.append(np.flatnonzero(opens), m)
        parts = list(zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True))
    else:
        parts = [(0, m)] if m else []
    in_parallel(_task, [(space, rules, stock, *part, pause, thorough, opens) for part in parts], threads)
    return np.append(np.flatnonzero(opens), m)
