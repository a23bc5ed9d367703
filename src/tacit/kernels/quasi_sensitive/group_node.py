"""One group at one node: its beliefs, and what they become when an item is taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.beliefs import (
    ACTIVE,
    BASE,
    TOTAL,
    Beliefs,
    add,
    beliefs_for,
    clear,
    distance2,
    shift_base,
)
from tacit.kernels.quasi_sensitive.bits import count, lowest
from tacit.kernels.quasi_sensitive.measure import DIVERSITY, Rule, reach
from tacit.kernels.quasi_sensitive.search_state import BARRED, REMOVED, Course, Problem

__all__ = ["Work", "empty", "feasible", "load", "measured", "restore", "take", "trial", "work_for"]

_SQUARES, _MASS, _UNIT, _NODE = 0, 1, 2, 3


class Work(NamedTuple):
    """Scratch arrays of one thread; rows are counted from the first of the group."""

    beliefs: Beliefs
    links: NDArray[np.uint64]  # [row, word]
    size: NDArray[np.int64]  # labels that a row links to
    left: NDArray[np.int64]  # items that a row has left
    words: NDArray[np.uint64]
    values: NDArray[np.int64]
    cells: NDArray[np.int32]
    score: NDArray[np.float64]
    tie: NDArray[np.float64]
    aside: NDArray[np.uint8]
    slack: NDArray[np.int64]
    prior: NDArray[np.float64]  # squares and sum of the prior, what one unit of belief is worth, the node's distance


@compiled
def work_for(problem: Problem, groups: NDArray[np.int64]) -> Work:
    """Return scratch arrays that are large enough for these groups."""
    rows, cells = 1, 1
    for g in groups:
        rows = max(rows, problem.row[g + 1] - problem.row[g])
        cells = max(cells, problem.cell[problem.row[g + 1]] - problem.cell[problem.row[g]])
    words = len(problem.full)
    return Work(
        beliefs_for(problem.labels),
        np.empty((rows, words), np.uint64),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
        np.empty(words, np.uint64),
        np.empty(problem.labels, np.int64),
        np.empty(cells, np.int32),
        np.empty(cells, np.float64),
        np.empty(cells, np.float64),
        np.empty(cells, np.uint8),
        np.zeros(1, np.int64),
        np.zeros(4, np.float64),
    )


@compiled
def _link(problem: Problem, course: Course, r: int, without: int, out: NDArray[np.uint64]) -> int:
    """Write the labels that row r links to by the items it has left, but for one cell; return how many."""
    begun = False
    for c in range(problem.cell[r], problem.cell[r + 1]):
        if c == without or course.state[c] == REMOVED:
            continue
        labels = problem.bits[problem.item[c]]
        if begun:
            for k in range(len(out)):
                out[k] &= labels[k]
        else:
            for k in range(len(out)):
                out[k] = labels[k]
            begun = True
    if not begun:
        out[:] = problem.full
    return count(out)


@compiled
def _enter(problem: Problem, work: Work, i: int, sign: int) -> None:
    """Add what row i gives to the beliefs, or take it away."""
    if work.left[i] == 0:
        shift_base(work.beliefs, sign * problem.weight[problem.labels])
    else:
        add(work.beliefs, work.links[i], sign * problem.weight[work.size[i]])


@compiled
def load(problem: Problem, course: Course, rule: Rule, work: Work, g: int) -> int:
    """Bring a group's node into the work arrays; return its cost."""
    clear(work.beliefs)
    first, last = problem.row[g], problem.row[g + 1]
    cost = np.int64(0)
    for r in range(first, last):
        i = r - first
        held = problem.cell[r + 1] - problem.cell[r]
        gone = 0
        for c in range(problem.cell[r], problem.cell[r + 1]):
            if course.state[c] == REMOVED:
                cost += problem.price[held - gone]
                gone += 1
        work.left[i] = held - gone
        work.size[i] = _link(problem, course, r, -1, work.links[i])
        _enter(problem, work, i, 1)
    n = last - first
    work.slack[0] = 0 if problem.exact else n * (rule.a * problem.labels + rule.b)
    work.prior[:] = 0.0
    for p in rule.prior:
        work.prior[_SQUARES] += p * p
        work.prior[_MASS] += p
    work.prior[_UNIT] = 1.0 / (max(1, n) * float(problem.weight[1]))
    return cost


@compiled
def feasible(rule: Rule, reached: float) -> bool:
    """Say whether a measure is good enough."""
    if rule.kind == DIVERSITY:
        return -reached >= rule.l
    return reached * reached <= rule.t2 + rule.loose


