"""LargeTable: coded rows at an engine, with dictionaries at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints
from tacit.engines import Engine
from tacit.engines.base import COUNT, Rows
from tacit.errors import RoleError
from tacit.table import GroupStats, Layout, Role, Table

HEAD = 100_000
"""Rows that are read to see what the columns are: roles, kinds and names are checked in them. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class LargeTable:
    """A table that no memory holds.

    Attributes
    ----------
    engine
        Where the rows are.
    rows
        The rows, as codes with a number each.
    layout
        The columns and their dictionaries.
    size
        How many rows there are.

    Examples
    --------
    >>> from tacit.engines import StreamingEngine
    >>> table = Table({"age": [30, 30, 41], "ill": list("aba")}, quasi_identifiers="age", sensitive="ill")
    >>> engine = StreamingEngine()
    >>> large = LargeTable.of(table, engine)
    >>> len(large), large.whole().histograms["ill"].counts.tolist()
    (3, [2, 1])
    >>> engine.close()
    """

    engine: Engine
    rows: Rows
    layout: Layout
    size: int

    def __len__(self) -> int:
        return self.size

    @classmethod
    def read(
        cls, engine: Engine, source: Any, head: pl.DataFrame, *, items_separator: str = ";", **roles: Any
    ) -> LargeTable:
        """Read a source that an engine understands.

        Parameters
        ----------
        engine
            Where the rows are, and stay.
        source
            What the engine reads: files, a folder of parts, a pattern, a table of a cluster.
        head
            Its first rows, by which roles, kinds and names are checked.
        items_separator
            What separates the items of a set in a text cell.
        **roles
            As for `Table`.
        """
        return cls._coded(engine, source, Table(head, **roles), items_separator)

    @classmethod
    def of(cls, table: Table, engine: Engine) -> LargeTable:
        """Give the rows of a table in memory to an engine."""
        _refuse(table)
        names = Layout.needed(table)
        layout = Layout.of(table, {name: _lists(table, name).unique() for name in names})
        raw = pa.table({name: _lists(table, name).to_arrow() for name in names} or {"": np.zeros(len(table), np.int8)})
        arrays = [pa.array(np.arange(len(table))), *layout.encode(raw)]
        coded = pa.Table.from_arrays(arrays, schema=layout.schema)
        return cls(engine, engine.read(coded), layout, len(table))

    @classmethod
    def _coded(cls, engine: Engine, source: Any, head: Table, items_separator: str) -> LargeTable:
        _refuse(head)
        names = Layout.needed(head)
        raw = engine.read(source, names)
        layout = Layout.of(head, engine.domains(raw, names), items_separator=items_separator)
        rows = engine.map(raw, Numbered(layout), layout.schema, keep=True)
        counted = engine.count(rows, [])
        return cls(engine, rows, layout, int(counted[COUNT].sum()))

    def counts(self, rows: Rows | None = None) -> dict[str, Ints]:
        """Count the values of each sensitive column, over all rows or over some that were made of them."""
        where = self.rows if rows is None else rows
        counted = {}
        for name in self.layout.sensitive:
            mine = self.engine.count(where, [self.layout.coded(name)])
            counted[name] = self.layout.counts(name, mine, self.layout.coded(name))
        return counted

    def whole(self, counts: Mapping[str, Ints] | None = None, rows: int | None = None) -> GroupStats:
        """Return all rows as one group, or rows of which the sensitive values were counted."""
        known = self.counts() if counts is None else counts
        return self.layout.whole(known, len(self) if rows is None else rows)


class Numbered:
    """Encodes batches of rows, and numbers them one after another.

    One process numbers all rows in the order it reads them. Workers number theirs apart: see the engine of the cluster.
    """

    def __init__(self, layout: Layout, start: int = 0) -> None:
        self.layout = layout
        self.next = start

    def numbered_by(self, worker: int) -> Numbered:
        """Return what numbers the rows of one worker: no other worker has the same numbers."""
        return Numbered(self.layout, worker << 40)

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return the codes of a batch."""
        numbers = np.arange(self.next, self.next + batch.num_rows)
        self.next += batch.num_rows
        return pa.Table.from_arrays([pa.array(numbers), *self.layout.encode(batch)], schema=self.layout.schema)


def _refuse(head: Table) -> None:
    """Refuse what only a table in memory can have."""
    why = None
    if head.person is not None:
        why = "people who may have several rows are counted in memory"
    elif any(head.missing(name) == "withhold" for name in (*head.sensitive, *head.items)):
        why = 'rows with a missing value are withheld (missing = "withhold") in memory'
    elif any(head.item_sets(name).binary is not None for name in head.items):
        why = "sets that are written in binary columns are read in memory"
    if why is not None:
        raise RoleError(
            f"A table that is larger than memory cannot be protected this way: {why}.",
            hint='Prepare the column first, or use the local engine: [engine] name = "local".',
        )


def _lists(table: Table, name: str) -> pl.Series:
    return table.item_sets(name).lists() if table.column(name).role is Role.ITEMS else table.frame[name]
