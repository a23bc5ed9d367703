"""Cells: the distinct combinations of some columns, how many rows have each, and which sensitive values they have.

It is all that most guarantees, plans and adversaries ask of a table, it is small where people resemble one another, and
the cells of two parts of a table make the cells of the whole. So it is also what one worker of several would send.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.hierarchies import Hierarchy, Tree
from tacit.table.codes import Codes, encode
from tacit.table.groups import Groups, GroupStats, Histogram
from tacit.table.histograms import Histograms
from tacit.table.people import People
from tacit.table.people_counts import PeopleCounts

CodeGrid = np.ndarray[tuple[int, int], np.dtype[np.int32]]


@dataclass(frozen=True, eq=False)
class Cells:
    """Distinct combinations of columns, with counts. Numbered by their codes, never by the order of rows.

    Attributes
    ----------
    codes
        Of each cell, the code in each column; a column lies together in memory.
    weights
        How many rows each cell has; or, where rows were given weights, how much they weigh together.
    dictionaries
        The value behind each code, per column; the columns of `codes` in order.
    histograms
        How often each value of each sensitive column stands in each cell.
    values
        The value behind each code of a histogram, per sensitive column.
    trees
        Hierarchies of sensitive columns, bound to these codes, where declared.
    ids
        The cell of each row; None for cells that were merged, sent or made coarser: they have no rows at hand.
    people
        How many people each cell has, where a person may have several rows.

    Examples
    --------
    >>> age, ill = encode(pl.Series([30, 41, 30])), encode(pl.Series(["flu", "flu", "cold"]))
    >>> cells = Cells.of({"age": age}, {"ill": ill}, rows=3)
    >>> cells.codes.tolist(), cells.weights.tolist(), cells.histograms["ill"].distinct().tolist()
    ([[0], [1]], [2, 1], [2, 1])
    """

    codes: CodeGrid
    weights: Ints
    dictionaries: Mapping[str, pl.Series]
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
    values: Mapping[str, pl.Series] = field(default_factory=dict)
    trees: Mapping[str, Tree] = field(default_factory=dict)
    ids: Ints | None = None
    people: PeopleCounts | None = None

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Codes],
        sensitive: Mapping[str, Codes],
        *,
        rows: int,
        groups: Groups | None = None,
        weights: Ints | None = None,
        people: People | None = None,
    ) -> Cells:
        """Find the distinct combinations of columns; the sensitive values in each are counted when they are asked for.

        Parameters
        ----------
        columns, sensitive
            Encoded columns by name, aligned.
        rows
            How many rows there are.
        groups
            The rows that agree on all columns, where they are grouped already.
        weights
            How much each row counts; by default every row counts once.
        people
            Whose row each row is, where a person may have several.
        """
        encoded = list(columns.values())
        if groups is None:
            groups = Groups.of([c.codes for c in encoded], [c.cardinality for c in encoded], rows=rows)
        first = groups.first()
        return cls(
            codes=stacked([c.codes[first] for c in encoded], len(first)),
            weights=groups.sizes(weights),
            dictionaries={name: c.values for name, c in columns.items()},
            histograms=Histograms(groups, sensitive, weights),
            values={name: c.values for name, c in sensitive.items()},
            trees={name: c.tree for name, c in sensitive.items() if c.tree is not None},
            ids=groups.ids,
            people=None
            if people is None
            else PeopleCounts.of(groups, people, {name: (c.codes, c.cardinality) for name, c in sensitive.items()}),
        )

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns whose combinations are counted."""
        return tuple(self.dictionaries)

    @property
    def rows(self) -> int:
        """How many rows there are in all cells."""
        return int(self.weights.sum())

    def column(self, name: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """Return the code of each cell in one column."""
        return self.codes[:, self.columns.index(name)]

    @property
    def members(self) -> Groups:
        """Every cell as a group of rows, for cells that have their rows at hand."""
        if self.ids is None:
            raise ValueError("These cells do not say which rows they have.")
        return Groups(self.ids, len(self))

    @property
    def nbytes(self) -> int:
        """How many bytes they take; dictionaries, which belong to the table, are not among them."""
        counted = (
            self.histograms.nbytes
            if isinstance(self.histograms, Histograms)
            else sum(histogram.nbytes for histogram in self.histograms.values())
        )
        return self.codes.nbytes + self.weights.nbytes + (0 if self.ids is None else self.ids.nbytes) + counted

    @cached_property
    def statistics(self) -> GroupStats:
        """Every cell as a group."""
        return GroupStats(self.weights, self.histograms, self.trees, self.people)

    @cached_property
    def whole(self) -> GroupStats:
        """All rows as one group."""
        return self.united(np.ones(len(self), dtype=bool))

    def united(self, chosen: Flags) -> GroupStats:
        """Count the rows of the chosen cells as one group, without looking at a row."""
        return self.grouped(Groups(np.where(chosen, 0, -1), 1))

    def grouped(self, groups: Groups) -> GroupStats:
        """Count the rows of groups of cells: `groups` has the number of each cell's group, -1 for none."""
        histograms = {name: h.grouped(groups.ids, groups.count) for name, h in self.histograms.items()}
        people = None if self.people is None else self.people.grouped(groups)
        return GroupStats(groups.sizes(self.weights), histograms, self.trees, people)

    def alike(self, names: Sequence[str]) -> Groups:
        """Group the cells that agree on some of the columns."""
        sizes = [len(self.dictionaries[name]) for name in names]
        return Groups.of([self.column(name) for name in names], sizes, rows=len(self))

    def by(self, names: Sequence[str]) -> Cells:
        """Return the cells of some of the columns: the same rows, distinguished by fewer columns."""
        groups = self.alike(names)
        stats, first = self.grouped(groups), groups.first()
        return replace(
            self,
            codes=stacked([self.column(name)[first] for name in names], len(first)),
            weights=stats.sizes,
            dictionaries={name: self.dictionaries[name] for name in names},
            histograms=stats.histograms,
            ids=None,
            people=stats.people,
        )

    def bound(self, hierarchies: Mapping[str, Hierarchy]) -> Cells:
        """Bind hierarchies to the sensitive columns: cells that were merged or sent have left theirs behind."""
        known = {name: hierarchies[name] for name in self.values if name in hierarchies}
        return replace(self, trees={name: h.bind(self.values[name].drop_nulls()) for name, h in known.items()})

    def merged(self, *others: Cells) -> Cells:
        """Return the cells of several parts of a table together; each part may have dictionaries of its own.

        The hierarchies of sensitive columns stay behind, because they are bound to the codes of one dictionary; `bound`
        binds them again.
        """
        parts = (self, *others)
        if any(part.columns != self.columns or set(part.values) != set(self.values) for part in others):
            raise ValueError("The cells of two parts of a table have the same columns.")
        if any(part.people is not None for part in parts):
            raise ValueError("Nothing tells who is in two parts of a table: people are counted before it is cut.")
        dictionaries, moved = _unified([part.dictionaries for part in parts])
        values, recoded = _unified([part.values for part in parts])
        codes = [
            np.concatenate([moved[name][i][part.column(name)] for i, part in enumerate(parts)]) for name in self.columns
        ]
        groups = Groups.of(codes, [len(d) for d in dictionaries.values()], rows=sum(len(part) for part in parts))
        first = groups.first()
        stacks = {
            name: Histogram.stacked(
                [part.histograms[name].recoded(recoded[name][i], len(values[name])) for i, part in enumerate(parts)]
            )
            for name in self.values
        }
        return Cells(
            codes=stacked([column[first] for column in codes], len(first)),
            weights=groups.sizes(np.concatenate([part.weights for part in parts])),
            dictionaries=dictionaries,
            histograms={name: stack.grouped(groups.ids, groups.count) for name, stack in stacks.items()},
            values=values,
        )


def stacked(columns: Sequence[np.ndarray[Any, Any]], rows: int) -> CodeGrid:
    """Put columns of codes side by side, each together in memory.

    Examples
    --------
    >>> stacked([np.array([0, 1]), np.array([5, 6])], 2).tolist(), stacked([], 2).shape
    ([[0, 5], [1, 6]], (2, 0))
    """
    grid = np.empty((rows, len(columns)), dtype=np.int32, order="F")
    for j, column in enumerate(columns):
        grid[:, j] = column
    return grid


def _unified(parts: Sequence[Mapping[str, pl.Series]]) -> tuple[dict[str, pl.Series], dict[str, list[Ints]]]:
    """Return one dictionary per column for all parts, and where the codes of each part stand in it."""
    dictionaries: dict[str, pl.Series] = {}
    moved: dict[str, list[Ints]] = {}
    for name in parts[0]:
        each = [part[name] for part in parts]
        longest = max(each, key=len)
        if all(values.equals(longest[: len(values)]) for values in each):
            # The same values, null perhaps aside: a declared order of them is kept.
            dictionaries[name] = longest
            moved[name] = [np.arange(len(values)) for values in each]
            continue
        together = encode(pl.concat(each))
        dictionaries[name] = together.values
        ends = np.cumsum([len(values) for values in each])
        moved[name] = [codes.astype(np.int64) for codes in np.split(together.codes, ends[:-1])]
    return dictionaries, moved
