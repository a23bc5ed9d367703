"""Depth-first search over removal patterns: which items to take from which rows of a group, at least cost.

A node is a set of removed cells (a row and one of its items), its children take one cell more. A cell that was tried at
a node is barred below the siblings that follow, so every set is met once. Only cost prunes: a removal may make things
worse before they get better. The search stops when its budget of evaluations is spent and goes on later from there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.dives import dive
from tacit.kernels.quasi_sensitive.group_node import Work, feasible, load, measured, restore, take, trial, work_for
from tacit.kernels.quasi_sensitive.measure import Rule
from tacit.kernels.quasi_sensitive.search_state import DONE, FREE, FRESH, NONE, OPEN, Course, Problem, record

__all__ = ["search"]

_EVERYTHING = 4096  # cells that are tried at a node of a small group
_EFFORT = 2_000_000  # cells of a group times cells tried at a node
_FEWEST = 64
_DIVES = 64  # rows of a group that a dive begins with
_DEEP = 400  # cells of a group in which dives are short


@compiled
def _repeats(problem: Problem, course: Course, r: int) -> bool:
    """Is this row in every respect like the one before it? Then whatever it offers was offered there."""
    if not problem.repeats[r]:
        return False
    begin, before = problem.cell[r], problem.cell[r - 1]
    same = True
    for j in range(problem.cell[r + 1] - begin):
        same &= course.state[begin + j] == course.state[before + j]
    return same


@compiled
def _gather(problem: Problem, course: Course, work: Work, g: int, cost: int, adaptive: bool) -> int:
    """List the cells that may be taken next and would not cost more than the best answer; return how many."""
    found = 0
    first = problem.row[g]
    for r in range(first, problem.row[g + 1]):
        left = work.left[r - first]
        if left == 0 or cost + problem.price[left] >= course.best_cost[g]:
            continue
        if adaptive and r > first and _repeats(problem, course, r):
            continue
        for c in range(problem.cell[r], problem.cell[r + 1]):
            if course.state[c] == FREE:
                work.cells[found] = c
                found += 1
    return found


@compiled
def _sample(problem: Problem, course: Course, work: Work, g: int, found: int) -> int:
    """In a very large group a node looks at some of the cells only, at others on the next level."""
    cells = problem.cell[problem.row[g + 1]] - problem.cell[problem.row[g]]
    look = max(_FEWEST, min(_EVERYTHING, _EFFORT // max(1, cells)))
    if found <= look:
        return found
    stride = -(-found // look)
    kept = 0
    for i in range(course.depth[g] % stride, found, stride):
        work.cells[kept] = work.cells[i]
        kept += 1
    course.cut[g] = True
    return kept


@compiled
def _expand(problem: Problem, course: Course, rule: Rule, work: Work, g: int, cost: int, adaptive: bool) -> int:
    """Try every cell of the tail set and lay them down, the most promising first; return how many were tried."""
    d = course.depth[g]
    at = course.level_of[g] + d
    begin = course.room[g] if d == 0 else course.level_end[at - 1]
    found = _gather(problem, course, work, g, cost, adaptive)
    tried = 0
    if adaptive and found:
        found = _sample(problem, course, work, g, found)
        first = problem.row[g]
        now, part = measured(problem, rule, work)
        kept = 0
        for i in range(found):
            c = work.cells[i]
            price = problem.price[work.left[problem.of[c] - first]]
            if cost + price >= course.best_cost[g]:
                continue
            tried += 1
            reached, rest = trial(problem, course, rule, work, g, c)
            if feasible(rule, reached):
                record(problem, course, g, cost + price, c)
                continue
            work.cells[kept] = c
            work.score[kept] = (reached - now) / price
            work.tie[kept] = (reached + rest - now - part) / price
            kept += 1
        found = kept
        by_tie = np.argsort(work.tie[:found], kind="mergesort")
        order = by_tie[np.argsort(work.score[:found][by_tie], kind="mergesort")]
        work.cells[:found] = work.cells[:found][order]
    # Where the stack is short, the least promising are left out; every level below still needs a place.
    deepest = problem.cell[problem.row[g + 1]] - problem.cell[problem.row[g]] - d - 1
    fit = course.room[g + 1] - begin - deepest
    if found > fit:
        found = max(1, fit)
        course.cut[g] = True
    for i in range(found):
        course.candidate[begin + i] = work.cells[i]
    course.level_at[at], course.level_end[at] = begin, begin + found
    return tried


@compiled
def _leave(problem: Problem, course: Course, work: Work, g: int) -> int:
    """Go back to the node above and bar the cell that led here; return what the cell had cost."""
    at = course.level_of[g] + course.depth[g]
    begin = course.room[g] if course.depth[g] == 0 else course.level_end[at - 1]
    for i in range(begin, course.level_end[at]):
        course.state[course.candidate[i]] = FREE
    if course.depth[g] == 0:
        course.status[g] = DONE
        return 0
    c = course.candidate[course.level_at[at - 1]]
    restore(problem, course, work, g, c)
    course.level_at[at - 1] += 1
    course.depth[g] -= 1
    return problem.price[work.left[problem.of[c] - problem.row[g]]]


@compiled
def _run(
    problem: Problem, course: Course, rule: Rule, work: Work, g: int, budget: int, first_only: bool, adaptive: bool
) -> int:
    cost = load(problem, course, rule, work, g)
    used = 0
    if course.status[g] == FRESH:
        course.status[g] = OPEN
        used += _expand(problem, course, rule, work, g, cost, adaptive)
    rows = problem.row[g + 1] - problem.row[g]
    dives = (
        min(rows, _DIVES)
        if adaptive and problem.cell[problem.row[g + 1]] - problem.cell[problem.row[g]] <= _DEEP
        else 0
    )
    while course.status[g] == OPEN and used < budget and not (first_only and course.best_cost[g] != NONE):
        if course.best_cost[g] != NONE and course.dives[g] < dives:
            begin = problem.row[g] + course.dives[g] * rows // dives
            used += dive(problem, course, rule, work, g, begin)
            course.dives[g] += 1
            load(problem, course, rule, work, g)
            continue
        at = course.level_of[g] + course.depth[g]
        if course.level_at[at] == course.level_end[at]:
            cost -= _leave(problem, course, work, g)
            continue
        c = course.candidate[course.level_at[at]]
        price = problem.price[work.left[problem.of[c] - problem.row[g]]]
        if cost + price >= course.best_cost[g]:
            course.level_at[at] += 1
            continue
        take(problem, course, work, g, c)
        cost += price
        course.depth[g] += 1
        if not adaptive:
            used += 1
            reached, _ = measured(problem, rule, work)
            if feasible(rule, reached):
                record(problem, course, g, cost, -1)
                course.level_at[at + 1] = course.level_end[at]
                course.level_end[at + 1] = course.level_end[at]
                continue
        used += _expand(problem, course, rule, work, g, cost, adaptive)
    return used


@compiled
def search(
    problem: Problem,
    course: Course,
    rule: Rule,
    groups: NDArray[np.int64],
    budgets: NDArray[np.int64],
    limit: int,
    first_only: bool,
    adaptive: bool,
) -> int:
    """Search on in each of the groups until its budget of evaluations is spent; return how many were made.

    Once they are more than the limit, the groups that follow have to wait. With `first_only` a group is left once it
    has an answer.
    """
    work = work_for(problem, groups)
    spent = 0
    for i in range(len(groups)):
        if spent >= limit:
            break
        used = _run(problem, course, rule, work, groups[i], budgets[i], first_only, adaptive)
        course.evaluations[groups[i]] += used
        spent += used
    return spent
