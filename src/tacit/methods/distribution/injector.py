"""Injector (Li and Li 2008): buckets that respect what the table itself rules out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated

import numpy as np
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import FlagGrid, Flags, Ints
from tacit.errors import Infeasible
from tacit.guarantees import LDiversity
from tacit.kernels.distribution.arguments import EntryLists, Tuples
from tacit.knowledge.distribution import only_sensitive
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.distribution.nearness import linked, nearby_order, numbered, ranks_of
from tacit.randomness import permutation
from tacit.shapes import Bucketized
from tacit.table import Cells, Codes, Groups, GroupStats, Table

_REACH = 2_000
"""Rows on each side in the order of nearness whose buckets a leftover may join. More place more leftovers and take
longer. Chosen by trial."""

_LOOK = 60
"""Rows of one value that are looked at for a bucket. More find a compatible row more often and take longer. Chosen by
trial."""


class Injector(Method):
    """Mine what the table rules out ("men have no ovarian cancer"), and make buckets in which nothing is ruled out.

    A rule says that a quasi-identifier's value, or a pair of them, never goes with a sensitive value, although chance
    would have it so. A row is compatible with a value unless a rule forbids it. Buckets take one row of each of l
    values, near rows first, such that every row is compatible with every value of its bucket: then each of them is in
    some consistent assignment. Leftovers join a bucket that bears them; what finds none is withheld, with further
    buckets so that the withheld are l-diverse too.

    It is here for comparison.

    Against
    -------
    Somebody who knows who is in the table and which values the quasi-identifiers rule out. It does not defend against
    somebody who knows how likely each value is.

    Promise
    -------
    l-diversity of the kind "frequency": in every bucket, and among the withheld, no value is in more than 1/l of the
    rows. That no rule excludes a value of the bucket is a property of how buckets are made; it is not claimed and not
    proved. What this leaves open: docs/threats/distribution.md#for-comparison.

    Parameters
    ----------
    l
        How many values a row of a bucket could have.
    min_confidence
        A rule must hold for this share of the rows it is about.
    min_expected
        A rule must be about a combination of which chance would make this many rows.

    Cost
    ----
    With n rows, q quasi-identifiers and m sensitive values: q (q + 1) / 2 groupings of the rows, a sort, and for each
    bucket a bounded number of rows per value; sorting the m values once per bucket makes it n m log m / l at most.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"sex": ["f", "m"] * 20, "ill": ["flu", "flu", "cancer", "gout", "flu", "cold", "cold", "cold"] * 5}
    >>> table = tc.Table(frame, quasi_identifiers="sex", sensitive="ill")
    >>> tc.audit(Injector(l=2).protect(table)).holds
    True

    References
    ----------
    Li and Li, Injector: Mining Background Knowledge for Data Anonymization, 2008.
    """

    l: Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]
    min_confidence: Annotated[float, Field(gt=0, le=1, description="a number above 0, at most 1")] = 1.0
    min_expected: Annotated[float, Field(gt=0, description="a number above 0")] = 0.9

    @property
    def guarantee(self) -> LDiversity:
        """What every bucket satisfies."""
        return LDiversity(l=self.l, kind="frequency")

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the cells, mine rules from them and fill buckets, and publish the buckets."""
        cells, target = self.statistics(table)
        job.progress(self.name, 0.3)
        buckets, kept = self.plan(cells, target, job.randomness.secret())
        return self.apply(table, buckets, kept, job)

    def statistics(self, table: Table) -> tuple[Cells, Codes]:
        """Return the cells and the one sensitive column; no value may be in more than 1/l of the rows."""
        name = only_sensitive(table)
        self.guarantee.require(table)
        return table.cells(), table.codes(name)

    def plan(self, cells: Cells, target: Codes, secret: Generator) -> tuple[Groups, Flags]:
        """Return the bucket of each row, -1 for a leftover that none bears, and which rows are published."""
        forbidden = self.rules(cells)
        tuples = Tuples(cells.members.ids, target.codes.astype(np.int64))
        bucket, count = self._filled(tuples, nearby_order(cells, secret), forbidden)
        return Groups(bucket, count), self._covered(target, tuples.values, bucket, count)

    def apply(self, table: Table, buckets: Groups, kept: Flags, job: Job) -> Outcome:
        """Number the buckets at random, and publish people and values apart."""
        numbers = numbered(buckets.ids, kept, job)
        shuffled = permutation(job.randomness.shuffle(), int(kept.sum()))
        return Outcome(
            publish=lambda: Bucketized.publish(table, kept, shuffled, numbers),
            kept=kept,
            group=numbers,
            guarantees=(self.guarantee,),
            remarks=(f"{int((~kept).sum()):,} rows are withheld",) if not kept.all() else (),
        )

    def _filled(self, tuples: Tuples, order: Ints, forbidden: FlagGrid) -> tuple[Ints, int]:
        """Return the bucket of each row, -1 for a leftover that none bears, and the number of buckets."""
        from tacit.kernels.distribution.injecting import fill_buckets, join_buckets

        rank = ranks_of(order)
        pool = order[np.argsort(tuples.values[order], kind="stable")]
        starts = np.searchsorted(tuples.values[pool], np.arange(forbidden.shape[1] + 1)).astype(np.int64)
        skips = np.arange(len(pool) + 2)
        lists = EntryLists(pool, rank[pool], starts, skips, skips.copy(), _LOOK)
        bucket = np.full(len(order), -1, dtype=np.int64)
        count = int(fill_buckets(lists, tuples, forbidden, self.l, bucket))
        leftovers = order[bucket[order] < 0]
        if len(leftovers) and count:
            join_buckets(leftovers, order, rank, tuples, forbidden, _REACH, linked(bucket, count))
        return bucket, count

    def rules(self, cells: Cells) -> FlagGrid:
        """Return per cell and value of the one sensitive column whether a rule forbids it."""
        (name,) = cells.values
        m = len(cells.values[name])
        forbidden = np.zeros((len(cells), m), dtype=bool)
        shares = cells.histograms[name].totals() / cells.rows
        for chosen in [*combinations(cells.columns, 1), *combinations(cells.columns, 2)]:
            alike = cells.alike(chosen)
            stats = cells.grouped(alike)
            sizes, histogram = stats.sizes, stats.histograms[name]
            tally = np.zeros((alike.count, m), dtype=np.int64)
            tally[histogram.entry_groups(), histogram.values] = histogram.counts
            rare = tally <= (1.0 - self.min_confidence) * sizes[:, None]
            forbidden |= (rare & (sizes[:, None] * shares[None, :] >= self.min_expected))[alike.ids]
        return forbidden

    def _covered(self, target: Codes, values: Ints, bucket: Ints, count: int) -> Flags:
        """Withhold what is in no bucket, and buckets until the withheld are l-diverse."""
        kept = bucket >= 0
        if kept.all():
            return kept
        unplaced = int((~kept).sum())
        lost = np.bincount(values[~kept], minlength=int(values.max()) + 1)
        order = np.argsort(bucket, kind="stable")
        ends = np.searchsorted(bucket[order], np.arange(count + 1), side="left")
        sizes = np.bincount(bucket[kept], minlength=count)
        spare = np.ones(count, dtype=bool)
        while (short := int(self.l * lost.max() - lost.sum())) > 0:
            # A bucket without the most frequent value dilutes it with all its rows; then another value may be the most
            # frequent one.
            has = np.bincount(bucket[kept & (values == int(np.argmax(lost)))], minlength=count) > 0
            free = np.flatnonzero(spare & ~has)
            taken = free[np.cumsum(sizes[free]) - sizes[free] < short]
            if not len(taken):
                break
            spare[taken] = False
            for g in taken:
                kept[order[ends[g] : ends[g + 1]]] = False
            lost = np.bincount(values[~kept], minlength=len(lost))
        withheld = GroupStats.of(Groups(np.where(kept, -1, 0), 1), {"": (values, target.cardinality)})
        if not kept.any() or not bool(self.guarantee.satisfied(withheld)[0]):
            top = target.values[int(np.argmax(lost))]
            raise Infeasible(
                f"{self} cannot be met: {unplaced:,} rows fit no bucket, and no others can cover them, for {top!r} is "
                "in too many.",
                hint="Ask for a smaller l, or a larger min_expected, which mines fewer rules.",
            )
        return kept

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2)]
