"""Evidence: what a claim is judged by, counted from the public frames and, where known, from who is missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.shapes import EVERY_STEP, Claim, Published
from tacit.table import Groups, GroupStats, Histogram, Table


@dataclass(frozen=True, eq=False)
class Evidence:
    """A release and, if the auditor has it, the table behind it."""

    published: Published
    table: Table | None = None

    @property
    def groups(self) -> GroupStats:
        """Statistics of the published groups."""
        return self.published.shape.statistics

    @property
    def totals(self) -> GroupStats:
        """Statistics of all published rows, as one group."""
        return self.published.shape.totals

    def whereabouts(self, group: int) -> str:
        """Name a published group."""
        return self.published.shape.whereabouts(group)

    @cached_property
    def source(self) -> Table | None:
        """The input table: the one given, else the one inside."""
        inside = self.published.inside
        return self.table if self.table is not None else None if inside is None else inside.table

    def withheld(self, claim: Claim) -> GroupStats | str | None:
        """Return the statistics of the rows that the claim's step withheld, as one group.

        "apart" where another adversary judges them, None where nothing tells who is missing. Without the private part
        the histogram of the missing is that of the table less that of the release.
        """
        inside = self.published.inside
        if inside is not None:
            mine = [hidden for hidden in inside.withheld if claim.step in {hidden.step, EVERY_STEP}]
            rows = np.zeros(len(inside.kept), dtype=bool)
            for hidden in mine:
                if hidden.judged == "group":
                    rows |= hidden.rows
            if not rows.any():
                return "apart" if any(hidden.rows.any() for hidden in mine) else _nobody()
            if self.source is None:
                return None
            part = self.source.filter(rows)
            return part.statistics(Groups(np.zeros(len(part), dtype=np.int64), 1))
        return self._difference()

    def _difference(self) -> GroupStats | None:
        shape = self.published.shape
        if self.published.size == shape.rows:
            return _nobody()
        if self.source is None:
            return None
        missing = len(self.source) - shape.rows
        if missing < 0:
            return None
        histograms = {}
        for name in shape.sensitive:
            codes = self.source.codes(name)
            texts = codes.texts.to_list()
            published = dict(zip(shape.dictionary(name).cast(str).to_list(), self._published_counts(name), strict=True))
            left = np.array([int(n) - published.pop(text, 0) for text, n in zip(texts, codes.counts(), strict=True)])
            if published or (left < 0).any():
                return None  # the release is not a part of this table
            present = np.flatnonzero(left)
            zeros = np.zeros(len(present), dtype=np.int64)
            histograms[name] = Histogram.from_entries(zeros, present, left[present], 1, codes.cardinality)
        return GroupStats(np.array([missing], dtype=np.int64), histograms)

    def _published_counts(self, name: str) -> list[int]:
        return [int(count) for count in self.totals.histograms[name].totals()]


def _nobody() -> GroupStats:
    return GroupStats(np.zeros(1, dtype=np.int64), {})
