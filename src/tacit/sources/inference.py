"""What the text of a column means: integers, numbers, dates, moments, or just text.

A column is of the first of these kinds that all its values fit. An integer is written in the one way that gives the
same text back: codes such as 01234 or +49 stay text, and so do numbers too long for 64 bits. Truth values stay text
as well: a column of ``true`` and ``false`` is a category like any other. Dates and moments are ISO 8601; a moment
with an offset is brought to UTC.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import polars as pl

_NUMBER = r"^-?(?:(?:[0-9]+\.?|[0-9]*\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:nan|inf|infinity))$"
_DIGITS = r"^-?[0-9]+$"
_CODE = r"^-?0[0-9]|^\+"
_PADDED = r"^0[0-9]"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_MOMENT = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?$"
)
_FEW = 100
"""Values that are looked at first: in most columns of text these already show that they are neither numbers nor dates.
More take longer for every column; with fewer, more columns are read whole for nothing. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """How the text of a column is read.

    Parameters
    ----------
    dtype
        What it becomes.
    format
        How dates and moments are written.
    width
        The number of digits, where all integers seen have as many. Such a column may be a code whose leading zeros
        come later.
    seen
        Whether there was any value to judge by.
    """

    dtype: pl.DataType
    format: str | None = None
    width: int | None = None
    seen: bool = True

    @property
    def parsed(self) -> pl.DataType:
        """The type that the reader of the file parses itself; the others it reads as text."""
        return self.dtype if self.format is None else pl.String()


TEXT = Meaning(pl.String())
UNSEEN = Meaning(pl.String(), seen=False)


def meanings(frame: pl.DataFrame, text: Collection[str] = ()) -> dict[str, Meaning]:
    """Find what each column of text means; those named in `text` mean text."""
    return {column.name: TEXT if column.name in text else meaning(column) for column in frame.iter_columns()}


def meaning(column: pl.Series) -> Meaning:
    """Find what a column of text means.

    Examples
    --------
    >>> meaning(pl.Series(["12", "", "-3"])).dtype, meaning(pl.Series(["1.5", "2"])).dtype
    (Int64, Float64)
    >>> meaning(pl.Series(["2024-02-29"])).dtype, meaning(pl.Series(["01234", "99501"])).dtype
    (Date, String)
    """
    few = _given(column.head(_FEW))
    if few.is_empty():
        few = _given(column).head(_FEW)
        if few.is_empty():
            return UNSEEN
    if _all(few, _NUMBER):
        return _number(_given(column))
    if _all(few, _DATE):
        means = Meaning(pl.Date(), format="%Y-%m-%d")
    elif _all(few, _MOMENT):
        means = _moment(few)
    else:
        return TEXT
    return means if parse(column, means) is not None else TEXT


def convert(frame: pl.DataFrame, known: Mapping[str, Meaning]) -> pl.DataFrame:
    """Read the columns that are still text as what they mean; one with a value that does not fit stays text."""
    changed = []
    schema = frame.schema  # made anew at every call, with all columns
    for name, means in known.items():
        if isinstance(schema[name], pl.String):
            if not means.seen:
                means = meaning(frame[name])  # noqa: PLW2901
            column = parse(frame[name], means)
            if column is not None:
                changed.append(column)
    return frame.with_columns(changed) if changed else frame


def dates(frame: pl.DataFrame, text: Collection[str] = ()) -> pl.DataFrame:
    """Read dates and moments only, for a source that has numbers but writes dates as text."""
    texts = [column for column in frame.iter_columns() if column.dtype == pl.String and column.name not in text]
    known = {column.name: meaning(column) for column in texts}
    return convert(frame, {name: means for name, means in known.items() if means.format is not None})


def parse(column: pl.Series, means: Meaning) -> pl.Series | None:
    """Read a column of text as what it means, or give None if a value does not fit."""
    if isinstance(means.dtype, pl.String):
        return column
    if means.format is None:
        read = column.cast(means.dtype, strict=False)
    elif isinstance(means.dtype, pl.Date):
        read = column.str.to_date(means.format, strict=False, cache=False)
    else:
        read = _parse_moment(column, means)
    lost = read.null_count() - column.null_count()
    if lost and lost != (column == "").sum():
        return None
    return None if _before_year_one(read) else read


def padded(column: pl.Series) -> bool:
    """Tell whether a column of digits has a value with leading zeros."""
    return bool(column.str.contains(_PADDED).any())


def _all(values: pl.Series, pattern: str) -> bool:
    return bool(values.str.contains(pattern).all())


def _given(column: pl.Series) -> pl.Series:
    values = column.drop_nulls() if column.null_count() else column
    return values.filter(values != "")


def _number(values: pl.Series) -> Meaning:
    if values.str.contains(_CODE).any():
        return TEXT
    if values.cast(pl.Int64, strict=False).null_count() == 0:
        return _integer(values)
    # Digits too many for 64 bits are a code as well: as floats they would lose the last ones.
    numbers = values.cast(pl.Float64, strict=False)
    if numbers.null_count() or not numbers.is_finite().any() or _all(values, _DIGITS):
        return TEXT
    return Meaning(pl.Float64())


def _integer(values: pl.Series) -> Meaning:
    lengths = values.str.len_bytes()
    shortest, longest = lengths.min(), lengths.max()
    fixed = shortest == longest and shortest != 1 and not values.str.starts_with("-").any()
    return Meaning(pl.Int64(), width=int(shortest) if fixed else None)  # type: ignore[arg-type]


def _before_year_one(column: pl.Series) -> bool:
    """Tell whether a date is one that calendars and Python do not know; such "dates" are placeholders."""
    if not isinstance(column.dtype, pl.Date | pl.Datetime):
        return False
    first = pl.Series([dt.datetime(1, 1, 1)]).cast(column.dtype)
    return bool((column.to_physical() < first.to_physical().item()).any())


def _moment(values: pl.Series) -> Meaning:
    """Take the format of moments from the first of them; fractions of a second may come and go."""
    value: str = values[0]
    clock = value[11:].rstrip("Z")
    offset = value[-1] == "Z" or "+" in clock or "-" in clock
    seconds = ":%S" if len(clock) > 5 and clock[5] == ":" else ""
    fraction = "%.f" if values.str.contains(".", literal=True).any() else ""
    zone = "%#z" if offset else ""
    dtype = pl.Datetime("us", "UTC" if offset else None)
    return Meaning(dtype, format=f"%Y-%m-%d{value[10]}%H:%M{seconds}{fraction}{zone}")


def _parse_moment(column: pl.Series, means: Meaning) -> pl.Series:
    assert means.format is not None  # noqa: S101  (said by the caller)
    # Polars parses fractions of a second one character at a time; where all have six digits, which is how Polars,
    # Python and most databases write them, parsing the seconds and the fraction apart takes a quarter of the time.
    lengths = column.str.len_bytes()
    if means.format.endswith("%S%.f") and ((lengths == 26) | (lengths == 0)).all():
        seconds = column.str.head(19).str.to_datetime(means.format[:-3], time_unit="us", strict=False, cache=False)
        fraction = column.str.tail(6).cast(pl.UInt32, strict=False).cast(pl.Int64)
        return seconds + fraction.cast(pl.Duration("us"))
    return column.str.to_datetime(means.format, time_unit="us", strict=False, cache=False)
