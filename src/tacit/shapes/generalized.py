"""Generalized: one row per person, quasi-identifiers blurred, sensitive values as they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.shapes.base import FlatShape
from tacit.shapes.columns import PublishedColumn, visible
from tacit.table import ItemSets, Table
from tacit.table.kinds import infer


@dataclass(frozen=True, eq=False)
class Blur:
    """A blurred column: the distinct cells, and which of them each group has, or each row where no groups are given.

    Rows that are not published may have any group.
    """

    labels: pl.Series
    codes: np.ndarray[tuple[int], np.dtype[Any]]
    groups: Ints | None = None

    def cells(self, rows: Ints) -> pl.Series:
        """Return the cells of some published rows."""
        return self.labels.gather(self.codes[rows if self.groups is None else self.groups[rows]])


class Generalized(FlatShape):
    """Cells are values, intervals, sets, names of nodes, or `*`; rows with equal cells are a group."""

    name: ClassVar[str] = "generalized"

    @classmethod
    def publish(
        cls,
        table: Table,
        kept: Flags,
        order: Ints,
        blurs: Mapping[str, Blur] | None = None,
        items: Mapping[str, ItemSets] | None = None,
    ) -> Generalized:
        """Publish the kept rows in a given order; a quasi-identifier without a blur is published as it is.

        `items` are the sets of the items columns that a QS guarantee is about, aligned with the input, as they may be
        seen; they are written the way the table has them, as lists or as one column per item.
        """
        rows = order if kept.all() else np.flatnonzero(kept)[order]
        series, columns = [], []
        for column in visible(table, items or ()):
            if items is not None and column.name in items:
                sets = items[column.name].take(rows)
                for part in sets.written(table.frame[column.name].dtype):
                    whole = PublishedColumn.of(column)
                    own = replace(whole, name=part.name, kind=infer(part), item_of=column.name, hierarchy=None)
                    columns.append(whole if sets.binary is None else own)
                    series.append(part)
                continue
            blur = None if blurs is None else blurs.get(column.name)
            columns.append(PublishedColumn.of(column, blurred=blur is not None))
            values = table.frame[column.name].gather(rows) if blur is None else blur.cells(rows)
            series.append(values.alias(column.name))
        return cls(pl.DataFrame(series) if series else pl.DataFrame(height=len(rows)), tuple(columns))
