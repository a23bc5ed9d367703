"""t-closeness (Li, Li and Venkatasubramanian 2007)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import Floats, Ints
from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, several
from tacit.guarantees.value_guarantee import ValueGuarantee, shares, totals
from tacit.hierarchies import Tree
from tacit.shapes import Claim
from tacit.table import GroupStats, Histogram, Kind, Table, as_text

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule

Distance = Literal["equal", "ordered", "hierarchical"]


class TCloseness(ValueGuarantee):
    """The sensitive values of every group are distributed almost as those of all published rows.

    Closeness is the earth mover's distance between the two distributions, from 0 to 1. Between values the ground
    distance is 1 (`equal`), the difference of ranks over the number of values less one (`ordered`), or the height of
    the lowest common ancestor over the height of the hierarchy (`hierarchical`).

    Against
    -------
    Somebody who knows every quasi-identifier of a person, that she is in the table, and how the sensitive values are
    distributed over all published rows.

    Promise
    -------
    What she believes of a person differs from that distribution by an earth mover's distance of at most t, also where
    the person fits several groups: docs/threats/linkage.md#why-it-holds. No posterior is bounded.

    Parameters
    ----------
    t
        The largest distance, 0 to 1.
    distance
        "equal", "ordered" or "hierarchical".

    Cost
    ----
    O(g v) for g groups and v values of the column; `hierarchical` counts the nodes of the hierarchy as values.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.array([0, 0, 1, 1])], [2]), {"pay": (np.array([0, 1, 1, 2]), 3)})
    >>> TCloseness(t=0.25).measure(stats), TCloseness(t=0.25, distance="ordered").measure(stats)
    (0.25, 0.25)

    References
    ----------
    Li, Li and Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", ICDE 2007.
    """

    knowledge: ClassVar[str] = "every quasi-identifier of a person, and how the sensitive values are distributed"
    compares_with_published: ClassVar[bool] = True

    t: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, description="the largest distance, 0 to 1")]
    distance: Distance = Field("equal", description='"equal", "ordered" or "hierarchical"')

    @property
    def over_pairs(self) -> bool:
        """Whether it is about a distribution."""
        return True

    @property
    def ordered(self) -> bool:
        """Whether the verdict depends on the order of values."""
        return self.distance == "ordered"

    @property
    def judged_together(self) -> bool:
        """Whether beliefs have a distance: an order or a tree of values is not kept with them."""
        return self.distance == "equal"

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the release; not where the distance needs an order that only the table tells.

        Numbers and dates have one. Words have none by themselves, and one that was declared is not published.
        """
        shape = evidence.published.shape
        nowhere = [name for name in shape.sensitive if self.distance != "equal" and shape.dictionary(name).null_count()]
        if nowhere:
            return self.finding(
                f"the distance has no place for the missing values of {nowhere[0]!r}",
                published="not checked",
                withheld="not checked",
                needed='a table without missing values, or distance = "equal"',
            )
        known = {Kind.NUMERIC, Kind.DATE}
        unknown = [name for name in shape.sensitive if shape.column(name).kind not in known]
        if self.distance != "ordered" or evidence.source is not None or not unknown:
            return super().check(evidence, claim)
        return self.finding(
            f"the distance needs an order of the values of {unknown[0]!r}, and none is published",
            published="not checked",
            withheld="not checked",
            needed=f"the order of the values of {unknown[0]!r}: give the table, with the order declared in `kinds`",
        )

    def evidence(self, evidence: Evidence) -> GroupStats:
        """Choose the groups of the release; for an ordered distance, counted over the table's values in their order."""
        stats, source = evidence.groups, evidence.source
        if self.distance != "ordered" or source is None:
            return stats
        ranked: dict[str, Ints] = {}
        for name in stats.histograms:
            if name not in source.sensitive:
                return stats
            known = source.codes(name)
            ranks = known.positions(as_text(evidence.published.shape.dictionary(name)))
            if (ranks < 0).any():
                return stats
            if len(ranks) != known.cardinality or not (np.diff(ranks) > 0).all():  # else the same values in order
                ranked[name] = ranks
        if not ranked:
            return stats

        def recoded(histograms: Mapping[str, Histogram]) -> dict[str, Histogram]:
            """Write the values of each column by their ranks."""
            return {
                name: histogram.recoded(ranked[name], source.codes(name).cardinality) if name in ranked else histogram
                for name, histogram in histograms.items()
            }

        people = stats.people
        people = None if people is None else replace(people, histograms=recoded(people.histograms))
        return replace(stats, histograms=recoded(stats.histograms), people=people)

    def require(self, table: Table, whole: GroupStats | None = None, reference: GroupStats | None = None) -> None:
        """Refuse missing values where the distance has no place for them."""
        for name in table.sensitive:
            if self.distance != "equal" and table.codes(name).null is not None:
                raise RoleError(
                    f"{self} has no place for the missing values of {name!r}.",
                    hint='Leave these rows out, or say distance = "equal".',
                )
        super().require(table, whole, reference)

    def rules(self, reference: GroupStats, name: str, column: int = 0) -> list[Rule]:
        """Return the distance to the reference, in exact arithmetic."""
        from tacit.kernels.mondrian import rules

        kind = {"equal": rules.EQUAL, "ordered": rules.ORDERED, "hierarchical": rules.TREE_DISTANCE}[self.distance]
        parent, height = self._ancestry(reference, name)
        counts, limit = totals(reference, name), Fraction(str(self.t))
        return [rules.Rule(kind, column, fraction=limit, reference=counts, parent=parent, height=height)]

    def _ancestry(self, reference: GroupStats, name: str) -> tuple[list[int], list[int]]:
        if self.distance != "hierarchical":
            return [], []
        if name not in reference.trees:
            raise RoleError(
                f"{self} needs a hierarchy of the sensitive column {name!r}.", hint="Declare one in `hierarchies`."
            )
        if reference.trees[name].levels.shape[1] != reference.histograms[name].cardinality:
            raise RoleError(
                f"{self} has no place for the missing values of {name!r}.",
                hint='Leave these rows out, or say distance = "equal".',
            )
        return ancestry(reference.trees[name])

    def distances(self, stats: GroupStats, name: str, reference: GroupStats | None = None) -> Floats:
        """Return the distance of every group that has rows."""
        against = totals(reference or stats, name)
        q = against / max(1, int(against.sum()))
        distances = []
        for part in shares(stats.histograms[name]):
            surplus = part - q
            if self.distance == "equal":
                distances.append(np.abs(surplus).sum(axis=1) / 2)
            elif self.distance == "ordered":
                distances.append(np.abs(np.cumsum(surplus, axis=1)[:, :-1]).sum(axis=1) / max(1, len(q) - 1))
            else:
                distances.append(_tree_distance(surplus, *self._ancestry(reference or stats, name)))
        return np.concatenate(distances) if distances else np.zeros(0)

    def measure(self, stats: GroupStats) -> float:
        """Return the largest distance of any group."""
        return max((float(self.distances(stats, name).max(initial=0.0)) for name in stats.histograms), default=0.0)

    def sentence(self, stats: GroupStats) -> str:
        """Tell the largest distance."""
        return f"{several(stats.many, 'group')}, the farthest at distance {self.measure(stats):.4f} ({self.distance})"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Explain; a whole table is at distance 0 from itself, so this is about what is withheld."""
        return Infeasible(f"{self} cannot be met.", hint="Ask for a larger t, or allow fewer rows to be withheld.")

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return two ground distances; the third needs a hierarchy."""
        return [cls(t=0.3), cls(t=0.3, distance="ordered")]


