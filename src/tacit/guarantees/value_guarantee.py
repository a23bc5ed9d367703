"""Guarantees whose predicate is a table of rules over counts: the same rules guide cuts and judge a release."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints, places_of
from tacit.errors import RoleError
from tacit.guarantees.base import GroupGuarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding
from tacit.shapes import Claim
from tacit.table import GroupStats, Histogram, Role

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule

_DENSE = 4_000_000
"""The most counts, of 8 bytes each, in one dense piece of a histogram: about 32 MB. Smaller pieces take more steps;
chosen by trial."""


class ValueGuarantee(GroupGuarantee):
    """A promise about the sensitive values of every group, column by column."""

    def _judge(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the groups, unless values are missing from them: a blank may stand for any."""
        blank = [c.name for c in evidence.published.shape.columns if c.role is Role.SENSITIVE and c.suppressed]
        if not blank:
            return super()._judge(evidence, claim)
        return self.finding(
            f"cells of {blank[0]!r} are suppressed, and a blank may stand for any value",
            published="not checked",
            blanks="not checked",
            bound=self.bound(),
            needed=f"what the blank cells of {blank[0]!r} hide: no promise about values is judged over blanks",
        )

    @abstractmethod
    def rules(self, reference: GroupStats, name: str, column: int = 0) -> list[Rule]:
        """Return the conditions on one sensitive column.

        Parameters
        ----------
        reference
            All rows that count as published, in one or more groups: some guarantees compare a group with them.
        name
            The column.
        column
            Its number in the table of rules.
        """

    def conditions(self, reference: GroupStats) -> list[Rule]:
        """Return the rules of every sensitive column."""
        named = enumerate(reference.histograms)
        return [rule for column, name in named for rule in self.rules(reference, name, column)]

    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Judge every group in every sensitive column, by the rules."""
        from tacit.kernels.mondrian.rules import rules_of
        from tacit.kernels.rules_over_groups import judge

        if not stats.histograms:
            if int(stats.sizes.sum()):
                raise RoleError(
                    f"{self} is about a sensitive column, and none is named.", hint="Name one in `sensitive`."
                )
            return np.ones(stats.count, dtype=bool)
        held = np.ones(stats.count, dtype=bool)
        for name, histogram in stats.histograms.items():
            rules = rules_of(self.rules(reference or stats, name), values=[histogram.cardinality])
            sizes = histogram.sizes()
            held &= judge(rules, sizes, histogram.offsets, histogram.values, histogram.counts, histogram.cardinality)
        return held

    def posterior(self, stats: GroupStats) -> Floats:
        """Return the share of the most frequent value, the worst of all columns."""
        worst = np.zeros(stats.count)
        for histogram in stats.histograms.values():
            worst = np.maximum(worst, histogram.largest() / np.maximum(1, histogram.sizes()))
        return worst

    def bound(self) -> float | None:
        """Return None: most of these bound something other than a share."""
        return None


def totals(reference: GroupStats, name: str) -> Ints:
    """Return the counts of a column over all groups."""
    return reference.histograms[name].totals()


def counts(histogram: Histogram) -> Iterator[np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
    """Return the counts of all values in pieces of groups, without the empty groups."""
    filled = np.flatnonzero(histogram.distinct())
    step = max(1, _DENSE // max(1, histogram.cardinality))
    for start in range(0, len(filled), step):
        chosen = filled[start : start + step]
        lengths = histogram.distinct()[chosen]
        row = np.repeat(np.arange(len(chosen)), lengths)
        entry = places_of(histogram.offsets[chosen], lengths)
        dense = np.zeros((len(chosen), histogram.cardinality), dtype=np.int64)
        dense[row, histogram.values[entry]] = histogram.counts[entry]
        yield dense


def shares(histogram: Histogram) -> Iterator[FloatGrid]:
    """Return the shares of all values in pieces of groups, without the empty groups."""
    for dense in counts(histogram):
        yield dense / dense.sum(axis=1, keepdims=True)


def worst_value(stats: GroupStats, names: Any) -> tuple[str, Any, int, int]:
    """Name the column and value with the largest share of all rows, its count and the number of rows."""
    counts = {name: histogram.totals() for name, histogram in stats.histograms.items()}
    column = max(counts, key=lambda name: int(counts[name].max(initial=0)))
    top = int(np.argmax(counts[column]))
    return column, names[column][top], int(counts[column][top]), int(counts[column].sum())
