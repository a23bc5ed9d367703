"""One group at one node: its beliefs, and what they become when an item is taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.beliefs import (
    ACTIVE,
    BASE,
    TOTAL,
    BeliefSums,
    add,
    clear,
    distance2,
    empty_sums,
    shift_base,
)
from tacit.kernels.quasi_sensitive.bits import count, lowest
from tacit.kernels.quasi_sensitive.measure import DIVERSITY, BeliefRule, reach
from tacit.kernels.quasi_sensitive.search_state import BARRED, REMOVED, RemovalProblem, SearchState

__all__ = ["GroupNode", "empty", "feasible", "load", "measured", "node_for", "restore", "take", "trial"]

_SQUARES, _MASS, _UNIT, _NODE = 0, 1, 2, 3
"""Places in `GroupNode.prior`."""


class GroupNode(NamedTuple):
    """One group at one node of the search, and scratch arrays; one thread has one, and loads group after group into it.

    Rows are counted from the first of the group.
    """

    beliefs: BeliefSums  # of the group, without the removed cells
    links: NDArray[np.uint64]  # [row, word]: the labels that a row links to
    size: Ints  # how many labels a row links to
    left: Ints  # how many items a row has left
    words: NDArray[np.uint64]  # scratch: the labels that a row would link to
    values: Ints  # scratch: beliefs that `reach` may reorder
    cells: NDArray[np.int32]  # scratch: cells that may be taken next
    score: Floats  # scratch: what taking such a cell changes, per cost; less is better
    tie: Floats  # scratch: the same with the progress towards the next step, for equal scores
    aside: NDArray[np.uint8]  # scratch: the states of the cells while a dive is made
    slack: Ints  # [0]: by how much diversity may be missed because weights are rounded
    prior: Floats  # squares and sum of the prior, what one unit of belief is worth, the node's squared distance


@compiled
def node_for(problem: RemovalProblem, groups: Ints) -> GroupNode:
    """Return scratch arrays that are large enough for these groups."""
    rows, cells = 1, 1
    for g in groups:
        rows = max(rows, problem.first_row[g + 1] - problem.first_row[g])
        cells = max(cells, problem.first_cell[problem.first_row[g + 1]] - problem.first_cell[problem.first_row[g]])
    words = len(problem.full)
    return GroupNode(
        empty_sums(problem.labels),
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
def _link(problem: RemovalProblem, state: SearchState, r: int, without: int, out: NDArray[np.uint64]) -> int:
    """Write the labels that row r links to by the items it has left, but for one cell; return how many."""
    begun = False
    for c in range(problem.first_cell[r], problem.first_cell[r + 1]):
        if c == without or state.cells[c] == REMOVED:
            continue
        labels = problem.bits[problem.item_of_cell[c]]
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
def _enter(problem: RemovalProblem, node: GroupNode, i: int, sign: int) -> None:
    """Add what row i gives to the beliefs, or take it away."""
    if node.left[i] == 0:
        shift_base(node.beliefs, sign * problem.weight[problem.labels])
    else:
        add(node.beliefs, node.links[i], sign * problem.weight[node.size[i]])


@compiled
def load(problem: RemovalProblem, state: SearchState, rule: BeliefRule, node: GroupNode, g: int) -> int:
    """Load the node where the search of a group stands; return what its removals cost."""
    clear(node.beliefs)
    first, last = problem.first_row[g], problem.first_row[g + 1]
    cost = np.int64(0)
    for r in range(first, last):
        i = r - first
        held = problem.first_cell[r + 1] - problem.first_cell[r]
        gone = 0
        for c in range(problem.first_cell[r], problem.first_cell[r + 1]):
            if state.cells[c] == REMOVED:
                cost += problem.price[held - gone]
                gone += 1
        node.left[i] = held - gone
        node.size[i] = _link(problem, state, r, -1, node.links[i])
        _enter(problem, node, i, 1)
    n = last - first
    node.slack[0] = 0 if problem.exact else n * (rule.a * problem.labels + rule.b)
    node.prior[:] = 0.0
    for p in rule.prior:
        node.prior[_SQUARES] += p * p
        node.prior[_MASS] += p
    node.prior[_UNIT] = 1.0 / (max(1, n) * float(problem.weight[1]))
    return cost


@compiled
def feasible(rule: BeliefRule, reached: float) -> bool:
    """Tell whether a measure is good enough."""
    if rule.kind == DIVERSITY:
        return -reached >= rule.l
    return reached * reached <= rule.t2 + rule.loose


@compiled
def measured(problem: RemovalProblem, rule: BeliefRule, node: GroupNode) -> tuple[float, float]:
    """Measure the node: less is better. Minus l' and what is left of the way to the next; or the distance, and 0."""
    head = node.beliefs.head
    if rule.kind == DIVERSITY:
        n = head[ACTIVE]
        node.values[:n] = node.beliefs.value[:n]
        reached, part = reach(node.values, n, head[BASE], problem.labels, head[TOTAL], rule.a, rule.b, node.slack[0])
        return -float(reached), -part
    d2 = distance2(node.beliefs, node.prior[_UNIT], rule.prior, node.prior[_SQUARES], node.prior[_MASS])
    node.prior[_NODE] = d2
    return np.sqrt(d2), 0.0


