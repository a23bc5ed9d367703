"""A cut of the table for one marginal: who is together, how cells are blurred, and the order in which rows appear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.methods.linkage.mondrian import Attribute
from tacit.randomness import permutation
from tacit.shapes import Blur, Bucketized, Marginal
from tacit.table import Groups, Table


@dataclass(frozen=True, eq=False)
class MarginalCut:
    """What one marginal will show of every row; the cells are written only when the marginal is published.

    Attributes
    ----------
    columns
        The quasi-identifiers of the marginal.
    number
        The public number of each row's group.
    blurs
        The blurred columns.
    order
        A random order of the rows.
    """

    columns: Sequence[str]
    number: Ints
    blurs: Mapping[str, Blur]
    order: Ints

    @classmethod
    def draw(
        cls, table: Table, columns: Sequence[str], attributes: Sequence[Attribute], groups: Groups, shuffle: Generator
    ) -> MarginalCut:
        """Number the groups at random, and the rows."""
        number = permutation(shuffle, groups.count)[groups.ids]
        return cls.numbered(table, columns, attributes, groups, number, shuffle)

    @classmethod
    def numbered(
        cls,
        table: Table,
        columns: Sequence[str],
        attributes: Sequence[Attribute],
        groups: Groups,
        number: Ints,
        shuffle: Generator,
    ) -> MarginalCut:
        """Blur by `groups`, and publish other numbers beside the cells: those of batches."""
        blurs = {a.column.name: blur for a in attributes if (blur := a.blur(groups)) is not None}
        return cls(columns, number, blurs, permutation(shuffle, len(table)))

    def marginal(self, table: Table) -> Marginal:
        """Publish the cells and the group's number beside the sensitive value."""
        everyone = np.ones(len(table), dtype=bool)
        return Marginal.publish(table, everyone, self.order, self.columns, self.blurs, self.number)

    def bucketized(self, table: Table) -> Bucketized:
        """Publish the cells beside the number, and the sensitive values in a table of their own."""
        everyone = np.ones(len(table), dtype=bool)
        return Bucketized.publish(table, everyone, self.order, self.number, self.columns, self.blurs)
