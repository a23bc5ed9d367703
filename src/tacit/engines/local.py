"""This machine, in memory: one table, one fragment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.engines.base import COUNT, FRAGMENT, ROW, Route, Work
from tacit.engines.keyed import keyed_hash


@dataclass(frozen=True)
class LocalRows:
    """A table in memory, and whether `map` gets its fragments one by one."""

    table: pa.Table
    fragmented: bool = False


@dataclass(frozen=True)
class LocalEngine:
    """Everything in memory, on all cores.

    Methods that get a table in memory work on it directly. The verbs are the same as those of the other engines: what
    is true of one is checked on all.

    Parameters
    ----------
    fragment_rows
        How many rows a fragment may have; by default all of them are one.

    Examples
    --------
    >>> engine = LocalEngine()
    >>> rows = engine.read(pa.table({"age": [30, 30, 41]}))
    >>> engine.count(rows, ["age"]).sort("age").rows()
    [(30, 2), (41, 1)]
    """

    fragment_rows: int = 1 << 40
    name: str = "local"

    @classmethod
    def examples(cls) -> Sequence[LocalEngine]:
        """Return the engine with one fragment, and with several."""
        return [cls(), cls(fragment_rows=120)]

    def read(self, source: Any, columns: Sequence[str] | None = None) -> LocalRows:
        """Open a table of Arrow or a data frame of Polars; the rows are numbered."""
        table = source.to_arrow() if isinstance(source, pl.DataFrame) else source
        table = table if columns is None else table.select(list(columns))
        return LocalRows(table)

    def domains(self, rows: LocalRows, columns: Sequence[str]) -> Mapping[str, pl.Series]:
        """Return the different values of each column."""
        return {name: distinct(rows.table.column(name)) for name in columns}

    def count(self, rows: LocalRows, columns: Sequence[str]) -> pl.DataFrame:
        """Return the distinct combinations of some columns, and how many rows have each."""
        return counted(rows.table.select(list(columns)))

    def fragments(self, rows: LocalRows, route: Route) -> LocalRows:
        """Mark the fragment of each row."""
        return LocalRows(routed(rows.table, route), fragmented=True)

    def map(self, rows: LocalRows, work: Work, schema: pa.Schema, *, keep: bool = False) -> LocalRows:
        """Do something to each fragment, or to all rows."""
        parts = [part for _, part in split(rows.table)] if rows.fragmented else [rows.table]
        done = [work(part) for part in parts if part.num_rows]
        return LocalRows(pa.concat_tables([schema.empty_table(), *done]))

    def rank(self, rows: LocalRows, column: str, quotas: Mapping[int, int], key: bytes) -> LocalRows:
        """Keep so many rows of each code, those whose keyed hashes are least."""
        codes = rows.table.column(column).to_numpy()
        hashes = keyed_hash(key, rows.table.column(ROW).to_numpy())
        kept = np.ones(len(codes), dtype=bool)
        for code, many in quotas.items():
            mine = np.flatnonzero(codes == code)
            kept[mine[np.argsort(hashes[mine], kind="stable")[many:]]] = False
        return LocalRows(rows.table.filter(pa.array(kept)))

    def write(self, rows: LocalRows, route: Route, sink: Work) -> pa.Table:
        """Give each part to its sink."""
        parts = [sink(part) for _, part in split(routed(rows.table, route))]
        return pa.concat_tables(parts)

    def collect(self, rows: LocalRows) -> pa.Table:
        """Return the rows."""
        return rows.table

    def close(self) -> None:
        """Nothing was written down."""


def series(column: pa.ChunkedArray | pa.Array) -> pl.Series:
    """Return a column of Arrow as one of Polars, dictionaries as their values."""
    made = pl.from_arrow(column)
    assert isinstance(made, pl.Series)  # noqa: S101 - a column is a series
    return made.cast(pl.String) if made.dtype in {pl.Categorical, pl.Enum} else made


def distinct(column: pa.ChunkedArray | pa.Array) -> pl.Series:
    """Return the different values of a column; of a dictionary those that are used."""
    if not pa.types.is_dictionary(column.type):
        return series(column).unique()
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    used = [series(chunk.dictionary.take(chunk.indices.unique())) for chunk in chunks]
    return pl.concat(used).unique() if used else series(pa.array([], column.type.value_type))


def plain(table: pa.Table) -> pa.Table:
    """Return a table with values in place of dictionaries and codes."""
    fields = [
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return table if [field.type for field in fields] == table.schema.types else table.cast(pa.schema(fields))


def counted(table: pa.Table) -> pl.DataFrame:
    """Count the distinct rows of a table."""
    if not table.num_columns:
        return pl.DataFrame({COUNT: [table.num_rows]}, schema={COUNT: pl.Int64})
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table is a frame
    return frame.group_by(frame.columns).agg(pl.len().cast(pl.Int64).alias(COUNT))


def routed(table: pa.Table, route: Route) -> pa.Table:
    """Add the fragment of each row as the last column."""
    return table.append_column(FRAGMENT, pa.array(np.asarray(route(table), dtype=np.int32)))


def split(table: pa.Table) -> list[tuple[int, pa.Table]]:
    """Cut routed rows into those of each fragment, in the order they have."""
    ids = table.column(FRAGMENT).to_numpy()
    if not len(ids):
        return []
    order = np.argsort(ids, kind="stable")
    ordered = table.take(pa.array(order)) if (np.diff(ids) < 0).any() else table
    starts = np.flatnonzero(np.diff(ids[order], prepend=-1))
    ends = np.append(starts[1:], len(ids))
    return [(int(ids[order[a]]), ordered.slice(a, b - a)) for a, b in zip(starts, ends, strict=True)]
