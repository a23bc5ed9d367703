"""Sensitive moves: blank what would be learned.

The risk of a record is a sum over its weighted cells, and blanking one of them takes its part away. So the parts are
computed one by one and as many cells are kept as fit below delta, the smallest parts first.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.arrays import Ints
from tacit.knowledge.risk import Records
from tacit.knowledge.risk.attributes import Blank
from tacit.knowledge.risk.search import bound
from tacit.knowledge.risk.stopping_rule import StoppingRule
from tacit.progress import Progress, silent

_COARSE, _ROUNDS = 0.1, 3
"""The width of an interval, as a share of its upper end, that is narrow enough, and rounds of the search at most. Only
the upper ends are used. Wider intervals are found sooner, but where an upper end is too high a cell more is suppressed
than needed. How the value was chosen was not written down."""
_ROUNDING = 1e-9
"""Relative rounding that is added to a sum of parts before it is compared with delta. The sum of a record is taken as a
difference of two sums over all records before it, so its rounding is more than that of its own terms. How the value was
chosen was not written down."""


def weighted_cells(records: Records, chosen: Ints) -> npt.NDArray[np.int64]:
    """Count the cells of some records that weigh something."""
    return np.asarray((records.gains[chosen] > 0).sum(axis=1))


def sensitive_moves(records: Records, chosen: Ints, delta: float, progress: Progress = silent) -> Blank:
    """Return which cells of the chosen records to blank, so that what is left is certainly at most delta."""
    gains = records.gains[chosen]
    blank = gains > 0
    several = np.flatnonzero(blank.sum(axis=1) > 1)
    if not len(several):
        return blank
    which, column = np.nonzero(blank[several])
    parts = np.zeros((len(which), gains.shape[1]))
    parts[np.arange(len(which)), column] = gains[several[which], column]
    victims = records.victims[chosen[several[which]]]
    goal = StoppingRule(relative=_COARSE)
    bounds = bound(
        records.population, victims, parts, goal, rounds=_ROUNDS, progress=progress, stage="what to suppress"
    )
    # Smallest part first within each record; a cell stays while the sum so far, rounded up, fits.
    order = np.lexsort((bounds.high, which))
    owner, sizes = which[order], bounds.high[order]
    total = np.cumsum(sizes)
    start = np.searchsorted(owner, np.arange(len(several)))
    so_far = (total - (total - sizes)[start][owner]) * (1.0 + _ROUNDING)
    kept = so_far <= delta
    blank[several[owner[kept]], column[order][kept]] = False
    return blank
