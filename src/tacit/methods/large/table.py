"""LargeTable: coded rows at an engine, with dictionaries at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints
from tacit.engines import Engine
from tacit.engines.base import COUNT, Rows
from tacit.engines.cuts import Cuts
from tacit.engines.keyed import HashRoute, secret_key
from tacit.errors import RoleError
from tacit.methods.large.people import (
    COUNTED,
    OWNED,
    PERSONS,
    CountPeople,
    CountPersons,
    Represented,
    counted_people,
    owners,
)
from tacit.shapes.published import Persons
from tacit.sources.rounding import Decimals, check_round, decimals_of, rounded
from tacit.table import GroupStats, Layout, PeopleCounts, Role, Table
from tacit.table.layout import MORE, PERSON

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
    persons
        What is known of the people behind the rows, as in `Published`.

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
    persons: Persons | None = None

    def __len__(self) -> int:
        return self.size

    @classmethod
    def read(
        cls,
        engine: Engine,
        source: Any,
        head: pl.DataFrame,
        *,
        items_separator: str = ";",
        round: Decimals | None = None,  # noqa: A002  (the contract's word)
        seed: int | None = None,
        **roles: Any,
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
        round
            To how many decimals numbers are rounded; "auto" looks at the first rows alone.
        seed
            For tests: persons are hashed with a key that comes from it.
        **roles
            As for `Table`.
        """
        decimals = {} if round is None else decimals_of(head, check_round(round))
        table = Table(rounded(head, decimals)[0], **roles)
        return cls._coded(engine, source, table, items_separator, secret_key(seed, "persons"), decimals)

    @classmethod
    def of(cls, table: Table, engine: Engine) -> LargeTable:
        """Give the rows of a table in memory to an engine."""
        _refuse(table)
        names = Layout.needed(table)
        layout = Layout.of(table, {name: _lists(table, name).unique() for name in names})
        raw = pa.table({name: _lists(table, name).to_arrow() for name in names} or {"": np.zeros(len(table), np.int8)})
        arrays = [pa.array(np.arange(len(table))), *layout.encode(raw)]
        coded = pa.Table.from_arrays(arrays, schema=layout.schema)
        made = cls(engine, None, layout, len(table), None if table.person is None else "one row")
        if table.people is None:
            return replace(made, rows=engine.read(coded))
        owned = coded.append_column(PERSON, pa.array(table.people.ids)).append_column(
            MORE, pa.array(np.zeros(len(table), dtype=np.int64))
        )
        return made._owned(engine.read(owned), secret_key(0, "persons"))

    @classmethod
    def _coded(
        cls,
        engine: Engine,
        source: Any,
        head: Table,
        items_separator: str,
        key: bytes,
        decimals: Mapping[str, int],
    ) -> LargeTable:
        _refuse(head)
        names = Layout.needed(head)
        person = head.person
        raw = engine.read(source, names if person is None else [*names, person])
        fine = {name: many for name, many in decimals.items() if name in names}
        raw = engine.map(raw, Rounded(fine), raw.schema) if fine else raw
        layout = Layout.of(head, engine.domains(raw, names), items_separator=items_separator)
        if person is None:
            rows = engine.map(raw, Numbered(layout), layout.schema, keep=True)
            return cls(engine, rows, layout, int(engine.count(rows, [])[COUNT].sum()))
        schema = pa.schema([*layout.schema, *OWNED])
        rows = engine.map(raw, Numbered(layout, person=person, key=key), schema, keep=True)
        made = cls(engine, rows, layout, int(engine.count(rows, [])[COUNT].sum()))
        return made._owned(rows, key)

    def _owned(self, rows: Rows, key: bytes) -> LargeTable:
        """Bring the rows of every person together, and find out whether somebody has several."""
        together = self._by_person(rows, key)
        told = self.engine.collect(self.engine.map(together, CountPersons(), PERSONS, keep=True))
        if sum(told.column("count").to_pylist()) == self.size:
            names = self.layout.schema.names
            return replace(
                self, rows=self.engine.map(rows, Chosen(tuple(names)), self.layout.schema), persons="one row"
            )
        layout = replace(self.layout, several_rows=True)
        represented = self.engine.map(together, Represented(layout), layout.schema, keep=True)
        return replace(self, rows=represented, layout=layout, persons="several rows")

    def _by_person(self, rows: Rows, key: bytes) -> Rows:
        many = max(1, -(-self.size // max(1, self.engine.fragment_rows)))
        return self.engine.fragments(rows, HashRoute(key, many, PERSON))

    def people(self, rows: Rows, key: bytes, cuts: Cuts | None = None) -> PeopleCounts | None:
        """Count the people of all rows, or of each fragment that cuts make of them; None where rows are counted."""
        if not self.layout.several_rows:
            return None
        told = self.engine.map(self._by_person(rows, key), CountPeople(self.layout, cuts), COUNTED, keep=True)
        return counted_people(self.layout, self.engine.collect(told), 1 if cuts is None else cuts.count)

    @property
    def withholds_missing(self) -> bool:
        """Whether a value is missing somewhere in a column whose rows are then to be withheld."""
        head = self.layout.head
        return any(
            head.missing(name) == "withhold" and self.layout.codes[name].null is not None
            for name in self.layout.sensitive
        )

    def counts(self, rows: Rows | None = None) -> dict[str, Ints]:
        """Count the values of each sensitive column, over all rows or over some that were made of them."""
        where = self.rows if rows is None else rows
        counted = {}
        for name in self.layout.sensitive:
            mine = self.engine.count(where, [self.layout.coded(name)])
            counted[name] = self.layout.counts(name, mine, self.layout.coded(name))
        return counted

    def whole(
        self, counts: Mapping[str, Ints] | None = None, rows: int | None = None, people: PeopleCounts | None = None
    ) -> GroupStats:
        """Return all rows as one group, or rows of which the sensitive values, and the people, were counted."""
        known = self.counts() if counts is None else counts
        return replace(self.layout.whole(known, len(self) if rows is None else rows), people=people)


class Numbered:
    """Encodes batches of rows, and numbers them one after another.

    One process numbers all rows in the order it reads them. Workers number theirs apart: see the engine of the cluster.
    """

    def __init__(self, layout: Layout, start: int = 0, *, person: str | None = None, key: bytes = b"") -> None:
        self.layout = layout
        self.next = start
        self.person, self.key = person, key

    def numbered_by(self, worker: int) -> Numbered:
        """Return what numbers the rows of one worker: no other worker has the same numbers."""
        return Numbered(self.layout, worker << 40, person=self.person, key=self.key)

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return the codes of a batch."""
        numbers = np.arange(self.next, self.next + batch.num_rows)
        self.next += batch.num_rows
        arrays = [pa.array(numbers), *self.layout.encode(batch)]
        if self.person is None:
            return pa.Table.from_arrays(arrays, schema=self.layout.schema)
        arrays += owners(self.key, batch.column(self.person), self.person)
        return pa.Table.from_arrays(arrays, schema=pa.schema([*self.layout.schema, *OWNED]))


@dataclass(frozen=True)
class Rounded:
    """Rounds columns of numbers."""

    decimals: Mapping[str, int]

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return the rows, rounded."""
        for name, many in self.decimals.items():
            made = pl.from_arrow(batch.select([name]))
            assert isinstance(made, pl.DataFrame)  # noqa: S101 - a table is a frame
            column = rounded(made, {name: many})[0].to_arrow().column(name).cast(batch.schema.field(name).type)
            batch = batch.set_column(batch.column_names.index(name), name, column)
        return batch


@dataclass(frozen=True)
class Chosen:
    """Keeps some of the columns."""

    names: tuple[str, ...]

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return the columns."""
        return batch.select(list(self.names))


def _refuse(head: Table) -> None:
    """Refuse what only a table in memory can have."""
    why = None
    if any(head.missing(name) == "withhold" for name in head.items):
        why = 'rows with a missing set of items are withheld (missing = "withhold") in memory'
    elif any(head.item_sets(name).binary is not None for name in head.items):
        why = "sets that are written in binary columns are read in memory"
    if why is not None:
        raise RoleError(
            f"A table that is larger than memory cannot be protected this way: {why}.",
            hint='Prepare the column first, or use the local engine: [engine] name = "local".',
        )


def _lists(table: Table, name: str) -> pl.Series:
    return table.item_sets(name).lists() if table.column(name).role is Role.ITEMS else table.frame[name]
