"""Drawn rows: people as somebody would make them up who has the release and wants a table of plain values.

A class is drawn as often as it has rows, of every cell one of the values that it may stand for, and of the sensitive
values one as often as it is expected there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import Floats, Ints, offsets_of
from tacit.shapes import Shape, cover
from tacit.shapes.cell_cover import Cover
from tacit.table import Table, as_text


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """Codes of the table's columns, by column; -1 where the table has no such value."""

    codes: dict[str, Ints]

    @classmethod
    def of(cls, shape: Shape, table: Table, names: Sequence[str], rows: int, draws: np.random.Generator) -> DrawnRows:
        """Draw some rows with the columns named, quasi-identifiers or sensitive ones."""
        classes, known = shape.classes, list(shape.quasi_identifiers)
        weights = classes.weights.astype(np.float64)
        chosen = _weighted(np.cumsum(weights), draws.random(rows) * weights.sum())
        codes: dict[str, Ints] = {}
        for name in names:
            if name in classes.spreads:
                spread = classes.spreads[name]
                running = np.cumsum(spread.weights)
                before = np.concatenate([[0.0], running])
                low, high = before[spread.offsets[chosen]], before[spread.offsets[chosen + 1]]
                entry = _weighted(running, low + draws.random(rows) * (high - low))
                there = table.codes(name).positions(as_text(spread.dictionary))
                codes[name] = np.where(high > low, there[spread.values[entry]], -1)
            else:
                covers = cover(classes.labels[name], shape.column(name), table.codes(name).values)
                codes[name] = one_of_each(covers, classes.codes[chosen, known.index(name)].astype(np.int64), draws)
        return cls(codes)


def one_of_each(covers: Cover, cells: Ints, draws: np.random.Generator) -> Ints:
    """Draw for each cell one of the values that it may stand for, all equally likely; -1 where there is none."""
    value_at = np.empty(len(covers.position), dtype=np.int64)
    value_at[covers.position] = np.arange(len(covers.position))
    row, at = np.nonzero(covers.matrix)
    offsets = offsets_of(np.bincount(row, minlength=len(covers.matrix)))
    listed = covers.row[cells] >= 0
    where = np.where(listed, covers.row[cells], 0)
    begin = offsets[where] if len(covers.matrix) else np.zeros(len(cells), dtype=np.int64)
    end = offsets[where + 1] if len(covers.matrix) else np.zeros(len(cells), dtype=np.int64)
    first, last = np.where(listed, begin, covers.start[cells]), np.where(listed, end, covers.stop[cells])
    drawn = first + np.floor(draws.random(len(cells)) * (last - first)).astype(np.int64)
    place = np.where(listed, at[np.minimum(drawn, len(at) - 1)] if len(at) else 0, drawn)
    return np.where(last > first, value_at[np.clip(place, 0, len(value_at) - 1)], -1).astype(np.int64)


def _weighted(running: Floats, wanted: Floats) -> Ints:
    return np.minimum(np.searchsorted(running, wanted, side="right"), max(0, len(running) - 1)).astype(np.int64)
