"""Asked values: what a reader has in mind, in an order in which a range of numbers is a range of positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Floats, Ints
from tacit.hierarchies.labels import number
from tacit.shapes.cells import line
from tacit.shapes.columns import PublishedColumn
from tacit.table import Kind, as_text


@dataclass(frozen=True, eq=False)
class AskedValues:
    """The values that are asked about, in an order in which a range of numbers is a range of positions.

    Attributes
    ----------
    ranked
        The values: those on the line ascending, then the other ones, null last.
    texts
        How they are written, null as null.
    places
        The place of each on the line of numbers or days; NaN for one that is none, or where there is no line.
    """

    ranked: pl.Series
    texts: pl.Series
    places: Floats
    position: Ints

    @classmethod
    def of(cls, values: pl.Series, column: PublishedColumn) -> AskedValues:
        """Put values in the order that ranges in this column follow."""
        kind = line_of(column)
        places = _places(values, kind)
        if values.dtype == pl.String and kind is not None:
            rank = np.empty(len(values), dtype=np.int64)
            rank[values.arg_sort(nulls_last=True).to_numpy()] = np.arange(len(values))
            order = np.lexsort((rank, places))
        else:
            order = values.arg_sort(nulls_last=True).to_numpy()
        position = np.empty(len(values), dtype=np.int64)
        position[order] = np.arange(len(values))
        ranked = values.gather(order)
        return cls(ranked, as_text(ranked), places[order], position)

    def __len__(self) -> int:
        return len(self.ranked)

    @property
    def present(self) -> int:
        """How many values are not null."""
        return len(self.ranked) - self.ranked.null_count()

    @property
    def keys(self) -> Floats:
        """The places of the values that are on the line, ascending."""
        return self.places[~np.isnan(self.places)]

    def short(self) -> pl.Series:
        """Write whole numbers without a fraction, the way in which the digits of a postcode or an age are cut."""
        if not self.ranked.dtype.is_float():
            return self.texts
        return self.texts.str.strip_suffix(".0")


def line_of(column: PublishedColumn) -> Kind | None:
    """Return what a range in this column is a range of; None where there are none."""
    if column.kind in {Kind.NUMERIC, Kind.DATE}:
        return column.kind
    return Kind.NUMERIC if column.foreign and column.blurred else None


def _places(values: pl.Series, kind: Kind | None) -> Floats:
    if kind is not None and values.dtype == pl.String:
        return line(values, kind)
    measured = None if kind is Kind.DATE and values.dtype.is_numeric() else number(values)  # a number is no day
    return np.full(len(values), np.nan) if measured is None else measured
