"""The text that a value is published as, and its place on a line of numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import HierarchyError
from tacit.hierarchies.base import column

MICROSECONDS_PER_DAY = 86_400_000_000


def text(values: pl.Series) -> pl.Series:
    """Write each value as it is published: numbers in shortest form, dates in ISO form, ``true`` and ``false``.

    Examples
    --------
    >>> text(pl.Series([0.1, 2.0])).to_list()
    ['0.1', '2.0']
    """
    try:
        return values.cast(pl.String)
    except pl.exceptions.PolarsError:
        raise HierarchyError(
            f"{column(values)} has type {values.dtype}, whose values cannot be written as text.",
            hint="Convert it to text, numbers or dates first.",
        ) from None


def number(values: pl.Series) -> npt.NDArray[np.float64] | None:
    """Give each value's place on a line, days since 1970 for dates; None if the values are nominal.

    A date with a time of day has a fraction; a time zone is dropped, as the published text shows the local time.

    Examples
    --------
    >>> from datetime import date
    >>> number(pl.Series([date(1970, 1, 1), date(1970, 3, 1)]))
    array([ 0., 59.])
    """
    dtype = values.dtype
    if dtype == pl.Date:
        values = values.to_physical()
    elif dtype == pl.Datetime:
        values = values.dt.replace_time_zone(None).dt.epoch("us") / MICROSECONDS_PER_DAY
    elif not dtype.is_numeric():
        return None
    return values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
