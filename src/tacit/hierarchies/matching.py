"""Which leaf of a listed hierarchy is meant by a value of a table."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import HierarchyError, nearest
from tacit.hierarchies.base import column, few
from tacit.hierarchies.labels import number, text

SEARCHED = 1000
"""Leaves that a misspelt value is compared with at most, to name a similar one in a hint: with more leaves, finding the
hint takes longer than reading the message without it. Chosen by trial."""


def match(leaves: pl.Series, values: pl.Series, *, place: str) -> npt.NDArray[np.int64]:
    """Find the leaf of each value, by text; floats, dates and truth values by what the text says.

    Parameters
    ----------
    leaves
        The labels of the leaves, all different.
    values
        The column's values.
    place
        What to call the hierarchy in a message.

    Examples
    --------
    >>> match(pl.Series(["40", "39"]), pl.Series("age", [39.0, 40.0]), place="the hierarchy")
    array([1, 0])
    """
    wanted = pl.DataFrame({"key": _key(values)})
    known = pl.DataFrame({"key": read_as(leaves, values.dtype), "leaf": np.arange(len(leaves))})
    matched = wanted.with_row_index("value").join(known, on="key", how="left", maintain_order="left_right")
    if len(matched) > len(values):
        twice = matched.filter(pl.col("value").is_duplicated())["leaf"][:2]
        raise HierarchyError(
            f"{column(values)}: the leaves {few(leaves.gather(twice))} of {place} mean the same value.",
            hint="Keep one of them.",
        )
    lacking = text(values).filter(matched["leaf"].is_null())
    if len(lacking):
        near = nearest(lacking[0], leaves, what="Leaves") if len(leaves) <= SEARCHED else ""
        raise HierarchyError(
            f"{column(values)}: {len(lacking):,} of {len(values):,} values are missing in {place}: {few(lacking)}.",
            hint=f"Add them to the hierarchy, or read them as missing. {near}".rstrip(),
        )
    return matched["leaf"].to_numpy().astype(np.int64)


def listed(leaves: pl.Series, values: pl.Series) -> pl.Series:
    """Tell which values have a leaf.

    Examples
    --------
    >>> listed(pl.Series(["39", "40"]), pl.Series("age", [39, 41])).to_list()
    [True, False]
    """
    return _key(values).is_in(read_as(leaves, values.dtype).implode())


def read_as(labels: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Turn labels into keys that are comparable with those of a column of this type; null where that is impossible."""
    if dtype.is_float():
        return labels.cast(dtype, strict=False)
    if dtype == pl.Boolean:
        return labels.str.to_lowercase()
    if dtype == pl.Date:
        return labels.str.to_date("%Y-%m-%d", strict=False)
    if isinstance(dtype, pl.Datetime):
        plain = labels.str.replace("T", " ", literal=True)
        formats = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M", "%Y-%m-%d"]
        readings = [plain.str.to_datetime(form, strict=False, time_unit=dtype.time_unit) for form in formats]
        return pl.select(pl.coalesce(readings)).to_series()
    if isinstance(dtype, pl.Decimal):
        return _trimmed(labels)
    return labels


def extent(labels: pl.Series, dtype: pl.DataType) -> npt.NDArray[np.float64] | None:
    """Give the numbers that the labels stand for in a column of this type, NaN where one is none."""
    return number(labels.cast(pl.Float64, strict=False) if dtype.is_numeric() else read_as(labels, dtype))


def _key(values: pl.Series) -> pl.Series:
    if values.dtype.is_float() or values.dtype == pl.Date:
        return values
    if values.dtype == pl.Datetime:
        return values.dt.replace_time_zone(None)
    return _trimmed(text(values)) if isinstance(values.dtype, pl.Decimal) else text(values)


def _trimmed(numbers: pl.Series) -> pl.Series:
    """Drop the zeros at the end of decimals: 1.50 is 1.5, and 2.0 is 2."""
    return numbers.str.replace(r"^(-?\d+\.\d*?)0+$", "$1").str.replace(r"^(-?\d+)\.$", "$1")
