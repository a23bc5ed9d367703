"""Depth-first search over removal patterns: which items to take from which rows of a group, at least cost.

A node is a set of removed cells (a row and one of its items); each of its children takes one cell more. A cell that was
tried at a node is barred below the siblings that follow, so every set of cells is met once. Only cost prunes, because a
removal may make things worse before they get better. The search stops when its budget of evaluations is spent, and a
later call goes on from there.
"""

from __future__ import annotations

import numpy as np

from tacit.arrays import Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.dives import dive
from tacit.kernels.quasi_sensitive.group_node import GroupNode, feasible, load, measured, node_for, restore, take, trial
from tacit.kernels.quasi_sensitive.measure import BeliefRule
from tacit.kernels.quasi_sensitive.search_state import (
    DONE,
    FREE,
    FRESH,
    NONE,
    OPEN,
    RemovalProblem,
    SearchState,
    record,
)

__all__ = ["search"]

_MOST_TRIED = 4096
"""Cells that are tried at a node at most; less than that only in groups of more than some 500 cells."""
_EFFORT = 2_000_000
"""Cells of a group times cells tried at one of its nodes, at most. A greedy descent has about as many nodes as the
group has cells, so this bounds its evaluations. A larger number gives better answers for groups of more than some 1,400
cells, where some cells are left out, and takes longer. Chosen by trial."""
_FEWEST_TRIED = 64
"""Cells that are tried at a node at least, however large the group is. Chosen by trial."""
_DIVES = 64
"""Rows of a group that a dive begins with, at most. Chosen by trial."""
_DIVE_CELLS = 400
"""Cells of the largest group in which dives are made: a dive tries about as many removals as the square of the cells.
Chosen by trial."""


@compiled
def _cells_of(problem: RemovalProblem, g: int) -> int:
    """Return how many cells a group has."""
    return problem.first_cell[problem.first_row[g + 1]] - problem.first_cell[problem.first_row[g]]


@compiled
def _repeats(problem: RemovalProblem, state: SearchState, r: int) -> bool:
    """Tell whether a row is in every respect like the one before it: then whatever it offers was offered there."""
    if not problem.repeats[r]:
        return False
    begin, before = problem.first_cell[r], problem.first_cell[r - 1]
    same = True
    for j in range(problem.first_cell[r + 1] - begin):
        same &= state.cells[begin + j] == state.cells[before + j]
    return same


@compiled
def _list_free(problem: RemovalProblem, state: SearchState, node: GroupNode, g: int, cost: int, adaptive: bool) -> int:
    """List the cells that may be taken next and would not cost more than the best answer; return how many."""
    count = 0
    first = problem.first_row[g]
    for r in range(first, problem.first_row[g + 1]):
        left = node.left[r - first]
        if left == 0 or cost + problem.price[left] >= state.best_cost[g]:
            continue
        if adaptive and r > first and _repeats(problem, state, r):
            continue
        for c in range(problem.first_cell[r], problem.first_cell[r + 1]):
            if state.cells[c] == FREE:
                node.cells[count] = c
                count += 1
    return count


