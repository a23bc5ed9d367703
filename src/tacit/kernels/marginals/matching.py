"""Minimum-cost matching: shortest augmenting paths with potentials (Kuhn, Munkres; Jonker and Volgenant)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["match"]


@compiled
def match(cost: NDArray[np.float64], n: int, columns: int) -> NDArray[np.int64]:
    """Return for each of `n` rows the column it is matched with, so that the sum of `cost[:n, :columns]` is least.

    There are at least as many columns as rows; the columns that are left over cost nothing.
    """
    row_price, column_price = np.zeros(n + 1), np.zeros(columns + 1)
    row_of = np.zeros(columns + 1, np.int64)  # the row that a column is matched with; both count from 1, and 0 is none
    least = np.empty(columns + 1)
    done = np.empty(columns + 1, np.bool_)
    before = np.empty(columns + 1, np.int64)
    for i in range(1, n + 1):
        row_of[0] = i
        column = 0
        for j in range(columns + 1):
            least[j], done[j], before[j] = np.inf, False, 0
        while True:
            done[column] = True
            row, step, following = row_of[column], np.inf, 0
            for j in range(1, columns + 1):
                if done[j]:
                    continue
                reduced = cost[row - 1, j - 1] - row_price[row] - column_price[j]
                if reduced < least[j]:
                    least[j], before[j] = reduced, column
                if least[j] < step:
                    step, following = least[j], j
            for j in range(columns + 1):
                if done[j]:
                    row_price[row_of[j]] += step
                    column_price[j] -= step
                else:
                    least[j] -= step
            column = following
            if row_of[column] == 0:
                break
        while column != 0:
            row_of[column] = row_of[before[column]]
            column = before[column]
    column_of = np.empty(n, np.int64)
    for j in range(1, columns + 1):
        if row_of[j] > 0:
            column_of[row_of[j] - 1] = j - 1
    return column_of
