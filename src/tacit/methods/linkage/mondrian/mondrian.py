"""Mondrian: groups of similar people, cut as finely as the guarantees allow and then improved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import BeforeValidator, Field

from tacit.arrays import Flags
from tacit.errors import Infeasible
from tacit.guarantees import GroupGuarantee, KAnonymity, LDiversity
from tacit.guarantees.registry import make
from tacit.methods.base import Job, Method, Outcome, Scales
from tacit.methods.linkage.mondrian.attributes import RECODES, Attribute, Bounds, Recode
from tacit.methods.linkage.mondrian.losses import group_losses
from tacit.methods.linkage.mondrian.statistics import MondrianStatistics
from tacit.randomness import permutation
from tacit.shapes import Generalized
from tacit.table import Groups, GroupStats, Layout, Table

_SHARES = (1.0, 0.5, 0.25)
"""The parts of `allow_withheld` that are tried, as shares of it. Every part takes one more partition of the table, and
more parts come closer to the best one; chosen by trial."""


def _several(given: Any) -> Any:
    if isinstance(given, GroupGuarantee | dict):
        given = [given]
    if not isinstance(given, list | tuple):
        return given
    return tuple(make(part) if isinstance(part, dict) else part for part in given)


class Mondrian(Method):
    """Cut the table into groups of similar rows that satisfy the guarantees, and publish each group's extent.

    Cuts go top down, the one that costs least information first; where a guarantee refuses it, the next is tried. Then
    neighbouring groups exchange rows as long as that tells more. A group's quasi-identifiers are published as the
    interval or set of what is in it, or as the lowest node of the hierarchy above it where the column has one.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her group up.

    Promise
    -------
    The guarantees that are asked for, in every group and in the withheld rows together:
    docs/threats/linkage.md#why-it-holds. Where that stops: docs/threats/linkage.md#where-the-proof-stops.

    A person who has several rows is one person, in one group, which covers all her rows:
    docs/threats/linkage.md#people-and-rows.

    Parameters
    ----------
    guarantees
        Guarantees about groups, all of which every group satisfies.
    recode
        "auto": a column that has a hierarchy is published as nodes of it, every other one as intervals and sets;
        "sets": all columns as intervals and sets; "hierarchy": another word for "auto".
    bounds
        "tight": an interval of numbers or dates ends at the least and the largest value of its group, which are two
        people's values. "snapped": it ends at round numbers in regular steps (dates: at weeks, months or years), the
        same for all groups, which are nobody's value in particular; a little more information is lost.
    allow_withheld
        The largest share of rows that may be withheld if the remaining rows can then be published so much more
        precisely that the whole table loses less. The withheld satisfy the guarantees as one more group.

    effort
        How much time is spent on improving the groups, 1 by default; 0 leaves them as they are cut. What more buys is
        little: docs/threats/linkage.md#what-more-effort-buys.

    Cost
    ----
    O(n) to count n rows, then about O(q c log c) for q quasi-identifiers and c different combinations of their values.
    Improvement is an amount of work that is counted, not timed; its share per row shrinks as the table grows.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [20, 21, 50, 51], "sex": ["F", "F", "M", "F"], "ill": ["a", "b", "a", "c"]}
    >>> table = tc.Table(frame, quasi_identifiers=["age", "sex"], sensitive="ill")
    >>> Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table).frames()["table"]["age"].sort().to_list()
    ['[20, 21]', '[20, 21]', '[50, 51]', '[50, 51]']

    References
    ----------
    LeFevre, DeWitt and Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006.
    """

    takes_several_rows: ClassVar[bool] = True
    withholds_missing: ClassVar[bool] = True
    scales: ClassVar[Scales | None] = "fragments"

    guarantees: Annotated[
        tuple[GroupGuarantee, ...],
        BeforeValidator(_several),
        Field(min_length=1, description="guarantees about groups, such as k-anonymity"),
    ]
    recode: Recode = Field("auto", description=RECODES)
    bounds: Bounds = Field("tight", description='where intervals end: "tight", or "snapped" to cut points')
    allow_withheld: Annotated[float, Field(ge=0, le=1, description="the largest share of rows withheld, 0 to 1")] = 0.0
    effort: Annotated[
        float, Field(ge=0, le=100, allow_inf_nan=False, description="how much is improved: 1 as usual, 4 longer, 0 not")
    ] = 1.0

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the cells, plan groups of their rows, and blur and number the groups."""
        statistics = self.statistics(table, job.reference)
        earlier = job.recall(self.key, table)
        # A repetition groups as before: two groupings of the same people tell more than one.
        groups = self.plan(statistics) if earlier is None else Groups.numbered(earlier["group"])
        job.remember(self.key, table, permanent=False, group=groups.ids.astype(np.int32))
        job.progress(self.name, 0.6)
        return self.apply(table, statistics, groups, job)

    def statistics(self, table: Table, reference: GroupStats | None = None) -> MondrianStatistics:
        """Count the cells; all rows as one group must satisfy the guarantees.

        `reference` are all rows that will be published, where the table is a fragment of them.
        """
        whole = table.whole()
        for guarantee in self.guarantees:
            guarantee.require(table, whole, reference)
        return MondrianStatistics.of(table, self.recode, whole=whole if reference is None else reference)

    @property
    def of_fragments(self) -> tuple[GroupGuarantee, ...]:
        """The guarantees themselves: what holds in a fragment holds in the groups it is cut into, or it is one."""
        return self.guarantees

    def why_not_large(self, layout: Layout) -> str | None:
        """Refuse to withhold rows where that would move what every group is compared with."""
        comparing = next((g for g in self.guarantees if g.compares_with_published), None)
        if self.allow_withheld and comparing is not None:
            return f"rows that a fragment withholds change what {comparing} compares all others with"
        return None

    def plan(self, statistics: MondrianStatistics) -> Groups:
        """Choose the group of every row, -1 for rows that are better withheld."""
        if statistics.missing is not None:
            return self._without_missing(statistics, ~statistics.missing)
        groups = statistics.grouping(self.guarantees, statistics.whole, effort=self.effort)
        return self._withholding(statistics, groups) if self.allow_withheld else groups

    def apply(self, table: Table, statistics: MondrianStatistics, groups: Groups, job: Job) -> Outcome:
        """Number the groups at random, write the cells of each, and publish the rows in a random order."""
        kept = groups.ids >= 0
        numbers = permutation(job.randomness.shuffle(), groups.count)
        # What is published later refers to the public numbers, so that no other number per row has to be kept.
        public = Groups(np.where(kept, numbers[groups.ids], -1), groups.count)
        blurs = {
            a.column.name: blur for a in statistics.attributes if (blur := a.blur(public, self.bounds)) is not None
        }
        order = permutation(job.randomness.shuffle(), int(kept.sum()))
        job.progress(self.name, 0.9)
        return Outcome(
            publish=lambda: Generalized.publish(table, kept, order, blurs),
            kept=kept,
            group=public.ids,
            guarantees=self.guarantees,
            remarks=self._unused(statistics.attributes),
            order=order,
        )

    def _unused(self, attributes: Sequence[Attribute]) -> tuple[str, ...]:
        """Say which hierarchies were given and are not used, because only sets were asked for."""
        names = [a.column.name for a in attributes if a.codes.tree is not None and not a.by_hierarchy]
        if not names:
            return ()
        return (f'The hierarchies of {", ".join(names)} are not used: recode = "sets" publishes intervals and sets.',)

    def _without_missing(self, statistics: MondrianStatistics, rows: Flags) -> Groups:
        """Withhold the rows in which a value is missing, and further groups until these satisfy the guarantees too.

        The smallest groups go first: their number is doubled until it is enough, then halved back.
        """
        groups = statistics.grouping(
            self.guarantees, statistics.count(Groups(np.where(rows, 0, -1), 1)), rows, self.effort
        )
        order = np.argsort(groups.sizes(), kind="stable")

        def without(many: int) -> tuple[Flags, GroupStats, bool]:
            """Withhold so many groups; return who is published, and whether both sides satisfy the guarantees."""
            kept = rows & ~np.isin(groups.ids, order[:many])
            published = statistics.count(Groups(np.where(kept, 0, -1), 1))
            split = statistics.count(Groups((~kept).astype(np.int64), 2))
            return kept, published, all(bool(g.satisfied(split, published).all()) for g in self.guarantees)

        most = len(order) - 1
        low, high = -1, 0
        while high < most and not without(high)[2]:
            low, high = high, max(1, 2 * high)
        high = max(0, min(high, most))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if without(middle)[2] else (middle, high)
        kept, published, sound = without(high)
        if not sound or not kept.any():
            raise Infeasible(
                f"{self} cannot withhold the rows in which a value is missing: together they would break a guarantee, "
                "whatever else is withheld with them.",
                hint='Say missing = "value", or ask for less.',
            )
        return statistics.grouping(self.guarantees, published, kept, self.effort)

    def _withholding(self, statistics: MondrianStatistics, groups: Groups) -> Groups:
        """Withhold the groups that lose most, if the rest then gains more than that."""
        attributes = statistics.attributes
        losses = group_losses(attributes, groups)
        sizes = groups.sizes()
        best, least = groups, float(losses @ sizes)
        order = np.argsort(-losses, kind="stable")
        taken = np.cumsum(sizes[order])
        for share in _SHARES:
            many = int(np.searchsorted(taken, share * self.allow_withheld * len(groups.ids), side="right"))
            if not many:
                continue
            rows = ~np.isin(groups.ids, order[:many])
            split = statistics.count(Groups((~rows).astype(np.int64), 2))
            published = statistics.count(Groups(np.where(rows, 0, -1), 1))
            if not all(g.satisfied(split, published).all() for g in self.guarantees):
                continue
            tried = statistics.grouping(self.guarantees, published, rows, self.effort)
            cost = float(group_losses(attributes, tried) @ tried.sizes()) + len(attributes) * int((~rows).sum())
            if cost < least:
                best, least = tried, cost
        return best

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [
            cls(guarantees=[KAnonymity(k=3)]),
            cls(guarantees=[KAnonymity(k=3), LDiversity(l=2)], recode="hierarchy"),
            cls(guarantees=[KAnonymity(k=2)], allow_withheld=0.1),
            cls(guarantees=[KAnonymity(k=3)], bounds="snapped"),
        ]
