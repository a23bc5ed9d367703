"""Files with types of their own: Parquet and Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl
import pyarrow as pa

from tacit.borders import guarded
from tacit.errors import SourceError
from tacit.sources.arrow import from_arrow
from tacit.sources.columns import check_names
from tacit.sources.compressed import Content


def read_parquet(content: Content) -> pl.DataFrame:
    """Read a Parquet file.

    PyArrow reads it, because it refuses a damaged page; Polars may end the process at one.
    """
    import pyarrow.parquet as pq

    with guarded(partial(_damaged, content.name, "Parquet")):
        with content.open() as stream:
            about = pq.ParquetFile(stream)
            names, rows = about.schema_arrow.names, about.metadata.num_rows
        check_names(names, place=content.name)
        table = parquet_table(str(content.path) if content.data is None else content.data)
        if table.num_rows != rows:
            raise pa.ArrowInvalid(f"{rows:,} rows are announced, and {table.num_rows:,} are there")
        return from_arrow(table, place=content.name)


def read_arrow(content: Content, *, stream: bool) -> pl.DataFrame:
    """Read an Arrow IPC file (which Feather is) or stream.

    PyArrow reads it, because it can check that what it has read is sound before anything relies on that.
    """
    with guarded(partial(_damaged, content.name, "Arrow")):
        source = pa.OSFile(str(content.path)) if content.data is None else pa.BufferReader(content.data)
        with source:
            opened = pa.ipc.open_stream(source) if stream else pa.ipc.open_file(source)
            table = _validated(opened.read_all())
        return from_arrow(table, place=content.name)


def parquet_table(source: bytes | str, only: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
    """Read Parquet, all columns or some, and check all that is read before anything relies on it.

    Texts that are to be `coded` come as dictionaries and codes.
    """
    import pyarrow.parquet as pq

    opened = pa.BufferReader(source) if isinstance(source, bytes) else source
    with pq.ParquetFile(opened, read_dictionary=list(coded)) as file:
        return _validated(file.read(columns=None if only is None else list(only)))


def with_codes(table: pa.Table) -> pl.DataFrame:
    """Return a table whose dictionaries are categories (`pl.Enum`) of their own.

    Examples
    --------
    >>> with_codes(pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode()})).schema["a"]
    Enum(categories=['x', 'y'])
    """
    columns = []
    for name, column in zip(table.column_names, table.unify_dictionaries().columns, strict=True):
        if pa.types.is_dictionary(column.type):
            words = column.chunk(0).dictionary if column.num_chunks else pa.array([], pa.string())
            codes = pl.from_arrow(pa.chunked_array([chunk.indices for chunk in column.chunks], column.type.index_type))
            values = pl.from_arrow(words)
            assert isinstance(codes, pl.Series)  # noqa: S101 - a column is a series
            assert isinstance(values, pl.Series)  # noqa: S101 - a column is a series
            columns.append(codes.cat.to(pl.Enum(values)).alias(name))
        else:
            plain = pl.from_arrow(column)
            assert isinstance(plain, pl.Series)  # noqa: S101 - a column is a series
            columns.append(plain.alias(name))
    return pl.DataFrame(columns)


def arrow_table(path: str) -> pa.Table:
    """Read an Arrow IPC file, and check all of it: offsets in it may point anywhere."""
    with pa.OSFile(path) as source:
        return _validated(pa.ipc.open_file(source).read_all())


def _validated(table: pa.Table) -> pa.Table:
    table.validate(full=True)
    for name in table.schema.names:
        name.encode()  # a name that is no text is refused here, and not where it is first printed
    return table


def _damaged(name: str, kind: str, reason: str) -> SourceError:
    return SourceError(
        f"{name} is damaged or not a complete {kind} file ({reason}).", hint="Copy or make the file again."
    )
