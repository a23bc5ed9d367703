"""Groups, histograms and the group guarantees, by dictionaries of rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import polars as pl


def key(cell: Any) -> Hashable:
    """Make NaN equal to itself, and 1 different from True and from 1.0's text."""
    return "NaN" if isinstance(cell, float) and cell != cell else (type(cell).__name__, cell)  # noqa: PLR0124


def group_rows(rows: Iterable[Sequence[Any]]) -> dict[tuple[Hashable, ...], list[int]]:
    """Rows with equal cells, each group a list of row numbers."""
    found: dict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        found[tuple(key(cell) for cell in row)].append(number)
    return dict(found)


def groups_of(frame: pl.DataFrame, columns: Sequence[str]) -> list[list[int]]:
    rows = list(zip(*(frame[name] for name in columns), strict=True)) if columns else [()] * frame.height
    return list(group_rows(rows).values())


def histogram(values: Iterable[Any]) -> Counter[Hashable]:
    return Counter(key(value) for value in values)


def k_anonymous(sizes: Iterable[int], k: int) -> bool:
    return all(size >= k for size in sizes)


def eligible(values: Sequence[Any], l: int) -> bool:
    return all(count * l <= len(values) for count in histogram(values).values())


def partition(ids: Iterable[int]) -> set[frozenset[int]]:
    """Forget the numbers of groups: which rows stand together."""
    found: dict[int, set[int]] = defaultdict(set)
    for row, number in enumerate(ids):
        found[number].add(row)
    return {frozenset(rows) for rows in found.values()}
