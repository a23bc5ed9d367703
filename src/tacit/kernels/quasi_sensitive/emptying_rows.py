"""An answer without a search: whole rows are emptied, those that link to the fewest labels first."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.group_node import empty, feasible, load, measured, node_for
from tacit.kernels.quasi_sensitive.measure import BeliefRule
from tacit.kernels.quasi_sensitive.search_state import NONE, REMOVED, RemovalProblem, SearchState

__all__ = ["empty_rows"]


@compiled
def empty_rows(problem: RemovalProblem, state: SearchState, rule: BeliefRule, groups: Ints) -> None:
    """Give groups an answer that have none: from the node where the search stands, empty rows until the rule holds.

    A group in which it does not even hold when all rows are empty stays without an answer.
    """
    node = node_for(problem, groups)
    for g in groups:
        cost = load(problem, state, rule, node, g)
        first, last = problem.first_row[g], problem.first_row[g + 1]
        order = np.argsort(node.size[: last - first], kind="mergesort")
        for i in order:
            if node.left[i] == 0:
                continue
            for left in range(1, node.left[i] + 1):
                cost += problem.price[left]
            empty(problem, node, i)
            reached, _ = measured(problem, rule, node)
            if not feasible(rule, reached):
                continue
            for r in range(first, last):
                for c in range(problem.first_cell[r], problem.first_cell[r + 1]):
                    state.best[c] = state.cells[c] == REMOVED or node.left[r - first] == 0
            if state.best_cost[g] == NONE:
                state.first_cost[g] = cost
            state.best_cost[g] = cost
            break
