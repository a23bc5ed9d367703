"""Table: immutable microdata with roles, kinds and hierarchies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import polars as pl

from tacit import markup, sources
from tacit.arrays import Flags
from tacit.calls import checked_call
from tacit.errors import ParameterError, RoleError
from tacit.hierarchies import Hierarchy, make
from tacit.table.codes import encode
from tacit.table.columns import Column, Others
from tacit.table.counted import Counted
from tacit.table.items import ItemSets, from_binary, from_lists, split
from tacit.table.kinds import Kind, KindSpec, declare, orders, refuse_infinite
from tacit.table.missing import MissingSpec, missing_of, refuse_missing
from tacit.table.naming import allowed
from tacit.table.people import People, check_persons, refuse_repeated
from tacit.table.roles import Role, as_names, assign, one_name
from tacit.table.value_bytes import content

ItemsSpec = str | Iterable[str] | Mapping[str, Sequence[str]]


class Table(Counted):
    """Microdata: rows about people, one role per column.

    Parameters
    ----------
    frame
        Any data frame (Polars, pandas, pyarrow, DuckDB) or a mapping of lists.
    identifiers
        Columns that name a person, each in one row. They never leave.
    person
        The column that says whose row a row is, where a person may have several: visits, accounts. It never leaves.
        Without it every row counts as a person of its own.
    quasi_identifiers
        Columns that an outsider may know of a person.
    sensitive
        Columns that a person would not tell.
    items
        Columns of sets (lists of text), or a mapping of a name to binary columns, one per item.
    hierarchies
        Column to hierarchy: a `Hierarchy`, a path of a file in ARX's format, or a description such as
        `{"interval": 5}`.
    kinds
        Column to kind, where the inferred one is wrong: `"numeric"`, `"categorical"`, `"date"`, or a list of values,
        which is the order of an ordered column and its declared domain.
    others
        Whether columns without a role are withheld (the default) or published as they are.
    missing
        What happens where a sensitive column, or a binary column of an item, is null: "refuse" the table (the default),
        take it for a "value" of its own, or "withhold" the row. For all columns, or a mapping of column to word.
    allow
        Columns that may be published although they look like names, keys, mail addresses, telephone numbers or free
        text.

    Examples
    --------
    >>> table = Table(
    ...     {"age": [30, 30, 41], "disease": ["flu", "cold", "flu"]}, quasi_identifiers=["age"], sensitive=["disease"]
    ... )
    >>> table
    Table: 3 rows; quasi-identifiers: age; sensitive: disease
    >>> table.codes("disease").codes.tolist(), table.codes("disease").values.to_list()
    ([1, 0, 1], ['cold', 'flu'])
    """

    coded: bool = False
    """Whether the frame holds codes in place of values: so it is in a fragment of a larger table."""

    @checked_call()
    def __init__(
        self,
        frame: Any,
        *,
        identifiers: str | Iterable[str] = (),
        person: str | None = None,
        quasi_identifiers: str | Iterable[str] = (),
        sensitive: str | Iterable[str] = (),
        items: ItemsSpec = (),
        hierarchies: Mapping[str, Any] | None = None,
        kinds: Mapping[str, KindSpec] | None = None,
        others: Others = "withhold",
        missing: MissingSpec = "refuse",
        allow: str | Iterable[str] = (),
    ) -> None:
        if others not in get_args(Others):
            raise ParameterError(f"others = {others!r} is not allowed.", hint='Say "withhold" or "publish".')
        raw = sources.as_frame(frame)
        if not raw.height:
            raise RoleError(
                "The table has no rows.", hint="There is nothing to publish; check the source or the query."
            )
        members = {} if isinstance(items, str) or not isinstance(items, Mapping) else _members(items, raw)
        sets = tuple(items) if isinstance(items, Mapping) else as_names(items, "items")
        roles = assign(
            raw.columns,
            identifiers=as_names(identifiers, "identifiers"),
            person=one_name(person),
            quasi_identifiers=as_names(quasi_identifiers, "quasi_identifiers"),
            sensitive=as_names(sensitive, "sensitive"),
            items=sets,
            members=members,
        )
        for name in (name for name, role in roles.items() if role is Role.IDENTIFIER and person is None):
            refuse_repeated(raw[name])
        if person is not None:
            check_persons(raw[person])
        blurs = _hierarchies(hierarchies or {}, roles)
        for name in kinds or {}:
            if name not in roles:
                raise RoleError.missing_column(name, roles)
        declared = {**orders(sources.without_own_types(frame)), **(kinds or {})}
        self._missing = missing_of(missing, roles)
        columns: dict[str, Column] = {}
        series: list[pl.Series] = []
        self._domains = {}
        self._sets = {}
        for name, role in roles.items():
            if role is Role.ITEMS:
                item_sets = (
                    from_binary(name, raw, members[name], self.missing(name))
                    if name in members
                    else from_lists(raw[name])
                )
                self._sets[name] = item_sets
                columns[name] = Column(name, role, Kind.ITEMS, blurs.get(name))
                series.append(raw[name].alias(name) if name in raw.columns else item_sets.lists())
                continue
            if role in {Role.IDENTIFIER, Role.PERSON} or (
                role is Role.OTHER and others == "withhold" and name not in declared
            ):
                columns[name] = Column(name, role, Kind.CATEGORICAL, blurs.get(name))
                series.append(raw[name])
                continue
            values, kind, domain = declare(raw[name], declared.get(name))
            if kind is Kind.ITEMS:
                raise RoleError(f"Column {name!r} holds lists.", hint="Name it in `items`.")
            refuse_infinite(values)
            if role is Role.SENSITIVE and self.missing(name) == "refuse":
                refuse_missing(values)
            if domain is not None:
                self._domains[name] = domain
            columns[name] = Column(name, role, kind, blurs.get(name))
            series.append(values)
        self._frame = pl.DataFrame(series)
        self._columns = columns
        self._others = others
        self._allowed = allowed(_shown(self._frame, columns, others), self._allow(allow))
        self._codes = {}
        self._cells = None
        self._people = "not counted"
        for name, blur in blurs.items():  # a hierarchy that lacks a value is an error now, not in the middle of a job
            if columns[name].kind is Kind.ITEMS:
                blur.bind(self._sets[name].vocabulary)
            elif columns[name].role not in {Role.IDENTIFIER, Role.PERSON}:
                self.codes(name)

    @classmethod
    @checked_call(rest=__init__)
    def read(
        cls,
        source: Any,
        *,
        query: str | None = None,
        nulls: str | Iterable[str] = ("",),
        separator: str | None = None,
        encoding: str | None = None,
        decimal: str | None = None,
        round: sources.Decimals | None = None,  # noqa: A002  (the contract's word)
        sheet: str | int | None = None,
        items_separator: str = ";",
        items: ItemsSpec = (),
        kinds: Mapping[str, KindSpec] | None = None,
        hierarchies: Mapping[str, Any] | None = None,
        **roles: Any,
    ) -> Table:
        """Read a table from a file, a database or a data frame.

        Parameters
        ----------
        source
            A csv (also compressed), Parquet, Arrow or Excel file, one of Stata, SPSS or SAS, a `postgresql://` or
            `sqlite:///` URL, or any data frame.
        query
            The query, for a database.
        nulls
            Texts of a csv that mean null.
        separator
            The separator of a csv; guessed by default.
        encoding
            The encoding of a csv, such as "windows-1252"; guessed by default.
        decimal
            The sign before decimals in a csv, "," or "."; guessed by default.
        round
            To how many decimals numbers are rounded before anything else: a number for all columns of floats, a mapping
            of columns to numbers, or "auto" for columns that have many more digits than their spread can use.
        sheet
            The sheet of a spreadsheet, by name or by number from 1; by default the first that holds anything.
        items_separator
            What separates the items of a set in a text cell.
        items, kinds, hierarchies, **roles
            As for `Table`.
        """
        text = [name for name, spec in (kinds or {}).items() if spec == "categorical"]
        text += [name for name, spec in (hierarchies or {}).items() if isinstance(spec, Mapping) and "prefix" in spec]
        reading = sources.read_source(
            source,
            query=query,
            nulls=as_names(nulls, "nulls"),
            separator=separator,
            encoding=encoding,
            decimal=decimal,
            round=round,
            sheet=sheet,
            text=text,
        )
        frame = reading.frame
        if not isinstance(items, Mapping):
            cells = [name for name in as_names(items, "items") if name in frame.columns]
            frame = frame.with_columns([split(frame[name], items_separator) for name in cells])
        table = cls(frame, items=items, kinds={**reading.orders, **(kinds or {})}, hierarchies=hierarchies, **roles)
        table._remarks = reading.remarks
        for name, label in reading.labels.items():
            if name in table._columns:
                table._columns[name] = replace(table._columns[name], label=label)
        return table

    def __repr__(self) -> str:
        parts = [f"{len(self):,} rows"]
        for role in Role:
            names = [column.name for column in self._columns.values() if column.role is role]
            if names:
                label = {
                    Role.IDENTIFIER: "identifiers",
                    Role.QUASI_IDENTIFIER: "quasi-identifiers",
                    Role.OTHER: "others",
                }
                parts.append(f"{label.get(role, role.value)}: {', '.join(names)}")
        return "Table: " + "; ".join(parts)

    def _repr_html_(self) -> str:
        """Show the columns, and no cell: notebooks are shown around."""
        rows = [
            (c.name, c.role.value, c.kind.value, f"{self._distinct(c.name):,}", "" if c.hierarchy is None else "yes")
            for c in self._columns.values()
        ]
        head = ("column", "role", "kind", "values", "hierarchy")
        return markup.grid(head, rows, caption=f"Table: {len(self):,} rows")

    def _distinct(self, name: str) -> int:
        return len(self._sets[name].vocabulary) if name in self._sets else self._frame[name].n_unique()

    def _allow(self, allow: str | Iterable[str]) -> tuple[str, ...]:
        names = as_names(allow, "allow")
        for name in names:
            if self.column(name).role in {Role.IDENTIFIER, Role.PERSON}:
                raise RoleError(
                    f"Column {name!r} is allowed to leave, and named as {self.column(name).role}, which never leaves.",
                    hint="Drop one of the two.",
                )
        return names

    def filter(self, kept: Flags) -> Table:
        """Return some of the rows, encoded in the same dictionaries."""
        part = object.__new__(Table)
        part._frame = self._frame.filter(pl.Series(kept))
        part._declared_like(self)
        part._sets = {name: sets.take(kept) for name, sets in self._sets.items()}
        part._codes = {name: self.codes(name).take(kept) for name in self._encodable()}
        part._cells = None
        part._people = self._people.take(kept) if isinstance(self._people, People) else self._people
        return part

    def with_items(self, name: str, sets: ItemSets) -> Table:
        """Return the same rows with other sets in an items column."""
        known = self.item_sets(name)
        part = object.__new__(Table)
        part._frame = self._frame.with_columns(sets.lists().cast(self._frame[name].dtype).alias(name))
        part._declared_like(self)
        part._codes, part._cells = self._codes, self._cells
        part._people = self._people
        part._sets = {**self._sets, name: replace(sets, binary=known.binary, marks=known.marks)}
        return part

    def split(self, name: str) -> dict[Any, Table]:
        """Cut the table into one per value of a column, each with dictionaries of its own, in the order of values."""
        encoded = encode(self._frame[self.column(name).name])
        parts = {}
        for code, value in enumerate(encoded.values):
            part = self.filter(encoded.codes == code)
            part._codes = {}  # the other parts' values are not its values
            parts[value] = part
        return parts

    def _declared_like(self, table: Table) -> None:
        """Take over what was declared of another table's columns."""
        self._columns, self._others, self._domains = table._columns, table._others, table._domains
        self._allowed, self._missing, self.coded = table._allowed, table._missing, table.coded

    def _is_missing(self, name: str) -> Flags:
        """Say in which rows a value is missing; a fragment of a larger table holds codes."""
        if not self.coded:
            return super()._is_missing(name)
        known = self._codes[name]
        return np.zeros(len(self), dtype=bool) if known.null is None else np.asarray(known.codes == known.null)

    def digest(self) -> str:
        """Return a fingerprint of names, roles and values. It identifies the table: never publish it."""
        digest = hashlib.sha256(repr([(c.name, c.role, c.kind) for c in self.columns]).encode())
        for name in self._columns:
            # Sets as they are meant: neither the order of the items nor a repetition makes another table.
            for part in content(self._sets[name].lists() if name in self._sets else self._frame[name]):
                digest.update(part)
        return digest.hexdigest()

    def _encodable(self) -> list[str]:
        roles = {Role.QUASI_IDENTIFIER, Role.SENSITIVE}
        return [c.name for c in self.columns if c.role in roles or c.name in self._codes]


