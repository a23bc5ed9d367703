"""Bounds: blurred numbers and dates as columns that a model can take: the least value, the largest, and the middle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from tacit.arrays import Floats
from tacit.errors import RoleError
from tacit.hierarchies.labels import number
from tacit.shapes.cells import extents
from tacit.shapes.columns import PublishedColumn
from tacit.table import Kind, Role

SUFFIXES = ("lower", "upper", "midpoint")


def bounds(frame: pl.DataFrame, columns: Mapping[str, PublishedColumn]) -> pl.DataFrame:
    """Replace every quasi-identifier that holds numbers or dates by its lower end, upper end and midpoint.

    A cell that tells no number (`*`, a name of a node that is no interval) has none: all three are null. So is the end
    of a range that has none (`>= 65`), and then the midpoint. Other columns stay as they are.
    """
    parts: list[pl.Series] = []
    for series in frame:
        column = columns.get(series.name)
        if column is None or column.role is not Role.QUASI_IDENTIFIER or column.kind not in {Kind.NUMERIC, Kind.DATE}:
            parts.append(series)
            continue
        for name in (f"{series.name}_{suffix}" for suffix in SUFFIXES):
            if name in frame.columns:
                raise RoleError(f"There is a column {name!r} already.", hint=f"Rename it, or {series.name!r}.")
        low, high = ends_of(series, column.kind)
        middle = (low + high) / 2
        for suffix, values in zip(SUFFIXES, (low, high, middle), strict=True):
            parts.append(_as_kind(values, column.kind).alias(f"{series.name}_{suffix}"))
    return pl.DataFrame(parts) if parts else frame


def ends_of(series: pl.Series, kind: Kind) -> tuple[Floats, Floats]:
    """Return the least and the largest value that each cell may stand for; not finite where it tells none."""
    if series.dtype != pl.String:
        exact = number(series)
        assert exact is not None  # noqa: S101 - numbers and dates have places on a line
        return exact, exact
    distinct = series.unique()
    ranges = extents(distinct, kind)
    places = pl.DataFrame({"cell": distinct, "at": np.arange(len(distinct), dtype=np.int64)})
    at = series.to_frame("cell").join(places, on="cell", how="left", nulls_equal=True, maintain_order="left")["at"]
    return ranges.low[at.to_numpy()], ranges.high[at.to_numpy()]


def _as_kind(values: Floats, kind: Kind) -> pl.Series:
    known = pl.Series(np.where(np.isfinite(values), values, np.nan)).fill_nan(None)
    if kind is Kind.NUMERIC:
        return known
    if (known == known.round()).all():
        return known.cast(pl.Int32).cast(pl.Date)
    return (known * 86_400_000_000).round().cast(pl.Int64).cast(pl.Datetime("us"))
