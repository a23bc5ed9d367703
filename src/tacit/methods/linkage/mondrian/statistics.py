"""What Mondrian is told of a table: its cells, how their attributes blur, and the sensitive values of their units.

A unit is a row or, where a person may have several, a person. People are made units before cells are: the number of
people is not additive over cells, unless everybody is in one. Somebody whose quasi-identifiers vary stands at the
middle of her rows while groups are planned; what is published of her group covers all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import Flags, Ints, offsets_of
from tacit.guarantees import GroupGuarantee
from tacit.methods.linkage.mondrian.attributes import Attribute, Recode
from tacit.table import Cells, Codes, Groups, GroupStats, People, PeopleCounts, Table


@dataclass(frozen=True, eq=False)
class MondrianStatistics:
    """Cells of some quasi-identifiers, and what groups of their rows are judged by.

    Attributes
    ----------
    attributes
        The quasi-identifiers, as they are to be blurred.
    cells
        Their distinct combinations, and the cell of each unit.
    sensitive
        The sensitive columns, encoded.
    whole
        All rows as one group.
    people
        Whose row each row is, where a person may have several: then people are the units.
    missing
        The rows that are to be withheld because a value is missing.
    """

    attributes: Sequence[Attribute]
    cells: Cells
    sensitive: Mapping[str, Codes]
    whole: GroupStats
    people: People | None = None
    missing: Flags | None = None

    @classmethod
    def of(
        cls, table: Table, recode: Recode, names: Sequence[str] | None = None, whole: GroupStats | None = None
    ) -> MondrianStatistics:
        """Count the cells of some quasi-identifiers, by default of all.

        Parameters
        ----------
        table, recode
            The rows, and how their quasi-identifiers are to be blurred.
        names
            The quasi-identifiers.
        whole
            All rows as one group, where they are counted already.
        """
        chosen = table.quasi_identifiers if names is None else tuple(names)
        return cls(
            [Attribute.of(table.column(name), table.codes(name), recode) for name in chosen],
            table.cells(chosen) if table.people is None else _cells_of_people(table, table.people, chosen),
            {name: table.codes(name) for name in table.sensitive},
            table.whole() if whole is None else whole,
            table.people,
            table.to_withhold,
        )

    def count(self, groups: Groups) -> GroupStats:
        """Count every sensitive column in every group of rows."""
        values = {name: (codes.codes, codes.cardinality) for name, codes in self.sensitive.items()}
        people = None if self.people is None else PeopleCounts.of(groups, self.people, values)
        return GroupStats.of(groups, values, self.whole.trees, people, self.whole.unit)

    def grouping(
        self,
        guarantees: Sequence[GroupGuarantee],
        reference: GroupStats,
        rows: Flags | None = None,
        effort: float = 1.0,
    ) -> Groups:
        """Group all rows, or some, so that every group satisfies the guarantees; -1 for the others.

        `reference` are all rows that will be published. A person is in a group with all her rows. `effort` scales how
        much time is spent on improving the groups.
        """
        from tacit.kernels.mondrian.cells import rows_by_cell
        from tacit.kernels.mondrian.partition import partition
        from tacit.kernels.mondrian.rules import rules_of
        from tacit.kernels.mondrian.space import space_of

        chosen = rows if rows is None or self.people is None else rows[self.people.first]
        members = self.cells.members.ids if chosen is None else np.where(chosen, self.cells.members.ids, -1)
        if not self.attributes:  # without quasi-identifiers all rows are alike
            return self._of_rows(Groups(members, 1))
        conditions = [rule for guarantee in guarantees for rule in guarantee.conditions(reference)]
        values = list(self.sensitive.values())
        sizes = [codes.cardinality for codes in values]
        if self.people is not None:  # her rows and her different values per column, and how many rows she has
            lengths = np.zeros(0, np.int64) if reference.people is None else reference.people.lengths
            sizes = [*np.repeat(sizes, 2).tolist(), len(lengths)] if values else []
        rules = rules_of(conditions, sizes)
        turn = list(range(len(self.attributes)))
        if not rules.plain:  # ties decide much then: they are broken by names, and not by the order of the columns
            turn.sort(key=lambda a: self.attributes[a].column.name)
        space = space_of([self.attributes[a].layout() for a in turn])
        cells = rows_by_cell(space, np.ascontiguousarray(self.cells.codes[:, turn]), members)
        entries = None
        if self.people is None:
            sensitive = np.empty((len(cells.rows), len(values)), dtype=np.int32)
            for j, codes in enumerate(values):
                sensitive[:, j] = codes.codes[cells.rows]
        else:
            sensitive, entries = _entries(self.people, values, lengths, rules.start, cells.rows)
        found = partition(space, rules, cells.points, cells.start, sensitive, entries=entries, effort=effort)
        dense = Groups.of([found], [int(found.max(initial=0)) + 1])
        ids = np.full(len(members), -1, dtype=np.int64)
        ids[cells.rows] = dense.ids
        return self._of_rows(Groups(ids, dense.count))

    def _of_rows(self, groups: Groups) -> Groups:
        """Return groups of units as groups of rows."""
        return groups if self.people is None else Groups(groups.ids[self.people.ids], groups.count)


def _cells_of_people(table: Table, people: People, names: Sequence[str]) -> Cells:
    """Count the people of each combination; each stands at the middle of her rows, column by column."""
    columns = {}
    for name in names:
        codes = table.codes(name)
        columns[name] = codes.take(_middle(people, codes.codes))
    return Cells.of(columns, {}, rows=people.count)


def _middle(people: People, codes: np.ndarray[Any, Any]) -> Ints:
    """Return one row of each person, the middle one in the order of the codes."""
    if people.constant(codes):
        return people.first
    ordered = np.lexsort((codes, people.ids))
    return np.asarray(ordered[offsets_of(people.rows)[:-1] + (people.rows - 1) // 2], dtype=np.int64)


def _entries(
    people: People, values: Sequence[Codes], lengths: Ints, start: Ints, order: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], Ints]:
    """Lay out what people add to the histogram of their group, one person after another in the order given.

    A person adds, per sensitive column, the values of her rows and her different values, and once the number of her
    rows. Her first entry is the value of one of her rows in the first column.
    """
    if not values:
        return np.zeros((0, 1), dtype=np.int32), np.zeros(len(order) + 1, dtype=np.int64)
    rank = np.full(people.count, -1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    inside = rank[people.ids] >= 0
    persons = people.ids if inside.all() else people.ids[inside]
    owners, places = [], []
    for j, encoded in enumerate(values):
        codes = encoded.codes if inside.all() else encoded.codes[inside]
        pairs = Groups.of([persons, codes], [people.count, encoded.cardinality]).first()
        owners += [rank[persons], rank[persons[pairs]]]
        places += [start[2 * j] + codes, start[2 * j + 1] + codes[pairs]]
    owners.append(np.arange(len(order)))
    places.append(start[2 * len(values)] + np.searchsorted(lengths, people.rows[order]))
    owner = np.concatenate(owners)
    sensitive = np.concatenate(places)[np.argsort(owner, kind="stable")]
    return sensitive.astype(np.int32)[:, None], offsets_of(np.bincount(owner, minlength=len(order)))
