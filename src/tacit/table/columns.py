"""Columns: what is declared of a table's columns, and whose rows its rows are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl

from tacit.arrays import Flags
from tacit.errors import RoleError
from tacit.hierarchies import Hierarchy
from tacit.table.groups import Unit
from tacit.table.items import ItemSets
from tacit.table.kinds import Kind
from tacit.table.missing import Missing
from tacit.table.people import People
from tacit.table.roles import Role

Others = Literal["withhold", "publish"]


@dataclass(frozen=True)
class Column:
    """What is known of a column besides its values; `label` is what its source calls it in full."""

    name: str
    role: Role
    kind: Kind
    hierarchy: Hierarchy | None = None
    label: str | None = field(default=None, kw_only=True)


class Columns:
    """The values of a table, the role of each column, and what its owner said of them.

    A `Table` fills it in; nothing here counts values.
    """

    _frame: pl.DataFrame
    _columns: dict[str, Column]
    _others: Others
    _allowed: Mapping[str, str]
    _missing: Mapping[str, Missing]
    _sets: dict[str, ItemSets]
    _people: People | Literal["not counted"] | None
    _remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self._frame.height

    @property
    def frame(self) -> pl.DataFrame:
        """The values, in the order given."""
        return self._frame.clone()

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, in the order given."""
        return tuple(self._columns.values())

    @property
    def remarks(self) -> tuple[str, ...]:
        """What had to be guessed when the table was read, as sentences for the data owner."""
        return self._remarks

    @property
    def others(self) -> Others:
        """What happens to columns without a role."""
        return self._others

    @property
    def allowed(self) -> Mapping[str, str]:
        """The published columns that look like names, keys or free text and may leave: what each looks like."""
        return self._allowed

    def missing(self, name: str) -> Missing:
        """Return what happens where a column is null."""
        return self._missing.get(name, "refuse")

    @property
    def to_withhold(self) -> Flags | None:
        """The rows that are to be withheld because a value is missing, with all others of their people; None if none.

        The rows of a person stay together: some of them published and some withheld would be in two groups.
        """
        rows = np.zeros(len(self), dtype=bool)
        for name, word in self._missing.items():
            if word == "withhold":
                sets = self._sets.get(name)
                rows |= self._is_missing(name) if sets is None else sets.unanswered
        if not rows.any():
            return None
        people = self.people
        return rows if people is None else (np.bincount(people.ids[rows], minlength=people.count) > 0)[people.ids]

    def _is_missing(self, name: str) -> Flags:
        """Say in which rows a value is missing."""
        return self._frame[name].is_null().to_numpy()

    def column(self, name: str) -> Column:
        """Return what is known of one column."""
        if name not in self._columns:
            raise RoleError.missing_column(name, self._columns)
        return self._columns[name]

    def names(self, role: Role) -> tuple[str, ...]:
        """Return the columns of a role."""
        return tuple(column.name for column in self._columns.values() if column.role is role)

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The columns that name a person."""
        return self.names(Role.IDENTIFIER)

    @property
    def person(self) -> str | None:
        """The column that says whose row a row is, where one is named."""
        return next(iter(self.names(Role.PERSON)), None)

    @property
    def people(self) -> People | None:
        """Whose row each row is; None where a row is the unit: no column says it, or every person has one row."""
        if self._people == "not counted":
            self._people = None if self.person is None else People.of(self._frame[self.person])
        return self._people

    @property
    def unit(self) -> Unit:
        """What may be said to be counted: people where a column says who they are, else rows."""
        return "rows" if self.person is None else "people"

    @property
    def units(self) -> int:
        """How many people there are, where a column says who they are; else how many rows."""
        return len(self) if self.people is None else self.people.count

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The columns that an outsider may know."""
        return self.names(Role.QUASI_IDENTIFIER)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The columns that a person would not tell."""
        return self.names(Role.SENSITIVE)

    @property
    def items(self) -> tuple[str, ...]:
        """The set-valued columns."""
        return self.names(Role.ITEMS)

    @property
    def published_others(self) -> tuple[str, ...]:
        """The columns without a role that are published as they are."""
        return self.names(Role.OTHER) if self._others == "publish" else ()
