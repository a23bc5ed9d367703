"""Published columns: what is published about a column besides its values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tacit.table import Column, Role, Table


@dataclass(frozen=True)
class PublishedColumn(Column):
    """A column of a release.

    Attributes
    ----------
    blurred
        Cells may be intervals, sets, nodes or `*`; values that look like one of these are quoted.
    suppressed
        Cells may be suppressed: null in a frame (an original null is then an empty text), `*` in a csv.
    foreign
        Another tool published the column, and nothing tells how its cells were made: an empty cell, and one that cannot
        be read, may stand for any value.
    item_of
        The set-valued attribute that this column is one item of, for sets that are written in binary columns.
    changed
        The method changed some values at random: the published ones are not counted against those of the table.
    """

    blurred: bool = False
    suppressed: bool = False
    item_of: str | None = None
    changed: bool = False
    foreign: bool = False

    @classmethod
    def of(cls, column: Column, *, blurred: bool = False, suppressed: bool = False) -> PublishedColumn:
        """Publish a column of a table."""
        return cls(column.name, column.role, column.kind, column.hierarchy, blurred, suppressed, label=column.label)

    @property
    def whole(self) -> bool:
        """Whether every published value is one of the table's: none is suppressed, none was changed."""
        return not (self.suppressed or self.changed)

    def describe(self) -> dict[str, object]:
        """Return what `release.json` says of the column."""
        spec = None if self.hierarchy is None else self.hierarchy.spec()
        return {
            "name": self.name,
            "role": self.role.value,
            "kind": self.kind.value,
            "blurred": self.blurred,
            "suppressed": self.suppressed,
            **({} if self.label is None else {"label": self.label}),
            **({} if spec is None else {"hierarchy": spec}),
            **({} if self.item_of is None else {"item_of": self.item_of}),
            **({"changed": True} if self.changed else {}),
            **({"foreign": True} if self.foreign else {}),
        }


def named(columns: tuple[PublishedColumn, ...], role: Role) -> tuple[str, ...]:
    """Return the names of the columns of a role."""
    return tuple(column.name for column in columns if column.role is role)


def visible(table: Table, items: Collection[str] = ()) -> list[Column]:
    """Return the columns that may be published: no identifiers, and only those items that a QS guarantee is about."""
    named = {*table.published_others, *items}
    shown = {Role.QUASI_IDENTIFIER, Role.SENSITIVE}
    return [column for column in table.columns if column.role in shown or column.name in named]