@compiled
def _thin_out(problem: RemovalProblem, state: SearchState, node: GroupNode, g: int, count: int) -> int:
    """Keep some of the listed cells of a very large group, others at each depth; return how many."""
    most = max(_FEWEST_TRIED, min(_MOST_TRIED, _EFFORT // max(1, _cells_of(problem, g))))
    if count <= most:
        return count
    stride = -(-count // most)
    kept = 0
    for i in range(state.depth[g] % stride, count, stride):
        node.cells[kept] = node.cells[i]
        kept += 1
    state.cut[g] = True
    return kept


@compiled
def _try_all(
    problem: RemovalProblem, state: SearchState, rule: BeliefRule, node: GroupNode, g: int, cost: int, count: int
) -> tuple[int, int]:
    """Try each of the listed cells and keep those that are no answer by themselves, with what they promise.

    An answer is recorded. Returned are how many cells are kept and how many were tried.
    """
    first = problem.first_row[g]
    now, part = measured(problem, rule, node)
    kept, tried = 0, 0
    for i in range(count):
        c = node.cells[i]
        price = problem.price[node.left[problem.row_of_cell[c] - first]]
        if cost + price >= state.best_cost[g]:
            continue
        tried += 1
        reached, rest = trial(problem, state, rule, node, g, c)
        if feasible(rule, reached):
            record(problem, state, g, cost + price, c)
            continue
        node.cells[kept] = c
        node.score[kept] = (reached - now) / price
        node.tie[kept] = (reached + rest - now - part) / price
        kept += 1
    return kept, tried


@compiled
def _put_best_first(node: GroupNode, count: int) -> None:
    """Order the listed cells by score, and those of equal score by their progress towards the next step."""
    by_tie = np.argsort(node.tie[:count], kind="mergesort")
    order = by_tie[np.argsort(node.score[:count][by_tie], kind="mergesort")]
    node.cells[:count] = node.cells[:count][order]


@compiled
def _lay_down(problem: RemovalProblem, state: SearchState, node: GroupNode, g: int, count: int) -> None:
    """Write the listed cells on the stack, as the candidates of this level."""
    depth = state.depth[g]
    at = state.level_of[g] + depth
    begin = state.room[g] if depth == 0 else state.level_end[at - 1]
    # Where the stack is short, the least promising are left out; every level below still needs a place.
    levels_below = _cells_of(problem, g) - depth - 1
    fit = state.room[g + 1] - begin - levels_below
    if count > fit:
        count = max(1, fit)
        state.cut[g] = True
    for i in range(count):
        state.candidate[begin + i] = node.cells[i]
    state.level_at[at], state.level_end[at] = begin, begin + count


@compiled
def _expand(
    problem: RemovalProblem, state: SearchState, rule: BeliefRule, node: GroupNode, g: int, cost: int, adaptive: bool
) -> int:
    """Find the children of this node, the most promising first; return how many removals were tried.

    The plain search takes the cells as they come and tries none of them here.
    """
    count = _list_free(problem, state, node, g, cost, adaptive)
    tried = 0
    if adaptive and count:
        count = _thin_out(problem, state, node, g, count)
        count, tried = _try_all(problem, state, rule, node, g, cost, count)
        _put_best_first(node, count)
    _lay_down(problem, state, node, g, count)
    return tried


@compiled
def _leave(problem: RemovalProblem, state: SearchState, node: GroupNode, g: int) -> int:
    """Go back to the node above and bar the cell that led here; return what the cell had cost."""
    at = state.level_of[g] + state.depth[g]
    begin = state.room[g] if state.depth[g] == 0 else state.level_end[at - 1]
    for i in range(begin, state.level_end[at]):
        state.cells[state.candidate[i]] = FREE
    if state.depth[g] == 0:
        state.status[g] = DONE
        return 0
    c = state.candidate[state.level_at[at - 1]]
    restore(problem, state, node, g, c)
    state.level_at[at - 1] += 1
    state.depth[g] -= 1
    return problem.price[node.left[problem.row_of_cell[c] - problem.first_row[g]]]


@compiled
def _dives_wanted(problem: RemovalProblem, g: int, adaptive: bool) -> int:
    """Return how many dives a group gets, once it has an answer."""
    if not adaptive or _cells_of(problem, g) > _DIVE_CELLS:
        return 0
    return min(problem.first_row[g + 1] - problem.first_row[g], _DIVES)


@compiled
def _next_dive(
    problem: RemovalProblem, state: SearchState, rule: BeliefRule, node: GroupNode, g: int, wanted: int
) -> int:
    """Make the next dive and come back to the node where the search stands; return how many removals were tried."""
    rows = problem.first_row[g + 1] - problem.first_row[g]
    used = dive(problem, state, rule, node, g, problem.first_row[g] + state.dives[g] * rows // wanted)
    state.dives[g] += 1
    load(problem, state, rule, node, g)
    return used


@compiled
def _descend(
    problem: RemovalProblem, state: SearchState, rule: BeliefRule, node: GroupNode, g: int, cost: int, adaptive: bool
) -> int:
    """Find the children of the node that was just entered at this cost; return how many removals were tried.

    The plain search has not tried this node yet: if it is an answer, it is recorded and has no children.
    """
    if adaptive:
        return _expand(problem, state, rule, node, g, cost, adaptive)
    reached, _ = measured(problem, rule, node)
    if feasible(rule, reached):
        record(problem, state, g, cost, -1)
        at = state.level_of[g] + state.depth[g]
        state.level_at[at] = state.level_end[at - 1]
        state.level_end[at] = state.level_end[at - 1]
        return 1
    return 1 + _expand(problem, state, rule, node, g, cost, adaptive)


@compiled
def _search_group(
    problem: RemovalProblem,
    state: SearchState,
    rule: BeliefRule,
    node: GroupNode,
    g: int,
    budget: int,
    first_only: bool,
    adaptive: bool,
) -> int:
    """Go on in one group until the budget is spent or the tree is done; return how many removals were tried."""
    cost = load(problem, state, rule, node, g)
    used = 0
    if state.status[g] == FRESH:
        state.status[g] = OPEN
        used += _expand(problem, state, rule, node, g, cost, adaptive)
    dives = _dives_wanted(problem, g, adaptive)
    while state.status[g] == OPEN and used < budget and not (first_only and state.best_cost[g] != NONE):
        if state.best_cost[g] != NONE and state.dives[g] < dives:
            used += _next_dive(problem, state, rule, node, g, dives)
            continue
        at = state.level_of[g] + state.depth[g]
        if state.level_at[at] == state.level_end[at]:
            cost -= _leave(problem, state, node, g)
            continue
        c = state.candidate[state.level_at[at]]
        price = problem.price[node.left[problem.row_of_cell[c] - problem.first_row[g]]]
        if cost + price >= state.best_cost[g]:
            state.level_at[at] += 1
            continue
        take(problem, state, node, g, c)
        cost += price
        state.depth[g] += 1
        used += _descend(problem, state, rule, node, g, cost, adaptive)
    return used


@compiled
def search(
    problem: RemovalProblem,
    state: SearchState,
    rule: BeliefRule,
    groups: Ints,
    budgets: Ints,
    limit: int,
    first_only: bool,
    adaptive: bool,
) -> int:
    """Go on in each of the groups until its budget of evaluations is spent; return how many were made.

    Parameters
    ----------
    problem, state, rule
        What is searched, where the search stands, and what a group must satisfy.
    groups, budgets
        Which groups, and how many evaluations each may have.
    limit
        Once there were so many evaluations, the groups that follow have to wait.
    first_only
        Whether to leave a group once it has an answer.
    adaptive
        Whether the cells of a node are tried and reordered, or taken as they come.
    """
    node = node_for(problem, groups)
    spent = 0
    for i in range(len(groups)):
        if spent >= limit:
            break
        used = _search_group(problem, state, rule, node, groups[i], budgets[i], first_only, adaptive)
        state.evaluations[groups[i]] += used
        spent += used
    return spent
