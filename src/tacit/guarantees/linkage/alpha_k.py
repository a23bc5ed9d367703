"""(alpha,k)-anonymity (Wong et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Ints
from tacit.errors import Infeasible
from tacit.guarantees.base import Guarantee
from tacit.guarantees.finding import several
from tacit.guarantees.people import counted
from tacit.guarantees.value_guarantee import ValueGuarantee, too_frequent, worst_value
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule


class AlphaK(ValueGuarantee):
    """Every group has at least k people, and at most a share alpha of them has the same sensitive value.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her group up.

    Promise
    -------
    She picks the right person with probability at most 1/k, and believes no value of a person with probability above
    alpha: docs/threats/linkage.md#why-it-holds.

    Parameters
    ----------
    alpha
        The largest share, above 0 and at most 1.
    k
        The least number of people of a group.

    Cost
    ----
    O(v) for v different pairs of group and value.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.array([0, 0, 1, 1])], [2]), {"ill": (np.array([0, 1, 1, 1]), 2)})
    >>> AlphaK(alpha=0.5, k=2).satisfied(stats).tolist()
    [True, False]

    References
    ----------
    Wong, Li, Fu and Wang, "(alpha, k)-anonymity: an enhanced k-anonymity model", KDD 2006.
    """

    knowledge: ClassVar[str] = "every quasi-identifier of a person, and that she is in the table"

    alpha: Annotated[
        float, Field(gt=0, le=1, allow_inf_nan=False, description="the largest share of a value, above 0 and at most 1")
    ]
    k: Annotated[int, Field(strict=True, ge=1, description="the least number of people of a group")]

    def rules(self, reference: GroupStats, name: str, column: int = 0) -> list[Rule]:
        """Return the least size and the largest share."""
        from tacit.kernels.mondrian import rules

        return [
            rules.Rule(rules.SIZE, column, count=self.k),
            rules.Rule(rules.FREQUENCY, column, fraction=Fraction(str(self.alpha))),
        ]

    def kept_together(self, beliefs: GroupStats, rows: Ints, reference: GroupStats) -> Flags:
        """Compare the likeliest value with alpha, and the rows that may still be hers with k."""
        return np.asarray(self.satisfied(beliefs, reference) & (rows >= self.k))

    def measure(self, stats: GroupStats) -> float:
        """Return the largest share of a value in a group."""
        return float(self.posterior(stats).max(initial=0.0))

    def bound(self) -> float:
        """Return alpha."""
        return self.alpha

    def sentence(self, stats: GroupStats) -> str:
        """Tell the largest share and the smallest group."""
        smallest = counted(int(stats.sizes[stats.sizes > 0].min()) if stats.sizes.any() else 0, stats.unit)
        return (
            f"{several(stats.many, 'group')}, the smallest of {smallest}, the largest share {self.measure(stats):.4f}"
        )

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Name the value that is too frequent, or the number of rows."""
        column, value, count, rows = worst_value(stats, names)
        if rows < self.k:
            there = counted(rows, stats.unit)
            return Infeasible(f"{self} cannot be met: the table has {there}.", hint=f"The largest k is {rows}.")
        share = -(-count * 10_000 // rows) / 10_000
        return Infeasible(
            f"{self} cannot be met: {too_frequent(column, value, count, rows, stats.unit)}.",
            hint=f"The smallest alpha that works is {share:g}; or suppress the surplus first (shift-suppression).",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(alpha=0.6, k=2)]
