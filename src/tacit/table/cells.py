"""Cells: the distinct combinations of some columns, how many rows have each, and which sensitive values they have.

It is all that most guarantees, plans and adversaries ask of a table, it is small where people resemble one another, and
the cells of two parts of a table make the cells of the whole. So it is also what one worker of several would send.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.hierarchies import Tree
from tacit.table.codes import Codes, encode
from tacit.table.groups import Groups, GroupStats, Histogram

IntGrid = np.ndarray[tuple[int, int], np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
class Cells:
    """Distinct combinations of columns, with counts. Numbered by their codes, never by the order of rows.

    Attributes
    ----------
    codes
        Of each cell, the code in each column.
    weights
        How many rows each cell has.
    dictionaries
        The value behind each code, per column; the columns of `codes` in order.
    histograms
        How often each value of each sensitive column stands in each cell.
    values
        The value behind each code of a histogram, per sensitive column.
    trees
        Hierarchies of sensitive columns, bound to these codes, where declared.
    ids
        The cell of each row; None for cells that were merged or sent: they have no rows at hand.

    Examples
    --------
    >>> age, ill = encode(pl.Series([30, 41, 30])), encode(pl.Series(["flu", "flu", "cold"]))
    >>> cells = Cells.of({"age": age}, {"ill": ill}, rows=3)
    >>> cells.codes.tolist(), cells.weights.tolist(), cells.histograms["ill"].distinct().tolist()
    ([[0], [1]], [2, 1], [2, 1])
    """

    codes: IntGrid
    weights: Ints
    dictionaries: Mapping[str, pl.Series]
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
    values: Mapping[str, pl.Series] = field(default_factory=dict)
    trees: Mapping[str, Tree] = field(default_factory=dict)
    ids: Ints | None = None

    @classmethod
    def of(
        cls, columns: Mapping[str, Codes], sensitive: Mapping[str, Codes], *, rows: int, groups: Groups | None = None
    ) -> Cells:
        """Find the distinct combinations of columns, and count the sensitive values in each.

        Parameters
        ----------
        columns, sensitive
            Encoded columns by name, aligned.
        rows
            How many rows there are.
        groups
            The rows that agree on all columns, where they are grouped already.
        """
        encoded = list(columns.values())
        if groups is None:
            groups = Groups.of([c.codes for c in encoded], [c.cardinality for c in encoded], rows=rows)
        first = groups.first()
        stats = GroupStats.of(groups, {name: (c.codes, c.cardinality) for name, c in sensitive.items()})
        return cls(
            codes=_stacked([c.codes[first] for c in encoded], len(first)),
            weights=stats.sizes,
            dictionaries={name: c.values for name, c in columns.items()},
            histograms=stats.histograms,
            values={name: c.values for name, c in sensitive.items()},
            trees={name: c.tree for name, c in sensitive.items() if c.tree is not None},
            ids=groups.ids,
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

    @cached_property
    def statistics(self) -> GroupStats:
        """Every cell as a group."""
        return GroupStats(self.weights, self.histograms, self.trees)

    @cached_property
    def whole(self) -> GroupStats:
        """All rows as one group."""
        return self.united(np.ones(len(self), dtype=bool))

    def united(self, chosen: Flags) -> GroupStats:
        """Count the rows of the chosen cells as one group, without looking at a row."""
        return self.grouped(np.where(chosen, 0, -1), 1)

    def grouped(self, group: Ints, count: int) -> GroupStats:
        """Count the rows of groups of cells; `group` is the number of each cell's group, -1 for none."""
        inside = group >= 0
        sizes = np.bincount(group[inside], weights=self.weights[inside], minlength=count).astype(np.int64)
        histograms = {name: h.grouped(group, count) for name, h in self.histograms.items()}
        return GroupStats(sizes, histograms, self.trees)

    def by(self, names: Sequence[str]) -> Cells:
        """Return the cells of some of the columns: the same rows, distinguished by fewer columns."""
        at = [self.columns.index(name) for name in names]
        groups = Groups.of(
            [self.codes[:, j] for j in at], [len(self.dictionaries[name]) for name in names], rows=len(self)
        )
        stats = self.grouped(groups.ids, groups.count)
        return Cells(
            codes=self.codes[groups.first()][:, at],
            weights=stats.sizes,
            dictionaries={name: self.dictionaries[name] for name in names},
            histograms=stats.histograms,
            values=self.values,
            trees=self.trees,
            ids=None if self.ids is None else groups.ids[self.ids],
        )

    def merged(self, other: Cells) -> Cells:
        """Return the cells of two parts of a table together; each part may have dictionaries of its own.

        The hierarchies of sensitive columns stay behind: they are bound to the codes of one dictionary.
        """
        if self.columns != other.columns or set(self.values) != set(other.values):
            raise ValueError("The cells of two parts of a table have the same columns.")
        parts = (self, other)
        dictionaries, moved = _unified([part.dictionaries for part in parts])
        values, recoded = _unified([part.values for part in parts])
        codes = np.concatenate(
            [
                _stacked([moved[name][i][part.codes[:, j]] for j, name in enumerate(self.columns)], len(part))
                for i, part in enumerate(parts)
            ]
        )
        groups = Groups.of(list(codes.T), [len(d) for d in dictionaries.values()], rows=len(codes))
        weights = np.concatenate([part.weights for part in parts])
        joined = {
            name: Histogram.stacked(
                [part.histograms[name].recoded(recoded[name][i], len(values[name])) for i, part in enumerate(parts)]
            )
            for name in self.histograms
        }
        return Cells(
            codes=codes[groups.first()],
            weights=np.bincount(groups.ids, weights=weights, minlength=groups.count).astype(np.int64),
            dictionaries=dictionaries,
            histograms={name: h.grouped(groups.ids, groups.count) for name, h in joined.items()},
            values=values,
        )


def _stacked(columns: Sequence[np.ndarray], cells: int) -> IntGrid:
    if not columns:
        return np.zeros((cells, 0), dtype=np.int64)
    return np.stack(columns, axis=1).astype(np.int64)


def _unified(parts: Sequence[Mapping[str, pl.Series]]) -> tuple[dict[str, pl.Series], dict[str, list[Ints]]]:
    """Return one dictionary per column for all parts, and where the codes of each part stand in it."""
    dictionaries: dict[str, pl.Series] = {}
    moved: dict[str, list[Ints]] = {}
    for name in parts[0]:
        each = [part[name] for part in parts]
        both = encode(pl.concat(each))
        dictionaries[name] = both.values
        ends = np.cumsum([len(values) for values in each])
        moved[name] = [codes.astype(np.int64) for codes in np.split(both.codes, ends[:-1])]
    return dictionaries, moved
