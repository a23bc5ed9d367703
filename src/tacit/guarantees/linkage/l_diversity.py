"""l-diversity (Machanavajjhala et al. 2006), in four readings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from tacit.arrays import Ints
from tacit.errors import Infeasible
from tacit.guarantees.base import Guarantee
from tacit.guarantees.finding import several
from tacit.guarantees.value_guarantee import ValueGuarantee, counts, shares, too_frequent, worst_value
from tacit.table import GroupStats, Histogram

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule

Reading = Literal["distinct", "entropy", "recursive", "frequency"]


class LDiversity(ValueGuarantee):
    """The sensitive values of every group are diverse.

    `distinct`: at least l values; it does not bound how frequent one of them is. `entropy`: the entropy is at least
    that of l equally frequent values. `recursive`: the most frequent value is less than c times all but the l - 1 most
    frequent together. `frequency`: no value is in more than 1/l of a group, which bounds the posterior.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her group up.

    Promise
    -------
    `frequency`: she believes no value of a person with probability above 1/l: docs/threats/linkage.md#why-it-holds.
    `recursive` bounds the posterior below c / (1 + c) from l = 2 on. `distinct` and `entropy` bound no posterior: see
    docs/threats/linkage.md#what-is-promised.

    Parameters
    ----------
    l
        Integer from 1 up; any number from 1 up for entropy.
    kind
        Which reading.
    c
        For `recursive` only.

    Cost
    ----
    O(v) for v different pairs of group and value; `recursive` sorts the counts of every group.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.zeros(4, int)], [1]), {"ill": (np.array([0, 0, 1, 2]), 3)})
    >>> [bool(LDiversity(l=3, kind=kind).satisfied(stats)[0]) for kind in ("distinct", "entropy", "frequency")]
    [True, False, False]

    References
    ----------
    Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", ICDE 2006.
    """

    knowledge: ClassVar[str] = "every quasi-identifier of a person, and that she is in the table"

    l: Annotated[int | float, Field(ge=1, allow_inf_nan=False, description="a number from 1 up, whole but for entropy")]
    kind: Reading = Field("distinct", description='"distinct", "entropy", "recursive" or "frequency"')
    c: Annotated[float | None, Field(gt=0, allow_inf_nan=False, description="for recursive: a number above 0")] = None

    @property
    def over_pairs(self) -> bool:
        """Whether it is about a distribution."""
        return self.kind in {"entropy", "recursive"}

    @model_validator(mode="after")
    def _consistent(self) -> LDiversity:
        if isinstance(self.l, bool) or (self.kind != "entropy" and self.l != int(self.l)):
            raise ValueError("l is a whole number, but for entropy")
        if (self.c is None) == (self.kind == "recursive"):
            raise ValueError("c goes with recursive, and only with it")
        return self

    def rules(self, reference: GroupStats, name: str, column: int = 0) -> list[Rule]:
        """Return the one condition of the reading."""
        from tacit.kernels.mondrian import rules

        if self.kind == "distinct":
            return [rules.Rule(rules.DISTINCT, column, count=int(self.l))]
        if self.kind == "entropy":
            return [rules.Rule(rules.ENTROPY, column, real=float(self.l))]
        if self.kind == "frequency":
            return [rules.Rule(rules.FREQUENCY, column, fraction=Fraction(1, int(self.l)))]
        return [rules.Rule(rules.RECURSIVE, column, count=int(self.l), fraction=Fraction(str(self.c)))]

    def measure(self, stats: GroupStats) -> int | float:
        """Return the largest l that all groups have; for recursive, at this c."""
        largest = [
            self._largest(histogram, self.whole_of(stats, name))
            for name, histogram in stats.histograms.items()
            if histogram.counts.size
        ]
        return min(largest, default=0)

    def _largest(self, histogram: Histogram, whole: Ints) -> int | float:
        filled = histogram.distinct() > 0
        if self.kind == "distinct":
            return int(histogram.distinct()[filled].min())
        if self.kind == "frequency":
            return int((whole[filled] // histogram.largest()[filled]).min())
        if self.kind == "entropy":
            lowest = min(float(-_xlogx(part).sum(axis=1).max()) for part in shares(histogram))
            return exp(lowest)
        return self._largest_recursive(histogram)

    def _largest_recursive(self, histogram: Histogram) -> int:
        best, c = histogram.cardinality, Fraction(str(self.c))
        for part in counts(histogram):
            ranked = -np.sort(-part, axis=1)
            tails = np.cumsum(ranked[:, ::-1], axis=1)[:, ::-1]
            # In whole numbers: a sum of shares may round above the largest share that it only equals.
            if max(c.numerator, c.denominator) * int(tails.max(initial=0)) >= 2**63:
                ranked, tails = ranked.astype(object), tails.astype(object)
            held = ranked[:, :1] * c.denominator < c.numerator * tails  # l - 1 columns may be left away
            best = min(best, int(held.sum(axis=1).min()))
        return best

    def bound(self) -> float | None:
        """Return 1/l for frequency; the others do not bound the posterior."""
        return 1.0 / self.l if self.kind == "frequency" else None

    def sentence(self, stats: GroupStats) -> str:
        """Tell the l that the groups have."""
        has = self.measure(stats)
        return f"{several(stats.many, 'group')}, {self.kind} l = {has if isinstance(has, int) else f'{has:.4g}'}"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Name the value that stands in the way."""
        column, value, count, rows = worst_value(stats, names)
        best = self.measure(stats)
        reason = too_frequent(column, value, count, rows, stats.unit)
        if self.kind == "distinct":
            fewest = min(stats.histograms, key=lambda name: int((stats.histograms[name].totals() > 0).sum()))
            reason = f"column {fewest!r} has {best} distinct values"
        shown = best if isinstance(best, int) else f"{int(best * 1000) / 1000:g}"
        way = "; or suppress the surplus first (shift-suppression)" if self.kind == "frequency" else ""
        return Infeasible(f"{self} cannot be met: {reason}.", hint=f"The largest l that works is {shown}{way}.")

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return one of each reading."""
        return [cls(l=2), cls(l=1.5, kind="entropy"), cls(l=2, kind="recursive", c=3.0), cls(l=2, kind="frequency")]


def _xlogx(part: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.where(part > 0, part * np.log(np.where(part > 0, part, 1.0)), 0.0)
