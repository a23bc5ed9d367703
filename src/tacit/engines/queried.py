"""The answer of a database that no memory holds: written down batch by batch, as it arrives."""

from __future__ import annotations

import polars as pl
import pyarrow as pa

from tacit.engines.parts import Parts
from tacit.engines.scratch import Scratch, full
from tacit.errors import SourceError
from tacit.sources.databases import database_batches


def read_query(url: str, query: str | None, scratch: Scratch) -> Parts:
    """Ask a database, and write its answer into the private folder.

    Parameters
    ----------
    url, query
        The database, and what it is asked.
    scratch
        The private folder.
    """
    path = scratch.new("query.arrow")
    schema: pa.Schema | None = None
    writer: pa.ipc.RecordBatchFileWriter | None = None
    try:
        with pa.OSFile(str(path), "wb") as file:
            for frame in database_batches(url, query=query):
                table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
                if writer is None:
                    schema = table.schema
                    writer = pa.ipc.new_file(file, schema)
                writer.write_table(table if table.schema == schema else table.cast(schema))
            if writer is not None:
                writer.close()
    except OSError as error:
        raise full(error, scratch.folder) from None
    except pa.ArrowException as error:
        raise SourceError(
            f"The result of the query cannot be written down: {str(error).splitlines()[0][:160]}.",
            hint="Cast its columns in the query.",
        ) from None
    if schema is None:
        raise SourceError("The query gives no row.", hint="There is nothing to publish; check the query.")
    return Parts((path,), schema.remove_metadata())
