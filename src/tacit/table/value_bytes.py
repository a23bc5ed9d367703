"""Content: the values of a column as bytes that differ whenever a value does."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

_NULL = 2**32 - 1  # written as the length of a null: no text is that long
_ROWS = 1_000_000  # values that are joined at a time: one text of Polars cannot exceed 4 GB


def content(column: pl.Series) -> Iterator[bytes]:
    """Write out the values of any column: lengths first, so that no two columns run together to the same bytes.

    Examples
    --------
    >>> one, other = (b"".join(content(pl.Series(texts))) for texts in (["ab", "c"], ["a", "bc"]))
    >>> one == other
    False
    """
    dtype = column.dtype
    if isinstance(dtype, pl.Struct):
        yield column.is_null().cast(pl.UInt8).to_numpy().tobytes()
        for field in column.struct.fields:
            yield from content(column.struct.field(field))
        return
    if isinstance(dtype, pl.List):
        yield column.list.len().fill_null(_NULL).cast(pl.UInt32).to_numpy().tobytes()
        yield from content(column.explode())
        return
    texts = _texts(column)
    yield texts.str.len_bytes().fill_null(_NULL).cast(pl.UInt32).to_numpy().tobytes()
    for part in texts.drop_nulls().to_frame().iter_slices(_ROWS):
        yield part.to_series().str.join("").item().encode()


def _texts(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Binary:
        return column.bin.encode("hex")
    return (column.to_physical() if column.dtype == pl.Duration else column).cast(pl.String)
