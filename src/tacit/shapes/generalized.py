"""Generalized: one row per person, quasi-identifiers blurred, sensitive values as they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.errors import RoleError
from tacit.shapes.base import Columns, DescribeColumn, FlatShape
from tacit.shapes.columns import PublishedColumn, visible
from tacit.shapes.suppression_marks import without_marks
from tacit.table import ItemSets, Role, Table
from tacit.table.kinds import infer


@dataclass(frozen=True, eq=False)
class Blur:
    """A blurred column: the distinct cells, and which of them each group has, or each row where no groups are given.

    Rows that are not published may have any group.
    """

    labels: pl.Series
    codes: np.ndarray[tuple[int], np.dtype[Any]]
    groups: Ints | None = None

    def cells(self, rows: Ints, *, coded: bool = False) -> pl.Series:
        """Return the cells of some published rows; as codes into the distinct ones, if asked."""
        labels = self.labels.cast(pl.Enum(self.labels.unique().drop_nulls())) if coded else self.labels
        return labels.gather(self.codes[rows if self.groups is None else self.groups[rows]])


class Generalized(FlatShape):
    """Cells are values, intervals, sets, names of nodes, or `*`; rows with equal cells are a group."""

    name: ClassVar[str] = "generalized"
    sentence: ClassVar[str] = (
        "Rows are published with blurred quasi-identifiers: intervals, sets, or nodes of a hierarchy."
    )

    @classmethod
    def foreign(
        cls, frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], describe: DescribeColumn
    ) -> Generalized | None:
        """Take a single frame, which was given without a name."""
        if frames.keys() != {""}:
            return None
        return cls(*foreign_rows("table", frames[""], roles, describe))

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
            values = table.frame[column.name].gather(rows) if blur is None else blur.cells(rows, coded=table.coded)
            series.append(values.alias(column.name))
        return cls(pl.DataFrame(series) if series else pl.DataFrame(height=len(rows)), tuple(columns))


def foreign_rows(
    place: str, frame: pl.DataFrame, roles: Mapping[str, Role], describe: DescribeColumn
) -> tuple[pl.DataFrame, Columns]:
    """Return the columns of a foreign frame that have a role, suppressed sensitive values as null."""
    shown = [name for name in frame.columns if name in roles]
    if not shown:
        raise RoleError(
            f"The published table {place!r} has none of the columns that were named.",
            hint=f"Its columns are {', '.join(frame.columns)}.",
        )
    sensitive = [name for name in shown if roles[name] is Role.SENSITIVE]
    rows = frame.select(shown).with_columns(without_marks(frame[name]) for name in sensitive)
    return rows, tuple(describe(rows[name], roles[name]) for name in shown)
