"""File formats of published frames: nothing in a file but what the frame shows.

Parquet without dictionaries and statistics, which can carry values that were suppressed; Arrow without string views,
whose buffers can hold neighbours that were filtered out, and with nothing under a null; csv and xlsx whose cells no
spreadsheet runs as a formula; Stata and SPSS without the time at which they were written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from tacit.errors import ParameterError, SourceError, nearest, shown
from tacit.releases.delimited import read_csv, write_csv
from tacit.releases.spreadsheet import read_xlsx, write_xlsx
from tacit.releases.statistics_packages import read_package, write_package
from tacit.shapes import PublishedColumn
from tacit.shapes.erasing import without_hidden_values
from tacit.sources.calendar_range import check_calendar

Format = Literal["parquet", "csv", "arrow", "xlsx", "stata", "spss"]
ENDINGS: dict[Format, str] = {
    "parquet": "parquet",
    "csv": "csv",
    "arrow": "arrow",
    "xlsx": "xlsx",
    "stata": "dta",
    "spss": "sav",
}
"""How the files of a format end."""


def check_format(name: str) -> Format:
    """Return the format, or say which there are."""
    if not isinstance(name, str) or name not in get_args(Format):
        hint = nearest(str(name)[:80], get_args(Format), what="Formats")
        raise ParameterError(f"There is no format {shown(name)}.", hint=hint)
    return name  # type: ignore[return-value]


def write_frame(frame: pl.DataFrame, path: Path, kind: Format, columns: Mapping[str, PublishedColumn]) -> None:
    """Write one published frame."""
    if kind == "csv":
        write_csv(frame, path, columns)
        return
    if kind == "xlsx":
        write_xlsx(frame, path, columns)
        return
    if kind in {"stata", "spss"}:
        write_package(frame, path, kind, columns)
        return
    import pyarrow as pa

    # The oldest layout copies the values that are there, and nothing else.
    table = pl.DataFrame({series.name: without_hidden_values(series) for series in frame}).to_arrow(
        compat_level=pl.CompatLevel.oldest()
    )
    marked = {name for name, column in columns.items() if column.suppressed}
    fields = [
        field.with_metadata({"tacit.suppressed": "true"}) if field.name in marked else field for field in table.schema
    ]
    about = json.dumps({"suppressed": [name for name in frame.columns if name in marked]})
    # A cast would say the same, and import all that PyArrow can compute.
    table = pa.Table.from_arrays(table.columns, schema=pa.schema(fields, metadata={"tacit": about})).combine_chunks()
    if kind == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(table, path, use_dictionary=False, write_statistics=False, compression="zstd")
        return
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def read_frame(
    path: Path,
    kind: str,
    columns: Mapping[str, PublishedColumn],
    types: Sequence[Sequence[str]],
    rows: int,
    *,
    only: Sequence[str] | None = None,
    coded: bool = False,
) -> pl.DataFrame:
    """Read one published frame back; its types and how many rows it has come from `release.json`.

    `only` names the columns that are wanted. With `coded`, texts of a Parquet file come as codes (`pl.Enum`).
    """
    if kind != "parquet" and only is not None:
        return read_frame(path, kind, columns, types, rows).select(only)
    if check_format(kind) == "csv":
        return read_csv(path, columns, types)
    if kind == "xlsx":
        return read_xlsx(path, columns, types, rows)
    if kind in {"stata", "spss"}:
        return read_package(path, kind, columns, types)  # type: ignore[arg-type]
    from tacit.sources.columnar import arrow_table, parquet_table, with_codes

    texts = [name for name, type_name in types if type_name == "String"] if coded else []
    table = parquet_table(str(path), only, texts) if kind == "parquet" else arrow_table(str(path))
    frame_read = with_codes(table) if coded else pl.from_arrow(table.replace_schema_metadata(None))
    if not isinstance(frame_read, pl.DataFrame):
        raise SourceError(f"{path.name} does not hold a table.")
    frame_read.columns = table.column_names  # a column without a name would have been given one
    check_calendar(frame_read, place=path.name)
    return frame_read