def ancestry(tree: Tree) -> tuple[list[int], list[int]]:
    """Lay a hierarchy out as parents and heights: leaves first, a node before its parent, the root its own parent."""
    values = tree.levels.shape[1]
    chains = [tree.levels[0]]
    number: dict[int, int] = {}
    parent: list[int] = list(range(values))
    height: list[int] = [0] * values
    here = list(range(values))
    for level in range(1, tree.height + 1):
        above = tree.levels[level]
        same = above == chains[-1]
        for node in dict.fromkeys(above[~same].tolist()):
            if node not in number:
                number[node] = len(parent)
                parent.append(number[node])
                height.append(level)
        for v in np.flatnonzero(~same):
            parent[here[v]] = number[int(above[v])]
            here[v] = number[int(above[v])]
        chains.append(above)
    return parent, height


def _tree_distance(surplus: np.ndarray[Any, Any], parent: list[int], height: list[int]) -> Floats:
    """Add up, over inner nodes, the height times what must be moved between the children."""
    groups, values = surplus.shape
    nodes = len(parent)
    extra = np.zeros((groups, nodes))
    extra[:, :values] = surplus
    over, under = np.zeros((groups, nodes)), np.zeros((groups, nodes))
    work = np.zeros(groups)
    for node in range(nodes):
        if node >= values:
            extra[:, node] = over[:, node] - under[:, node]
            work += height[node] * np.minimum(over[:, node], under[:, node])
        if parent[node] != node:
            over[:, parent[node]] += np.maximum(0, extra[:, node])
            under[:, parent[node]] += np.maximum(0, -extra[:, node])
    return work / max(1, *height)
