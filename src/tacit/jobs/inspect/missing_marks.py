"""Marks of what is missing: values that may mean that nothing is known. Only the data owner can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

_WORDS = ("?", "NA", "N/A", "n/a", "na", ".", "..", "-", "--", "NULL", "null", "NaN", "nan", "#N/A", "None", "k.A.")
_BELOW = (-9, -99, -999, -9999)
_ABOVE = (999, 9999, 99999)
_APART = 3
"""How many times larger than all other values a mark such as 999 must be. A smaller number suspects more values; chosen
by hand."""


@dataclass(frozen=True)
class MissingMark:
    """A value that may mean that nothing is known, and in how many cells of which columns it stands."""

    mark: str
    cells: tuple[tuple[str, int], ...]

    @property
    def sentence(self) -> str:
        """Say where it stands."""
        where = ", ".join(f"{column} ({count:,})" for column, count in self.cells)
        return f"{self.mark!r} may mean that nothing is known: {where}"


def missing_marks(frame: pl.DataFrame, nulls: Sequence[str]) -> tuple[MissingMark, ...]:
    """Find values that may be marks; those that are read as null already are none.

    Examples
    --------
    >>> frame = pl.DataFrame({"work": ["?", "clerk", "?"], "age": [30, -9, 41], "debt": [-9, 5, -30]})
    >>> [mark.sentence for mark in missing_marks(frame, [""])]
    ["'?' may mean that nothing is known: work (2)", "'-9' may mean that nothing is known: age (1)"]
    >>> missing_marks(pl.DataFrame({"ill": ["flu", "-9", "gout", "flu"]}), [""])[0].sentence
    "'-9' may mean that nothing is known: ill (1)"
    """
    found: dict[str, list[tuple[str, int]]] = {}
    for column in frame.iter_columns():
        for mark, count in _text_marks(column) if column.dtype == pl.String else _number_marks(column):
            if mark not in nulls:
                found.setdefault(mark, []).append((column.name, count))
    return tuple(MissingMark(mark, tuple(cells)) for mark, cells in found.items())


def _text_marks(column: pl.Series) -> list[tuple[str, int]]:
    marked = column.filter(column.is_in([*_WORDS, *map(str, _BELOW)]))
    return [(str(mark), int(count)) for mark, count in marked.alias("mark").value_counts(sort=True).iter_rows()]


def _number_marks(column: pl.Series) -> list[tuple[str, int]]:
    if not column.dtype.is_numeric() or column.null_count() == len(column):
        return []
    marks = []
    column = column.cast(pl.Float64)  # a column of bytes cannot be compared with 9999, nor one without signs with -9
    low, high = column.min(), column.max()
    if not isinstance(low, float) or not isinstance(high, float):
        return []
    for value in (mark for mark in _BELOW if low <= mark <= high):
        count = int((column == value).sum())
        if count and (column.filter(column != value) >= 0).all():
            marks.append((str(value), count))
    for value in (mark for mark in _ABOVE if low <= mark <= high):
        count = int((column == value).sum())
        largest = column.filter(column != value).max()
        if count and isinstance(largest, int | float) and largest * _APART < value:  # never true of NaN
            marks.append((str(value), count))
    return marks
