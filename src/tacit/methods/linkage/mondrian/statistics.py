"""What Mondrian is told of a table: its cells, how their attributes blur, and the sensitive values of their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import Flags
from tacit.guarantees import GroupGuarantee
from tacit.methods.linkage.mondrian.attributes import Attribute, Recode
from tacit.table import Cells, Codes, Groups, GroupStats, Table


@dataclass(frozen=True, eq=False)
class MondrianStatistics:
    """Cells of some quasi-identifiers, and what groups of their rows are judged by.

    Attributes
    ----------
    attributes
        The quasi-identifiers, as they are to be blurred.
    cells
        Their distinct combinations, and the cell of each row.
    sensitive
        The sensitive columns, encoded.
    whole
        All rows as one group.
    """

    attributes: Sequence[Attribute]
    cells: Cells
    sensitive: Mapping[str, Codes]
    whole: GroupStats

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
            table.cells(chosen),
            {name: table.codes(name) for name in table.sensitive},
            table.whole() if whole is None else whole,
        )

    def count(self, groups: Groups) -> GroupStats:
        """Count every sensitive column in every group of rows."""
        values = {name: (codes.codes, codes.cardinality) for name, codes in self.sensitive.items()}
        return GroupStats.of(groups, values, self.cells.trees)

    def grouping(
        self, guarantees: Sequence[GroupGuarantee], reference: GroupStats, rows: Flags | None = None
    ) -> Groups:
        """Group all rows, or some, so that every group satisfies the guarantees; -1 for the others.

        `reference` are all rows that will be published.
        """
        from tacit.kernels.mondrian.cells import rows_by_cell
        from tacit.kernels.mondrian.partition import partition
        from tacit.kernels.mondrian.rules import rules_of
        from tacit.kernels.mondrian.space import space_of

        members = self.cells.members.ids if rows is None else np.where(rows, self.cells.members.ids, -1)
        if not self.attributes:  # without quasi-identifiers all rows are alike
            return Groups(members, 1)
        conditions = [rule for guarantee in guarantees for rule in guarantee.conditions(reference)]
        values = list(self.sensitive.values())
        rules = rules_of(conditions, [codes.cardinality for codes in values])
        turn = list(range(len(self.attributes)))
        if not rules.plain:  # ties decide much then: they are broken by names, and not by the order of the columns
            turn.sort(key=lambda a: self.attributes[a].column.name)
        space = space_of([self.attributes[a].layout() for a in turn])
        cells = rows_by_cell(space, np.ascontiguousarray(self.cells.codes[:, turn]), members)
        sensitive = np.empty((len(cells.rows), len(values)), dtype=np.int32)
        for j, codes in enumerate(values):
            sensitive[:, j] = codes.codes[cells.rows]
        found = partition(space, rules, cells.points, cells.start, sensitive)
        dense = Groups.of([found], [int(found.max(initial=0)) + 1])
        ids = np.full(len(members), -1, dtype=np.int64)
        ids[cells.rows] = dense.ids
        return Groups(ids, dense.count)
