"""l-eligibility: what a table must satisfy before any l-diverse grouping of it exists (Xiao and Tao 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Floats
from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import GroupGuarantee, Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule


class Eligibility(GroupGuarantee):
    """No sensitive value is in more than 1/l of the published rows.

    Over the whole release this is a condition of existence. Asked of one group, it is frequency l-diversity: nobody in
    the group is linked to a value with probability above 1/l.

    Parameters
    ----------
    l
        Integer from 1 up.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.zeros(3, int)], [1]), {"disease": (np.array([0, 0, 1]), 2)})
    >>> Eligibility(l=2).satisfied(stats).tolist(), Eligibility(l=1).satisfied(stats).tolist()
    ([False], [True])
    """

    knowledge: ClassVar[str] = "how often each sensitive value is published"

    l: Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]

    def evidence(self, evidence: Evidence) -> GroupStats:
        """Judge all published rows together."""
        if not evidence.published.shape.sensitive:
            raise RoleError(f"{self} is about a sensitive column, and none is named.", hint="Name one in `sensitive`.")
        return evidence.totals

    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Compare l times the largest count with the size, in integers, for every sensitive column."""
        held = np.ones(stats.count, dtype=bool)
        for histogram in stats.histograms.values():
            held &= self.l * histogram.largest() <= histogram.sizes()
        return held

    def conditions(self, reference: GroupStats) -> list[Rule]:
        """Return the largest share of a value, for every sensitive column."""
        from tacit.kernels.mondrian import rules

        share = Fraction(1, self.l)
        return [rules.Rule(rules.FREQUENCY, j, fraction=share) for j in range(len(reference.histograms))]

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
        """Tell the share of the most frequent value, not its name."""
        return f"the most frequent value is in {float(self.posterior(stats).max()):.1%} of the rows"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Name the value that is too frequent, of the column in which one is most frequent."""
        rows = int(stats.sizes.sum())
        counts = {column: histogram.totals() for column, histogram in stats.histograms.items()}
        column = max(counts, key=lambda name: int(counts[name].max()))
        top, best = int(np.argmax(counts[column])), self.measure(stats)
        return Infeasible(
            f"{self} cannot be met: {names[column][top]!r} of column {column!r} is in {int(counts[column][top]):,} of "
            f"{rows:,} rows.",
            hint=f"The largest l that works is {best}; or suppress the surplus first (ShiftSuppression).",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(l=2)]
