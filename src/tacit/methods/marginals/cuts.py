"""A cut of the table for one marginal: who is together, how cells are blurred, and the order in which rows appear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.methods.linkage.mondrian import Attribute
from tacit.randomness import permutation
from tacit.shapes import Blur, Bucketized, Counterfeits, ExtraRows, Marginal
from tacit.table import Groups, Table

if TYPE_CHECKING:
    from tacit.kernels.marginals.cost import MarginalRows


def shown_rows(attributes: Sequence[Attribute], cell: Ints) -> MarginalRows:
    """Return the rows as a marginal of these attributes shows them; `cell` is the same for equal rows."""
    from tacit.kernels.marginals.cost import MarginalRows
    from tacit.kernels.mondrian.space import space_of

    space = space_of([attribute.layout() for attribute in attributes])
    points = np.empty((len(cell), len(attributes)), dtype=np.int32)
    for a, attribute in enumerate(attributes):
        points[:, a] = space.position[space.start[a] : space.start[a + 1]][attribute.codes.codes]
    return MarginalRows(space, points, cell)


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
        A random order of the rows, with those of nobody after the others.
    extra
        The rows of nobody.
    extra_number
        The public number of the group of each of them.
    """

    columns: Sequence[str]
    number: Ints
    blurs: Mapping[str, Blur]
    order: Ints
    extra: ExtraRows | None = None
    extra_number: Ints | None = None

    @classmethod
    def draw(
        cls,
        table: Table,
        columns: Sequence[str],
        attributes: Sequence[Attribute],
        groups: Groups,
        shuffle: Generator,
        nobody: pl.Series | None = None,
    ) -> MarginalCut:
        """Number the groups at random, and the rows.

        `nobody` are the sensitive values of rows that are nobody's; in `groups` they stand after those of the table.
        """
        number = permutation(shuffle, groups.count)
        if nobody is None:
            return cls.numbered(table, columns, attributes, groups, number[groups.ids], shuffle)
        people, others = Groups(groups.ids[: len(table)], groups.count), groups.ids[len(table) :]
        cut = cls.numbered(table, columns, attributes, people, number[people.ids], shuffle)
        return replace(
            cut,
            order=permutation(shuffle, len(groups.ids)),
            extra=ExtraRows(people.first()[others], nobody),
            extra_number=number[others],
        )

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
        return Marginal.publish(table, everyone, self.order, self.columns, self.blurs, self.number, self.extra)

    def bucketized(self, table: Table) -> Bucketized:
        """Publish the cells beside the number, and the sensitive values in a table of their own."""
        everyone = np.ones(len(table), dtype=bool)
        return Bucketized.publish(table, everyone, self.order, self.number, self.columns, self.blurs)


def counterfeits_of(cuts: Mapping[str, MarginalCut], values: pl.Series) -> Counterfeits:
    """Collect the rows of nobody, which every marginal has."""
    return Counterfeits(values, {name: cut.extra_number for name, cut in cuts.items() if cut.extra_number is not None})


def about_counterfeits(cuts: Mapping[str, MarginalCut]) -> tuple[str, ...]:
    """Say how many rows are nobody's, and how many people stand in a group alone with such rows."""
    groups = [(cut.number, cut.extra_number) for cut in cuts.values() if cut.extra_number is not None]
    alone = sum(int((np.bincount(people)[np.unique(nobody)] == 1).sum()) for people, nobody in groups)
    many = len(groups[0][1])
    rows = "1 row is nobody's: it takes" if many == 1 else f"{many:,} rows are nobody's: they take"
    said = (f"{rows} the place of people who left; the column 'counterfeits' says how many each group has",)
    if not alone:
        return said
    where = "1 group holds" if alone == 1 else f"{alone:,} groups hold"
    return (*said, f"{where} one person and counterfeits: her quasi-identifiers stand there as they are")
