"""What the search is given, and where it stands in every group."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import offsets_of
from tacit.kernels.compiling import compiled

__all__ = [
    "BARRED",
    "DONE",
    "FREE",
    "FRESH",
    "NONE",
    "OPEN",
    "REMOVED",
    "Course",
    "Problem",
    "course_for",
    "mark_repeats",
]

FREE, REMOVED, BARRED = 0, 1, 2
FRESH, OPEN, DONE = 0, 1, 2
NONE = 1 << 62  # the cost of no answer
_STACK = (8, 2048)  # candidates that a group may hold on its path: so many per cell, and so many


class Problem(NamedTuple):
    """Groups of rows of cells; rows are sorted so that equal ones stand together."""

    bits: NDArray[np.uint64]  # [item, word]: the labels of an item
    full: NDArray[np.uint64]  # all labels
    labels: int
    item: NDArray[np.int32]  # of a cell
    of: NDArray[np.int32]  # the row of a cell
    cell: NDArray[np.int64]  # row r holds the cells cell[r] .. cell[r + 1] - 1
    row: NDArray[np.int64]  # group g holds the rows row[g] .. row[g + 1] - 1
    repeats: NDArray[np.bool_]  # the row holds the same items as the one before it, of the same group
    weight: NDArray[np.int64]  # the belief that a row linking to so many labels gives each of them
    exact: bool  # the weights are exact
    price: NDArray[np.int64]  # what it costs to take an item from a row that has so many


class Course(NamedTuple):
    """Where the search stands; groups do not share anything, so they may be searched in parallel."""

    state: NDArray[np.uint8]  # of a cell
    best: NDArray[np.bool_]  # the cells removed in the best answer
    best_cost: NDArray[np.int64]
    first_cost: NDArray[np.int64]
    status: NDArray[np.int8]
    cut: NDArray[np.bool_]  # something was left out: the best answer need not be the best there is
    evaluations: NDArray[np.int64]
    dives: NDArray[np.int64]  # how many were made
    depth: NDArray[np.int64]
    candidate: NDArray[np.int32]  # the lists of all levels on the path of a group, one after another
    room: NDArray[np.int64]  # group g may use candidate[room[g]:room[g + 1]]
    level_of: NDArray[np.int64]  # where the levels of a group begin
    level_at: NDArray[np.int64]  # the candidate of a level that is being tried
    level_end: NDArray[np.int64]


def course_for(problem: Problem) -> Course:
    """Return the beginning of a search."""
    cells = np.diff(problem.cell[problem.row])
    groups = len(cells)
    rooms = np.minimum(cells * (cells + 3) // 2, _STACK[0] * cells + _STACK[1])
    levels = offsets_of(cells + 1)
    return Course(
        state=np.zeros(len(problem.item), np.uint8),
        best=np.zeros(len(problem.item), np.bool_),
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
def mark_repeats(
    item: NDArray[np.int32], cell: NDArray[np.int64], row: NDArray[np.int64], out: NDArray[np.bool_]
) -> None:
    """Mark the rows that hold the same items as the one before them in their group."""
    for g in range(len(row) - 1):
        for r in range(row[g] + 1, row[g + 1]):
            begin, before = cell[r], cell[r - 1]
            same = cell[r + 1] - begin == begin - before
            j = 0
            while same and j < cell[r + 1] - begin:
                same = item[begin + j] == item[before + j]
                j += 1
            out[r] = same


@compiled
def record(problem: Problem, course: Course, g: int, cost: int, extra: int) -> None:
    """Keep the removals of this node, and one more cell if it is not -1, as the best answer."""
    begin, end = problem.cell[problem.row[g]], problem.cell[problem.row[g + 1]]
    for c in range(begin, end):
        course.best[c] = course.state[c] == REMOVED
    if extra >= 0:
        course.best[extra] = True
    if course.best_cost[g] == NONE:
        course.first_cost[g] = cost
    course.best_cost[g] = cost
