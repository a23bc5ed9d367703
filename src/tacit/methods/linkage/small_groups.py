"""SmallGroups: withhold the groups that break a guarantee, and enough others to cover them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Ints
from tacit.errors import Infeasible
from tacit.guarantees import Eligibility, GroupGuarantee, KAnonymity
from tacit.guarantees.registry import DESCRIBED
from tacit.methods.base import Job, Method, Outcome
from tacit.randomness import permutation
from tacit.shapes import Generalized
from tacit.table import Groups, GroupStats, Table

_COUNTERS = 10_000_000  # so many are held at a time


class SmallGroups(Method):
    """Publish rows as they are, but for those whose group of equal quasi-identifiers breaks the guarantee.

    Whoever knows who is in the table knows who is missing, and reads the missing as one more group. So the withheld
    rows must satisfy the guarantee too: further whole groups are withheld until they do.

    The cost is rows, not precision: on many or fine quasi-identifiers it withholds most of a table. It is the plain way
    out, and the yardstick for better ones.

    Parameters
    ----------
    guarantee
        A guarantee about groups.

    Examples
    --------
    >>> import tacit as tc
    >>> table = tc.Table({"age": [30] * 5 + [41] * 2 + [50]}, quasi_identifiers="age")
    >>> release = SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table)
    >>> release.inside.kept.tolist()  # withholding only the 50-year-old would tell who she is
    [True, True, True, True, True, False, False, False]
    """

    guarantee: Annotated[GroupGuarantee, DESCRIBED, Field(description="a guarantee about groups, such as k-anonymity")]

    def run(self, table: Table, job: Job) -> Outcome:
        """Withhold whole groups."""
        groups = job.engine.groups(table)
        stats = job.engine.statistics(table, groups)
        whole = job.engine.statistics(table, Groups(np.zeros(len(table), dtype=np.int64), 1))
        if not self.guarantee.satisfied(whole).all():
            raise self.guarantee.obstacle(whole, {name: table.codes(name).values for name in table.sensitive})
        job.progress(self.name, 0.5)
        published, before = np.ones(groups.count, dtype=bool), np.zeros(groups.count, dtype=bool)
        while (published != before).any():  # what is withheld changes the rows that a group is compared with
            before = published
            sound = self.guarantee.satisfied(stats, self._together(table, groups, published))
            published = self._with_cover(table, groups, stats, whole, published & sound)
        if not published.any():
            raise Infeasible(
                f"{self} would withhold every row: no groups of equal quasi-identifiers can be published alone.",
                hint="Generalize first (fewer or coarser quasi-identifiers), or ask for less.",
            )
        shuffle = job.randomness.shuffle()
        numbers = permutation(shuffle, groups.count)
        kept = published[groups.ids]
        group = np.where(kept, numbers[groups.ids], -1)
        order = permutation(shuffle, int(kept.sum()))
        return Outcome(
            publish=lambda: Generalized.publish(table, kept, order),
            kept=kept,
            group=group,
            guarantees=(self.guarantee,),
        )

    def _with_cover(
        self, table: Table, groups: Groups, stats: GroupStats, whole: GroupStats, published: Flags
    ) -> Flags:
        """Withhold further groups until the withheld, as one group, satisfy the guarantee; try two orders."""
        if published.all() or not published.any() or self._covered(table, groups, ~published):
            return published
        free = np.flatnonzero(published)
        sizes = stats.sizes[free]
        orders = [
            free[np.argsort(sizes, kind="stable")],
            free[np.lexsort((sizes, self.guarantee.posterior(stats)[free]))],
        ]
        found = [self._shortest(table, groups, published, order) for order in orders]
        best = min(found, key=lambda mask: int(stats.sizes[~mask].sum()))
        spare = None if best.any() else self._spare(stats, whole, orders[0])
        return best if spare is None else self._shortest(table, groups, published, _last(orders[1], spare))

    def _spare(self, stats: GroupStats, whole: GroupStats, free: Ints) -> int | None:
        """Find a group that may be published alone; if there is none, no set of groups may.

        What holds in two groups holds in both together, so withholding more of the others never hurts. (Guarantees that
        compare a group with the published rows are not that simple: for them this is a guess.)
        """
        width = max((histogram.cardinality for histogram in stats.histograms.values()), default=1)
        for part in np.array_split(free, 1 + len(free) * width // _COUNTERS):
            held = self.guarantee.satisfied(whole.without(stats, part))
            if held.any():
                return int(part[np.argmax(held)])
        return None

    def _shortest(self, table: Table, groups: Groups, published: Flags, order: Ints) -> Flags:
        """Withhold a prefix of the order: the length is doubled until it is enough, then halved back."""

        def cut(length: int) -> Flags:
            mask = published.copy()
            mask[order[:length]] = False
            return mask

        high = 1
        while high < len(order) and not self._covered(table, groups, ~cut(high)):
            high *= 2
        high = min(high, len(order))
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._covered(table, groups, ~cut(middle)) else (middle, high)
        return cut(high)

    def _covered(self, table: Table, groups: Groups, withheld: Flags) -> bool:
        hidden, shown = (self._together(table, groups, chosen) for chosen in (withheld, ~withheld))
        return bool(self.guarantee.satisfied(hidden, shown)[0])

    def _together(self, table: Table, groups: Groups, chosen: Flags) -> GroupStats:
        """Count the rows of the chosen groups as one."""
        return table.statistics(Groups(np.where(chosen[groups.ids], 0, -1), 1))

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(guarantee=KAnonymity(k=2)), cls(guarantee=Eligibility(l=2))]


def _last(order: Ints, spare: int) -> Ints:
    return np.append(order[order != spare], spare)