@compiled
def measured(problem: Problem, rule: Rule, work: Work) -> tuple[float, float]:
    """Measure the node: less is better. Minus l' and what is left of the way to the next; or the distance, and 0."""
    head = work.beliefs.head
    if rule.kind == DIVERSITY:
        n = head[ACTIVE]
        work.values[:n] = work.beliefs.value[:n]
        found, part = reach(work.values, n, head[BASE], problem.labels, head[TOTAL], rule.a, rule.b, work.slack[0])
        return -float(found), -part
    d2 = distance2(work.beliefs, work.prior[_UNIT], rule.prior, work.prior[_SQUARES], work.prior[_MASS])
    work.prior[_NODE] = d2
    return np.sqrt(d2), 0.0


@compiled
def take(problem: Problem, course: Course, work: Work, g: int, c: int) -> None:
    """Remove a cell."""
    r = problem.of[c]
    i = r - problem.row[g]
    _enter(problem, work, i, -1)
    course.state[c] = REMOVED
    work.left[i] -= 1
    work.size[i] = _link(problem, course, r, -1, work.links[i])
    _enter(problem, work, i, 1)


@compiled
def restore(problem: Problem, course: Course, work: Work, g: int, c: int) -> None:
    """Put a cell back, and bar it."""
    r = problem.of[c]
    i = r - problem.row[g]
    _enter(problem, work, i, -1)
    course.state[c] = BARRED
    work.left[i] += 1
    work.size[i] = _link(problem, course, r, -1, work.links[i])
    _enter(problem, work, i, 1)


@compiled
def empty(problem: Problem, work: Work, i: int) -> None:
    """Take all that row i has left."""
    _enter(problem, work, i, -1)
    work.left[i] = 0
    work.size[i] = problem.labels
    _enter(problem, work, i, 1)


@compiled
def trial(problem: Problem, course: Course, rule: Rule, work: Work, g: int, c: int) -> tuple[float, float]:
    """Measure what the node, which was measured before, becomes if one cell is taken; nothing is changed."""
    r = problem.of[c]
    i = r - problem.row[g]
    last = work.left[i] == 1
    size = problem.labels if last else _link(problem, course, r, c, work.words)
    if rule.kind == DIVERSITY:
        return _try_reach(problem, rule, work, i, size, last)
    return _try_distance(problem, rule, work, i, size, last), 0.0


@compiled
def _try_reach(problem: Problem, rule: Rule, work: Work, i: int, size: int, last: bool) -> tuple[float, float]:
    beliefs, values = work.beliefs, work.values
    n, base, total = beliefs.head[ACTIVE], beliefs.head[BASE], beliefs.head[TOTAL]
    values[:n] = beliefs.value[:n]
    before, after = problem.weight[work.size[i]], problem.weight[size]
    if work.size[i]:
        total -= before * work.size[i]
        for k in range(len(work.words)):
            word = work.links[i, k]
            while word:
                values[beliefs.place[64 * k + lowest(word)]] -= before
                word &= word - np.uint64(1)
    total += after * size
    if last:
        base += after
    elif size:
        for k in range(len(work.words)):
            word = work.words[k]
            while word:
                at = beliefs.place[64 * k + lowest(word)]
                word &= word - np.uint64(1)
                if at < 0:
                    values[n] = after
                    n += 1
                else:
                    values[at] += after
    found, part = reach(values, n, base, problem.labels, total, rule.a, rule.b, work.slack[0])
    return -float(found), -part


@compiled
def _try_distance(problem: Problem, rule: Rule, work: Work, i: int, size: int, last: bool) -> float:
    """Add up what changes: (x' - p)^2 - (x - p)^2 for the labels of the row, and the base for all of them."""
    beliefs, unit = work.beliefs, work.prior[_UNIT]
    base = beliefs.head[BASE] * unit
    before = problem.weight[work.size[i]] * unit if work.size[i] else 0.0
    after = problem.weight[size] * unit if size else 0.0
    d2 = work.prior[_NODE]
    mass = beliefs.head[TOTAL] * unit - work.prior[_MASS]
    for k in range(len(work.words)):
        old = work.links[i, k] if work.size[i] else np.uint64(0)
        new = np.uint64(0) if last or size == 0 else work.words[k]
        word = old | new
        while word:
            bit = word & (~word + np.uint64(1))
            x = 64 * k + lowest(word)
            word ^= bit
            at = beliefs.place[x]
            gap = (beliefs.value[at] * unit if at >= 0 else 0.0) + base - rule.prior[x]
            step = (after if new & bit else 0.0) - (before if old & bit else 0.0)
            d2 += step * (2.0 * gap + step)
            mass += step
    if last:
        d2 += after * (2.0 * mass + problem.labels * after)
    return np.sqrt(max(0.0, d2))
