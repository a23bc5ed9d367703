"""An answer in no time: whole rows are emptied, those that link to the fewest labels first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.group_node import empty, feasible, load, measured, work_for
from tacit.kernels.quasi_sensitive.measure import Rule
from tacit.kernels.quasi_sensitive.search_state import NONE, REMOVED, Course, Problem

__all__ = ["empty_rows"]


@compiled
def empty_rows(problem: Problem, course: Course, rule: Rule, groups: NDArray[np.int64]) -> None:
    """Give groups without an answer one: from the node where the search stands, rows are emptied until it holds.

    A group that does not hold when all rows are empty, either, is left without an answer.
    """
    work = work_for(problem, groups)
    for g in groups:
        cost = load(problem, course, rule, work, g)
        first, last = problem.row[g], problem.row[g + 1]
        order = np.argsort(work.size[: last - first], kind="mergesort")
        for i in order:
            if work.left[i] == 0:
                continue
            for left in range(1, work.left[i] + 1):
                cost += problem.price[left]
            empty(problem, work, i)
            reached, _ = measured(problem, rule, work)
            if not feasible(rule, reached):
                continue
            for r in range(first, last):
                for c in range(problem.cell[r], problem.cell[r + 1]):
                    course.best[c] = course.state[c] == REMOVED or work.left[r - first] == 0
            if course.best_cost[g] == NONE:
                course.first_cost[g] = cost
            course.best_cost[g] = cost
            break
