"""Records: the distinct rows of a release, as victims and as candidates, under one reading of a blank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.arrays import FloatGrid, Ints
from tacit.knowledge.risk.attributes import Attributes, Blank
from tacit.knowledge.risk.population import Population
from tacit.table import Cells, Codes

_SHOWN_OR_BLANK = pl.Series([False, True])


@dataclass(frozen=True, eq=False)
class Records:
    """Rows that are equal in everything the risk looks at, counted once: the cells of a release.

    Attributes
    ----------
    attributes
        What is known of the columns.
    cells
        The distinct rows. An attribute is the column of its number; where some of its cells are blank, one more column
        says which, because the true value behind a blank matters to whoever knows it.
    blank
        The suppressed cells of the records, records by attributes; None where there are none.
    """

    attributes: Attributes
    cells: Cells
    blank: Blank | None

    @classmethod
    def of(cls, attributes: Attributes, blank: Blank | None = None) -> Records:
        """Find the distinct rows of a release whose suppressed cells are `blank` (rows by attributes)."""
        marked = [] if blank is None else np.flatnonzero(blank.any(axis=0)).tolist()
        columns: dict[str, Codes] = {}
        for j, codes in enumerate(attributes.columns):
            if blank is not None and j in marked:
                columns[f"blank {j}"] = Codes(blank[:, j].astype(np.int32), _SHOWN_OR_BLANK)
            columns[str(j)] = codes
        cells = Cells.of(columns, {}, rows=attributes.rows)
        if not marked:
            return cls(attributes, cells, None)
        hidden = np.zeros((len(cells), len(attributes.names)), dtype=bool)
        for j in marked:
            hidden[:, j] = cells.column(f"blank {j}")
        return cls(attributes, cells, hidden)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def ids(self) -> Ints:
        """The record of each row."""
        return self.cells.members.ids

    @property
    def times(self) -> Ints:
        """How many rows each record has."""
        return self.cells.weights

    @property
    def codes(self) -> Sequence[npt.NDArray[np.int32]]:
        """The true code of each record, per attribute."""
        return [self.cells.column(str(j)) for j in range(len(self.attributes.names))]

    @property
    def weighed(self) -> FloatGrid:
        """What each cell of each record weighs, blank or not."""
        return self.attributes.weigh(self.codes, len(self))

    @cached_property
    def gains(self) -> FloatGrid:
        """The weight of each cell of each record; a blank one weighs nothing."""
        gains = self.weighed
        if self.blank is not None:
            gains[self.blank] = 0.0
        return gains

    @cached_property
    def live(self) -> Ints:
        """The records that have something to lose; the risk of the others is 0."""
        return np.flatnonzero(self.gains.any(axis=1))

    def seen(self, *, own: bool) -> npt.NDArray[np.int32]:
        """Return the records as they are matched: as rows of the release, or (`own`) as victims."""
        a = self.attributes
        if self.blank is None or (own and a.missing == "adversary"):
            return self._true
        columns = [
            np.where(self.blank[:, j], size if a.missing == "own" else -1, codes)
            for j, (size, codes) in enumerate(zip(a.sizes, self.codes, strict=True))
        ]
        return self._stacked(columns)

    @cached_property
    def _true(self) -> npt.NDArray[np.int32]:
        return self._stacked(self.codes)

    def _stacked(self, columns: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.int32]:
        rows = np.empty((len(self), len(columns)), dtype=np.int32)
        for j, column in enumerate(columns):
            rows[:, j] = column
        return rows

    @cached_property
    def population(self) -> Population:
        """The release, to be searched."""
        a = self.attributes
        # Two codes besides the values: a blank that is a value of its own, and the value that no row shows.
        return Population.of(self.seen(own=False), self.times, a.known, [size + 2 for size in a.sizes], a.alpha)

    @cached_property
    def victims(self) -> npt.NDArray[np.int32]:
        """The records as whoever looks for them knows them."""
        return self.seen(own=True)

    @cached_property
    def exposed(self) -> npt.NDArray[np.int32]:
        """The records with every suppressed cell read as a value that no row shows.

        To somebody who knows such a cell exactly one row is left, whatever else she knows. Under "own" this risk is at
        least what it was before any of the blanks was made, because there a blank never makes others more alike.
        """
        if self.blank is None:
            return self._true
        sizes = self.attributes.sizes
        columns = [np.where(self.blank[:, j], sizes[j] + 1, codes) for j, codes in enumerate(self.codes)]
        return self._stacked(columns)

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return per row what is known per live record; 0 for the others."""
        whole = np.zeros(len(self), dtype=values.dtype)
        whole[self.live] = values
        return whole[self.ids]
