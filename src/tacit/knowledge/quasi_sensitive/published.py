"""The sets of a release, as an outsider reads them: groups of people with equal cells, and the items of each."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tacit.errors import RoleError
from tacit.shapes import Shape
from tacit.table import Groups, ItemSets, Role, encode
from tacit.table.items import from_binary, from_lists


@dataclass(frozen=True, eq=False)
class PublishedSets:
    """One published table with a set-valued attribute: a group of equal cells and a set for every row."""

    attribute: str
    groups: Groups
    sets: ItemSets
    people: pl.DataFrame
    shape: Shape

    def whereabouts(self, group: int) -> str:
        """Name a group by its cells."""
        row = self.people.row(int(self.groups.first()[group]), named=True)
        shown = {name: repr(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
        return ", ".join(f"{name} {shown[name]}" for name in self.shape.quasi_identifiers) or "all rows"


def published_sets(shape: Shape, column: str | None = None) -> list[PublishedSets]:
    """Return the tables of a release that publish a set-valued attribute, by default the only one; perhaps none.

    Rows with equal cells are one group, whatever numbers of groups are published beside them.
    """
    if shape.several:
        return [sets for part in shape.parts.values() for sets in published_sets(part, column)]
    attributes = shape.items
    if column is None and len(attributes) > 1:
        raise RoleError(
            f"The release has {len(attributes)} items columns: {', '.join(attributes)}.",
            hint="Say which one the label table is about: column=...",
        )
    wanted = column if column is not None else next(iter(attributes), None)
    if wanted is None or wanted not in attributes:
        return []
    people = shape.people
    parts = [c.name for c in shape.columns if c.role is Role.ITEMS and c.item_of == wanted]
    sets = from_binary(wanted, people, parts) if parts else from_lists(people[wanted])
    encoded = [encode(people[name]) for name in shape.quasi_identifiers]
    groups = Groups.of([c.codes for c in encoded], [c.cardinality for c in encoded], rows=people.height)
    return [PublishedSets(wanted, groups, sets, people, shape)]
