"""Cells: rows with equal quasi-identifiers are put together once, and are one point with a weight from then on.

Rows are dealt by hash to a fixed number of shares, and each share is deduplicated on its own, so that its table
stays in the cache and the shares run in parallel; the outcome does not depend on the number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import offsets_of
from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.space import Space
from tacit.kernels.threads import in_parallel, stretches

__all__ = ["RowsByCell", "mixed", "rows_by_cell"]

_SHARES = 256  # shares that rows are dealt to: one per value of the first eight bits of a hash
_FEW = 200_000
"""The most rows that one thread handles alone: starting others takes longer than they save. Chosen by trial."""


class RowsByCell(NamedTuple):
    """Cells and their rows: cell `c` stands at `points[c]` and has the rows `rows[start[c]:start[c + 1]]`."""

    points: NDArray[np.int32]
    rows: NDArray[np.int32]
    start: NDArray[np.int64]


@compiled(inline="always")
def mixed(key: int) -> int:
    """Scramble 64 bits so that every bit depends on all."""
    x = np.uint64(key)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def _hash(
    codes: NDArray[np.int32],
    factor: NDArray[np.uint64],
    begin: int,
    end: int,
    keys: NDArray[np.uint64],
    count: NDArray[np.int64],
) -> None:
    for i in range(begin, end):
        key = np.uint64(0)
        for a in range(codes.shape[1]):
            key += np.uint64(codes[i, a]) * factor[a]
        key = mixed(key)
        keys[i] = key
        count[key >> np.uint64(56)] += 1


@compiled
def _deal(
    keys: NDArray[np.uint64],
    begin: int,
    end: int,
    to: NDArray[np.int64],
    dealt_keys: NDArray[np.uint64],
    dealt_rows: NDArray[np.int32],
) -> None:
    for i in range(begin, end):
        share = keys[i] >> np.uint64(56)
        at = to[share]
        to[share] = at + 1
        dealt_keys[at] = keys[i]
        dealt_rows[at] = i


@compiled(inline="always")
def _same(codes: NDArray[np.int32], i: int, j: int) -> bool:
    equal = True
    for a in range(codes.shape[1]):
        equal = equal and codes[i, a] == codes[j, a]
    return equal


@compiled
def _dedupe(
    codes: NDArray[np.int32], exact: bool, keys: NDArray[np.uint64], rows: NDArray[np.int32], cell: NDArray[np.int32]
) -> int:
    """Number the cells of one share in the order in which they appear and sort its rows by cell.

    Return the number of cells.
    """
    n = len(keys)
    room = 16
    while room < 2 * n:
        room *= 2
    table = np.full(room, -1, dtype=np.int32)  # per slot: where the first row of its cell is in the share
    label = np.empty(n, dtype=np.int32)
    cells = 0
    for j in range(n):
        slot = np.int64(keys[j] & np.uint64(room - 1))
        while True:
            k = table[slot]
            if k < 0:
                table[slot] = j
                label[j] = cells
                cells += 1
                break
            if keys[k] == keys[j] and (exact or _same(codes, rows[k], rows[j])):
                label[j] = label[k]
                break
            slot = (slot + 1) & (room - 1)
    start = np.zeros(cells + 1, dtype=np.int64)
    for j in range(n):
        start[label[j] + 1] += 1
    for c in range(cells):
        start[c + 1] += start[c]
    moved = rows.copy()
    for j in range(n):
        to = start[label[j]]
        start[label[j]] = to + 1
        rows[to] = moved[j]
        cell[to] = label[j]
    return cells


@compiled
def _dedupe_shares(
    codes: NDArray[np.int32],
    exact: bool,
    keys: NDArray[np.uint64],
    rows: NDArray[np.int32],
    cell: NDArray[np.int32],
    bound: NDArray[np.int64],
    first: int,
    last: int,
    cells_before: NDArray[np.int64],
) -> None:
    for share in range(first, last):
        s, e = bound[share], bound[share + 1]
        cells_before[share + 1] = _dedupe(codes, exact, keys[s:e], rows[s:e], cell[s:e])


@compiled
def _place_shares(
    space: Space,
    codes: NDArray[np.int32],
    rows: NDArray[np.int32],
    cell: NDArray[np.int32],
    bound: NDArray[np.int64],
    cells_before: NDArray[np.int64],
    first: int,
    last: int,
    points: NDArray[np.int32],
    start: NDArray[np.int64],
) -> None:
    for share in range(first, last):
        previous = np.int32(-1)
        for j in range(bound[share], bound[share + 1]):
            if cell[j] != previous:
                previous = cell[j]
                c = cells_before[share] + previous
                start[c] = j
                for a in range(codes.shape[1]):
                    points[c, a] = space.position[space.start[a] + codes[rows[j], a]]


def _factors(sizes: NDArray[np.int64]) -> tuple[NDArray[np.uint64], bool]:
    product = 1
    for size in sizes:
        product *= int(size)
    exact = product < 2**63
    factor = np.empty(len(sizes), dtype=np.uint64)
    radix = 1
    for a, size in enumerate(sizes):
        # Without an exact key, odd multipliers spread the codes and equality is checked on the codes themselves.
        factor[a] = radix if exact else (0x9E3779B97F4A7C15 * (2 * a + 1) ** 3) % 2**64
        radix *= int(size)
    return factor, exact


def rows_by_cell(space: Space, codes: NDArray[np.int32], threads: int = 0) -> RowsByCell:
    """Group the rows of `codes` (int32[rows, attributes], either order of memory) into cells of equal codes.

    Examples
    --------
    >>> from tacit.kernels.mondrian.space import Nominal, space_of
    >>> cells = rows_by_cell(space_of([Nominal(3, 3)]), np.array([[2], [0], [2]], dtype=np.int32))
    >>> sorted(np.diff(cells.start).tolist()), len(cells.points)
    ([1, 2], 2)
    """
    n, q = codes.shape
    threads = 1 if n <= _FEW else threads
    factor, exact = _factors(np.diff(space.start))
    chunks = stretches(n, 32)
    shares = stretches(_SHARES, 16)
    keys = np.empty(n, dtype=np.uint64)
    count = np.zeros((len(chunks), _SHARES), dtype=np.int64)
    in_parallel(_hash, [(codes, factor, *chunk, keys, count[i]) for i, chunk in enumerate(chunks)], threads)
    bound = offsets_of(count.sum(axis=0))
    to = bound[:-1] + np.cumsum(count, axis=0) - count
    dealt = np.empty(n, dtype=np.uint64)
    rows = np.empty(n, dtype=np.int32)
    in_parallel(_deal, [(keys, *chunk, to[i], dealt, rows) for i, chunk in enumerate(chunks)], threads)
    del keys
    cell = np.empty(n, dtype=np.int32)
    cells_before = np.zeros(_SHARES + 1, dtype=np.int64)
    in_parallel(
        _dedupe_shares, [(codes, exact, dealt, rows, cell, bound, *some, cells_before) for some in shares], threads
    )
    cells_before = np.cumsum(cells_before)
    points = np.empty((int(cells_before[-1]), q), dtype=np.int32)
    start = np.full(int(cells_before[-1]) + 1, n, dtype=np.int64)
    in_parallel(
        _place_shares,
        [(space, codes, rows, cell, bound, cells_before, *some, points, start) for some in shares],
        threads,
    )
    return RowsByCell(points, rows, start)
