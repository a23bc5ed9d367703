"""Possible worlds of groups: who is in each, which values are in it, and what the adversary knows of each person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Flags, FloatGrid, Floats, Ints, offsets_of
from tacit.kernels.distribution.arguments import CERTIFIED, GROUP_ALONE, Knowledge, Members, News, Signatures
from tacit.knowledge.distribution.distribution import Distribution
from tacit.knowledge.distribution.protected import ProtectedEntries
from tacit.table import Cells, Codes, Groups, Histogram, encode

_UNKNOWN = pl.Series([None], dtype=pl.String)
"""The first entry of a dictionary in which a value may be one that the distribution does not know."""


@dataclass(frozen=True, eq=False)
class GroupVerdicts:
    """Of every group: the largest posterior of a protected entry, how it is known, and under which attribute set.

    `status` is EXACT, CERTIFIED, UNDECIDED or IMPOSSIBLE, as `tacit.kernels.distribution.arguments` says. Where news is
    judged, `posterior` is the largest that the prior does not excuse, `beyond` the largest ratio of a posterior to what
    is no news, and `growth` the largest growth of odds among posteriors that the prior excuses.
    """

    posterior: Floats
    status: Ints
    where: Ints
    beyond: Floats | None = None
    growth: Floats | None = None

    def held(self, bound: float) -> Flags:
        """Say which groups are within the bound for sure, or hold no news."""
        if self.beyond is not None:
            return np.asarray((self.beyond <= 1.0) & (self.status <= CERTIFIED))
        return np.asarray((self.posterior <= bound) & (self.status <= CERTIFIED))


@dataclass(frozen=True, eq=False)
class GroupWorlds:
    """Groups of tuples with their values, laid out group after group.

    Attributes
    ----------
    offsets, cells
        Group g holds the tuples `cells[offsets[g]:offsets[g + 1]]`; a cell is a row of `signatures`.
    rows
        For each of them, the row of the people it came from.
    histogram
        The values of each group.
    signatures
        Of each cell and attribute set, the row of `chances`.
    chances
        Probabilities per signature, one column per code of the histogram.
    """

    offsets: Ints
    cells: Ints
    rows: Ints
    histogram: Histogram
    signatures: Signatures
    chances: FloatGrid

    @classmethod
    def of(
        cls,
        people: pl.DataFrame,
        groups: Groups,
        histogram: Histogram,
        values: pl.Series,
        distribution: Distribution,
    ) -> GroupWorlds:
        """Put people (columns of quasi-identifiers) into groups (-1: in none) whose values are counted."""
        codes = []
        for name in distribution.columns:
            if name in people.columns:
                encoded = encode(people[name])
                codes.append(distribution.encode(name, encoded.values)[encoded.codes])
            else:
                codes.append(np.full(people.height, -1, dtype=np.int64))
        return cls.laid_out(codes, groups, histogram, values, distribution)

    @classmethod
    def laid_out(
        cls, codes: list[Any], groups: Groups, histogram: Histogram, values: pl.Series, distribution: Distribution
    ) -> GroupWorlds:
        """Do the same from codes of the distribution's own dictionaries."""
        columns = {
            name: Codes((known + 1).astype(np.int32), pl.concat([_UNKNOWN, distribution.dictionaries[name]]))
            for name, known in zip(distribution.columns, codes, strict=True)
        }
        cells = Cells.of(columns, {}, rows=len(groups.ids))
        known = [cells.column(name).astype(np.int64) - 1 for name in columns]
        signatures = distribution.signatures(known, len(cells))
        inside = np.flatnonzero(groups.ids >= 0)
        rows = inside[np.argsort(groups.ids[inside], kind="stable")]
        offsets = offsets_of(groups.sizes())
        return cls(offsets, cells.members.ids[rows], rows, histogram, signatures, distribution.aligned(values))

    def with_histogram(self, histogram: Histogram) -> GroupWorlds:
        """Return the same people in the same groups, with values that are counted elsewhere."""
        return replace(self, histogram=histogram)

    def judge(
        self, protected: ProtectedEntries, *, exact_view: bool, bound: float, news: News | None = None
    ) -> GroupVerdicts:
        """Judge every group by the bound, or by what is news."""
        from tacit.kernels.distribution.judging import judge_many
        from tacit.kernels.distribution.news import judge_news_of_many

        if not protected.count:
            groups = len(self.offsets) - 1
            nowhere = np.full(groups, GROUP_ALONE, dtype=np.int64)
            return GroupVerdicts(np.zeros(groups), np.zeros(groups, dtype=np.int64), nowhere)
        if news is not None:
            beyond, status, where, figures = judge_news_of_many(self._members, self._knowledge(protected), news)
            return GroupVerdicts(figures[:, 0], status, where, beyond, figures[:, 1])
        return GroupVerdicts(*judge_many(self._members, self._knowledge(protected), exact_view, bound))

    def believe(self, protected: ProtectedEntries, *, exact_view: bool) -> tuple[Floats, Ints, Ints, Flags]:
        """Return per tuple the largest posterior of an entry, a value of it, the attribute set, and whether exact."""
        from tacit.kernels.distribution.beliefs import believe

        posterior, value, where, exact = believe(self._members, self._knowledge(protected), exact_view)
        return posterior, value, where, exact

    def gains(self, *, limit: float, gain: float) -> tuple[Floats, Floats, Ints, Flags]:
        """Return per tuple the surest news about any value, what was believed before, by which set, and if counted."""
        from tacit.kernels.distribution.gains import gains

        posterior, before, where, counted = gains(
            self._members, self.signatures, self.chances, float(limit), float(gain)
        )
        return posterior, before, where, counted

    @property
    def _members(self) -> Members:
        h = self.histogram
        return Members(self.offsets, self.cells, h.offsets, h.values, h.counts)

    def _knowledge(self, protected: ProtectedEntries) -> Knowledge:
        return Knowledge(self.signatures, self.chances, protected.entry_of, protected.sums(self.chances))
