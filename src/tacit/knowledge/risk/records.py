"""Records: the distinct rows of a release, as victims and as candidates, under one reading of a blank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.arrays import FloatGrid, Ints
from tacit.knowledge.risk.attributes import Attributes, Blank
from tacit.knowledge.risk.population import Population
from tacit.table import Groups


@dataclass(frozen=True, eq=False)
class Records:
    """Rows that are equal in everything the risk looks at, counted once.

    Attributes
    ----------
    attributes
        What is known of the columns.
    ids
        The record of each row.
    first
        One row of each record.
    times
        How many rows each record has.
    blank
        The suppressed cells of the first rows, records by attributes; None where there are none.
    """

    attributes: Attributes
    ids: Ints
    first: Ints
    times: Ints
    blank: Blank | None

    @classmethod
    def of(cls, attributes: Attributes, blank: Blank | None = None) -> Records:
        """Find the distinct rows of a release whose suppressed cells are `blank` (rows by attributes)."""
        codes, sizes = list(attributes.codes), list(attributes.sizes)
        if blank is not None and blank.any():
            marked = np.flatnonzero(blank.any(axis=0))
            for j in marked:  # the true value behind a blank matters to who knows it
                codes[j] = codes[j] + np.int32(sizes[j]) * blank[:, j].astype(np.int32)
                sizes[j] *= 2
        else:
            blank = None
        groups = Groups.of(codes, sizes, rows=attributes.rows)
        first = groups.first()
        return cls(attributes, groups.ids, first, groups.sizes(), None if blank is None else blank[first])

    @cached_property
    def gains(self) -> FloatGrid:
        """The weight of each cell of each record."""
        gains = self.attributes.gains(self.first)
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
        columns = [codes[self.first] for codes in a.codes]
        if self.blank is not None and not (own and a.missing == "adversary"):
            for j, size in enumerate(a.sizes):
                columns[j] = np.where(self.blank[:, j], size if a.missing == "own" else -1, columns[j])
        stacked = np.stack(columns, axis=1) if columns else np.zeros((len(self.first), 0))
        return np.ascontiguousarray(stacked, dtype=np.int32)

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
        columns = [codes[self.first] for codes in self.attributes.codes]
        if self.blank is not None:
            columns = [np.where(self.blank[:, j], self.attributes.sizes[j] + 1, each) for j, each in enumerate(columns)]
        stacked = np.stack(columns, axis=1) if columns else np.zeros((len(self.first), 0))
        return np.ascontiguousarray(stacked, dtype=np.int32)

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return per row what is known per live record; 0 for the others."""
        whole = np.zeros(len(self.first), dtype=values.dtype)
        whole[self.live] = values
        return whole[self.ids]
