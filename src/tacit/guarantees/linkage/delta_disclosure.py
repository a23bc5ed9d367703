"""delta-disclosure privacy (Brickell and Shmatikov 2008)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from tacit.errors import Infeasible
from tacit.guarantees.base import Guarantee
from tacit.guarantees.finding import several
from tacit.guarantees.value_guarantee import ValueGuarantee, shares, totals
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule

_MARGIN = Fraction(1, 2**40)
"""The share by which the exponentials are moved to the safe side: far above the rounding error of `exp` (about 2**-52),
and without effect unless a ratio is within that share of the limit."""


class DeltaDisclosure(ValueGuarantee):
    """In every group every sensitive value is about as frequent as among all published rows, also the absent ones.

    |ln(p / q)| is below delta for every value of the column; a value that a group lacks (p = 0) breaks it.

    Against
    -------
    Somebody who knows every quasi-identifier of a person, that she is in the table, and how the sensitive values are
    distributed over all published rows.

    Promise
    -------
    Her belief in any value of a person is between exp(-delta) and exp(delta) times its share in all published rows. It
    is a weighted mean over the groups that the person fits: docs/threats/linkage.md#why-it-holds.

    Parameters
    ----------
    delta
        The largest logarithm of a ratio, above 0.

    Cost
    ----
    O(g v) for g groups and v values of the column.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.array([0, 0, 1, 1])], [2]), {"ill": (np.array([0, 1, 1, 1]), 2)})
    >>> DeltaDisclosure(delta=1).satisfied(stats).tolist()  # the second group lacks a value
    [True, False]

    References
    ----------
    Brickell and Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data publishing",
    KDD 2008.
    """

    knowledge: ClassVar[str] = "every quasi-identifier of a person, and how the sensitive values are distributed"
    compares_with_published: ClassVar[bool] = True

    delta: Annotated[float, Field(gt=0, allow_inf_nan=False, description="the largest logarithm of a ratio, above 0")]

    def rules(self, reference: GroupStats, name: str, column: int = 0) -> list[Rule]:
        """Return a cap and a floor on the share of every value; the exponentials are rounded to the safe side."""
        from tacit.kernels.mondrian import rules

        up = Fraction(exp(min(self.delta, 700.0))) * (1 - _MARGIN)
        down = Fraction(exp(-self.delta)) * (1 + _MARGIN)
        q = self.share_of(reference, name)
        return [
            rules.Rule(rules.CAPS, column, limits=[part * up for part in q]),
            rules.Rule(rules.FLOORS, column, limits=[part * down for part in q]),
        ]

    def measure(self, stats: GroupStats) -> float:
        """Return the largest |ln(p / q)|; infinite where a group lacks a value."""
        worst = 0.0
        for name, histogram in stats.histograms.items():
            whole = self.whole_of(stats, name)
            q = totals(stats, name) / max(1, int(whole.sum()))
            for part in shares(histogram, whole):
                ratio = part[:, q > 0] / q[q > 0]
                worst = inf if (ratio == 0).any() else max(worst, float(np.abs(np.log(ratio)).max(initial=0.0)), worst)
        return worst

    def sentence(self, stats: GroupStats) -> str:
        """Tell the largest ratio."""
        return f"{several(stats.many, 'group')}, the largest |ln(p/q)| is {self.measure(stats):.4f}"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Explain; a whole table has ratio 1 to itself."""
        return Infeasible(f"{self} cannot be met.", hint="Ask for a larger delta, or allow fewer rows to be withheld.")

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(delta=1.5)]
