"""The memory one descent works in, and the histograms of a stretch of cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.rules import Rules
from tacit.kernels.mondrian.space import Space

__all__ = ["Stock", "Work", "tally", "work_for"]


class Stock(NamedTuple):
    """Cells in the order of a descent, with the sensitive codes of their rows (in the order of the cells' numbers)."""

    points: NDArray[np.int32]
    cell: NDArray[np.int32]
    weight: NDArray[np.int32]
    start: NDArray[np.int64]
    sensitive: NDArray[np.int32]


class Work(NamedTuple):
    """Scratch arrays; those with one entry per value are laid out like the space."""

    value: NDArray[np.int32]  # the positions present, ascending
    mass: NDArray[np.int64]  # their rows
    crowd: NDArray[np.int64]  # their cells
    count: NDArray[np.int64]
    bits: NDArray[np.uint64]  # which positions are present, 64 to a word; attribute `a` begins a word of its own
    number: NDArray[np.int64]
    rank: NDArray[np.int32]
    right: NDArray[np.int32]
    score: NDArray[np.float64]
    side: NDArray[np.uint8]
    seen: NDArray[np.int64]
    present: NDArray[np.int64]  # per attribute: how many positions
    best: NDArray[np.int64]  # per attribute: its best cut, -1 none
    full: NDArray[np.float64]
    whole: NDArray[np.int64]  # histogram of the group
    part: NDArray[np.int64]  # of one side
    scratch: NDArray[np.int64]


@compiled
def work_for(space: Space, rules: Rules) -> Work:
    """Return fresh scratch arrays for this space and these rules."""
    total = space.start[-1] + 1
    q = len(space.kind)
    values = rules.start[-1]
    return Work(
        np.empty(total, np.int32),
        np.empty(total, np.int64),
        np.empty(total, np.int64),
        np.zeros(total, np.int64),
        np.zeros((total >> 6) + q + 1, np.uint64),
        np.zeros(total, np.int64),
        np.empty(total, np.int32),
        np.empty(total, np.int32),
        np.empty(total, np.float64),
        np.zeros(total, np.uint8),
        np.zeros(total, np.int64),
        np.zeros(q, np.int64),
        np.zeros(q, np.int64),
        np.zeros(q, np.float64),
        np.zeros(values, np.int64),
        np.zeros(values, np.int64),
        np.zeros(rules.scratch, np.int64),
    )


@compiled(inline="always")
def tally(rules: Rules, stock: Stock, i: int, histogram: NDArray[np.int64]) -> None:
    """Add the rows of the cell at place `i` to the histogram."""
    c = stock.cell[i]
    for row in range(stock.start[c], stock.start[c + 1]):
        for column in range(stock.sensitive.shape[1]):
            histogram[rules.start[column] + stock.sensitive[row, column]] += 1
