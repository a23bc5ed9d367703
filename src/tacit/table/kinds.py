"""Kinds: how the values of a column compare, and so how they may blur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import polars as pl

from tacit.errors import RoleError, nearest


class Kind(StrEnum):
    """Numbers and dates have distances, ordered values a rank, categorical values neither; items come in sets."""

    NUMERIC = "numeric"
    ORDERED = "ordered"
    CATEGORICAL = "categorical"
    DATE = "date"
    ITEMS = "items"

    @property
    def is_ordered(self) -> bool:
        """Whether an interval of values means something."""
        return self in {Kind.NUMERIC, Kind.ORDERED, Kind.DATE}


KindSpec = str | Sequence[object]


def orders(frame: object) -> dict[str, Sequence[str]]:
    """Return the order of every column whose type declares one: an Enum, or an ordered category.

    Examples
    --------
    >>> orders(pl.DataFrame({"pain": pl.Series(["low"], dtype=pl.Enum(["low", "high"]))}))
    {'pain': ('low', 'high')}
    """
    if isinstance(frame, pl.DataFrame):
        return {name: tuple(dtype.categories) for name, dtype in frame.schema.items() if isinstance(dtype, pl.Enum)}
    if isinstance(frame, Mapping):
        return {}
    import narwhals as nw

    known = nw.from_native(frame, pass_through=True)
    if not isinstance(known, nw.DataFrame | nw.LazyFrame):
        return {}
    schema = known.collect_schema()
    return {name: tuple(dtype.categories) for name, dtype in schema.items() if isinstance(dtype, nw.Enum)}


def infer(column: pl.Series) -> Kind:
    """Guess the kind from the type of the values."""
    dtype = column.dtype
    if dtype.is_numeric():
        return Kind.NUMERIC
    if dtype in (pl.Date, pl.Datetime):
        return Kind.DATE
    if dtype in (pl.String, pl.Boolean):
        return Kind.CATEGORICAL
    if isinstance(dtype, pl.List):
        return Kind.ITEMS
    raise RoleError(
        f"Column {column.name!r} holds values of type {dtype}, which cannot be published.",
        hint="Turn them into numbers, dates or text first.",
    )


def refuse_infinite(column: pl.Series) -> None:
    """Refuse infinity, which is far from everything: no interval around it says anything."""
    if column.dtype.is_float() and (infinite := column.is_infinite()).any():
        row = int(infinite.arg_max() or 0) + 1
        raise RoleError(
            f"Column {column.name!r} holds infinity, first in row {row:,}.",
            hint="Correct the value, or make it missing; infinity has no place among numbers that are published.",
        )


def declare(column: pl.Series, spec: KindSpec | None) -> tuple[pl.Series, Kind, pl.Series | None]:
    """Return the column as its declared kind wants it, the kind, and the declared order of an ordered column."""
    if spec is None:
        return column, infer(column), None
    if isinstance(spec, str):
        return _named(column, spec)
    if not isinstance(spec, Sequence):
        raise RoleError(
            f"Column {column.name!r} is given the kind {spec!r}.",
            hint="Name a kind, or give a list of values, which is the order of an ordered column.",
        )
    return _ordered(column, spec)


def _named(column: pl.Series, spec: str) -> tuple[pl.Series, Kind, None]:
    known = [Kind.NUMERIC.value, Kind.CATEGORICAL.value, Kind.DATE.value]
    if spec not in known:
        raise RoleError(
            f"Column {column.name!r} is given the kind {spec!r}.",
            hint=nearest(spec, known, what="Kinds") + " A list of values is the order of an ordered column.",
        )
    kind = Kind(spec)
    if kind is Kind.NUMERIC and not column.dtype.is_numeric():
        return (
            _parsed(column, column.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False), "a number"),
            kind,
            None,
        )
    if kind is Kind.DATE and column.dtype not in (pl.Date, pl.Datetime):
        text = column.cast(pl.String).str.strip_chars()
        return _parsed(column, text.str.to_date("%Y-%m-%d", strict=False), "a date such as 2024-01-31"), kind, None
    return column, kind, None


def _parsed(column: pl.Series, parsed: pl.Series, what: str) -> pl.Series:
    lost = column.is_not_null() & parsed.is_null()
    if lost.any():
        value = column.filter(lost)[0]
        raise RoleError(
            f"Column {column.name!r} holds {value!r}, which is not {what}.",
            hint="Correct the value, list it in `nulls`, or choose another kind.",
        )
    return parsed.alias(column.name)


def _ordered(column: pl.Series, order: Sequence[object]) -> tuple[pl.Series, Kind, pl.Series]:
    values = pl.Series(column.name, list(order), strict=False)
    try:
        domain = values.cast(column.dtype)
    except (pl.exceptions.InvalidOperationError, pl.exceptions.ComputeError):
        raise RoleError(
            f"The order given for column {column.name!r} holds {values.dtype} values, the column {column.dtype} values."
        ) from None
    nan = domain.dtype.is_float() and domain.is_nan().any()
    if nan or domain.null_count() or domain.n_unique() != len(domain):
        raise RoleError(f"The order given for column {column.name!r} names a value twice, or null.")
    missing = column.filter(column.is_not_null() & ~column.is_in(domain.implode()))
    if len(missing):
        raise RoleError(
            f"Column {column.name!r} holds {missing[0]!r}, which its declared order does not name.",
            hint=nearest(str(missing[0]), [str(value) for value in order], what="Order"),
        )
    return column, Kind.ORDERED, domain
