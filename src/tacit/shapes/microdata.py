"""Microdata: rows as they were, some cells suppressed."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import polars as pl

from tacit.arrays import FlagGrid, Flags, Ints
from tacit.shapes.base import FlatShape
from tacit.shapes.cells import quote
from tacit.shapes.columns import PublishedColumn, visible
from tacit.shapes.erasing import without_hidden_values
from tacit.table import Table, as_text


class Microdata(FlatShape):
    """Values, or suppressed cells.

    A suppressed cell is null and its column is marked. A column that is marked and had nulls of its own is written as
    text, the original null as an empty one: an original null is a value.
    """

    name: ClassVar[str] = "microdata"
    sentence: ClassVar[str] = "Rows are published as they were, but for suppressed cells."
    grouped: ClassVar[bool] = False

    @classmethod
    def publish(cls, table: Table, kept: Flags, order: Ints, cells: FlagGrid | None = None) -> Microdata:
        """Publish the kept rows in a given order, with some cells suppressed.

        Parameters
        ----------
        table
            The input.
        kept
            Which rows are published.
        order
            A permutation of the published rows.
        cells
            Which cells of the input are suppressed, rows by all columns of the table.
        """
        rows = np.flatnonzero(kept)[order]
        names = [column.name for column in table.columns]
        series, columns = [], []
        for column in visible(table):
            blank = None if cells is None else cells[rows, names.index(column.name)]
            values = table.frame[column.name].gather(rows)
            if blank is not None and blank.any():
                # By what stays visible: the type of a column must not tell that a suppressed cell was null.
                as_cells = bool((values.is_null() & ~pl.Series(blank)).any())
                if as_cells:
                    values = quote(as_text(values)).fill_null("")
                values = without_hidden_values(pl.select(pl.when(pl.Series(~blank)).then(values)).to_series())
                columns.append(PublishedColumn.of(column, blurred=as_cells, suppressed=True))
            else:
                columns.append(PublishedColumn.of(column))
            series.append(values.alias(column.name))
        return cls(pl.DataFrame(series) if series else pl.DataFrame(height=len(rows)), tuple(columns))
