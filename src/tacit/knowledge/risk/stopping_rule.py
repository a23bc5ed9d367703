"""When an interval of risk is narrow enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.arrays import Floats

RELATIVE = 0.01
"""Width of an interval as a share of its upper end that is narrow enough by default."""
_OF_LIMIT, _OF_TOLERANCE, _OF_HIGHEST = 0.02, 1 / 8, 1e-3
"""How far apart the bounds of a node may be in the first round: a share of the limit, of the tolerance, or of the width
asked for if the risk were the highest possible. Smaller shares decide more records in the first round and visit more
nodes for all of them. How the values were chosen was not written down."""
_FINER = 6.0
"""A round allows each node this many times less than the round before. A larger factor takes fewer rounds, but each of
them does more for records that were nearly decided. How the value was chosen was not written down."""
_OF_WIDTH, _FINEST_STEP = 30.0, 100.0
"""Without limit and tolerance, the next round allows a node one 30th of the width asked for, now that the size of the
risk is known; but at least one 100th of what the factor above gives, so that no round is far longer than the one before
it. How the values were chosen was not written down."""
_ROUNDING = 1e-9
"""A width, as a share of the upper end, that finer bounds would not change much: rounding is of this size."""
_EXACT = 1e-13
"""A gap, as a share of the upper end, below which a node is not worth bounding: the next round visits everything."""


@dataclass(frozen=True)
class StoppingRule:
    """When an interval of risk is narrow enough, or decided.

    Attributes
    ----------
    limit
        What each risk is compared with: an interval on one side of it is decided. None for no comparison.
    tolerance
        The width that is narrow enough; by default 0 with a limit, else a share of the upper end.
    relative
        That share.
    """

    limit: float | None = None
    tolerance: float | None = None
    relative: float = RELATIVE

    def first_gap(self, highest: Floats) -> Floats:
        """Return how far apart the bounds of a node may be in the first round, from what the risk is at most."""
        if self.limit is not None and self.limit > 0:
            return np.full(len(highest), _OF_LIMIT * self.limit)
        if self.tolerance is not None:
            return np.full(len(highest), self.tolerance * _OF_TOLERANCE)
        return highest * self.relative * _OF_HIGHEST

    def finer(self, gap: Floats, low: Floats, high: Floats) -> Floats:
        """Return the gap of the next round; 0 where the last one was as fine as rounding."""
        next_ = gap / _FINER
        if self.limit is None and self.tolerance is None:  # by now it is known how small the risk is
            next_ = np.clip(low * self.relative / _OF_WIDTH, next_ / _FINEST_STEP, next_)
        return np.where(next_ < _EXACT * high, 0.0, next_)

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
