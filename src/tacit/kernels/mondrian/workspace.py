"""Cells in the order of their groups, the arrays that cutting them needs, and the histogram of a stretch of cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.rules import DISTINCT, RuleTable
from tacit.kernels.mondrian.space import Space

__all__ = ["TRAITS", "Arrangement", "Workspace", "tally", "traits_of", "workspace_for"]

_ASTRAY = 128
"""How many cells on the wrong side are listed at a time. The list, of 2 KB, stays in the fastest memory."""
TRAITS = 32
"""How many sensitive values the traits of a cell tell apart."""


class Arrangement(NamedTuple):
    """Cells in an order in which groups are stretches; cutting a group reorders its stretch.

    Attributes
    ----------
    points
        The position of each cell in every attribute, in the present order.
    cell
        The number of each cell, in the present order.
    weight
        The rows of each cell, in the present order.
    traits
        The sensitive values of each cell, in the present order, as a set of 32 bits: see `traits_of`.
    start
        Where the rows of a cell begin in `sensitive`, by number of the cell: this order never changes.
    sensitive
        The sensitive codes of the rows, cell after cell by number.
    """

    points: NDArray[np.int32]
    cell: NDArray[np.int32]
    weight: NDArray[np.int32]
    traits: NDArray[np.uint32]
    start: NDArray[np.int64]
    sensitive: NDArray[np.int32]


class Workspace(NamedTuple):
    """Arrays that are written anew for each group; those with one entry per value are laid out like the space."""

    value: NDArray[np.int32]  # the positions present, ascending
    mass: NDArray[np.int64]  # their rows
    crowd: NDArray[np.int64]  # their cells
    count: NDArray[np.int64]  # a counter per position, all 0 between uses
    bits: NDArray[np.uint64]  # which positions are present, 64 to a word; attribute `a` begins a word of its own
    number: NDArray[np.int64]  # per position: where it stands along a balanced cut
    rank: NDArray[np.int32]  # the positions present, those with most rows first (nominal)
    right: NDArray[np.int32]  # where the child that a cut takes out ends (tree)
    score: NDArray[np.float64]  # of a cut: the cost of its attribute after minus before
    side: NDArray[np.uint8]  # per position: the side of a cut, 0 or 1
    seen: NDArray[np.int64]  # per position: the last mark of `cost_after`
    present: NDArray[np.int64]  # per attribute: how many positions
    best: NDArray[np.int64]  # per attribute: its best cut, -1 none
    full: NDArray[np.float64]  # per attribute: what its best cut costs, over all attributes where that was computed
    whole: NDArray[np.int64]  # histogram of the group
    part: NDArray[np.int64]  # of one side
    scratch: NDArray[np.int64]  # for `accepts`
    astray: NDArray[np.int64]  # places of cells on the wrong side, half of them from the left, half from the right


@compiled
def workspace_for(space: Space, rules: RuleTable) -> Workspace:
    """Return new arrays for this space and these rules."""
    total = space.start[-1] + 1
    q = len(space.kind)
    values = rules.start[-1]
    return Workspace(
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
        np.empty(2 * _ASTRAY, np.int64),
    )


@compiled(borrows=True, forceinline=True)
def tally(rules: RuleTable, arrangement: Arrangement, i: int, histogram: NDArray[np.int64]) -> None:
    """Add the rows of the cell at place `i` to the histogram."""
    c = arrangement.cell[i]
    for row in range(arrangement.start[c], arrangement.start[c + 1]):
        for column in range(arrangement.sensitive.shape[1]):
            histogram[rules.start[column] + arrangement.sensitive[row, column]] += 1


@compiled
def traits_of(
    rules: RuleTable, start: NDArray[np.int64], sensitive: NDArray[np.int32], traits: NDArray[np.uint32]
) -> None:
    """Write the set of sensitive values of each cell, as bits, for the first rule that asks for different values.

    A value beyond the 32nd shares a bit with another. So many bits, so many values at least; with few values, exactly.
    Unless the rules are plain, and where none asks for different values, nobody needs the bits and they stay 0.
    """
    if not rules.plain:
        return
    for r in range(len(rules.kind)):
        if rules.kind[r] == DISTINCT:
            for c in range(len(traits)):
                bits = np.uint32(0)
                for row in range(start[c], start[c + 1]):
                    bits |= np.uint32(1) << np.uint32(sensitive[row, rules.column[r]] % TRAITS)
                traits[c] = bits
            return
