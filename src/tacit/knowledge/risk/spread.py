"""Spread: how many records are above delta, how the risk of all is spread, and what that took, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from tacit.arrays import Flags
from tacit.knowledge.risk.histogram import Histogram
from tacit.knowledge.risk.score import Score
from tacit.shapes import Published, Remark

KIND = "risk"
"""The kind of the remarks that carry a spread."""


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

    def remark(self) -> Remark:
        """Return it as a remark for the data owner.

        Examples
        --------
        >>> spread = Spread("after", 0.5, 20, 0, 4, 0.1, Histogram(20, (), ()))
        >>> Spread.of(spread.remark()) == spread, Spread.of(Remark("another sentence"))
        (True, None)
        """
        return Remark(str(self), KIND, asdict(self))

    @classmethod
    def of(cls, remark: Remark) -> Spread | None:
        """Return the spread that a remark carries; None if the remark is about something else."""
        if remark.kind != KIND:
            return None
        figures = dict(remark.figures)
        counted = figures.pop("histogram")
        histogram = Histogram(counted["none"], tuple(counted["decades"]), tuple(counted["counts"]))
        return cls(histogram=histogram, **figures)


def risk_spreads(release: Published) -> tuple[Spread, ...]:
    """Return what value suppression found before and after, and for the paper's one pass; nothing for other releases.

    The remarks for the data owner carry it, and the private part keeps them: nothing is computed again.
    """
    remarks = () if release.inside is None else release.inside.remarks
    return tuple(spread for remark in remarks if (spread := Spread.of(remark)) is not None)


def placed(score: Score, delta: float, above: Flags) -> Score:
    """Move intervals to the side of delta that is certain."""
    low = np.where(above, np.maximum(score.low, np.nextafter(delta, np.inf)), np.minimum(score.low, delta))
    high = np.where(above, np.maximum(score.high, low), np.minimum(score.high, delta))
    return Score(low, high, score.empty_set)
