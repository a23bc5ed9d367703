"""The years that a date may have: 1 to 9999, which calendars and Python know.

A damaged file, or one with placeholders, may hold days that no calendar has. Libraries stop at them in their own ways,
often long after the file was read.
"""

from __future__ import annotations

import polars as pl

from tacit.errors import SourceError

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896  # 0001-01-01 and 9999-12-31, counted from 1970-01-01
_PER_DAY = {"ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}


def check_calendar(frame: pl.DataFrame, *, place: str = "The table") -> None:
    """Refuse a column with a day before the year 1 or after the year 9999.

    Examples
    --------
    >>> check_calendar(pl.DataFrame({"born": pl.Series([10**7], dtype=pl.Int32).cast(pl.Date)}))
    Traceback (most recent call last):
    tacit.errors.SourceError: The table has a date in column 'born' that is not between the years 1 and 9999. ...
    """
    for column in frame.iter_columns():
        if not _fits(column):
            raise SourceError(
                f"{place} has a date in column {column.name!r} that is not between the years 1 and 9999.",
                hint="Correct it, or make it empty.",
            )


def _fits(column: pl.Series) -> bool:
    if isinstance(column.dtype, pl.List | pl.Array):
        inner = column.dtype.inner
        if not isinstance(inner, pl.Date | pl.Datetime | pl.List | pl.Array):
            return True
        return _fits(column.explode(empty_as_null=False, keep_nulls=False))
    if isinstance(column.dtype, pl.Date):
        low, high = _FIRST_DAY, _LAST_DAY
    elif isinstance(column.dtype, pl.Datetime) and column.dtype.time_unit != "ns":
        # A zone may move a moment by a day: those at the very ends are not days of every place.
        unit = _PER_DAY[column.dtype.time_unit]
        margin = 0 if column.dtype.time_zone is None else 1
        low, high = (_FIRST_DAY + margin) * unit, (_LAST_DAY + 1 - margin) * unit - 1
    else:
        return True  # nanoseconds in 64 bits end in 2262
    numbers = column.to_physical()
    return bool(numbers.is_between(low, high).all())
