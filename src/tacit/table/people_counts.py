"""Counts of people in groups of rows, where a person may have several rows.

The number of different people is not additive: somebody whose rows are in two groups is counted in both. So people are
counted from the rows, or, for groups that are put together, only where nobody is in two of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import Ints
from tacit.table.groups import Groups, Histogram
from tacit.table.people import People


@dataclass(frozen=True, eq=False)
class PeopleCounts:
    """How many people a group has, how many of them have each value, and how many rows they have.

    Attributes
    ----------
    sizes
        The people of each group.
    histograms
        Per sensitive column, how many people of each group have each value in at least one row.
    visits
        How many people of each group have how many rows; its values are places in `lengths`.
    lengths
        The different numbers of rows that a person has in a group, ascending.
    torn
        How many people of each group have rows in other groups too.

    Examples
    --------
    >>> import polars as pl
    >>> people = People.of(pl.Series(["ann", "ann", "bea", "bea", "cid"]))
    >>> ill = {"ill": (np.array([0, 1, 1, 1, 0]), 2)}
    >>> counts = PeopleCounts.of(Groups(np.array([0, 0, 0, 0, 1]), 2), people, ill)
    >>> counts.sizes.tolist(), counts.histograms["ill"].counts.tolist(), counts.most.tolist()
    ([2, 1], [1, 2, 1], [2, 1])
    """

    sizes: Ints
    histograms: Mapping[str, Histogram]
    visits: Histogram
    lengths: Ints
    torn: Ints

    @classmethod
    def of(
        cls, groups: Groups, people: People, sensitive: Mapping[str, tuple[np.ndarray[Any, Any], int]]
    ) -> PeopleCounts:
        """Count the people of every group; `sensitive` are codes and cardinalities, aligned with the rows."""
        inside = groups.ids >= 0
        chosen = slice(None) if inside.all() else np.flatnonzero(inside)
        group, person = groups.ids[chosen], people.ids[chosen]
        members = Groups.of([group, person], [groups.count, people.count])  # a member: one person in one group
        first, rows = members.first(), members.sizes()
        of_member, who = group[first], person[first]
        several = np.bincount(who, minlength=people.count) > 1
        lengths, length = np.unique(rows, return_inverse=True)
        histograms = {
            name: _who_has(members, of_member, codes[chosen], cardinality, groups.count)
            for name, (codes, cardinality) in sensitive.items()
        }
        return cls(
            np.bincount(of_member, minlength=groups.count).astype(np.int64),
            histograms,
            Histogram.of(of_member, groups.count, length, max(1, len(lengths))),
            lengths.astype(np.int64),
            np.bincount(of_member[several[who]], minlength=groups.count).astype(np.int64),
        )

    @property
    def most(self) -> Ints:
        """The largest number of rows of one person, per group; 0 for a group of nobody."""
        filled = np.flatnonzero(self.visits.distinct())
        most = np.zeros(len(self.sizes), dtype=np.int64)
        most[filled] = self.lengths[self.visits.values[self.visits.offsets[filled + 1] - 1]]
        return most

    def take(self, chosen: Ints) -> PeopleCounts:
        """Return the counts of some of the groups, in the order given."""
        histograms = {name: histogram.take(chosen) for name, histogram in self.histograms.items()}
        return PeopleCounts(self.sizes[chosen], histograms, self.visits.take(chosen), self.lengths, self.torn[chosen])

    def without(self, parts: PeopleCounts, chosen: Ints) -> PeopleCounts:
        """Return, for each chosen group of `parts`, who is left of this one group when it is taken away."""
        parts._require_whole()
        histograms = {name: whole.without(parts.histograms[name], chosen) for name, whole in self.histograms.items()}
        return PeopleCounts(
            self.sizes[0] - parts.sizes[chosen],
            histograms,
            self.visits.without(parts.visits, chosen),
            self.lengths,
            np.zeros(len(chosen), dtype=np.int64),
        )

    def grouped(self, groups: Groups) -> PeopleCounts:
        """Add up groups of these groups; nobody may be in two of them."""
        self._require_whole()
        return PeopleCounts(
            groups.sizes(self.sizes),
            {name: histogram.grouped(groups.ids, groups.count) for name, histogram in self.histograms.items()},
            self.visits.grouped(groups.ids, groups.count),
            self.lengths,
            np.zeros(groups.count, dtype=np.int64),
        )

    def _require_whole(self) -> None:
        if self.torn.any():
            raise ValueError("People whose rows are in several groups cannot be added up over groups.")


def _who_has(members: Groups, of_member: Ints, codes: np.ndarray[Any, Any], cardinality: int, count: int) -> Histogram:
    """Count the different people of each group who have each value."""
    pairs = Groups.of([members.ids, codes], [members.count, cardinality])
    first = pairs.first()
    return Histogram.of(of_member[members.ids[first]], count, codes[first], cardinality)
