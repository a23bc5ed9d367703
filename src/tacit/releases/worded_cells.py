"""Columns for formats that know neither sets nor a null beside an empty text: spreadsheets, Stata, SPSS.

Numbers, truth values and days stay what they are where the format has them. Everything else is text, written as in a
csv. A text that would not come back (an empty one, one with blanks at its ends or with control characters) stands
behind a backslash, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import polars as pl

from tacit.releases.delimited import as_cells, from_cells
from tacit.shapes import PublishedColumn

EXACT = 2**53
"""Whole numbers from here on have no exact float: they are written as text."""
_RISKY = r"^$|^\\|^\s|\s$|[\x00-\x1F\x7F-\x9F\u{FFFE}\u{FFFF}]"


def worded(frame: pl.DataFrame, columns: Mapping[str, PublishedColumn]) -> list[pl.Series]:
    r"""Return the columns as numbers, truth values, days and text; a null in text is null.

    Examples
    --------
    >>> frame = pl.DataFrame({"n": [1, None], "town": ["", " a"], "signs": [["b", "c"], []]})
    >>> [column.to_list() for column in worded(frame, {})]
    [[1, None], ['\\""', '\\" a"'], ['b;c', '\\""']]
    """
    return [_worded(as_cells(values, columns.get(values.name))) for values in frame]


def _worded(values: pl.Series) -> pl.Series:
    if values.dtype.is_integer():
        ends = [end for end in (values.min(), values.max()) if isinstance(end, int)]
        return values.cast(pl.String) if any(abs(end) >= EXACT for end in ends) else values
    if values.dtype.is_float():
        strange = ~(values.is_finite() & (values.abs() < 1e300))
        return values.cast(pl.String) if strange.any() else values
    if values.dtype != pl.String:
        return values
    return _changed(values, _RISKY, lambda text: "\\" + json.dumps(text, ensure_ascii=bool(set(text) & _NOT_IN_XML)))


_NOT_IN_XML = {chr(code) for code in (*range(0x7F, 0xA0), 0xFFFE, 0xFFFF)}


def unworded(
    loaded: Sequence[pl.Series], columns: Mapping[str, PublishedColumn], types: Sequence[Sequence[str]]
) -> pl.DataFrame:
    """Make the frame again from the columns as they were read, and the types that were published."""
    return pl.DataFrame(
        {name: _unworded(values, type_, columns.get(name)) for values, (name, type_) in zip(loaded, types, strict=True)}
    )


def _unworded(values: pl.Series, type_: str, column: PublishedColumn | None) -> pl.Series:
    if values.dtype == pl.Boolean:
        texts = values.cast(pl.String)
    elif isinstance(values.dtype, pl.Datetime):
        texts = values.dt.date().cast(pl.String)
    elif values.dtype.is_float() and not type_.startswith("Float"):
        texts = values.cast(pl.Int64).cast(pl.String)
    elif values.dtype == pl.String:
        texts = values.set(values == "", None)
        texts = _changed(texts, r"^\\", lambda text: str(json.loads(text[1:])))
    else:
        texts = values.cast(pl.String)
    return from_cells(texts, type_, column)


def _changed(texts: pl.Series, pattern: str, change: object) -> pl.Series:
    some = texts.unique().drop_nulls()
    some = some.filter(some.str.contains(pattern))
    if not len(some):
        return texts
    return texts.replace(some, pl.Series([change(text) for text in some], dtype=pl.String))  # type: ignore[operator]
