"""When an interval of risk is narrow enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.arrays import Floats

RELATIVE = 0.01
"""Width of an interval as a share of its upper end that is narrow enough by default."""
# A round allows each node this many times less than the round before. A larger factor takes fewer rounds, but each of
# them does more for records that were nearly decided. How the value was chosen was not written down.
_FINER = 6.0
# A width, as a share of the upper end, that finer bounds would not change much: rounding is of this size.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class StoppingRule:
    """What is asked of the intervals.

    Attributes
    ----------
    limit
        Decide whether each risk is above it; None: do not.
    tolerance
        The width that will do; by default 0 with a limit, else a share of the upper end.
    relative
        That share.
    """

    limit: float | None = None
    tolerance: float | None = None
    relative: float = RELATIVE

    def first_gap(self, highest: Floats) -> Floats:
        """Return how far apart the bounds of a node may be in the first round, from what the risk is at most."""
        if self.limit is not None and self.limit > 0:
            return np.full(len(highest), 0.02 * self.limit)
        if self.tolerance is not None:
            return np.full(len(highest), self.tolerance / 8.0)
        return highest * self.relative * 1e-3

    def finer(self, gap: Floats, low: Floats, high: Floats) -> Floats:
        """Return the gap of the next round; 0 where the last one was as fine as rounding."""
        next_ = gap / _FINER
        if self.limit is None and self.tolerance is None:  # by now it is known how small the risk is
            next_ = np.clip(low * self.relative / 30.0, next_ / 100.0, next_)
        return np.where(next_ < 1e-13 * high, 0.0, next_)

    def enough(self, low: Floats) -> Floats:
        """Return the width at which a search may stop in the middle of a round; -1: never by its width."""
        if self.tolerance is not None:
            return np.full(len(low), self.tolerance if self.tolerance > 0 else -1.0)
        return np.full(len(low), -1.0) if self.limit is not None else np.where(low > 0, low * self.relative, -1.0)

    def unmet(self, low: Floats, high: Floats) -> npt.NDArray[np.bool_]:
        """Say which intervals are too wide, and not decided either."""
        width = high - low
        by_default = self.relative * high if self.limit is None else 0.0
        wanted = by_default if self.tolerance is None else self.tolerance
        wide = (width > wanted) & (width > _ROUNDING * high)
        return wide if self.limit is None else wide & (low <= self.limit) & (high > self.limit)
