"""Arrow tables, from PyArrow, DuckDB, an IPC file or a database driver."""

from __future__ import annotations

import re

import polars as pl
import pyarrow as pa

from tacit.errors import SourceError
from tacit.sources.columns import check_names, plain

_OFFSET = re.compile(r"[+-]\d\d:?\d\d")


def from_arrow(table: pa.Table, *, place: str = "The table") -> pl.DataFrame:
    """Turn an Arrow table into a Polars frame of plain types.

    Polars takes most types of Arrow as they are. The few types whose meaning it would lose, or that it cannot read, are
    translated here.

    Examples
    --------
    >>> from_arrow(pa.table({"sex": pa.array(["f", "m"]).dictionary_encode()})).schema
    Schema([('sex', String)])
    """
    check_names(table.schema.names, place=place)
    return plain(
        pl.DataFrame([from_array(name, values) for name, values in zip(table.schema.names, table.columns, strict=True)])
    )


def from_array(name: str, values: pa.ChunkedArray | pa.Array) -> pl.Series:
    """Turn one Arrow array into a Polars column; see `from_arrow`."""
    kind = values.type
    if kind == pa.uuid():
        return uuid_text(from_array(name, values.cast(pa.binary(16))))
    try:
        if pa.types.is_decimal256(kind):
            values = values.cast(pa.float64())
        elif pa.types.is_run_end_encoded(kind):
            import pyarrow.compute as pc

            values = pa.chunked_array([pc.run_end_decode(part) for part in _chunks(values)], kind.value_type)
        elif pa.types.is_timestamp(kind) and has_offset(kind):
            values = values.cast(pa.timestamp(kind.unit, "UTC"))  # the same moments
        elif pa.types.is_union(kind) or pa.types.is_interval(kind):
            raise pa.ArrowNotImplementedError(str(kind))
        return pl.Series(name, values)
    # Polars panics, which is not an Exception, at what it has not met.
    except (pa.ArrowException, TypeError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        pass
    raise SourceError(
        f"Column {name!r} has the Arrow type {kind}, which cannot be read.",
        hint="Convert the column to text or numbers in its source, or leave it out.",
    )


def has_offset(kind: pa.DataType) -> bool:
    """Tell whether a type has an offset, such as +05:30, where others have the name of a time zone."""
    if pa.types.is_timestamp(kind):
        return kind.tz is not None and _OFFSET.fullmatch(kind.tz) is not None
    return any(has_offset(kind.field(at).type) for at in range(kind.num_fields))


def _chunks(values: pa.ChunkedArray | pa.Array) -> list[pa.Array]:
    return list(values.chunks) if isinstance(values, pa.ChunkedArray) else [values]


def uuid_text(column: pl.Series) -> pl.Series:
    """Write the sixteen bytes of a UUID the way people do."""
    digits = column.cast(pl.Binary).bin.encode("hex").str
    groups = [digits.slice(start, length) for start, length in ((0, 8), (8, 4), (12, 4), (16, 4), (20, 12))]
    return pl.select(pl.concat_str(groups, separator="-")).to_series().alias(column.name)
