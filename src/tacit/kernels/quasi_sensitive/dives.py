"""Dives: greedy descents from the root that take all they can from one row before they turn to the next.

Every item that is taken from a row about doubles the labels that the row links to. The greedy search over all rows
looks one step ahead, does not see this, and spreads its removals. So once a group has an answer, dives that begin with
different rows look for a cheaper one; only then the tree is searched on from where the greedy search stopped.
"""

from __future__ import annotations

from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.group_node import GroupNode, feasible, load, measured, take, trial
from tacit.kernels.quasi_sensitive.measure import BeliefRule
from tacit.kernels.quasi_sensitive.search_state import FREE, RemovalProblem, SearchState, record

__all__ = ["dive"]


@compiled
def _best_cell(
    problem: RemovalProblem,
    state: SearchState,
    rule: BeliefRule,
    node: GroupNode,
    g: int,
    cost: int,
    begin: int,
    end: int,
) -> tuple[int, int]:
    """Try the free cells of the rows `begin .. end - 1`, and record answers.

    Returned are the cell that is most promising, -1 if none is left, and how many were tried.
    """
    now, part = measured(problem, rule, node)
    best, score, tie, tried = -1, 0.0, 0.0, 0
    for r in range(begin, end):
        left = node.left[r - problem.first_row[g]]
        for c in range(problem.first_cell[r], problem.first_cell[r + 1]):
            if state.cells[c] != FREE or cost + problem.price[left] >= state.best_cost[g]:
                continue
            tried += 1
            reached, rest = trial(problem, state, rule, node, g, c)
            if feasible(rule, reached):
                record(problem, state, g, cost + problem.price[left], c)
                continue
            one = (reached - now) / problem.price[left]
            other = (reached + rest - now - part) / problem.price[left]
            if best < 0 or one < score or (one == score and other < tie):
                best, score, tie = c, one, other
    return best, tried


@compiled
def dive(problem: RemovalProblem, state: SearchState, rule: BeliefRule, node: GroupNode, g: int, row: int) -> int:
    """Go down from the root, with one row first; return how many removals were tried.

    The states of the cells are put aside and back again; the group must be loaded anew afterwards.
    """
    begin, end = problem.first_cell[problem.first_row[g]], problem.first_cell[problem.first_row[g + 1]]
    for c in range(begin, end):
        node.aside[c - begin] = state.cells[c]
        state.cells[c] = FREE
    cost = load(problem, state, rule, node, g)
    used = 0
    while True:
        best, tried = _best_cell(problem, state, rule, node, g, cost, row, row + 1)
        used += tried
        if best < 0 and node.left[row - problem.first_row[g]] == 0:
            best, tried = _best_cell(
                problem, state, rule, node, g, cost, problem.first_row[g], problem.first_row[g + 1]
            )
            used += tried
        if best < 0:
            break
        row = problem.row_of_cell[best]
        cost += problem.price[node.left[row - problem.first_row[g]]]
        take(problem, state, node, g, best)
    for c in range(begin, end):
        state.cells[c] = node.aside[c - begin]
    return used
