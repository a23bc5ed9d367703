"""Cells laid out for cutting: a cell is one point with a weight, and beside it stand the rows that it has.

Cells are numbered by a hash of their codes and not by the codes themselves, so that neighbours in memory are not
neighbours in space: threads share work evenly, and ties are not always decided for the smallest value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import Space

__all__ = ["RowsByCell", "mixed", "rows_by_cell"]

_SHARES = 256  # cells come in the order of the first eight bits of a hash, and then as they appear among the rows


class RowsByCell(NamedTuple):
    """Cells and their rows: cell `c` stands at `points[c]` and has the rows `rows[start[c]:start[c + 1]]`."""

    points: NDArray[np.int32]
    rows: NDArray[np.int32]
    start: NDArray[np.int64]


@compiled(forceinline=True)
def mixed(key: int) -> int:
    """Scramble 64 bits so that every bit depends on all."""
    x = np.uint64(key)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def _count_rows(ids: NDArray[np.int64], size: NDArray[np.int64], appeared: NDArray[np.int64]) -> tuple[int, int]:
    """Count the rows of each cell, and list the cells as they appear; return how many rows and cells there are."""
    rows, cells = 0, 0
    for i in range(len(ids)):
        cell = ids[i]
        if cell < 0:
            continue
        if size[cell] == 0:
            appeared[cells] = cell
            cells += 1
        size[cell] += 1
        rows += 1
    return rows, cells


@compiled
def _number(
    codes: NDArray[np.int32], factor: NDArray[np.uint64], appeared: NDArray[np.int64], number: NDArray[np.int64]
) -> None:
    """Number the cells that appeared: by share, and within a share as they appeared."""
    # Cells are read as they lie in memory, here and below: as they appear, every one would have to be waited for.
    share = np.empty(len(codes), np.uint8)
    for cell in range(len(codes)):
        key = np.uint64(0)
        for a in range(codes.shape[1]):
            key += np.uint64(codes[cell, a]) * factor[a]
        share[cell] = mixed(key) >> np.uint64(56)
    to = np.zeros(_SHARES + 1, np.int64)
    for cell in appeared:
        to[share[cell] + 1] += 1
    for s in range(_SHARES):
        to[s + 1] += to[s]
    for cell in appeared:
        number[cell] = to[share[cell]]
        to[share[cell]] += 1


@compiled
def _place(
    space: Space,
    codes: NDArray[np.int32],
    number: NDArray[np.int64],
    size: NDArray[np.int64],
    points: NDArray[np.int32],
    start: NDArray[np.int64],
) -> None:
    """Write the point of each cell that has rows, and where its rows begin."""
    for cell in range(len(codes)):
        if size[cell] > 0:
            c = number[cell]
            start[c + 1] = size[cell]
            for a in range(codes.shape[1]):
                points[c, a] = space.position[space.start[a] + codes[cell, a]]
    for c in range(len(points)):
        start[c + 1] += start[c]


@compiled
def _list_rows(
    ids: NDArray[np.int64], number: NDArray[np.int64], start: NDArray[np.int64], rows: NDArray[np.int32]
) -> None:
    """Write the rows of each cell in ascending order."""
    to = start[:-1].copy()
    for i in range(len(ids)):
        if ids[i] >= 0:
            c = number[ids[i]]
            rows[to[c]] = i
            to[c] += 1


def _factors(sizes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return what each code is multiplied with, so that cells have different keys if there are few enough."""
    product = 1
    for size in sizes:
        product *= int(size)
    exact = product < 2**63
    factor = np.empty(len(sizes), dtype=np.uint64)
    radix = 1
    for a, size in enumerate(sizes):
        factor[a] = radix if exact else (0x9E3779B97F4A7C15 * (2 * a + 1) ** 3) % 2**64
        radix *= int(size)
    return factor


def rows_by_cell(space: Space, codes: NDArray[np.int32], ids: NDArray[np.int64]) -> RowsByCell:
    """Lay out cells, given the codes of each (cells by attributes) and the cell of each row (-1: left out).

    Examples
    --------
    >>> from tacit.kernels.mondrian.space import Nominal, space_of
    >>> codes = np.array([[0], [2]], dtype=np.int32, order="F")
    >>> cells = rows_by_cell(space_of([Nominal(3, 3)]), codes, np.array([1, 0, 1, -1]))
    >>> sorted(np.diff(cells.start).tolist()), sorted(cells.rows.tolist())
    ([1, 2], [0, 1, 2])
    """
    size = np.zeros(len(codes), dtype=np.int64)
    appeared = np.empty(len(codes), dtype=np.int64)
    n, m = _count_rows(ids, size, appeared)
    appeared = appeared[:m]
    number = np.empty(len(codes), dtype=np.int64)
    _number(codes, _factors(np.diff(space.start)), appeared, number)
    points = np.empty((m, codes.shape[1]), dtype=np.int32)
    rows = np.empty(n, dtype=np.int32)
    start = np.zeros(m + 1, dtype=np.int64)
    _place(space, codes, number, size, points, start)
    _list_rows(ids, number, start, rows)
    return RowsByCell(points, rows, start)
