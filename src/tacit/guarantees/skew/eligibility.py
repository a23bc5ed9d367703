"""l-eligibility: what a table must satisfy before any l-diverse grouping of it exists (Xiao and Tao 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Floats, Ints
from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import GroupGuarantee, Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, PartVerdict
from tacit.guarantees.people import judged, rules_in_people
from tacit.knowledge.skew import eligible
from tacit.shapes import Claim
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule


BLANKS_NEEDED = "which values the blank cells hide: give the table and the private part of the release"


def blank_columns(evidence: Evidence) -> list[str]:
    """List the sensitive columns of which cells are suppressed."""
    shape = evidence.published.shape
    return [name for name in shape.sensitive if shape.column(name).suppressed]


def judged_with_blanks(evidence: Evidence, l: int) -> PartVerdict:
    """Judge eligibility by the values behind blank cells; without these, by all values that the blanks could hide."""
    shape, source, inside = evidence.published.shape, evidence.source, evidence.inside
    if source is not None and inside is not None:
        kept = [source.counts(name, inside.kept) for name in shape.sensitive]
        return "holds" if all(eligible(counts, l) for counts in kept) else "fails"
    verdict: PartVerdict = "holds"
    for name in shape.sensitive:
        counts, blank = evidence.totals.histograms[name].totals(), shape.dictionary(name).is_null().to_numpy()
        largest, blanks = int(counts[~blank].max(initial=0)), int(counts[blank].sum())
        if l * largest > shape.rows:
            return "fails"
        if l * (largest + blanks) > shape.rows:
            verdict = "not checked"
    return verdict


class Eligibility(GroupGuarantee):
    """No sensitive value is in more than 1/l of the published rows.

    Over the whole release this is a condition of existence: a grouping in which nobody is linked to a value with more
    than 1/l exists exactly if the rows are l-eligible. Asked of one group, it is frequency l-diversity.

    Against
    -------
    Somebody who counts the published values and knows nothing else.

    Promise
    -------
    She believes no value of a published person with more than 1/l, as long as she knows nothing more of the person.
    Somebody who also knows how rows were withheld may learn more; see `docs/threats/skew.md#what-is-promised`.

    Parameters
    ----------
    l
        Integer from 1 up.
    of
        About whom it is: "everybody" in the table, or those "published".

    Cost
    ----
    Time O(m) for m published values.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.zeros(3, int)], [1]), {"disease": (np.array([0, 0, 1]), 2)})
    >>> Eligibility(l=2).satisfied(stats).tolist(), Eligibility(l=1).satisfied(stats).tolist()
    ([False], [True])

    References
    ----------
    Xiao and Tao, Anatomy: simple and effective privacy preservation, 2006.
    """

    knowledge: ClassVar[str] = "how often each sensitive value is published"
    counts_people: ClassVar[bool] = True

    l: Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]

    def evidence(self, evidence: Evidence) -> GroupStats:
        """Judge all published rows together."""
        if not evidence.published.shape.sensitive:
            raise RoleError(f"{self} is about a sensitive column, and none is named.", hint="Name one in `sensitive`.")
        return evidence.totals

    def _judge(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the published rows; a blank cell of a sensitive column may hide any value."""
        finding = super()._judge(evidence, claim)
        if not blank_columns(evidence):
            return finding
        verdict = judged_with_blanks(evidence, self.l)
        needed = BLANKS_NEEDED if verdict == "not checked" else finding.needed
        return replace(finding.but(published=verdict, blanks=verdict), needed=needed)

    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Compare l times the largest count with the size, in integers, for every sensitive column."""

        def few(groups: GroupStats, _: GroupStats) -> Flags:
            held = np.ones(groups.count, dtype=bool)
            for histogram in groups.histograms.values():
                whole = groups.sizes if groups.unit == "people" else histogram.sizes()
                held &= self.l * histogram.largest() <= whole
            return held

        return judged(few, stats, reference)

    def kept_together(self, beliefs: GroupStats, rows: Ints, reference: GroupStats) -> Flags:
        """Accept every belief: the promise is about somebody who knows nothing of a person."""
        return np.ones(beliefs.count, dtype=bool)

    def conditions(self, reference: GroupStats) -> list[Rule]:
        """Return the largest share of a value, for every sensitive column."""
        from tacit.kernels.mondrian import rules

        def share(_: GroupStats, column: int) -> list[Rule]:
            return [rules.Rule(rules.FREQUENCY, column, fraction=Fraction(1, self.l))]

        columns = range(len(reference.histograms))
        if reference.people is not None:
            return [rule for j in columns for rule in rules_in_people(share, reference, j)]
        return [rule for j in columns for rule in share(reference, j)]

    def measure(self, stats: GroupStats) -> int:
        """Return the largest l that all groups satisfy."""
        best = []
        for histogram in stats.histograms.values():
            largest, sizes = histogram.largest(), histogram.sizes()
            best += [int((sizes[largest > 0] // largest[largest > 0]).min())] if (largest > 0).any() else []
        return min(best, default=0)

    def posterior(self, stats: GroupStats) -> Floats:
        """Return the share of the most frequent value."""
        worst = np.zeros(stats.count)
        for histogram in stats.histograms.values():
            worst = np.maximum(worst, histogram.largest() / np.maximum(1, histogram.sizes()))
        return worst

    def bound(self) -> float:
        """Return 1/l."""
        return 1.0 / self.l

    def sentence(self, stats: GroupStats) -> str:
        """Say the share of the most frequent value, not its name."""
        return f"the most frequent value is in {float(self.posterior(stats).max()):.1%} of the rows"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Name the value that is too frequent: of all sensitive columns, the one in most rows."""
        rows = int(stats.sizes.sum())
        counts = {column: histogram.totals() for column, histogram in stats.histograms.items()}
        column = max(counts, key=lambda name: int(counts[name].max()))
        top, best = int(np.argmax(counts[column])), self.measure(stats)
        return Infeasible(
            f"{self} cannot be met: {names[column][top]!r} of column {column!r} is in {int(counts[column][top]):,} of "
            f"{rows:,} rows.",
            hint=f"The largest l that works is {best}; or suppress the surplus first (shift-suppression).",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(l=2)]
