"""Guarantees whose predicate is a table of rules over counts: the same rules guide cuts and judge a release."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tacit.arrays import Flags, FloatGrid, Floats, Ints, places_of
from tacit.errors import RoleError
from tacit.guarantees.base import GroupGuarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding
from tacit.guarantees.people import in_people, judged, rows_only, rules_in_people
from tacit.shapes import Claim
from tacit.table import GroupStats, Histogram, Role

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule

_DENSE = 4_000_000
"""The most counts, of 8 bytes each, in one dense piece of a histogram: about 32 MB. Smaller pieces take more steps;
chosen by trial."""


class ValueGuarantee(GroupGuarantee):
    """A promise about the sensitive values of every group, column by column.

    Where a person may have several rows, it holds in rows and in people: docs/threats/linkage.md#people-and-rows.
    """

    counts_people: ClassVar[bool] = True

    @property
    def over_pairs(self) -> bool:
        """Whether it is about a distribution: then pairs of person and value are counted in people, not the people."""
        return False

    def whole_of(self, stats: GroupStats, name: str) -> Ints:
        """Return what the shares of the values of a column are shares of, per group: people, pairs or rows."""
        return stats.sizes if stats.unit == "people" and not self.over_pairs else stats.histograms[name].sizes()

    def share_of(self, stats: GroupStats, name: str) -> list[Fraction]:
        """Return the share of every value of a column in all groups together."""
        whole = max(1, int(self.whole_of(stats, name).sum()))
        return [Fraction(int(count), whole) for count in totals(stats, name)]

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
        named = list(enumerate(reference.histograms))
        if reference.people is None:
            return [rule for column, name in named for rule in self.rules(reference, name, column)]
        return [
            rule
            for at, name in named
            for rule in rules_in_people(lambda of, column, name=name: self._placed(of, name, column), reference, at)  # type: ignore[misc]
        ]

    def _placed(self, reference: GroupStats, name: str, column: int) -> list[Rule]:
        """Return the conditions on one column of a unit that is a person."""
        pairs = self.over_pairs and reference.unit == "people"
        return [rule._replace(entries=pairs) for rule in self.rules(reference, name, column)]

    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Judge every group in every sensitive column, by the rules."""
        if not stats.histograms:
            if int(stats.sizes.sum()):
                raise RoleError(
                    f"{self} is about a sensitive column, and none is named.", hint="Name one in `sensitive`."
                )
            return np.ones(stats.count, dtype=bool)
        return judged(self._by_rules, stats, reference)

    def _by_rules(self, stats: GroupStats, reference: GroupStats) -> Flags:
        from tacit.kernels.mondrian.rules import DISTINCT, rules_of
        from tacit.kernels.rules_over_groups import judge

        held = np.ones(stats.count, dtype=bool)
        for name, histogram in stats.histograms.items():
            asked = self.rules(reference, name)
            if stats.unit == "people":  # a person may have several values, so that few people may have many
                asked = [rule._replace(entries=rule.entries or rule.kind == DISTINCT) for rule in asked]
            rules = rules_of(asked, values=[histogram.cardinality])
            sizes = self.whole_of(stats, name)
            held &= judge(rules, sizes, histogram.offsets, histogram.values, histogram.counts, histogram.cardinality)
        return held

    def posterior(self, stats: GroupStats) -> Floats:
        """Return the share of the most frequent value, the worst of all columns, and of people and rows."""
        worst = np.zeros(stats.count)
        for view in (rows_only(stats), in_people(stats)):
            for name, histogram in view.histograms.items():
                worst = np.maximum(worst, histogram.largest() / np.maximum(1, self.whole_of(view, name)))
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


def shares(histogram: Histogram, whole: Ints | None = None) -> Iterator[FloatGrid]:
    """Return the shares of all values in pieces of groups, without the empty groups; `whole` is what they are of."""
    sizes = (histogram.sizes() if whole is None else whole)[histogram.distinct() > 0].astype(np.float64)
    at = 0
    for dense in counts(histogram):
        yield dense / sizes[at : at + len(dense), None]
        at += len(dense)


def worst_value(stats: GroupStats, names: Any) -> tuple[str, Any, int, int]:
    """Name the column and value with the largest share of all rows, its count and the number of rows."""
    counts = {name: histogram.totals() for name, histogram in stats.histograms.items()}
    column = max(counts, key=lambda name: int(counts[name].max(initial=0)))
    top = int(np.argmax(counts[column]))
    whole = int(stats.sizes.sum()) if stats.unit == "people" else int(counts[column].sum())
    return column, names[column][top], int(counts[column][top]), whole


def too_frequent(column: str, value: Any, count: int, whole: int, unit: str) -> str:
    """Say how many rows have a value, or how many people.

    Examples
    --------
    >>> too_frequent("ill", "flu", 5, 6, "rows")
    "'flu' of column 'ill' is in 5 of 6 rows"
    """
    if unit == "people":
        return f"{value!r} of column {column!r} is what {count:,} of {whole:,} people have"
    return f"{value!r} of column {column!r} is in {count:,} of {whole:,} rows"
