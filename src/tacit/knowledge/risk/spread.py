"""Spread: how many records are above delta, how the risk of all is spread, and what that took, as plain values."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from tacit.arrays import Flags
from tacit.knowledge.risk.histogram import Histogram
from tacit.knowledge.risk.score import Score
from tacit.shapes import Published

_TOLD = re.compile(
    r"(?P<when>[^:]+): (?P<above>[\d,]+) of (?P<rows>[\d,]+) records above (?P<delta>\S+); (?P<cells>[\d,]+) cells "
    r"suppressed, NCP (?P<ncp>\S+); records by risk from (?P<histogram>.+)"
)


@dataclass(frozen=True)
class Spread:
    """The risk of a table, or of a release of it.

    Attributes
    ----------
    when
        "before", "after", or "the paper's one pass".
    delta, rows, above
        The threshold, the records, and how many of them are above it: certified, none is estimated.
    cells, ncp
        How many cells are suppressed, and which share of all cells that the risk is about.
    histogram
        Records by decade of risk. It agrees with `above`: nobody at most at delta is counted in a decade beyond it.
    """

    when: str
    delta: float
    rows: int
    above: int
    cells: int
    ncp: float
    histogram: Histogram

    @property
    def bins(self) -> tuple[tuple[str, int], ...]:
        """Labels and counts from no risk to the largest, to be drawn or listed."""
        return self.histogram.bins

    def __str__(self) -> str:
        return (
            f"{self.when}: {self.above:,} of {self.rows:,} records above {self.delta:g}; {self.cells:,} cells "
            f"suppressed, NCP {self.ncp:.5f}; records by risk from {self.histogram}"
        )

    @classmethod
    def read(cls, text: str) -> Spread | None:
        """Read back what `str` wrote, from the remarks of a release; None if it is about something else.

        Examples
        --------
        >>> Spread.read("after: 0 of 20 records above 0.5; 4 cells suppressed, NCP 0.10000; records by risk from 0: 20")
        Spread(when='after', delta=0.5, rows=20, above=0, cells=4, ncp=0.1, histogram=Histogram(none=20, ...
        """
        told = _TOLD.fullmatch(text)
        if told is None:
            return None
        above, rows, cells = (int(told[name].replace(",", "")) for name in ("above", "rows", "cells"))
        histogram = Histogram.read(told["histogram"])
        return cls(told["when"], float(told["delta"]), rows, above, cells, float(told["ncp"]), histogram)


def risk_spreads(release: Published) -> tuple[Spread, ...]:
    """Return what value suppression found before and after, and for the paper's one pass; nothing for other releases.

    It is read from the remarks for the data owner, which the private part keeps: nothing is computed again.
    """
    remarks = () if release.inside is None else release.inside.remarks
    return tuple(spread for text in remarks if (spread := Spread.read(text)) is not None)


def placed(score: Score, delta: float, above: Flags) -> Score:
    """Move intervals to the side of delta that is certain."""
    low = np.where(above, np.maximum(score.low, np.nextafter(delta, np.inf)), np.minimum(score.low, delta))
    high = np.where(above, np.maximum(score.high, low), np.minimum(score.high, delta))
    return Score(low, high, score.empty_set)
