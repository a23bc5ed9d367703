"""Files with types of their own: Parquet and Arrow."""

from __future__ import annotations

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tacit.errors import SourceError
from tacit.sources.arrow import from_arrow, uuid_text
from tacit.sources.columns import check_names, plain
from tacit.sources.compressed import Content
from tacit.sources.faults import first_line


def read_parquet(content: Content) -> pl.DataFrame:
    """Read a Parquet file."""
    try:
        with content.open() as stream:
            schema = pq.read_schema(stream)
        check_names(schema.names, place=content.name)
        frame = pl.read_parquet(content.source, glob=False, hive_partitioning=False)
        uuids = [uuid_text(frame[field.name]) for field in schema if field.type == pa.uuid()]
    except (pa.ArrowException, OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = first_line(error)
    else:
        return plain(frame.with_columns(uuids))
    raise _damaged(content.name, "Parquet", reason)


def read_arrow(content: Content, *, stream: bool) -> pl.DataFrame:
    """Read an Arrow IPC file (which Feather is) or stream.

    PyArrow reads it, because it can check that what it has read is sound before anything relies on that.
    """
    try:
        source = pa.OSFile(str(content.path)) if content.data is None else pa.BufferReader(content.data)
        with source:
            opened = pa.ipc.open_stream(source) if stream else pa.ipc.open_file(source)
            table = opened.read_all()
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        reason = first_line(error)
    else:
        return from_arrow(table, place=content.name)
    raise _damaged(content.name, "Arrow", reason)


def _damaged(name: str, kind: str, reason: str) -> SourceError:
    return SourceError(
        f"{name} is damaged or not a complete {kind} file ({reason}).", hint="Copy or make the file again."
    )
