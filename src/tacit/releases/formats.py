"""File formats of published frames: nothing in a file but what the frame shows.

Parquet without dictionaries and statistics, which can carry values that were suppressed; Arrow without string views,
whose buffers can hold neighbours that were filtered out; csv whose cells no spreadsheet runs as a formula.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import polars as pl

from tacit.errors import ParameterError, SourceError, nearest
from tacit.shapes import ANYTHING, PublishedColumn, quote, unquote
from tacit.table import as_text

Format = Literal["parquet", "csv", "arrow"]
_DANGER = r"^'*\s*[=+\-@\t\r＝＋－＠]"
_HARMLESS = r"^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$"
ITEM_SEPARATOR = ";"

_TYPES: dict[str, pl.DataType] = {
    str(dtype): dtype
    for dtype in (
        pl.Int8(), pl.Int16(), pl.Int32(), pl.Int64(), pl.UInt8(), pl.UInt16(), pl.UInt32(), pl.UInt64(),
        pl.Float32(), pl.Float64(), pl.String(), pl.Boolean(), pl.Date(), pl.List(pl.String()),
    )
}  # fmt: skip


def check_format(name: str) -> Format:
    """Return the format, or say which there are."""
    if name not in get_args(Format):
        raise ParameterError(f"There is no format {name!r}.", hint=nearest(name, get_args(Format), what="Formats"))
    return name  # type: ignore[return-value]


def write_frame(frame: pl.DataFrame, path: Path, kind: Format, columns: Mapping[str, PublishedColumn]) -> None:
    """Write one published frame."""
    if kind == "csv":
        _write_csv(frame, path, columns)
        return
    import pyarrow as pa

    # The oldest layout copies the values that are there, and nothing else.
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    marked = {name for name, column in columns.items() if column.suppressed}
    fields = [
        field.with_metadata({"tacit.suppressed": "true"}) if field.name in marked else field for field in table.schema
    ]
    about = json.dumps({"suppressed": [name for name in frame.columns if name in marked]})
    table = table.cast(pa.schema(fields, metadata={"tacit": about})).combine_chunks()
    if kind == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(table, path, use_dictionary=False, write_statistics=False, compression="zstd")
        return
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def read_frame(
    path: Path, kind: Format, columns: Mapping[str, PublishedColumn], types: Sequence[Sequence[str]]
) -> pl.DataFrame:
    """Read one published frame back."""
    if kind == "csv":
        return _read_csv(path, columns, types)
    if kind == "parquet":
        import pyarrow.parquet as pq

        table = pq.read_table(path)
    else:
        from pyarrow import feather

        table = feather.read_table(path)
    found = pl.from_arrow(table.replace_schema_metadata(None))
    if not isinstance(found, pl.DataFrame):
        raise SourceError(f"{path.name} does not hold a table.")
    return found


def type_name(dtype: pl.DataType) -> str:
    """Name a type so that a csv can be read back."""
    return "Datetime" if dtype == pl.Datetime else str(dtype)


def harmless(texts: pl.Series) -> pl.Series:
    """Put an apostrophe before what a spreadsheet would run as a formula.

    Examples
    --------
    >>> harmless(pl.Series(["=1+1", "-5", "@x", "flu", "'=1"])).to_list()
    ["'=1+1", '-5', "'@x", 'flu', "''=1"]
    """
    return pl.select(
        pl.when(texts.str.contains(_DANGER) & ~texts.str.contains(_HARMLESS)).then("'" + texts).otherwise(texts)
    ).to_series()


def original(texts: pl.Series) -> pl.Series:
    """Take the apostrophe away again."""
    guarded = texts.str.starts_with("'") & texts.str.contains(_DANGER)
    return pl.select(pl.when(guarded).then(texts.str.slice(1)).otherwise(texts)).to_series()


def _write_csv(frame: pl.DataFrame, path: Path, columns: Mapping[str, PublishedColumn]) -> None:
    written = []
    for series in frame:
        column = columns.get(series.name)
        values = series
        if isinstance(series.dtype, pl.List):
            values = series.list.join(ITEM_SEPARATOR)
        if column is not None and column.suppressed:
            values = (as_text(values) if column.blurred else quote(as_text(values))).fill_null(ANYTHING)
        if values.dtype == pl.Datetime:
            values = as_text(values)
        if values.dtype == pl.String:
            values = harmless(values)
        written.append(values)
    names = harmless(pl.Series(frame.columns, dtype=pl.String)).to_list()
    out = pl.DataFrame([series.alias(name) for series, name in zip(written, names, strict=True)])
    out.write_csv(path, quote_style="necessary")


def _read_csv(path: Path, columns: Mapping[str, PublishedColumn], types: Sequence[Sequence[str]]) -> pl.DataFrame:
    texts = pl.read_csv(path, infer_schema=False)
    out = []
    for (name, type_), series in zip(types, texts, strict=True):
        out.append(_parse(original(series), type_, columns.get(name)).alias(name))
    return pl.DataFrame(out)


def _parse(texts: pl.Series, type_: str, column: PublishedColumn | None) -> pl.Series:
    if column is not None and column.suppressed:
        texts = pl.select(pl.when(texts != ANYTHING).then(texts)).to_series()
        texts = texts if column.blurred else _each(texts, unquote)
    if type_ == "Boolean":
        return texts == "true"
    if type_ == "Date":
        return texts.str.to_date("%Y-%m-%d")
    if type_ == "Datetime":
        return texts.str.to_datetime(time_unit="us")
    if type_.startswith("List"):
        return texts.fill_null("").str.split(ITEM_SEPARATOR).list.filter(pl.element() != "")
    return texts.cast(_TYPES[type_])


def _each(texts: pl.Series, change: Any) -> pl.Series:
    distinct = texts.unique().drop_nulls()
    return texts.replace(distinct, pl.Series([change(text) for text in distinct], dtype=pl.String))
