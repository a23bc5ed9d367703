"""The least NCP that recoding Adult to nodes of its hierarchies could have: bounds that no grouping goes below.

A box is one choice of a node per column. Every row of a group loses what the box costs that is published of the group,
and the box covers the group. Two bounds follow for groups of at least k rows that withhold nobody:

- *cheapest box*: a row loses at least the cost of the cheapest box above it that covers k rows.
- *prices*: give every row a price such that in no box the k highest prices add up to more than k times its cost. Then
  the k-th highest is at most the cost, so whichever k rows or more of the box form a group, their prices add up to at
  most what they lose. Summed over all groups: no grouping loses less than all prices together. (This is the dual of
  the linear program that chooses groups. It knows that a row can be in one group only; the cheapest box does not.)

Prices rise by small steps, all rows in turn, each until a box stops it. Whether they are allowed is then computed anew
from the prices alone; a price above a cap is not tried, so boxes that cost more than the cap need not be looked at.

For groups with at least l different sensitive values the same holds, if in no box the prices of a group of these exceed
what it loses. The worst group of a box has every row whose price is above the cost, and of further values one row each,
the one with the highest price, until there are l values. For t-closeness nothing was computed.

`python -m benchmarks.least_ncp` prints both for lines of `benchmarks.mondrian`, beside what Mondrian reaches and .8 of
ARX's best. It takes some minutes and a few GB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

import tacit as tc
from benchmarks.mondrian import LINES, adult_setup

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
ROWS = 30_162
AT_LEAST = {"k=5": 5, "k=10": 10, "distinct-l=5": 5}
"""How many rows, or different values, a group has at least."""
CAP, STEP = 3.0, 0.05
"""The highest price, and by how much a price rises at a time, in columns: 1 is a column that is not told at all. Of 8
columns a row of Adult loses .4 on average. A higher cap and smaller steps give a slightly better bound, later."""


class Boxes(NamedTuple):
    """The boxes that cover enough rows and cost less than the cap, with the cells that they cover."""

    cost: Floats
    cell: Codes  # [entry]
    box: Codes  # [entry], ascending


def combinations(levels: Sequence[Sequence[tuple[Ints, Floats]]]) -> Iterator[tuple[Ints, Floats]]:
    """Return, for every choice of a level per column, a number of the nodes of each cell, and what they cost it."""
    *others, last = levels
    if not others:
        yield from last
        return
    for key, cost in combinations(others):
        _, dense = np.unique(key, return_inverse=True)
        for node, price in last:
            yield dense * (int(node.max()) + 1) + node, cost + price


def boxes_of(levels: Sequence[Sequence[tuple[Ints, Floats]]], weight: Ints, k: int, cap: float) -> Boxes:
    """Collect the boxes."""
    cells, boxes, costs, many = [], [], [], 0
    for key, cost in combinations(levels):
        cheap = np.flatnonzero(cost < cap)  # all cells of a box or none: they lose the same
        if not len(cheap):
            continue
        _, first, box = np.unique(key[cheap], return_index=True, return_inverse=True)
        enough = np.bincount(box, weights=weight[cheap]) >= k
        inside = enough[box]
        order = np.argsort(box[inside], kind="stable")
        cells.append(cheap[inside][order].astype(np.int32))
        boxes.append((many + np.cumsum(enough) - 1)[box[inside][order]].astype(np.int32))
        costs.append(cost[cheap[first[enough]]])
        many += int(enough.sum())
    return Boxes(np.concatenate(costs), np.concatenate(cells), np.concatenate(boxes))


@njit  # type: ignore[untyped-decorator]
def _exceeds(l: int, cost: float, above: float, highest: Floats, value: int, price: float) -> bool:
    """Say whether a group of l values may exceed what it loses, if the highest price of one value is `price`.

    `above` is what the rows above the cost exceed it by, all together; `highest` has the highest price of each value.
    """
    total, values = above, 0
    lacking = np.empty(len(highest))
    many = 0
    for v in range(len(highest)):
        most = max(price, highest[v]) if v == value else highest[v]
        if most > cost:
            values += 1
        elif most >= 0.0:  # a value that no row of the box has stands at -1
            lacking[many] = most - cost
            many += 1
    if values + many < l:
        return False  # no group of the box has so many values
    if values < l:
        total += np.sort(lacking[:many])[many - (l - values) :].sum()
    return total > 1e-12


@njit  # type: ignore[untyped-decorator]
def _raise_prices_of_values(
    l: int, cap: float, step: float, units: Codes, weight: Ints, cost: Floats, start: Ints, box: Codes, turn: Ints
) -> Floats:
    """Raise the price of every unit, which is a cell and a value, as long as no group of l values is too dear."""
    values = units[:, 1].max() + 1
    price = np.zeros(len(units))
    highest, above = np.full((len(cost), values), -1.0), np.zeros(len(cost))
    for u in range(len(units)):
        for p in range(start[units[u, 0]], start[units[u, 0] + 1]):
            highest[box[p], units[u, 1]] = 0.0
    stopped = np.zeros(len(units), np.bool_)
    moved = True
    while moved:
        moved = False
        for u in turn:
            if stopped[u]:
                continue
            cell, value = units[u]
            wanted = min(cap, price[u] + step)
            for p in range(start[cell], start[cell + 1]):
                b = box[p]
                more = weight[u] * (max(0.0, wanted - cost[b]) - max(0.0, price[u] - cost[b]))
                if _exceeds(l, cost[b], above[b] + more, highest[b], value, wanted):
                    stopped[u] = True
                    break
            if stopped[u]:
                continue
            for p in range(start[cell], start[cell + 1]):
                b = box[p]
                above[b] += weight[u] * (max(0.0, wanted - cost[b]) - max(0.0, price[u] - cost[b]))
                highest[b, value] = max(highest[b, value], wanted)
            price[u] = wanted
            stopped[u] = wanted == cap
            moved = True
    return price


@njit  # type: ignore[untyped-decorator]
def _raise_prices(
    k: int, cap: float, step: float, weight: Ints, cost: Floats, start: Ints, box: Codes, turn: Ints
) -> Floats:
    """Raise the price of each cell step by step until a box stops it; those of c are `box[start[c] : start[c + 1]]`."""
    price = np.zeros(len(weight))
    # Per box, the k cells with the highest prices: no more can be among the k rows with the highest.
    highest, whose = np.zeros((len(cost), k)), np.full((len(cost), k), np.int32(-1))
    stopped = np.zeros(len(weight), np.bool_)
    moved = True
    while moved:
        moved = False
        for c in turn:
            if stopped[c]:
                continue
            wanted = min(cap, price[c] + step)
            limit = wanted
            own = min(k, weight[c])
            for p in range(start[c], start[c + 1]):
                b = box[p]
                if own == k:
                    limit = min(limit, cost[b])
                # With `mine` of her rows among the k highest, the others are the k - mine highest of other cells.
                others, taken, j = 0.0, 0, 0
                while taken < k - 1:
                    while j < k and whose[b, j] == c:
                        j += 1
                    here = j < k and whose[b, j] >= 0
                    value = highest[b, j] if here else 0.0
                    for _ in range(min(k - 1 - taken, weight[whose[b, j]] if here else k)):
                        others += value
                        taken += 1
                        mine = k - taken
                        if mine <= own:
                            limit = min(limit, (k * cost[b] - others) / mine)
                    j += 1
                if limit <= price[c]:
                    break
            stopped[c] = limit < wanted or wanted == cap
            if limit <= price[c]:
                continue
            price[c] = limit
            moved = True
            for p in range(start[c], start[c + 1]):
                b = box[p]
                j = 0
                while j < k - 1 and whose[b, j] != c and whose[b, j] >= 0:
                    j += 1
                if whose[b, j] >= 0 and whose[b, j] != c and highest[b, j] >= limit:
                    continue  # the list is full of higher prices
                while j > 0 and highest[b, j - 1] < limit:
                    highest[b, j], whose[b, j] = highest[b, j - 1], whose[b, j - 1]
                    j -= 1
                highest[b, j], whose[b, j] = limit, c
    return price


def allowed(price: Floats, boxes: Boxes, weight: Ints, k: int) -> Floats:
    """Return the prices, lowered by the factor by which the k highest of some box were too high, if any were."""
    order = np.lexsort((-price[boxes.cell], boxes.box))
    cell = boxes.cell[order]
    rows = np.cumsum(weight[cell]) - weight[cell]
    begin = np.searchsorted(boxes.box, np.arange(len(boxes.cost)))
    taken = np.clip(k - (rows - rows[begin][boxes.box]), 0, weight[cell])
    total = np.bincount(boxes.box, weights=taken * price[cell], minlength=len(boxes.cost))
    free = boxes.cost == 0
    if total[free].any():
        raise AssertionError("a row that can be published as it is has a price")
    return price / max(1.0, float((total[~free] / (k * boxes.cost[~free])).max(initial=0.0)))


def allowed_of_values(price: Floats, boxes: Boxes, units: Codes, weight: Ints, l: int) -> Floats:
    """Return the prices, if no group of l values is too dear; computed anew, box by box over all units at once."""
    offsets = np.searchsorted(units[:, 0], np.arange(int(units[:, 0].max()) + 2))
    many = np.diff(offsets)[boxes.cell]
    unit = np.repeat(offsets[boxes.cell] - (np.cumsum(many) - many), many) + np.arange(int(many.sum()))
    box = np.repeat(boxes.box, many)
    over = price[unit] - boxes.cost[box]
    above = np.bincount(box, weights=weight[unit] * np.maximum(0.0, over), minlength=len(boxes.cost))
    values = int(units[:, 1].max()) + 1
    highest = np.full((len(boxes.cost), values), -np.inf)
    np.maximum.at(highest, (box, units[unit, 1]), over)
    best = np.sort(highest, axis=1)[:, ::-1][:, :l]
    total = above + np.where(best > 0, 0.0, best).sum(axis=1)  # minus infinity where a box has too few values
    worst = float(total.max(initial=-np.inf))
    if worst > 1e-9:
        raise AssertionError(f"a group of {l} values is too dear by {worst}")
    return price


def bounds(
    table: tc.Table, k: int, cap: float = CAP, step: float = STEP, *, values: bool = False
) -> tuple[float, float]:
    """Return both bounds of the NCP: by the cheapest box, and by prices; with `values`, groups have k values."""
    names = table.quasi_identifiers
    known = np.stack([table.codes(name).codes for name in names], axis=1)
    cells, cell, counts = np.unique(known, axis=0, return_inverse=True, return_counts=True)
    weight = counts.astype(np.int64)
    levels = []
    for j, name in enumerate(names):
        tree = table.codes(name).tree
        if tree is None:
            raise ValueError(f"column {name!r} has no hierarchy")
        nodes = np.asarray(tree.levels, dtype=np.int64)[:, cells[:, j]]
        levels.append([(node, tree.loss()[node]) for node in nodes])
    boxes = boxes_of(levels, weight, k, cap)
    cheapest = np.full(len(cells), cap)
    np.minimum.at(cheapest, boxes.cell, boxes.cost[boxes.box])
    order = np.argsort(boxes.cell, kind="stable")
    start = np.searchsorted(boxes.cell[order], np.arange(len(cells) + 1))
    rng = np.random.default_rng(0)
    of_all = int(weight.sum()) * len(names)
    if values:
        pairs = np.stack([cell, table.codes(table.sensitive[0]).codes], axis=1).astype(np.int32)
        units, rows = np.unique(pairs, axis=0, return_counts=True)
        turn = rng.permutation(len(units))
        price = _raise_prices_of_values(k, cap, step, units, rows, boxes.cost, start, boxes.box[order], turn)
        certain = allowed_of_values(price, boxes, units, rows, k)
        return float(cheapest @ weight / of_all), float(certain @ rows / of_all)
    turn = rng.permutation(len(cells))
    price = _raise_prices(k, cap, step, weight, boxes.cost, start, boxes.box[order], turn)
    return float(cheapest @ weight / of_all), float(allowed(price, boxes, weight, k) @ weight / of_all)


def main() -> None:
    """Print the lines."""
    for line, k in AT_LEAST.items():
        state = adult_setup(line, "hierarchy")(ROWS, None)
        reached = tc.utility(state.method.protect(state.table), state.table).ncp
        cheapest, prices = bounds(state.table, k, values="l=" in line)
        goal = 0.8 * LINES[line][3]
        print(
            f"{line:<14} at least {prices:.4f} (cheapest box {cheapest:.4f})  reached {reached:.4f}  goal {goal:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
