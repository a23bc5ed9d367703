"""ART, an algorithm for r-robust tables (paper 003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tacit.arrays import Ints
from tacit.errors import Infeasible
from tacit.guarantees import RRobustness
from tacit.knowledge.distribution import Protected, Robustness, only_sensitive
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.distribution.art.covering import cover, holds
from tacit.methods.distribution.art.grouping import Case, group_tuples
from tacit.methods.distribution.nearness import numbered
from tacit.randomness import permutation
from tacit.shapes import Bucketized
from tacit.table import Table

_MOST_COVERED = 500


class ART(Robustness, Method):
    """Publish buckets in which nobody is linked to a protected value with more than 1/r.

    The adversary knows, for every set of quasi-identifiers, exactly how the sensitive value is distributed. A protected
    tuple is therefore grouped with others that are about as likely to have its value, whatever set she looks at. Tuples
    whose value is not protected may stay alone. What cannot be hidden is withheld, with enough others that the withheld
    tuples, read as one more group, hold as well.

    Cost: one grouping of cells per attribute set, then near-linear in the rows.

    The parameters are those of `Robustness`. The view "exact" accepts a group by its posterior, "paper" by the paper's
    bound.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"land": ["us", "us", "jp", "jp"] * 30, "ill": ["heart", "flu", "flu", "cold"] * 30}
    >>> table = tc.Table(frame, quasi_identifiers="land", sensitive="ill")
    >>> release = ART(r=2, protected=["heart"]).protect(table)
    >>> release.shape.name, tc.audit(release).holds
    ('bucketized', True)
    """

    @property
    def guarantee(self) -> RRobustness:
        """What is claimed."""
        return RRobustness(**dict(self))

    def run(self, table: Table, job: Job) -> Outcome:
        """Group, withhold what cannot be hidden, ask the guarantee again."""
        name = only_sensitive(table)
        case = self._case(table, name)
        self._eligible(case, table, name)
        self._room(case, table, name)
        secret = job.randomness.secret()
        job.progress(self.name, 0.3)
        order = case.order(secret)
        group, stuck = group_tuples(case, order, job.progress)
        kept = np.ones(len(table), dtype=bool)
        if len(stuck):
            kept[self._withheld(case, order, group, stuck, table, name)] = False
        group = numbered(group, kept, job)
        job.progress(self.name, 0.9)
        order = permutation(job.randomness.shuffle(), int(kept.sum()))
        return Outcome(
            publish=lambda: Bucketized.publish(table, kept, order, group),
            kept=kept,
            group=group,
            guarantees=(self.guarantee,),
            remarks=self._remarks(case, kept, group, len(stuck)),
        )

    def _case(self, table: Table, name: str) -> Case:
        guarantee = self.guarantee
        distribution = guarantee.knowledge_of(table, name)
        target = table.codes(name)
        cells = table.groups()
        first = cells.first()
        codes = [
            distribution.encode(column, table.codes(column).values)[table.codes(column).codes[first]]
            for column in distribution.columns
        ]
        return Case(
            cells=cells.ids,
            values=target.codes.astype(np.int64),
            signatures=distribution.signatures(codes, cells.count),
            chances=distribution.aligned(target.values),
            protected=Protected.of(self.protected, target.values),
            masks=np.array([sum(1 << j for j in chosen) for chosen in distribution.sets], dtype=np.int64),
            r=float(self.r),
            bound=guarantee.bound(),
            full=self.view == "exact",
            bare=self.view == "paper",
        )

    def _eligible(self, case: Case, table: Table, name: str) -> None:
        """A group holds one tuple of an entry and at least r tuples: a value in more than n/r rows cannot be hidden."""
        counts = np.bincount(case.entries[case.entries >= 0], minlength=case.protected.count)
        if not len(counts) or float(counts.max()) * self.r <= len(table):
            return
        top = int(np.argmax(counts))
        best = len(table) / int(counts[top])
        raise Infeasible(
            f"{self} cannot be met: {case.protected.names[top]!r} of column {name!r} is in {int(counts[top]):,} of "
            f"{len(table):,} rows, more than 1/{self.r:g}.",
            hint=f"The largest r that its frequency allows is {best:.4g}; or suppress the surplus first "
            "(ShiftSuppression), or protect other values only.",
        )

    def _room(self, case: Case, table: Table, name: str) -> None:
        """Refuse at once what no grouping and no withholding can reach; proved for the two-valued view."""
        if self.view == "exact":
            return
        most, where = case.ceiling()
        if self.r > (1.0 + most) * (1.0 + 1e-9):
            raise Infeasible(
                f"{self} cannot be met by any groups: by {self._named(table, name, where)}, those who have a protected "
                "value are too easily told from the others.",
                hint=f"The largest r that this leaves room for is below {1.0 + most:.4g}; or ask for a larger "
                "min_support, fewer or coarser quasi-identifiers, or protect fewer values.",
            )

    def _withheld(self, case: Case, order: Ints, group: Ints, stuck: Ints, table: Table, name: str) -> Ints:
        if holds(case, stuck):
            return stuck
        # Many that cannot be hidden are not a matter of cover.
        found = cover(case, order, group, stuck) if len(stuck) <= _MOST_COVERED else None
        if found is not None and len(found) < len(table):
            whole = np.isin(group, np.unique(group[found[len(stuck) :]])) & (group >= 0)
            return np.union1d(found, np.flatnonzero(whole))
        hard = case.hardness()[stuck]
        ceiling, where = case.ceiling()
        worst = int(stuck[np.argmax(hard)])
        value = table.codes(name).values[int(case.values[worst])]
        raise Infeasible(
            f"{self} cannot be met: {len(stuck):,} tuples, such as one with {name} {value!r}, can neither be hidden in "
            f"a group nor withheld: somebody who knows the distribution gives one of them {hard.max():.4g} beforehand.",
            hint=f"Ask for a smaller r (by {self._named(table, name, where)}, the two-valued view leaves room for at "
            f"most {1.0 + ceiling:.3g}), a larger min_support, fewer or coarser quasi-identifiers, or protect fewer "
            "values.",
        )

    def _named(self, table: Table, name: str, where: int) -> str:
        return self.guarantee.knowledge_of(table, name).set_name(where)

    def _remarks(self, case: Case, kept: Any, group: Ints, stuck: int) -> tuple[str, ...]:
        sizes = np.bincount(group[kept]) if kept.any() else np.zeros(1, dtype=np.int64)
        several = sizes[sizes > 1]
        remarks = [
            f"{len(several):,} groups of more than one tuple, of {float(several.mean()):.1f} tuples on average"
            if len(several)
            else "no tuple had to be grouped"
        ]
        if stuck:
            remarks.append(
                f"{int((~kept).sum()):,} tuples are withheld: {stuck:,} that no group could hide, and the others so "
                "that the withheld tuples hold as one more group"
            )
        return tuple(remarks)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return both views, with all values protected and with some."""
        return [cls(r=2), cls(r=2, view="paper")]
