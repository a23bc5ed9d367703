"""Suppression marks: how other tools write a sensitive value that they did not publish."""

from __future__ import annotations

import polars as pl

MARKS = ("*", "")
"""Texts that stand for a suppressed value, whatever blanks surround them."""


def without_marks(values: pl.Series) -> pl.Series:
    """Return the values with every mark as null: `*`, an empty text and NaN are marks, and null is one already.

    Examples
    --------
    >>> without_marks(pl.Series(["flu", "*", "", None])).to_list()
    ['flu', None, None, None]
    >>> without_marks(pl.Series([1.5, float("nan")])).to_list()
    [1.5, None]
    """
    if values.dtype.is_float():
        return values.fill_nan(None)
    if values.dtype in {pl.Categorical, pl.Enum}:
        values = values.cast(pl.String)
    if values.dtype != pl.String:
        return values
    marked = values.str.strip_chars().is_in(MARKS)
    return pl.select(pl.when(~marked).then(values).alias(values.name)).to_series() if marked.any() else values
