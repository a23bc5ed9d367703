"""Dives: other ways down from the root, each taking all it can from one row before it turns to the next.

Every item that is taken from a row about doubles the labels it links to, while greed over all rows looks one step ahead
and spreads its removals. So once there is an answer, a dive from every row looks for a cheaper one, before the tree is
searched where greed left off.
"""

from __future__ import annotations

from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.group_node import Work, feasible, load, measured, take, trial
from tacit.kernels.quasi_sensitive.measure import Rule
from tacit.kernels.quasi_sensitive.search_state import FREE, Course, Problem, record

__all__ = ["dive"]


@compiled
def _best_cell(
    problem: Problem, course: Course, rule: Rule, work: Work, g: int, cost: int, begin: int, end: int
) -> tuple[int, int]:
    """Try the cells of the rows `begin .. end - 1`; return the most promising, -1 if none is left, and how many."""
    now, part = measured(problem, rule, work)
    best, score, tie, tried = -1, 0.0, 0.0, 0
    for r in range(begin, end):
        left = work.left[r - problem.row[g]]
        for c in range(problem.cell[r], problem.cell[r + 1]):
            if course.state[c] != FREE or cost + problem.price[left] >= course.best_cost[g]:
                continue
            tried += 1
            reached, rest = trial(problem, course, rule, work, g, c)
            if feasible(rule, reached):
                record(problem, course, g, cost + problem.price[left], c)
                continue
            one = (reached - now) / problem.price[left]
            other = (reached + rest - now - part) / problem.price[left]
            if best < 0 or one < score or (one == score and other < tie):
                best, score, tie = c, one, other
    return best, tried


@compiled
def dive(problem: Problem, course: Course, rule: Rule, work: Work, g: int, row: int) -> int:
    """Go down from the root, with one row first; return how many removals were tried.

    The path of the search is put aside and back again; the group must be loaded anew.
    """
    begin, end = problem.cell[problem.row[g]], problem.cell[problem.row[g + 1]]
    for c in range(begin, end):
        work.aside[c - begin] = course.state[c]
        course.state[c] = FREE
    cost = load(problem, course, rule, work, g)
    used = 0
    while True:
        best, tried = _best_cell(problem, course, rule, work, g, cost, row, row + 1)
        used += tried
        if best < 0 and work.left[row - problem.row[g]] == 0:
            best, tried = _best_cell(problem, course, rule, work, g, cost, problem.row[g], problem.row[g + 1])
            used += tried
        if best < 0:
            break
        row = problem.of[best]
        cost += problem.price[work.left[row - problem.row[g]]]
        take(problem, course, work, g, best)
    for c in range(begin, end):
        course.state[c] = work.aside[c - begin]
    return used
