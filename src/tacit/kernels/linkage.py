"""Which classes of a release a victim may be in, and what that says of her.

Victims come sorted, so neighbours share their first values: the candidates that remain after each column are kept on a
stack, and only the columns that changed are filtered again. A column of plain values is looked up, not scanned.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.threads import in_parallel, stretches, worker_count

__all__ = ["CellCovers", "ClassSpread", "link", "may_be"]

_STRETCHES_PER_WORKER = 2
"""Stretches of victims per thread. More even out stretches that take longer than others, and each fills its own stack
anew; chosen by trial."""


class CellCovers(NamedTuple):
    """Which values the cells of every column may stand for; the cells of all columns stand one after another.

    The cell `c` of column `j` is entry `e = cell_base[j] + c`. It stands for the positions `start[e]:stop[e]` of the
    victims' values, or, if `row[e] >= 0`, for those that the row of the column's matrix marks.
    """

    cell_base: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    row: NDArray[np.int64]
    matrix: NDArray[np.bool_]
    matrix_base: NDArray[np.int64]
    width: NDArray[np.int64]


class ClassSpread(NamedTuple):
    """The classes of published rows, and what stands behind them in one sensitive column.

    Class `i` shows the cells `cells[i]`, one per column, has `weight[i]` rows, and expects `mass[e]` rows of the value
    `value[e]` for every entry `e` in `offsets[i]:offsets[i + 1]`. `values` is the number of different values.
    """

    cells: NDArray[np.int64]
    weight: NDArray[np.int64]
    offsets: NDArray[np.int64]
    value: NDArray[np.int64]
    mass: NDArray[np.float64]
    values: int


class _Answers(NamedTuple):
    """Per victim: the number of candidate rows, the likeliest value and its expected number of rows."""

    candidates: NDArray[np.int64]
    best: NDArray[np.int64]
    mass: NDArray[np.float64]


class _Tally(NamedTuple):
    """The expected number of rows of each value among the candidates of one victim, empty between victims."""

    mass: NDArray[np.float64]
    marked: NDArray[np.bool_]
    touched: NDArray[np.int64]


@compiled(forceinline=True)
def may_be(covers: CellCovers, column: int, cell: int, at: int) -> bool:
    """Whether a cell of a column may stand for the value at a position."""
    entry = covers.cell_base[column] + cell
    row = covers.row[entry]
    if row >= 0:
        return covers.matrix[covers.matrix_base[column] + row * covers.width[column] + at]
    return covers.start[entry] <= at < covers.stop[entry]


@compiled
def _find_plain(
    covers: CellCovers, spread: ClassSpread, firsts: NDArray[np.int64], at: int, chosen: NDArray[np.int32]
) -> int:
    """List the classes whose plain cell in the first column is the value; return how many there are."""
    count = 0
    for k in range(np.searchsorted(firsts, at, side="left"), np.searchsorted(firsts, at, side="right")):
        if covers.stop[covers.cell_base[0] + spread.cells[k, 0]] > at:
            chosen[count] = k
            count += 1
    return count


@compiled
def _filter(
    covers: CellCovers,
    spread: ClassSpread,
    column: int,
    at: int,
    given: NDArray[np.int32],
    chosen: NDArray[np.int32],
) -> int:
    """List those of the given classes whose cell in a column may stand for the value; return how many there are."""
    count = 0
    for k in range(len(given)):
        if may_be(covers, column, spread.cells[given[k], column], at):
            chosen[count] = given[k]
            count += 1
    return count


@compiled
def _weigh(spread: ClassSpread, classes: NDArray[np.int32], tally: _Tally, i: int, answers: _Answers) -> None:
    """Add up the rows of the candidate classes of victim `i` and find the likeliest value; empty the tally again."""
    touched = 0
    rows = 0
    for k in range(len(classes)):
        candidate = classes[k]
        rows += spread.weight[candidate]
        for e in range(spread.offsets[candidate], spread.offsets[candidate + 1]):
            value = spread.value[e]
            if not tally.marked[value]:
                tally.marked[value] = True
                tally.touched[touched] = value
                touched += 1
            tally.mass[value] += spread.mass[e]
    answers.candidates[i] = rows
    for k in range(touched):
        value = tally.touched[k]
        mass = tally.mass[value]
        if mass > answers.mass[i] or (mass == answers.mass[i] and value < answers.best[i]):
            answers.mass[i] = mass
            answers.best[i] = value
        tally.mass[value] = 0.0
        tally.marked[value] = False


@compiled
def _link_stretch(
    victims: NDArray[np.int64],
    covers: CellCovers,
    spread: ClassSpread,
    firsts: NDArray[np.int64],
    begin: int,
    end: int,
    answers: _Answers,
) -> None:
    """Answer for the victims of one stretch; `firsts` is empty where the first column is not looked up."""
    q = victims.shape[1]
    c = spread.cells.shape[0]
    stack = np.empty((q + 1, c), np.int32)  # row d: the classes that fit in the first d columns
    lengths = np.zeros(q + 1, np.int64)
    for i in range(c):
        stack[0, i] = i
    lengths[0] = c
    tally = _Tally(
        np.zeros(spread.values, np.float64), np.zeros(spread.values, np.bool_), np.empty(spread.values, np.int64)
    )
    for i in range(begin, end):
        shared = 0
        if i > begin:
            while shared < q and victims[i, shared] == victims[i - 1, shared]:
                shared += 1
        for d in range(shared, q):
            if d == 0 and len(firsts) > 0:
                lengths[1] = _find_plain(covers, spread, firsts, victims[i, 0], stack[1])
            else:
                lengths[d + 1] = _filter(covers, spread, d, victims[i, d], stack[d, : lengths[d]], stack[d + 1])
        _weigh(spread, stack[q, : lengths[q]], tally, i, answers)


def link(
    victims: NDArray[np.int64], covers: CellCovers, spread: ClassSpread, *, lookup: bool, threads: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return, per victim, the number of candidate rows, the likeliest value (-1: none) and its expected number of rows.

    Parameters
    ----------
    victims
        Positions of the victims' values, one column each, sorted from the first column on.
    covers, spread
        The published classes.
    lookup
        Whether the first column holds plain values, and the classes are sorted by their position in it.
    threads
        The most threads; 0 means one per processor. The outcome does not depend on it.
    """
    v = len(victims)
    answers = _Answers(np.zeros(v, np.int64), np.full(v, -1, np.int64), np.zeros(v, np.float64))
    firsts = covers.start[covers.cell_base[0] + spread.cells[:, 0]] if lookup else np.zeros(0, np.int64)
    parts = stretches(v, _STRETCHES_PER_WORKER * (threads or worker_count()))
    in_parallel(_link_stretch, [(victims, covers, spread, firsts, *part, answers) for part in parts], threads)
    return answers.candidates, answers.best, answers.mass
