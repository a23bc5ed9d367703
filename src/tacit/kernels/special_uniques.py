"""Special uniques: every smallest set of columns by which a row is alone, and what these sets add up to.

Sets of columns are visited in ascending order of their bit masks, so that all subsets of a set come before it. Each
visit splits the groups that the set without its smallest column has left. A row that is alone leaves its branch: it
stays alone whatever is added, and stands in nobody's way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["minimal_uniques"]


@compiled
def _binomials(columns: int, most: int) -> NDArray[np.int64]:
    """Return `table[n, k]`, n over k, for the numbers of sets."""
    table = np.zeros((columns + 1, most + 1), np.int64)
    for n in range(columns + 1):
        table[n, 0] = 1
        for k in range(1, min(n, most) + 1):
            table[n, k] = table[n - 1, k - 1] + (table[n - 1, k] if k < n else 0)
    return table


@compiled
def _subsets(
    path: NDArray[np.int64], size: int, before: NDArray[np.int64], over: NDArray[np.int64], numbers: NDArray[np.int64]
) -> int:
    """Number the proper subsets of a set; `path` descends. A number is unique among all sets of all sizes."""
    count = 0
    for mask in range(1, (1 << size) - 1):
        number, taken = 0, 0
        for i in range(size - 1, -1, -1):  # ascending columns
            if mask >> i & 1:
                taken += 1
                number += over[path[i], taken]
        numbers[count] = before[taken] + number
        count += 1
    return count


@compiled
def _split(
    rows: NDArray[np.int64], ends: NDArray[np.int64], groups: int, codes: NDArray[np.int64],
    tally: NDArray[np.int64], at: NDArray[np.int64], new_rows: NDArray[np.int64], new_ends: NDArray[np.int64],
    alone: NDArray[np.int64],
) -> tuple[int, int]:  # fmt: skip
    """Split groups by one more column; return how many groups of two or more rows there are, and rows that are alone.

    `tally` is zero at every code, before and after; `at` is room for a code per row.
    """
    begin, written, made, left = 0, 0, 0, 0
    for g in range(groups):
        end = ends[g]
        for i in range(begin, end):
            value = codes[rows[i]]
            at[i] = value
            tally[value] += 1
        for i in range(begin, end):  # the first row of each value reserves the places of all of them
            value = at[i]
            size = tally[value]
            if size == 1:
                alone[left] = rows[i]
                left += 1
                continue
            if size > 1:
                tally[value] = -written - 1
                written += size
                new_ends[made] = written
                made += 1
            new_rows[-tally[value] - 1] = rows[i]
            tally[value] -= 1
        for i in range(begin, end):
            tally[at[i]] = 0
        begin = end
    return made, left


@compiled
def _note(
    alone: NDArray[np.int64], left: int, path: NDArray[np.int64], size: int, weight: float, number: int,
    smaller: NDArray[np.int64], subsets: int, known: NDArray[np.uint8], codes: NDArray[np.int64],
    found: NDArray[np.int64], scores: NDArray[np.float64], values: NDArray[np.float64],
) -> None:  # fmt: skip
    """Count the rows that are alone by this set and by no part of it."""
    for i in range(left):
        row, minimal = alone[i], True
        for s in range(subsets):
            if known[row, smaller[s] >> 3] >> (smaller[s] & 7) & 1:
                minimal = False
                break
        if not minimal:
            continue
        if number < known.shape[1] * 8:
            known[row, number >> 3] |= np.uint8(1 << (number & 7))
        found[row, size - 1] += 1
        scores[row] += weight
        for d in range(size):
            values[path[d], codes[path[d], row]] += weight


@compiled
def minimal_uniques(
    codes: NDArray[np.int64], most: int, weights: NDArray[np.float64], largest_code: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Find, for every row, the smallest sets of columns by which it is alone.

    Parameters
    ----------
    codes
        A line per column, with the code of each row.
    most
        The largest number of columns of a set, 8 at most.
    weights
        What a set of 1, 2, ... columns adds to the score of its row.
    largest_code
        One more than the largest code of any column.

    Returns
    -------
    Per row the number of its sets of 1, 2, ... columns, and its score; per column and code, what the sets that hold it
    add to all scores.
    """
    columns, n = codes.shape
    over = _binomials(columns, most)
    before = np.zeros(most + 2, np.int64)  # numbers of sets are given size after size
    for size in range(1, most + 1):
        before[size + 1] = before[size] + over[columns, size]
    known = np.zeros((n, before[most] // 8 + 1), np.uint8)  # sets of the largest size are subsets of none
    found, scores = np.zeros((n, most), np.int64), np.zeros(n, np.float64)
    values = np.zeros((columns, largest_code), np.float64)
    rows, ends = np.empty((most + 1, n), np.int64), np.empty((most + 1, n // 2 + 1), np.int64)
    groups, path = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    tally, at, alone = np.zeros(largest_code, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    smaller = np.empty((1 << most) + 1, np.int64)
    for i in range(n):
        rows[0, i] = i
    ends[0, 0], groups[0] = n, 1 if n > 0 else 0
    size = 1
    while size > 0:
        limit = columns if size == 1 else path[size - 2]
        if path[size - 1] >= limit:  # all sets that begin like this were visited
            size -= 1
            if size > 0:
                path[size - 1] += 1
            continue
        column = path[size - 1]
        groups[size], left = _split(
            rows[size - 1], ends[size - 1], groups[size - 1], codes[column], tally, at, rows[size], ends[size], alone
        )
        subsets = _subsets(path, size, before, over, smaller)
        number = before[size]
        for i in range(size):
            number += over[path[i], size - i]
        _note(alone, left, path, size, weights[size - 1], number, smaller, subsets, known, codes, found, scores, values)
        if size < most and groups[size] > 0 and column > 0:
            size += 1
            path[size - 1] = 0
        else:
            path[size - 1] += 1
    return found, scores, values
