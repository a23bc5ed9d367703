"""k-anonymity (Sweeney 2002; Samarati 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Floats, Ints
from tacit.errors import Infeasible
from tacit.guarantees.base import GroupGuarantee, Guarantee
from tacit.guarantees.finding import several
from tacit.guarantees.people import counted
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule


class KAnonymity(GroupGuarantee):
    """Every group has at least k people, so nobody is singled out by quasi-identifiers alone.

    Every row is taken for a person, unless the table has a column that says whose it is.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her group up.

    Promise
    -------
    She picks the right person with probability at most 1/k: docs/threats/linkage.md#why-it-holds. Nothing is said about
    what the rows of a group have in common: a group in which all have the same disease is k-anonymous and tells the
    disease.

    Parameters
    ----------
    k
        The least number of people of a group.

    Cost
    ----
    O(g) for g groups.

    Examples
    --------
    >>> KAnonymity(k=2).satisfied(GroupStats(np.array([3, 1]), {})).tolist()
    [True, False]

    References
    ----------
    Samarati, "Protecting respondents' identities in microdata release", TKDE 2001.
    Sweeney, "k-anonymity: a model for protecting privacy", IJUFKS 2002.
    """

    knowledge: ClassVar[str] = "every quasi-identifier of a person, and that she is in the table"
    counts_people: ClassVar[bool] = True
    needs_values: ClassVar[bool] = False
    iso_20889: ClassVar[str | None] = "k-anonymity model"

    k: Annotated[int, Field(strict=True, ge=1, description="the least number of people of a group, from 1 up")]

    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Compare the number of people, or of rows, with k; a group of nobody is fine."""
        held = (stats.units >= self.k) | (stats.units == 0)
        return np.asarray(held if stats.people is None else held & (stats.people.torn == 0))

    def kept_together(self, beliefs: GroupStats, rows: Ints, reference: GroupStats) -> Flags:
        """Compare the rows that may still be hers with k."""
        return np.asarray(rows >= self.k)

    def conditions(self, reference: GroupStats) -> list[Rule]:
        """Return the least size."""
        from tacit.kernels.mondrian import rules

        return [rules.Rule(rules.SIZE, count=self.k)]

    def measure(self, stats: GroupStats) -> int:
        """Return the smallest group's size."""
        sizes = stats.units[stats.units > 0]
        return int(sizes.min()) if len(sizes) else 0

    def posterior(self, stats: GroupStats) -> Floats:
        """Return the probability of picking the right row; nobody is picked from a group of nobody."""
        return np.asarray((stats.units > 0) / np.maximum(1, stats.units), dtype=np.float64)

    def bound(self) -> float:
        """Return 1/k."""
        return 1.0 / self.k

    def sentence(self, stats: GroupStats) -> str:
        """Tell the smallest group."""
        return f"{several(stats.many, 'group')}, the smallest of {counted(self.measure(stats), stats.unit)}"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Tell that there are too few rows."""
        there = int(stats.units.sum())
        return Infeasible(
            f"{self} cannot be met: the table has {counted(there, stats.unit)}.",
            hint=f"The largest k that works is {max(1, there)}.",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(k=2), cls(k=5)]
