"""Published frames as csv: types come from `release.json`, so that reading gives back what was written.

A null is an empty cell, an empty text a quoted one; a suppressed cell is `*`, and a value that could be mistaken for
one is quoted. Times are written in UTC where they have a zone: an old offset with seconds has no other exact form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from tacit.releases.spreadsheet_formulas import harmless, original
from tacit.shapes import ANYTHING, PublishedColumn, quote, unquote
from tacit.table import as_text

_SEPARATOR = ";"
_TYPES: dict[str, pl.DataType] = {
    str(dtype): dtype
    for dtype in (
        pl.Int8(), pl.Int16(), pl.Int32(), pl.Int64(), pl.UInt8(), pl.UInt16(), pl.UInt32(), pl.UInt64(),
        pl.Float32(), pl.Float64(), pl.String(), pl.Boolean(), pl.Date(),
    )
}  # fmt: skip


def type_name(dtype: pl.DataType) -> str:
    """Name a type so that a csv can be read back.

    Examples
    --------
    >>> type_name(pl.Int64()), type_name(pl.Datetime("ms", "Europe/Berlin")), type_name(pl.List(pl.String()))
    ('Int64', 'Datetime(ms, Europe/Berlin)', 'List(String)')
    """
    if isinstance(dtype, pl.Datetime):
        return f"Datetime({dtype.time_unit}" + (f", {dtype.time_zone})" if dtype.time_zone else ")")
    return str(dtype)


def write_csv(frame: pl.DataFrame, path: Path, columns: Mapping[str, PublishedColumn]) -> None:
    """Write one frame."""
    names = harmless(pl.Series(frame.columns, dtype=pl.String))
    # By name, not as a list of series: one without a name would be given one.
    written = {name: _as_cells(values, columns.get(values.name)) for name, values in zip(names, frame, strict=True)}
    pl.DataFrame(written).write_csv(path, quote_style="necessary")


def read_csv(path: Path, columns: Mapping[str, PublishedColumn], types: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Read one frame back."""
    texts = pl.read_csv(path, infer_schema=False)
    return pl.DataFrame(
        {
            name: from_cells(original(series), type_, columns.get(name))
            for (name, type_), series in zip(types, texts, strict=True)
        }
    )


def _as_cells(values: pl.Series, column: PublishedColumn | None) -> pl.Series:
    values = as_cells(values, column)
    return harmless(values) if values.dtype == pl.String else values


def as_cells(values: pl.Series, column: PublishedColumn | None) -> pl.Series:
    """Write a column as numbers, truth values, days and text: sets joined, suppressed cells as `*`."""
    if isinstance(values.dtype, pl.List):
        values = _joined(values.cast(pl.List(pl.String)))
    elif isinstance(values.dtype, pl.Datetime):
        values = as_text(values if values.dtype.time_zone is None else values.dt.convert_time_zone("UTC"))
    if column is not None and column.suppressed:
        texts = as_text(values)
        values = (texts if column.blurred else quote(texts)).fill_null(ANYTHING)
    return values


def from_cells(texts: pl.Series, type_: str, column: PublishedColumn | None) -> pl.Series:
    """Read a column of text back as the type that was published."""
    if column is not None and column.suppressed:
        texts = pl.select(pl.when(texts != ANYTHING).then(texts)).to_series()
        texts = texts if column.blurred else _each(texts, r'^"', unquote)
    return _parsed(texts, type_)


def _parsed(texts: pl.Series, type_: str) -> pl.Series:
    if type_ == "Boolean":
        return texts == "true"
    if type_ == "Date":
        return texts.str.to_date("%Y-%m-%d")
    if time := re.fullmatch(r"Datetime\((ms|us|ns)(?:, (.+))?\)", type_):
        unit, zone = time.groups()
        pattern = "%Y-%m-%d %H:%M:%S%.f" + ("%z" if zone else "")
        values = texts.str.to_datetime(pattern, time_unit=unit)  # type: ignore[arg-type]
        return values.dt.convert_time_zone(zone) if zone else values
    if items := re.fullmatch(r"List\((\w+)\)", type_):
        return _split(texts).cast(pl.List(_TYPES[items[1]]))
    return texts.cast(_TYPES[type_])


def _joined(sets: pl.Series) -> pl.Series:
    """Write sets as text; an item that would not come back is quoted."""
    items = sets.explode(empty_as_null=False, keep_nulls=False).unique().drop_nulls()
    risky = items.filter(items.str.contains(rf'[{_SEPARATOR}"]|^$'))
    if len(risky):
        quoted = pl.Series([json.dumps(item, ensure_ascii=False) for item in risky], dtype=pl.String)
        sets = sets.list.eval(pl.element().replace(risky, quoted))
    return sets.list.join(_SEPARATOR)


def _split(texts: pl.Series) -> pl.Series:
    """Read sets back; no item is empty unless quoted, so the empty text is the empty set."""
    if not texts.str.contains('"').any():
        return texts.str.split(_SEPARATOR).list.filter(pl.element() != "")
    distinct = texts.unique().drop_nulls()
    parts = [re.findall(rf'"(?:[^"\\]|\\.)*"|[^{_SEPARATOR}]+', text) for text in distinct]
    sets = pl.Series([[unquote(part) for part in cell] for cell in parts], dtype=pl.List(pl.String))
    known = pl.DataFrame({"text": distinct, "set": sets})
    return texts.to_frame("text").join(known, on="text", how="left", maintain_order="left")["set"]


def _each(texts: pl.Series, pattern: str, change: Callable[[str], str]) -> pl.Series:
    """Change the distinct texts that match a pattern."""
    some = texts.unique().drop_nulls()
    some = some.filter(some.str.contains(pattern))
    return texts.replace(some, pl.Series([change(text) for text in some], dtype=pl.String)) if len(some) else texts
