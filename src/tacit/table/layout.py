"""Layout: what is known of a table besides its rows, so that parts of it can be tables of their own.

The rows of a large table are in files or on a cluster, as codes into the dictionaries of the whole. A part of them,
with the layout, is a `Table` that every method can work on; its codes mean what they mean everywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints
from tacit.errors import RoleError
from tacit.table.codes import Codes, encode
from tacit.table.columns import Column
from tacit.table.groups import Groups, GroupStats, Histogram
from tacit.table.items import ItemSets, from_lists, split
from tacit.table.kinds import Kind, declare, refuse_infinite
from tacit.table.missing import refuse_missing
from tacit.table.people import People
from tacit.table.roles import Role
from tacit.table.table import Table

ROW = "row"
"""The column of coded rows that numbers them."""
PERSON, MORE = "person", "person_more"
"""The columns of coded rows that say whose they are, where a person may have several: two halves of a keyed hash."""
_MOST = 20_000_000
"""The most different values of a column that is published; its dictionary is in the memory of every worker."""
_DIRECT = 1 << 22
"""The widest range of whole numbers that is looked up in an array."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The columns of a large table that methods see, and their dictionaries.

    Attributes
    ----------
    head
        A table of the first rows, with all that was declared.
    columns
        The columns that may be published, in order; the code of column i is called `c<i>` among coded rows.
    domains
        The different values of each column, as the source has them.
    codes
        The code of each of these values, and the value behind each code.
    items_separator
        What separates the items of a set in a text cell.
    several_rows
        Whether somebody has several rows: then coded rows say whose they are, and where that person stands.
    """

    head: Table
    columns: tuple[Column, ...]
    domains: Mapping[str, pl.Series]
    codes: Mapping[str, Codes]
    items_separator: str = ";"
    several_rows: bool = False

    @staticmethod
    def needed(head: Table) -> list[str]:
        """Return the columns that have to be read: those that may be published."""
        return [c.name for c in _seen(head)]

    @classmethod
    def of(cls, head: Table, domains: Mapping[str, pl.Series], *, items_separator: str = ";") -> Layout:
        """Make dictionaries of the values that a source has.

        Parameters
        ----------
        head
            A table of the first rows, which says what is declared of every column.
        domains
            The different values of every column that may be published; of a column of sets, its different sets.
        items_separator
            What separates the items of a set in a text cell.
        """
        columns, codes = [], {}
        for column in _seen(head):
            domain = domains[column.name].alias(column.name)
            if len(domain) > _MOST:
                raise RoleError(
                    f"Column {column.name!r} has {len(domain):,} different values, more than a dictionary of a large "
                    "table may have.",
                    hint="Round it, cut it to a prefix, or leave it out.",
                )
            if column.kind is Kind.ITEMS:
                sets = from_lists(split(domain, items_separator))
                codes[column.name] = Codes(np.zeros(0, np.int32), sets.vocabulary, column.hierarchy)
                columns.append(column)
                continue
            declared = head._domains.get(column.name)
            spec: Any = (
                list(declared)
                if declared is not None
                else column.kind.value
                if column.kind in {Kind.NUMERIC, Kind.DATE} and not _is_typed(domain)
                else None
            )
            values, kind, order = declare(domain, spec)
            if column.kind is Kind.CATEGORICAL and kind is Kind.NUMERIC:
                kind = Kind.CATEGORICAL
            refuse_infinite(values)
            if column.role is Role.SENSITIVE and head.missing(column.name) == "refuse":
                refuse_missing(values)
            encoded = encode(values, domain=order, hierarchy=column.hierarchy)
            codes[column.name] = encoded
            columns.append(replace(column, kind=kind))
        return cls(head, tuple(columns), dict(domains), codes, items_separator)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def coded(self, name: str) -> str:
        """Return what the codes of a column are called among coded rows."""
        return f"c{self.names.index(name)}"

    def represented(self, name: str) -> str:
        """Return what the code is called at which the person of a row stands, where people have several rows."""
        return f"r{self.names.index(name)}" if self.several_rows else self.coded(name)

    @property
    def schema(self) -> pa.Schema:
        """The schema of coded rows."""
        fields = [pa.field(ROW, pa.int64())]
        for i, column in enumerate(self.columns):
            fields.append(pa.field(f"c{i}", pa.list_(pa.int32()) if column.kind is Kind.ITEMS else pa.int32()))
        if self.several_rows:
            fields += [pa.field(PERSON, pa.int64()), pa.field(MORE, pa.int64())]
            fields += [pa.field(self.represented(name), pa.int32()) for name in self.quasi_identifiers]
        return pa.schema(fields)

    def encode(self, batch: pa.Table) -> list[pa.Array]:
        """Return the codes of a batch of rows as the source has them, column after column."""
        arrays = []
        for column in self.columns:
            given = batch.column(column.name)
            if pa.types.is_dictionary(given.type) and column.kind is not Kind.ITEMS:
                arrays.append(self._encoded_codes(column.name, given))
                continue
            values = pl.from_arrow(given)
            assert isinstance(values, pl.Series)  # noqa: S101 - a column is a series
            if values.dtype in {pl.Categorical, pl.Enum}:
                values = values.cast(pl.String)
            if column.kind is Kind.ITEMS:
                arrays.append(self._encoded_sets(column.name, values))
                continue
            arrays.append(pa.array(self._lookup(column.name)(values), type=pa.int32()))
        return arrays

    def _encoded_codes(self, name: str, given: pa.ChunkedArray) -> pa.Array:
        """Return the codes of a column that came as codes into dictionaries of its own: only those are looked up."""
        parts = [np.zeros(0, dtype=np.int32)]
        for chunk in given.chunks:
            # A null has the place behind all values, and so has nothing else.
            words = pa.concat_arrays([chunk.dictionary, pa.nulls(int(bool(chunk.null_count)), chunk.dictionary.type)])
            values = pl.from_arrow(words)
            assert isinstance(values, pl.Series)  # noqa: S101 - an array is a series
            own = self._lookup(name)(values, unknown=-1)
            places = chunk.indices.fill_null(len(chunk.dictionary)) if chunk.null_count else chunk.indices
            parts.append(own[places.to_numpy(zero_copy_only=False)])
            if (parts[-1] < 0).any():
                raise _changed(name)
        return pa.array(np.concatenate(parts), type=pa.int32())

    def _lookup(self, name: str) -> _Lookup:
        known = self.__dict__.get("_lookups")
        if known is None:
            known = {}
            object.__setattr__(self, "_lookups", known)
        if name not in known:
            known[name] = _Lookup(self.domains[name], self.codes[name].codes, name)
        return known[name]  # type: ignore[no-any-return]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be made again: workers make it themselves."""
        return {key: value for key, value in self.__dict__.items() if key != "_lookups"}

    def _encoded_sets(self, name: str, values: pl.Series) -> pa.Array:
        sets = from_lists(split(values, self.items_separator).alias(name))
        place = encode(pl.concat([self.codes[name].values, sets.vocabulary])).codes
        # The vocabulary of a batch is a part of the whole one, and both are ascending.
        codes = place[len(self.codes[name].values) :][sets.codes].astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(sets.offsets.astype(np.int32)), pa.array(codes))

    def table(self, rows: pa.Table) -> Table:
        """Make a table of some rows. Its frame holds codes of columns that are published as they are."""
        part = object.__new__(Table)
        part._declared_like(self.head)
        part._columns = {column.name: column for column in self.columns}
        part._others = self.head.others
        part.coded = True
        part._codes, part._sets, series = {}, {}, []
        for i, column in enumerate(self.columns):
            coded = rows.column(f"c{i}")
            known = self.codes[column.name]
            if column.kind is Kind.ITEMS:
                flat = coded.combine_chunks()
                flat = flat.chunk(0) if isinstance(flat, pa.ChunkedArray) else flat
                offsets = flat.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
                codes = flat.values.to_numpy(zero_copy_only=False)[offsets[0] : offsets[-1]].astype(np.int32)
                sets = ItemSets(offsets - offsets[0], codes, known.values)
                part._sets[column.name] = sets
                series.append(sets.lists().alias(column.name))
                continue
            codes = np.array(coded.to_numpy(zero_copy_only=False), dtype=np.int32)
            series.append(pl.Series(column.name, codes))
            part._codes[column.name] = Codes(codes, known.values, known.hierarchy)
        part._frame = pl.DataFrame(series)
        part._cells = None
        part._people = people_of(rows) if self.several_rows else None
        return part

    def coded_values(self, name: str, values: pl.Series) -> Ints:
        """Return the codes of values as they are published; raises where one is no value of the table."""
        known = self.codes[name].values
        return np.asarray(_Lookup(known, np.arange(len(known)), name)(values), dtype=np.int64)

    def decoded(self, name: str, codes: pl.Series) -> pl.Series:
        """Return the values behind codes."""
        return self.codes[name].values.gather(codes).alias(name)

    def counts(self, name: str, counted: pl.DataFrame, column: str, weight: str = "count") -> Ints:
        """Return how many rows have each code, from counted combinations."""
        counts = np.zeros(self.codes[name].cardinality, dtype=np.int64)
        np.add.at(counts, counted[column].to_numpy(), counted[weight].to_numpy())
        return counts

    def whole(self, counts: Mapping[str, Ints], rows: int) -> GroupStats:
        """Return rows that were counted by their sensitive values, as one group."""
        histograms, trees = {}, {}
        for name, mine in counts.items():
            present = np.flatnonzero(mine)
            zeros = np.zeros(len(present), dtype=np.int64)
            histograms[name] = Histogram.from_entries(zeros, present, mine[present], 1, len(mine))
            if self.codes[name].tree is not None:
                trees[name] = self.codes[name].tree
        return GroupStats(np.array([rows], dtype=np.int64), histograms, trees)  # type: ignore[arg-type]

    def grouped(self, counted: pl.DataFrame, group: str, groups: int) -> GroupStats:
        """Return groups that were counted by their sensitive values; `counted` has the codes of each combination."""
        ids, many = counted[group].to_numpy().astype(np.int64), counted["count"].to_numpy()
        histograms = {}
        for name in self.sensitive:
            codes = counted[self.coded(name)].to_numpy()
            histograms[name] = Histogram.of(ids, groups, codes, self.codes[name].cardinality, weights=many)
        trees = {name: tree for name in self.sensitive if (tree := self.codes[name].tree) is not None}
        return GroupStats(Groups(ids, groups).sizes(many), histograms, trees)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns."""
        return tuple(column.name for column in self.columns if column.role is Role.SENSITIVE)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(column.name for column in self.columns if column.role is Role.QUASI_IDENTIFIER)


class _Lookup:
    """The code of each value of a column: in an array for whole numbers, else by joining."""

    def __init__(self, domain: pl.Series, codes: Any, name: str) -> None:
        self._name = name
        self._low = 0
        self._array: np.ndarray[Any, Any] | None = None
        self._frame = pl.DataFrame({"value": domain, "code": np.asarray(codes, dtype=np.int32)})
        if domain.dtype.is_integer() and not domain.null_count() and len(domain):
            low, high = int(domain.min()), int(domain.max())  # type: ignore[arg-type]
            if high - low < _DIRECT:
                self._low = low
                self._array = np.full(high - low + 1, -1, dtype=np.int32)
                self._array[domain.to_numpy().astype(np.int64) - low] = codes

    def __call__(self, values: pl.Series, unknown: int | None = None) -> np.ndarray[Any, Any]:
        """Return the code of each value; `unknown` for a value that has none, which else is refused."""
        if self._array is not None and not values.null_count():
            places = values.to_numpy().astype(np.int64) - self._low
            if len(places) and (places.min() < 0 or places.max() >= len(self._array)):
                raise _changed(self._name)
            codes = np.asarray(self._array[places])
            if unknown is None and codes.min(initial=0) < 0:
                raise _changed(self._name)
            return codes
        asked = pl.DataFrame({"value": values})
        if asked["value"].dtype != self._frame["value"].dtype:
            asked = asked.cast({"value": self._frame["value"].dtype})
        found = asked.join(self._frame, on="value", how="left", nulls_equal=True, maintain_order="left")["code"]
        if found.null_count() and unknown is None:
            raise _changed(self._name)
        return found.to_numpy() if unknown is None else found.fill_null(unknown).to_numpy()


def _changed(name: str) -> RoleError:
    return RoleError(
        f"Column {name!r} holds a value that it did not hold when its values were counted.",
        hint="The source changed while it was read; nothing was published.",
    )


def people_of(rows: pa.Table) -> People:
    """Number the persons of coded rows in the order of their first rows, even where each of them has one row here."""
    keys = pl.DataFrame({"a": rows.column(PERSON).to_numpy(), "b": rows.column(MORE).to_numpy()})
    numbers = keys.unique(keep="first", maintain_order=True).with_row_index("number")
    joined = keys.join(numbers, on=["a", "b"], how="left", maintain_order="left")["number"]
    return People(joined.cast(pl.Int64).to_numpy().copy(), numbers.height)


def _seen(head: Table) -> list[Column]:
    """Return the columns of a table that methods look at."""
    shown = {Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.ITEMS}
    return [c for c in head.columns if c.role in shown or c.name in head.published_others]


def _is_typed(domain: pl.Series) -> bool:
    return domain.dtype.is_numeric() or domain.dtype in (pl.Date, pl.Datetime)
