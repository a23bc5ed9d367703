"""One pass: what the paper's own algorithm suppresses (fig. 1). It leaves records above the threshold."""

from __future__ import annotations

import numpy as np

from tacit.arrays import FlagGrid, Ints
from tacit.knowledge.risk import Records


def one_pass(records: Records, risky: Ints) -> FlagGrid:
    """Return the cells to blank: of each risky row those of the known set that adds most to its risk."""
    blank = np.zeros((records.attributes.rows, len(records.attributes.names)), dtype=bool)
    chosen, at = np.unique(records.ids[risky], return_inverse=True)
    if len(chosen):
        blank[risky] = records.population.heaviest(records.victims[chosen], records.gains[chosen])[at]
    return blank
