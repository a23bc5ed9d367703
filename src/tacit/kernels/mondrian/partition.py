"""The whole way: cells, cuts or pooling, dealing where distributions are guarded, exchange between neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import offsets_of
from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.balanced_cuts import deal
from tacit.kernels.mondrian.cells import Cells, cells_of
from tacit.kernels.mondrian.exchange import exchange
from tacit.kernels.mondrian.leftovers import settle
from tacit.kernels.mondrian.pooling import node_keys, pool
from tacit.kernels.mondrian.rules import EQUAL, ORDERED, TREE_DISTANCE, Rules
from tacit.kernels.mondrian.space import TREE, Space
from tacit.kernels.mondrian.top_down import descend
from tacit.kernels.mondrian.workspace import Stock
from tacit.kernels.threads import in_parallel, stretches

__all__ = ["partition"]

_SHARD = 32_768  # cells pooled together
_MANY = 300_000
_CROWD = 32  # members of a group, on average, above which nothing is exchanged
_RESERVE = (7, 10)  # of a distance bound, what plain cuts may use; dealing needs the rest for rounding


def _stock(cells: Cells, sensitive: NDArray[np.int32]) -> Stock:
    weight = np.diff(cells.start).astype(np.int32)
    return Stock(
        cells.points,
        np.arange(len(weight), dtype=np.int32),
        weight,
        cells.start,
        np.ascontiguousarray(sensitive[cells.rows]),
    )


@compiled
def _row_places(stock: Stock, rows: NDArray[np.int32], points: NDArray[np.int32]) -> None:
    to = 0
    for i in range(len(stock.cell)):
        for row in range(stock.start[stock.cell[i]], stock.start[stock.cell[i] + 1]):
            rows[to] = row
            points[to] = stock.points[i]
            to += 1


def _as_rows(stock: Stock, groups: NDArray[np.int64]) -> tuple[Stock, NDArray[np.int64]]:
    """Return the stock with every row a cell of its own, and where the groups begin then."""
    n = int(stock.start[-1])
    rows = np.empty(n, dtype=np.int32)
    points = np.empty((n, stock.points.shape[1]), dtype=np.int32)
    _row_places(stock, rows, points)
    before = offsets_of(stock.weight)
    single = Stock(points, rows, np.ones(n, dtype=np.int32), np.arange(n + 1, dtype=np.int64), stock.sensitive)
    return single, before[groups]


def _reserved(rules: Rules) -> Rules:
    distance = np.isin(rules.kind, (EQUAL, ORDERED, TREE_DISTANCE))
    return rules._replace(
        top=np.where(distance, rules.top * _RESERVE[0], rules.top),
        bottom=np.where(distance, rules.bottom * _RESERVE[1], rules.bottom),
    )


def _arranged(space: Space, stock: Stock, label: NDArray[np.int64]) -> tuple[Stock, NDArray[np.int64]]:
    """Return the stock with groups together and near ones close: sorted by the attributes that cost most first."""
    first = np.full(int(label.max(initial=-1)) + 1, -1, dtype=np.int64)
    first[label[::-1]] = np.arange(len(label) - 1, -1, -1)
    used = np.flatnonzero(first >= 0)
    level = min(1, len(space.share) - 1)
    price = [float(space.share[level, space.start[a] : space.start[a + 1]].mean()) for a in range(len(space.kind))]
    by = sorted(range(len(price)), key=lambda a: (price[a], a))
    corner = stock.points[first[used]]
    turn = np.empty(len(first), dtype=np.int64)
    turn[used[np.lexsort([corner[:, a] for a in by])]] = np.arange(len(used))
    order = np.argsort(turn[label], kind="stable")
    size = np.bincount(turn[label], minlength=len(used))
    arranged = stock._replace(points=stock.points[order], cell=stock.cell[order], weight=stock.weight[order])
    return arranged, offsets_of(size)


def _pooled(space: Space, rules: Rules, stock: Stock, visits: int, threads: int) -> tuple[Stock, NDArray[np.int64]]:
    shards = descend(space, rules, stock, pause=_SHARD, thorough=0, threads=threads)
    keys = node_keys(space)
    label = np.empty(len(stock.cell), dtype=np.int32)
    parts = list(zip(shards[:-1].tolist(), shards[1:].tolist(), strict=True))

    def shard(begin: int, end: int) -> int:
        found = int(pool(space, rules, stock, keys, begin, end, visits, label))
        count = int(settle(space, rules, stock, begin, end, found, label))
        if count == found:
            return count
        # What was left over is one group now, and perhaps a large one: cut it like any other.
        rest = begin + np.flatnonzero(label[begin:end] == found)
        place = np.empty(len(stock.cell), dtype=np.int64)
        place[stock.cell[rest]] = rest
        left = stock._replace(points=stock.points[rest], cell=stock.cell[rest], weight=stock.weight[rest])
        cut = descend(space, rules, left, threads=1)
        label[place[left.cell]] = found + np.repeat(np.arange(len(cut) - 1, dtype=np.int32), np.diff(cut))
        return found + len(cut) - 1

    counts = in_parallel(shard, parts, threads)
    wide = label.astype(np.int64)
    offset = 0
    for (begin, end), count in zip(parts, counts, strict=True):
        wide[begin:end] += offset
        offset += count
    return _arranged(space, stock, wide)


def partition(
    space: Space,
    rules: Rules,
    codes: NDArray[np.int32],
    sensitive: NDArray[np.int32],
    *,
    effort: float = 1.0,
    threads: int = 0,
) -> NDArray[np.int64]:
    """Group rows so that every group is accepted and the NCP is small; return a group number per row.

    If the table as a whole is not accepted, all rows are one group. The outcome depends neither on the number of
    threads nor on time: the work spent on improvement is counted, and shrinks per row as the table grows.

    Parameters
    ----------
    space, rules
        What a blur costs and what every group must satisfy.
    codes
        int32[rows, attributes], in either order of memory.
    sensitive
        int32[rows, sensitive columns], possibly with no column.
    effort
        Scales the work spent on improvement; 0 leaves the plain cuts.
    threads
        At most so many threads; 0 means one per processor.

    Examples
    --------
    >>> from tacit.kernels.mondrian.rules import SIZE, Rule, rules_of
    >>> from tacit.kernels.mondrian.space import Numeric, space_of
    >>> ages = np.array([[0], [3], [1], [2]], dtype=np.int32)
    >>> space = space_of([Numeric(np.array([20.0, 21.0, 50.0, 51.0]), 31.0)])
    >>> group = partition(space, rules_of([Rule(SIZE, count=2)]), ages, np.zeros((4, 0), dtype=np.int32))
    >>> bool(group[0] == group[2] != group[1] == group[3])
    True
    """
    n = len(codes)
    cells = cells_of(space, codes, threads)
    stock = _stock(cells, sensitive)
    m = max(1, len(stock.cell))
    plain = rules.plain
    # Improvement takes a share of the work that shrinks with the table; beyond _MANY cells there is none.
    block = int(effort * min(600, 24_000_000 // m)) if m <= _MANY else 0
    thorough = min(1024, 50_000_000 // m) if m <= _MANY else 0
    rounds = 2 if m <= 100_000 else 1
    if plain and effort > 0 and bool((space.kind == TREE).any()):
        stock, groups = _pooled(space, rules, stock, int(effort * min(800, max(100, 16_000_000 // m))), threads)
        block = 2 * block // 3
    else:
        groups = descend(
            space, rules if plain or effort == 0 else _reserved(rules), stock, thorough=thorough, threads=threads
        )
        if not plain and effort > 0:
            stock, groups = _as_rows(stock, groups)
            groups = deal(space, rules, stock, groups, threads=threads)
    label = np.repeat(np.arange(len(groups) - 1, dtype=np.int32), np.diff(groups))
    # Where groups are large the distribution decides, and single moves do not pay for their checks.
    if block > 0 and len(stock.cell) <= _CROWD * len(groups):
        parts = stretches(len(groups) - 1, max(1, min(64, m // 16_384)))
        in_parallel(exchange, [(space, rules, stock, groups, *part, block, rounds, label) for part in parts], threads)
    return _rows_of(cells, stock, label, n)


def _rows_of(cells: Cells, stock: Stock, label: NDArray[np.int32], n: int) -> NDArray[np.int64]:
    out = np.empty(n, dtype=np.int64)
    _spread_labels(stock.cell, stock.start, cells.rows, label, out)
    return out


@compiled
def _spread_labels(
    cell: NDArray[np.int32],
    start: NDArray[np.int64],
    rows: NDArray[np.int32],
    label: NDArray[np.int32],
    out: NDArray[np.int64],
) -> None:
    for i in range(len(cell)):
        for j in range(start[cell[i]], start[cell[i] + 1]):
            out[rows[j]] = label[i]
