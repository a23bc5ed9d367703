"""Sighting: what one table of a release tells of everybody who is in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.arrays import Ints
from tacit.table import Histogram


@dataclass(frozen=True, eq=False)
class Sighting:
    """The group of each person in one table, and how often each value stands in each group.

    Attributes
    ----------
    release
        The number of the release that the table belongs to.
    group
        Per person the group that she is in, -1 for whoever is not in the table or of whom it tells nothing.
    values
        The values of each group, in a coding that all sightings share.
    counted
        Whether the people of a group are known, so that their values must add up to the counts. Otherwise only which
        values are possible is used.
    """

    release: int
    group: Ints
    values: Histogram
    counted: bool = True

    def entry(self, people: Ints, value: Ints) -> Ints:
        """Return which entry of the histogram a value of a person is: -1 where she is in no group, -2 in none of it."""
        mine = self.group[people]
        width = max(1, self.values.cardinality)
        keys = self.values.entry_groups() * width + self.values.values
        asked = mine * width + value
        at = np.minimum(np.searchsorted(keys, asked), max(0, len(keys) - 1))
        known = keys[at] == asked if len(keys) else np.zeros(len(asked), dtype=bool)
        return np.where(mine < 0, -1, np.where(known, at, -2))
