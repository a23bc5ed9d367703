"""The plain types: what every column is brought to before anything else looks at it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from tacit.borders import is_panic, quiet
from tacit.errors import SourceError
from tacit.sources.calendar_range import check_calendar

# Bytes that do not occur in text. They occur in the binary forms of PostgreSQL's own types, such as an address or a
# point, and not in its enums.
_CONTROL = r"[\x00-\x08\x0B\x0C\x0E-\x1F]"


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Bring every column to a plain type, or name the one that has none.

    Categories become text, decimals floats, fixed-size lists lists, a column of nothing but nulls text. Types that
    a frame may hold but a table has no use for (bytes, structs, times of day, durations) pass: they matter only if
    they get a role.

    Examples
    --------
    >>> from decimal import Decimal
    >>> frame = pl.DataFrame({"sex": pl.Series(["f", "m"], dtype=pl.Categorical), "pay": [Decimal("1.50"), None]})
    >>> plain(frame).schema
    Schema([('sex', String), ('pay', Float64)])
    """
    if frame.width == 0:
        raise SourceError("The table has no columns.", hint="Give at least one column.")
    check_names(frame.columns)
    changed = []
    for column in frame.iter_columns():
        if isinstance(column.dtype, pl.Object):
            changed.append(_objects(column))
        elif isinstance(column.dtype, pl.BaseExtension) and column.dtype.ext_storage() == pl.Binary:
            changed.append(_binary_text(column))
        elif isinstance(column.dtype, pl.Int128 | pl.UInt128):
            changed.append(_narrow(column))
        elif (expression := _plain(pl.first(), column.dtype, column.name)) is not None:
            changed.append(column.to_frame().select(expression).to_series())
    made = frame.with_columns(changed) if changed else frame
    check_calendar(made)
    return made


def _plain(values: pl.Expr, dtype: pl.DataType, name: str) -> pl.Expr | None:
    """Write the expression that makes `values` plain, or None where they are."""
    match dtype:
        case pl.Categorical() | pl.Enum() | pl.Null():
            return values.cast(pl.String)
        case pl.Decimal():
            return values.cast(pl.Float64)
        case pl.Array():
            as_list = values.arr.to_list()
            return as_list if (inner := _elements(dtype.inner, name)) is None else as_list.list.eval(inner)
        case pl.List():
            return None if (inner := _elements(dtype.inner, name)) is None else values.list.eval(inner)
        case pl.BaseExtension():
            storage = values.ext.storage()
            if dtype.ext_name() == "arrow.bool8":
                return storage.cast(pl.Boolean)
            if dtype.ext_storage() == pl.String:
                return storage.cast(pl.Float64) if _opaque_name(dtype) == "numeric" else storage
            raise _no_plain_type(name, _opaque_name(dtype) or dtype.ext_name())
    return None


def _elements(inner: object, name: str) -> pl.Expr | None:
    return _plain(pl.element(), inner, name) if isinstance(inner, pl.DataType) else None


def _opaque_name(dtype: pl.BaseExtension) -> str | None:
    """Give the database's name of a type that Arrow has no name for."""
    if dtype.ext_name() != "arrow.opaque":
        return None
    return str(json.loads(dtype.ext_metadata() or "{}").get("type_name"))


def _binary_text(column: pl.Series) -> pl.Series:
    """Decode bytes that are text under a name of their own (an enum), and refuse those that are not."""
    dtype = column.dtype
    assert isinstance(dtype, pl.BaseExtension)  # noqa: S101  (said by the caller)
    storage = column.ext.storage()
    try:
        text = storage.cast(pl.String)
    except pl.exceptions.PolarsError:
        text = None
    if text is None or text.str.contains(_CONTROL).any():
        raise _no_plain_type(column.name, _opaque_name(dtype) or dtype.ext_name())
    return text


def _narrow(column: pl.Series) -> pl.Series:
    narrow = column.cast(pl.Int64, strict=False)
    return narrow if narrow.null_count() == column.null_count() else column.cast(pl.Float64)


def whole_numbers(column: pl.Series) -> pl.Series:
    """Make floats integers where all of them are whole: some programs have no other numbers.

    Examples
    --------
    >>> whole_numbers(pl.Series([34.0, None])).to_list(), whole_numbers(pl.Series([34.5])).to_list()
    ([34, None], [34.5])
    """
    if not column.dtype.is_float() or column.null_count() == len(column):
        return column
    exact = (column == column.round()) & (column.abs() < 2**53)
    return column.cast(pl.Int64) if exact.all() else column


def _objects(column: pl.Series) -> pl.Series:
    return from_values(column.name, column.to_list())


def from_values(name: str, values: Iterable[Any]) -> pl.Series:
    """Build a column from Python values; a set, which has no order, becomes a sorted list.

    Examples
    --------
    >>> from_values("symptoms", [{"fever", "cough"}, None]).to_list()
    [['cough', 'fever'], None]
    """
    try:
        if not isinstance(values, np.ndarray):
            values = [sorted(value) if isinstance(value, set | frozenset) else value for value in values]
        with quiet():
            column = pl.Series(name, values)
    except BaseException as error:
        known = (TypeError, ValueError, OverflowError, RuntimeError, pl.exceptions.PolarsError)
        if not isinstance(error, known) and not is_panic(error):
            raise
        column = None
    if column is None or isinstance(column.dtype, pl.Object):
        raise SourceError(
            f"The values of column {name!r} are not all of one type that a table takes.",
            hint="Convert them, for example all to text, before the table is read.",
        )
    return column


def _no_plain_type(name: str, type_name: str) -> SourceError:
    return SourceError(
        f"Column {name!r} has the type {type_name!r}, whose values cannot be read.",
        hint="Convert the column to text or numbers in its source, or leave it out.",
    )


def check_names(names: Iterable[str], *, place: str = "The table") -> None:
    """Refuse a name that two columns have, and names that Polars takes for a pattern of names.

    Examples
    --------
    >>> check_names(["age", "zip", "age"], place="a.csv")
    Traceback (most recent call last):
    tacit.errors.SourceError: a.csv has two columns 'age'. Rename or drop one of them.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SourceError(f"{place} has two columns {name!r}.", hint="Rename or drop one of them.")
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise SourceError(f"{place} has a column {name!r}, which reads as a pattern of names.", hint="Rename it.")
        seen.add(name)
