"""Feature space: people as rows of numbers, the same for a table and for what was published of it.

A number or a date is one standardized column. Of words, the most frequent values are one column each, but for the
first, which is what the others are compared with. A published cell that may be several values is their mean: the middle
of an interval, and a share for each word of a set. That is what a careful analyst does with blurred cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.shapes import Shape, cover
from tacit.shapes.cell_cover import Cover
from tacit.table import Kind, Table

_LEVELS = 20
"""Values of a column of words that have a column of their own. More follow the data more closely and take longer to
fit; rarer values count as the reference. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class FeatureColumn:
    """One column of a table as numbers: `numbers[code]` are the features of a value."""

    source: str
    names: tuple[str, ...]
    numbers: FloatGrid


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """The columns that models and regressions see, all of them quasi-identifiers."""

    table: Table
    columns: tuple[FeatureColumn, ...]

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> FeatureSpace:
        """Make the features of some columns."""
        made = (_column(table, name) for name in names)
        return cls(table, tuple(column for column in made if column.names))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every feature, such as `age` or `sex = female`."""
        return tuple(name for column in self.columns for name in column.names)

    def exact(self, rows: Ints) -> FloatGrid:
        """Return the features of some rows of the table."""
        return _beside([c.numbers[self.table.codes(c.source).codes[rows]] for c in self.columns], len(rows))

    def published(self, shape: Shape) -> FloatGrid:
        """Return the features of every class of a published table; a column that it lacks is at its mean."""
        classes, known = shape.classes, list(shape.quasi_identifiers)
        parts = []
        for column in self.columns:
            if column.source not in known:
                parts.append(np.zeros((len(classes.weights), len(column.names))))
                continue
            values = self.table.codes(column.source).values
            covers = cover(classes.labels[column.source], shape.column(column.source), values)
            parts.append(means(covers, column.numbers)[classes.codes[:, known.index(column.source)]])
        return _beside(parts, len(classes.weights))


def means(covers: Cover, numbers: FloatGrid) -> FloatGrid:
    """Return the mean of the values that each cell may stand for; of a cell that stands for none, zero.

    Values in a range are summed by differences of running sums, so that nothing grows with cells times values.
    """
    ordered = np.empty_like(numbers)
    ordered[covers.position] = numbers
    running = np.vstack([np.zeros((1, numbers.shape[1])), np.cumsum(ordered, axis=0)])
    found = np.zeros((len(covers.start), numbers.shape[1]))
    listed = covers.row >= 0
    width = np.maximum(1, covers.stop - covers.start)[:, None]
    found[~listed] = ((running[covers.stop] - running[covers.start]) / width)[~listed]
    chosen = covers.matrix[covers.row[listed]].astype(np.float64)
    found[listed] = (chosen @ ordered) / np.maximum(1.0, chosen.sum(axis=1, keepdims=True))
    return found


def numbers_of(table: Table, name: str) -> Floats | None:
    """Return the number behind each code of a column of numbers or dates; None for words. A null is at the mean."""
    if table.column(name).kind not in {Kind.NUMERIC, Kind.DATE}:
        return None
    values = table.codes(name).values
    numbers = values.to_physical().cast(float, strict=False).to_numpy().astype(np.float64)
    known = np.isfinite(numbers)
    if not known.any():
        return None
    counts = table.counts(name).astype(np.float64)
    mean = float(np.average(numbers[known], weights=counts[known] + 1e-12))
    return np.where(known, numbers, mean)


def _column(table: Table, name: str) -> FeatureColumn:
    counts = table.counts(name).astype(np.float64)
    numbers = numbers_of(table, name)
    if numbers is not None:
        mean = float(np.average(numbers, weights=counts))
        spread = float(np.sqrt(np.average((numbers - mean) ** 2, weights=counts)))
        if spread <= 0:
            return FeatureColumn(name, (), np.empty((len(numbers), 0)))
        return FeatureColumn(name, (name,), ((numbers - mean) / spread)[:, None])
    frequent = np.argsort(-counts, kind="stable")[1 : _LEVELS + 1]
    matrix = np.zeros((len(counts), len(frequent)))
    matrix[frequent, np.arange(len(frequent))] = 1.0
    texts = table.codes(name).texts
    return FeatureColumn(name, tuple(f"{name} = {texts[int(at)]}" for at in frequent), matrix)


def _beside(parts: Sequence[FloatGrid], rows: int) -> FloatGrid:
    return np.hstack(parts) if parts else np.zeros((rows, 0))