@compiled
def take(problem: RemovalProblem, state: SearchState, node: GroupNode, g: int, c: int) -> None:
    """Remove a cell."""
    r = problem.row_of_cell[c]
    i = r - problem.first_row[g]
    _enter(problem, node, i, -1)
    state.cells[c] = REMOVED
    node.left[i] -= 1
    node.size[i] = _link(problem, state, r, -1, node.links[i])
    _enter(problem, node, i, 1)


@compiled
def restore(problem: RemovalProblem, state: SearchState, node: GroupNode, g: int, c: int) -> None:
    """Put a cell back, and bar it."""
    r = problem.row_of_cell[c]
    i = r - problem.first_row[g]
    _enter(problem, node, i, -1)
    state.cells[c] = BARRED
    node.left[i] += 1
    node.size[i] = _link(problem, state, r, -1, node.links[i])
    _enter(problem, node, i, 1)


@compiled
def empty(problem: RemovalProblem, node: GroupNode, i: int) -> None:
    """Take all that row i has left."""
    _enter(problem, node, i, -1)
    node.left[i] = 0
    node.size[i] = problem.labels
    _enter(problem, node, i, 1)


@compiled
def trial(
    problem: RemovalProblem, state: SearchState, rule: BeliefRule, node: GroupNode, g: int, c: int
) -> tuple[float, float]:
    """Measure what the node, which was measured before, becomes if one cell is taken; nothing is changed."""
    r = problem.row_of_cell[c]
    i = r - problem.first_row[g]
    last = node.left[i] == 1
    size = problem.labels if last else _link(problem, state, r, c, node.words)
    if rule.kind == DIVERSITY:
        return _try_reach(problem, rule, node, i, size, last)
    return _try_distance(problem, rule, node, i, size, last), 0.0


@compiled
def _try_reach(
    problem: RemovalProblem, rule: BeliefRule, node: GroupNode, i: int, size: int, last: bool
) -> tuple[float, float]:
    """Measure the reach if row i links to the `size` labels of `node.words`, or to all if it loses its last item."""
    beliefs, values = node.beliefs, node.values
    n, base, total = beliefs.head[ACTIVE], beliefs.head[BASE], beliefs.head[TOTAL]
    values[:n] = beliefs.value[:n]
    before, after = problem.weight[node.size[i]], problem.weight[size]
    if node.size[i]:
        total -= before * node.size[i]
        for k in range(len(node.words)):
            word = node.links[i, k]
            while word:
                values[beliefs.place[64 * k + lowest(word)]] -= before
                word &= word - np.uint64(1)
    total += after * size
    if last:
        base += after
    elif size:
        for k in range(len(node.words)):
            word = node.words[k]
            while word:
                at = beliefs.place[64 * k + lowest(word)]
                word &= word - np.uint64(1)
                if at < 0:
                    values[n] = after
                    n += 1
                else:
                    values[at] += after
    reached, part = reach(values, n, base, problem.labels, total, rule.a, rule.b, node.slack[0])
    return -float(reached), -part


@compiled
def _try_distance(problem: RemovalProblem, rule: BeliefRule, node: GroupNode, i: int, size: int, last: bool) -> float:
    """Measure the distance likewise: add (x' - p)^2 - (x - p)^2 for the labels of the row, and the base for all."""
    beliefs, unit = node.beliefs, node.prior[_UNIT]
    base = beliefs.head[BASE] * unit
    before = problem.weight[node.size[i]] * unit if node.size[i] else 0.0
    after = problem.weight[size] * unit if size else 0.0
    d2 = node.prior[_NODE]
    mass = beliefs.head[TOTAL] * unit - node.prior[_MASS]
    for k in range(len(node.words)):
        old = node.links[i, k] if node.size[i] else np.uint64(0)
        new = np.uint64(0) if last or size == 0 else node.words[k]
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
