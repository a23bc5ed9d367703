"""The risk of a table or a release in a few figures: how many records are above delta, how risk is spread, its cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.arrays import FlagGrid, Flags
from tacit.guarantees import RiskBelow
from tacit.knowledge.risk import Attributes, Records, Score, score_records
from tacit.measures.ncp import blank_losses, mean_loss
from tacit.measures.risk.histogram import RiskHistogram
from tacit.progress import Progress, part, silent

# A histogram of decades needs no narrow intervals: the width may be half of the upper end, and the search stops after
# three rounds. Wider intervals are quicker and put more records into a neighbouring decade; how the values were chosen
# was not written down.
_COARSE, _ROUNDS = 0.5, 3


@dataclass(frozen=True)
class RiskSummary:
    """The risk of a table, or of a release of it.

    Attributes
    ----------
    when
        "before", "after", or "the paper's one pass".
    delta, rows, above
        The threshold, the records, and how many of them are above it: certified, none is estimated.
    cells, ncp
        How many cells are suppressed, and the NCP of that over the columns that the risk is about.
    histogram
        Records by decade of risk. It agrees with `above`: nobody at most at delta is counted in a decade beyond it.
    """

    when: str
    delta: float
    rows: int
    above: int
    cells: int
    ncp: float
    histogram: RiskHistogram

    @property
    def bins(self) -> tuple[tuple[str, int], ...]:
        """Labels and counts from no risk to the largest, to be drawn or listed."""
        return self.histogram.bins

    def __str__(self) -> str:
        return (
            f"{self.when}: {self.above:,} of {self.rows:,} records above {self.delta:g}; {self.cells:,} cells "
            f"suppressed, NCP {self.ncp:.5f}; records by risk: {self.histogram}"
        )


def summarize(
    guarantee: RiskBelow, attributes: Attributes, blank: FlagGrid, when: str, progress: Progress = silent
) -> RiskSummary:
    """Measure the risk of a release.

    Parameters
    ----------
    guarantee
        The threshold, and how a record is compared with it.
    attributes, blank
        The input and the cells that are suppressed in it, aligned with each other.
    when
        What to call the release.
    progress
        Told the stage and the share done.
    """
    records = Records.of(attributes, blank)
    above = guarantee.score(records, part(progress, 0.0, 0.6)).above
    coarse = score_records(
        records, relative=_COARSE, rounds=_ROUNDS, progress=part(progress, 0.6, 1.0), stage=f"risk {when}"
    )
    return RiskSummary(
        when,
        guarantee.delta,
        attributes.rows,
        int(above.sum()),
        int(blank.sum()),
        mean_loss(blank_losses(blank, dict(zip(attributes.names, attributes.sizes, strict=True)))),
        RiskHistogram.of(_placed(coarse, guarantee.delta, above)),
    )


def _placed(score: Score, delta: float, above: Flags) -> Score:
    """Move intervals to the side of delta that is certain."""
    low = np.where(above, np.maximum(score.low, np.nextafter(delta, np.inf)), np.minimum(score.low, delta))
    high = np.where(above, np.maximum(score.high, low), np.minimum(score.high, delta))
    return Score(low, high, score.empty_set)
