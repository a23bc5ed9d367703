"""Score: an interval of risk for every record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.arrays import Floats
from tacit.errors import ParameterError
from tacit.knowledge.risk.records import Records
from tacit.knowledge.risk.search import UNDECIDED, bound
from tacit.knowledge.risk.stopping_rule import RELATIVE, StoppingRule
from tacit.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class Score:
    """The risk of every row, as intervals that contain it.

    Attributes
    ----------
    low, high
        The ends.
    empty_set
        What a blind guess reveals: alpha times all weights over the number of rows. It is no knowledge, and not in the
        risk.
    delta
        What the risk was compared with, if anything.
    """

    low: Floats
    high: Floats
    empty_set: Floats
    delta: float | None = None
    _above: npt.NDArray[np.int8] | None = None

    @property
    def above(self) -> npt.NDArray[np.bool_]:
        """Which rows are above delta; one that could not be decided counts as above."""
        return np.asarray(self._compared != 0)

    @property
    def decided(self) -> npt.NDArray[np.bool_]:
        """Of which rows it is certain."""
        return np.asarray(self._compared != UNDECIDED)

    @property
    def _compared(self) -> npt.NDArray[np.int8]:
        if self._above is None:
            raise ParameterError("The risk was not compared with anything.", hint="Say score(table, delta=...).")
        return self._above

    @property
    def middle(self) -> Floats:
        """The middle of each interval."""
        return (self.low + self.high) / 2


def score_records(
    records: Records,
    *,
    tolerance: float | None = None,
    delta: float | None = None,
    relative: float = RELATIVE,
    rounds: int | None = None,
    progress: Progress = silent,
    stage: str = "risk of every record",
) -> Score:
    """Bound the risk of every row of a release."""
    a, live = records.attributes, records.live
    bounds = bound(
        records.population,
        records.victims[live],
        records.gains[live],
        StoppingRule(delta, tolerance, relative),
        rounds=rounds,
        progress=progress,
        stage=stage,
    )
    guess = a.alpha * records.gains[live].sum(axis=1) / max(1, a.rows)
    return Score(
        records.spread(bounds.low),
        records.spread(bounds.high),
        records.spread(guess),
        delta,
        None if delta is None else records.spread(bounds.above),
    )
