"""Generalized: one row per person, quasi-identifiers blurred, sensitive values as they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tacit.shapes.base import FlatShape
from tacit.shapes.columns import PublishedColumn, visible
from tacit.shapes.microdata import Order
from tacit.table import Mask, Table


@dataclass(frozen=True, eq=False)
class Blur:
    """A blurred column: a cell per label, a label per row of the input (any number for rows not published)."""

    labels: pl.Series
    codes: np.ndarray[tuple[int], np.dtype[Any]]


class Generalized(FlatShape):
    """Cells are values, intervals, sets, names of nodes, or `*`; rows with equal cells are a group."""

    name: ClassVar[str] = "generalized"

    @classmethod
    def publish(cls, table: Table, kept: Mask, order: Order, blurs: Mapping[str, Blur] | None = None) -> Generalized:
        """Publish the kept rows in a given order; a quasi-identifier without a blur is published as it is."""
        rows = np.flatnonzero(kept)[order]
        series, columns = [], []
        for column in visible(table):
            blur = None if blurs is None else blurs.get(column.name)
            columns.append(PublishedColumn.of(column, blurred=blur is not None))
            values = table.frame[column.name].gather(rows) if blur is None else blur.labels.gather(blur.codes[rows])
            series.append(values.alias(column.name))
        return cls(pl.DataFrame(series) if series else pl.DataFrame(height=len(rows)), tuple(columns))