def _shown(frame: pl.DataFrame, columns: Mapping[str, Column], others: Others) -> Iterator[tuple[pl.Series, str]]:
    """Go through the columns that would leave with their own values, with the reason."""
    for name, column in columns.items():
        if column.role is Role.OTHER and others == "publish":
            yield frame[name], 'as it is (others = "publish")'
        if column.role is Role.QUASI_IDENTIFIER and column.hierarchy is None:
            yield frame[name], "as a quasi-identifier"


def _members(items: Mapping[str, Sequence[str]], frame: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    members = {name: as_names(parts, f"items[{name!r}]") for name, parts in items.items()}
    for name, parts in members.items():
        if name in frame.columns:
            raise RoleError(f"items maps {name!r} to binary columns, but there is a column of that name.")
        if not parts:
            raise RoleError(f"items maps {name!r} to no column.", hint="Name the binary columns, one per item.")
        for part in parts:
            if part not in frame.columns:
                raise RoleError.missing_column(part, frame.columns)
    every = [part for parts in members.values() for part in parts]
    for part in every:
        if every.count(part) > 1:
            raise RoleError(f"Column {part!r} is named as an item twice.", hint="An item is in one set, once.")
    return members


def _hierarchies(given: Mapping[str, Any], roles: Mapping[str, Role]) -> dict[str, Hierarchy]:
    for name in given:
        if name not in roles:
            raise RoleError.missing_column(name, roles)
    return {name: make(spec) for name, spec in given.items()}
