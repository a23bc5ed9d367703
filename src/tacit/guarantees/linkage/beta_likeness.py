"""beta-likeness (Cao and Karras 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.errors import Infeasible
from tacit.guarantees.base import Guarantee
from tacit.guarantees.finding import several
from tacit.guarantees.value_guarantee import ValueGuarantee, shares, totals
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule


class BetaLikeness(ValueGuarantee):
    """No sensitive value is much more frequent in a group than among all published rows.

    The gain (p - q) / q of every value is at most beta; `enhanced` asks at most min(beta, -ln q), so that a frequent
    value may gain less.

    Against
    -------
    Somebody who knows every quasi-identifier of a person, that she is in the table, and how the sensitive values are
    distributed over all published rows.

    Promise
    -------
    Her belief in any value of a person is at most 1 + beta times its share in all published rows, rare values included.
    It is a weighted mean over the groups that the person fits: docs/threats/linkage.md#why-it-holds.

    Parameters
    ----------
    beta
        The largest gain, above 0.
    kind
        "basic" or "enhanced".

    Cost
    ----
    O(g v) for g groups and v values of the column.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.array([0, 0, 1, 1])], [2]), {"ill": (np.array([0, 1, 1, 1]), 2)})
    >>> BetaLikeness(beta=0.5).satisfied(stats).tolist(), BetaLikeness(beta=1).measure(stats)
    ([False, True], 1.0)

    References
    ----------
    Cao and Karras, "Publishing microdata with a robust privacy guarantee", VLDB 2012.
    """

    knowledge: ClassVar[str] = "every quasi-identifier of a person, and how the sensitive values are distributed"
    compares_with_published: ClassVar[bool] = True

    beta: Annotated[float, Field(gt=0, allow_inf_nan=False, description="the largest relative gain, above 0")]
    kind: Literal["basic", "enhanced"] = Field("basic", description='"basic" or "enhanced"')

    def _gain(self, q: Fraction) -> Fraction:
        """Return the allowed gain of a value; the logarithm is rounded down."""
        asked = Fraction(str(self.beta))
        if self.kind == "basic" or not q:
            return asked
        return min(asked, max(Fraction(0), Fraction(-log(float(q))) * (1 - Fraction(1, 2**40))))

    def rules(self, reference: GroupStats, name: str, column: int = 0) -> list[Rule]:
        """Return a cap on the share of every value."""
        from tacit.kernels.mondrian import rules

        q = self.share_of(reference, name)
        return [rules.Rule(rules.CAPS, column, limits=[part * (1 + self._gain(part)) for part in q])]

    def measure(self, stats: GroupStats) -> float:
        """Return the largest gain of any value in any group."""
        worst = 0.0
        for name, histogram in stats.histograms.items():
            whole = self.whole_of(stats, name)
            q = totals(stats, name) / max(1, int(whole.sum()))
            for part in shares(histogram, whole):
                with np.errstate(divide="ignore", invalid="ignore"):
                    worst = max(worst, float(np.nanmax(np.where(q > 0, part / q - 1, np.nan), initial=0.0)))
        return worst

    def sentence(self, stats: GroupStats) -> str:
        """Tell the largest gain."""
        return f"{several(stats.many, 'group')}, the largest gain of a value is {self.measure(stats):.4f}"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Explain; a whole table gains nothing over itself."""
        return Infeasible(f"{self} cannot be met.", hint="Ask for a larger beta, or allow fewer rows to be withheld.")

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return both kinds."""
        return [cls(beta=2.0), cls(beta=2.0, kind="enhanced")]
