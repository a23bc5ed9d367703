"""How many rows match each victim on a few columns: by bisection where there is no blank, one by one where there is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Ints
from tacit.kernels.compiling import compiled


@compiled
def _compare(left: NDArray[np.int32], i: int, right: NDArray[np.int32], k: int) -> int:
    """Compare two rows by their columns in order: -1 the left one comes first, 1 the right one, 0 they are equal."""
    for j in range(left.shape[1]):
        if left[i, j] != right[k, j]:
            return -1 if left[i, j] < right[k, j] else 1
    return 0


@compiled
def _fits(rows: NDArray[np.int32], s: int, victims: NDArray[np.int32], u: int) -> bool:
    """Say whether a row matches a victim; -1 on either side matches everything."""
    for j in range(rows.shape[1]):
        code, asked = rows[s, j], victims[u, j]
        if code != asked and code >= 0 and asked >= 0:
            return False
    return True


@compiled
def count_sorted(
    plain: NDArray[np.int32],
    weight: Ints,
    blanked: NDArray[np.int32],
    blanked_weight: Ints,
    victims: NDArray[np.int32],
) -> Ints:
    """Count the people who match each victim.

    Among the sorted rows without a blank (`plain`) they are found by bisection, among the others (`blanked`) one by
    one. A victim with a value that is not known (-1) is compared with all rows one by one.
    """
    n, v = plain.shape[0], victims.shape[0]
    total = np.zeros(n + 1, np.int64)
    for s in range(n):
        total[s + 1] = total[s] + weight[s]
    counts = np.zeros(v, np.int64)
    for u in range(v):
        open_ = False
        for j in range(victims.shape[1]):
            open_ |= victims[u, j] < 0
        if open_:
            for s in range(n):
                if _fits(plain, s, victims, u):
                    counts[u] += weight[s]
        else:
            low, high = 0, n
            while low < high:
                middle = (low + high) // 2
                if _compare(plain, middle, victims, u) < 0:
                    low = middle + 1
                else:
                    high = middle
            start = low
            high = n
            while low < high:
                middle = (low + high) // 2
                if _compare(plain, middle, victims, u) <= 0:
                    low = middle + 1
                else:
                    high = middle
            counts[u] = total[low] - total[start]
        for s in range(blanked.shape[0]):
            if _fits(blanked, s, victims, u):
                counts[u] += blanked_weight[s]
    return counts
