"""Sorted base tables, each with the number of tables that it represents.

A prior that treats the values alike gives the same weight to all tables that differ only in which value has which
frequency. One sorted table, weighted by the number of such tables, therefore replaces them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import comb, factorial, prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tacit.arrays import places_of

Tables: TypeAlias = npt.NDArray[np.int64]
"""One sorted table per row, one rank per column."""


def sorted_tables(total: int, low: Sequence[int], high: Sequence[int] | None = None) -> Tables:
    """List all rows a1 >= a2 >= ... with the given sum, low[i] <= a[i] <= high[i], in lexicographic order.

    Parameters
    ----------
    total
        Sum of each row.
    low, high
        Bounds by column, descending; without ``high`` a column is bounded by the one before only.

    Examples
    --------
    >>> sorted_tables(6, [0, 0, 1]).tolist()
    [[2, 2, 2], [3, 2, 1], [4, 1, 1]]
    """
    width = len(low)
    rows = np.zeros((1, 0), dtype=np.int64)
    left = np.array([total], dtype=np.int64)
    for i in range(width):
        first = np.maximum(-(-left // (width - i)), low[i])
        last = left - sum(low[i + 1 :])
        if high is not None:
            last = np.minimum(last, high[i])
        if i:
            last = np.minimum(last, rows[:, -1])
        size = np.maximum(last - first + 1, 0)
        parent = np.repeat(np.arange(len(left)), size)
        value = places_of(first, size)
        rows = np.column_stack([rows[parent], value])
        left = left[parent] - value
    complete: Tables = rows[left == 0]
    return complete


def tables_bound(excess: int, width: int) -> int:
    """Bound the number of partitions of ``excess`` into at most ``width`` parts from above, closely if both are large.

    Examples
    --------
    >>> tables_bound(10, 3), len(sorted_tables(10, [0, 0, 0]))
    (17, 14)
    """
    if excess < 0:
        return 0
    if width == 0:
        return int(excess == 0)
    # Adding 0, 1, ..., width - 1 makes the parts different, so each partition is counted width! times.
    return comb(excess + width * (width + 1) // 2 - 1, width - 1) // factorial(width)


def tables_bound_up_to(excess: int, width: int) -> int:
    """Bound the number of partitions of 0, 1, ..., ``excess`` together into at most ``width`` parts from above."""
    return comb(excess + width * (width + 1) // 2, width) // factorial(width) if excess >= 0 else 0


def labellings(tables: Tables) -> npt.NDArray[Any]:
    """Count the different ways to give the entries of each row to as many labelled values.

    Examples
    --------
    >>> labellings(np.array([[2, 2, 2], [3, 2, 1], [4, 1, 1]])).tolist()
    [1, 6, 3]
    """
    width = tables.shape[1]
    fits = width <= 20  # 20! is the last factorial below 2**63
    ties = np.ones(len(tables), dtype=np.int64 if fits else object)
    run = np.ones(len(tables), dtype=np.int64)
    for i in range(1, width):
        run = np.where(tables[:, i] == tables[:, i - 1], run + 1, 1)
        ties = ties * (run if fits else run.astype(object))
    return factorial(width) // ties


def assignments(tables: Tables) -> npt.NDArray[Any]:
    """Count the ways to give the values of each row to its records: multinomial coefficients, as Python integers.

    Examples
    --------
    >>> assignments(np.array([[2, 2, 2], [3, 2, 1], [4, 1, 1]])).tolist()
    [90, 60, 30]
    """
    result = np.empty(len(tables), dtype=object)
    rows = tables.tolist()
    for i, row in enumerate(rows):
        step = _one_record_moved(rows[i - 1], row) if i else None
        # Neighbours in lexicographic order mostly differ by one record; then the coefficient of the one before, one
        # multiplication and one division by small numbers are enough.
        result[i] = result[i - 1] * step[0] // step[1] if step else multinomial(row)
    return result


def multinomial(parts: Iterable[int]) -> int:
    """Count the arrangements of a multiset with these multiplicities.

    Examples
    --------
    >>> multinomial([2, 1, 1])
    12
    """
    result, total = 1, 0
    for part in parts:
        total += part
        result *= comb(total, part)
    return result


def fixed_weight(total: int, fixed: Sequence[int], *, width: int, records: bool) -> int:
    """Return by how much the known frequencies multiply the weight of the unknown ones.

    No known frequency equals an unknown one.

    Parameters
    ----------
    total
        Sum of the unknown frequencies.
    fixed
        The known frequencies.
    width
        Number of unknown frequencies.
    records
        Whether weights count the assignments of values to records, too.
    """
    values = multinomial([width, *(fixed.count(x) for x in sorted(set(fixed)))])
    return values * multinomial([total, *fixed]) if records else values


def _one_record_moved(before: list[int], after: list[int]) -> tuple[int, int] | None:
    """Give the factors by which the multinomial changes when exactly one record moved from one rank to another."""
    changed = [(b, a) for b, a in zip(before, after, strict=True) if a != b]
    if len(changed) != 2 or sorted(a - b for b, a in changed) != [-1, 1]:
        return None
    return prod(b for b, a in changed if a < b), prod(a for b, a in changed if a > b)


def runs(counts: Sequence[int]) -> list[tuple[int, int]]:
    """List the different counts of a descending sequence with how often each occurs.

    Examples
    --------
    >>> runs([3, 3, 2, 1, 1])
    [(3, 2), (2, 1), (1, 2)]
    """
    edges = [0, *(i for i, (a, b) in enumerate(pairwise(counts), start=1) if a != b), len(counts)]
    return [(counts[a], b - a) for a, b in pairwise(edges) if a < b]
