"""Minimum-cost matching: shortest augmenting paths with prices, after cheap steps that match most rows.

Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment problems", 1987.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["match"]

_PASSES = 2
"""How often rows that are not matched bid for columns before paths are searched; the paper's number."""


@compiled(borrows=True)
def _reduce_columns(
    cost: NDArray[np.float64],
    n: int,
    price: NDArray[np.float64],
    row_of: NDArray[np.int64],
    column_of: NDArray[np.int64],
) -> None:
    """Price every column at its cheapest row, and match it with that row if nobody else did.

    Of rows that are equally cheap the one with the column's own number is taken, so that what is the best already stays
    as it is. Prices of columns that nobody takes must be 0 where there are more columns than rows, so this is for as
    many columns as rows.
    """
    for j in range(n):
        price[j], row_of[j] = cost[0, j], 0
    for i in range(1, n):
        for j in range(n):
            if cost[i, j] < price[j]:
                price[j], row_of[j] = cost[i, j], i
    for j in range(n):
        if cost[j, j] <= price[j]:
            row_of[j], column_of[j] = j, j
    for j in range(n):
        i = row_of[j]
        if column_of[i] < 0:
            column_of[i] = j
        elif column_of[i] != j:
            row_of[j] = -1


@compiled(borrows=True)
def _bid(
    cost: NDArray[np.float64],
    columns: int,
    price: NDArray[np.float64],
    row_of: NDArray[np.int64],
    column_of: NDArray[np.int64],
    free: NDArray[np.int64],
    frees: int,
) -> int:
    """Let every free row take its cheapest column, at a price at which its second one is as cheap.

    Whoever had the column bids next; where both columns cost the same, she waits. Returns how many rows are free then,
    which are the first ones of `free`.
    """
    at, left = 0, 0
    bids = 0
    while at < frees:
        i = free[at]
        at += 1
        least, second, best, other = np.inf, np.inf, -1, -1
        for j in range(columns):
            reduced = cost[i, j] - price[j]
            if reduced < second:
                if reduced < least:
                    second, other = least, best
                    least, best = reduced, j
                else:
                    second, other = reduced, j
        before = row_of[best]
        bids += 1
        if least < second:
            if columns > 1:
                price[best] -= second - least
        elif before >= 0 and other >= 0:
            best, before = other, row_of[other]
        column_of[i], row_of[best] = best, i
        if before < 0:
            continue
        column_of[before] = -1
        # Bids may grow by ever less, so their number is limited; paths are found for those who are left.
        if least < second and bids < 4 * columns:
            at -= 1
            free[at] = before
        else:
            free[left] = before
            left += 1
    return left


@compiled(borrows=True)
def _augment(
    cost: NDArray[np.float64],
    columns: int,
    start: int,
    price: NDArray[np.float64],
    row_of: NDArray[np.int64],
    column_of: NDArray[np.int64],
    far: NDArray[np.float64],
    before: NDArray[np.int64],
    order: NDArray[np.int64],
) -> None:
    """Match one more row by the shortest path to a free column, over matched ones that change their rows.

    In `order` come first the columns that were reached and whose rows were followed (up to `done`), then those that are
    as near as the nearest (up to `ready`), then the others.
    """
    for j in range(columns):
        far[j], before[j], order[j] = cost[start, j] - price[j], start, j
    done, ready, priced, end = 0, 0, 0, -1
    nearest = 0.0
    while end < 0:
        if done == ready:
            priced, nearest = done, np.inf
            for k in range(done, columns):
                j = order[k]
                if far[j] > nearest:
                    continue
                if far[j] < nearest:
                    nearest, ready = far[j], done
                order[k], order[ready] = order[ready], j
                ready += 1
            for k in range(done, ready):
                if row_of[order[k]] < 0:
                    end = order[k]
                    break
            if end >= 0:
                break
        via = order[done]
        done += 1
        i = row_of[via]
        detour = nearest - (cost[i, via] - price[via])
        k = ready
        while k < columns:
            j = order[k]
            away = cost[i, j] - price[j] + detour
            if away < far[j]:
                far[j], before[j] = away, i
                if away <= nearest:
                    if row_of[j] < 0:
                        end = j
                        break
                    order[k], order[ready] = order[ready], j
                    ready += 1
            k += 1
    for k in range(priced):
        price[order[k]] += far[order[k]] - nearest
    while True:
        i = before[end]
        row_of[end] = i
        column_of[i], end = end, column_of[i]
        if i == start:
            return


@compiled
def match(cost: NDArray[np.float64], n: int, columns: int) -> NDArray[np.int64]:
    """Return for each of `n` rows the column it is matched with, so that the sum of `cost[:n, :columns]` is least.

    There are at least as many columns as rows; the columns that are left over cost nothing.
    """
    price, row_of = np.zeros(columns), np.full(columns, -1, np.int64)
    column_of = np.full(n, -1, np.int64)
    if n == columns:
        _reduce_columns(cost, n, price, row_of, column_of)
    free = np.empty(n, np.int64)
    frees = 0
    for i in range(n):
        if column_of[i] < 0:
            free[frees] = i
            frees += 1
    for _ in range(_PASSES):
        if frees > 0:
            frees = _bid(cost, columns, price, row_of, column_of, free, frees)
    if frees > 0:
        far, before, order = np.empty(columns), np.empty(columns, np.int64), np.empty(columns, np.int64)
        for k in range(frees):
            _augment(cost, columns, free[k], price, row_of, column_of, far, before, order)
    return column_of
