"""What the search for removals is given, and where it stands in every group."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Flags, Ints, offsets_of
from tacit.kernels.compiling import compiled

__all__ = [
    "BARRED",
    "DONE",
    "FREE",
    "FRESH",
    "NONE",
    "OPEN",
    "REMOVED",
    "RemovalProblem",
    "SearchState",
    "fresh_state",
    "mark_repeats",
    "record",
]

FREE, REMOVED, BARRED = 0, 1, 2
"""What the search has done with a cell: it may be taken, it is taken, it must not be taken below this node."""
FRESH, OPEN, DONE = 0, 1, 2
"""Where the search of a group stands: not begun, begun, the whole tree was searched."""
NONE = 1 << 62
"""The cost of a group that has no answer yet: more than any answer costs."""
_STACK_PER_CELL, _STACK_LEAST = 8, 2048
"""Candidates that a group of n cells may hold on its path: at most 8 n + 2048, of 4 bytes each. A full stack would need
n (n + 3) / 2, which is less up to some 70 cells. Chosen by trial: memory stays linear in the cells, and a group whose
list is cut short has more nodes than any budget visits."""


class RemovalProblem(NamedTuple):
    """Groups of rows, and rows of cells; a cell is one item of one row. Rows with equal items stand together."""

    bits: NDArray[np.uint64]  # [item, word]: the labels that an item goes with
    full: NDArray[np.uint64]  # all labels
    labels: int  # how many labels there are
    item_of_cell: NDArray[np.int32]
    row_of_cell: NDArray[np.int32]
    first_cell: Ints  # row r holds the cells first_cell[r] .. first_cell[r + 1] - 1
    first_row: Ints  # group g holds the rows first_row[g] .. first_row[g + 1] - 1
    repeats: Flags  # the row holds the same items as the one before it, of the same group
    weight: Ints  # weight[s]: the belief that a row linking to s labels gives each of them
    exact: bool  # no weight is rounded
    price: Ints  # price[w]: what it costs to take an item from a row that has w left


class SearchState(NamedTuple):
    """Where the search stands; groups share nothing, so they may be searched in parallel."""

    cells: NDArray[np.uint8]  # FREE, REMOVED or BARRED
    best: Flags  # the cells removed in the best answer
    best_cost: Ints  # per group, NONE for no answer
    first_cost: Ints  # what the first answer of a group cost
    status: NDArray[np.int8]  # per group: FRESH, OPEN or DONE
    cut: Flags  # something was left out in the group: the best answer need not be the best there is
    evaluations: Ints  # removals tried in a group
    dives: Ints  # dives made in a group
    depth: Ints  # cells removed at the node where the search of a group stands
    candidate: NDArray[np.int32]  # the lists of candidates of all levels on the path of a group, one after another
    room: Ints  # group g may use candidate[room[g]:room[g + 1]]
    level_of: Ints  # where the levels of a group begin in level_at and level_end
    level_at: Ints  # the candidate of a level that is being tried
    level_end: Ints  # the end of the candidates of a level


def fresh_state(problem: RemovalProblem) -> SearchState:
    """Return the beginning of a search."""
    cells = np.diff(problem.first_cell[problem.first_row])
    groups = len(cells)
    rooms = np.minimum(cells * (cells + 3) // 2, _STACK_PER_CELL * cells + _STACK_LEAST)
    levels = offsets_of(cells + 1)
    return SearchState(
        cells=np.zeros(len(problem.item_of_cell), np.uint8),
        best=np.zeros(len(problem.item_of_cell), np.bool_),
        best_cost=np.full(groups, NONE, np.int64),
        first_cost=np.full(groups, NONE, np.int64),
        status=np.zeros(groups, np.int8),
        cut=np.zeros(groups, np.bool_),
        evaluations=np.zeros(groups, np.int64),
        dives=np.zeros(groups, np.int64),
        depth=np.zeros(groups, np.int64),
        candidate=np.zeros(int(rooms.sum()), np.int32),
        room=offsets_of(rooms),
        level_of=levels[:-1],
        level_at=np.zeros(int(levels[-1]), np.int64),
        level_end=np.zeros(int(levels[-1]), np.int64),
    )


@compiled
def mark_repeats(item_of_cell: NDArray[np.int32], first_cell: Ints, first_row: Ints, out: Flags) -> None:
    """Mark the rows that hold the same items as the one before them in their group."""
    for g in range(len(first_row) - 1):
        for r in range(first_row[g] + 1, first_row[g + 1]):
            begin, before = first_cell[r], first_cell[r - 1]
            same = first_cell[r + 1] - begin == begin - before
            j = 0
            while same and j < first_cell[r + 1] - begin:
                same = item_of_cell[begin + j] == item_of_cell[before + j]
                j += 1
            out[r] = same


@compiled
def record(problem: RemovalProblem, state: SearchState, g: int, cost: int, extra: int) -> None:
    """Keep the removals of this node, and one more cell if it is not -1, as the best answer."""
    begin, end = problem.first_cell[problem.first_row[g]], problem.first_cell[problem.first_row[g + 1]]
    for c in range(begin, end):
        state.best[c] = state.cells[c] == REMOVED
    if extra >= 0:
        state.best[extra] = True
    if state.best_cost[g] == NONE:
        state.first_cost[g] = cost
    state.best_cost[g] = cost
