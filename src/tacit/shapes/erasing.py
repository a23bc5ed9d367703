"""Nothing under a null: what a suppressed cell was must not stay in memory beside it."""

from __future__ import annotations

import polars as pl


def without_hidden_values(series: pl.Series) -> pl.Series:
    """Leave nothing under a null: a cell that was suppressed keeps its value in memory, and Arrow writes memory.

    Examples
    --------
    >>> hidden = pl.select(pl.when(pl.Series([True, False])).then(pl.Series(["flu", "HIV"]))).to_series()
    >>> both = (hidden, without_hidden_values(hidden))
    >>> [b"HIV" in values.to_arrow().cast("string").buffers()[2].to_pybytes() for values in both]
    [True, False]
    """
    if not series.null_count():
        return series
    seen = series.drop_nulls()
    if not len(seen):
        return pl.select(pl.repeat(None, len(series), dtype=series.dtype).alias(series.name)).to_series()
    there = series.is_not_null()
    # Every null is laid over the first value that is seen.
    at = pl.select(pl.when(there).then(there.cum_sum().cast(pl.Int64) - 1).otherwise(0)).to_series()
    return pl.select(pl.when(there).then(seen.gather(at)).alias(series.name)).to_series()
