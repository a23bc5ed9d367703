"""MASK (Wong et al. 2007): k-anonymous groups, and distorted sensitive values where a group has too many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Flags, Ints
from tacit.errors import Infeasible, ParameterError
from tacit.guarantees import KAnonymity
from tacit.knowledge.distribution import ProtectedEntries, only_sensitive
from tacit.knowledge.distribution.protected import ProtectedValues
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.distribution.nearness import nearby_order, numbered
from tacit.parameters import PRIVATE
from tacit.randomness import permutation
from tacit.shapes import Bucketized
from tacit.table import Cells, Kind, Table


@dataclass(frozen=True, eq=False)
class GuardedValues:
    """The sensitive code of each row, and which codes are protected."""

    codes: Ints
    guarded: Flags


@dataclass(frozen=True, eq=False)
class Distortion:
    """The group of each row, its sensitive code after the change, and whether that is another one than before."""

    group: Ints
    codes: Ints
    touched: Flags


class Mask(Method):
    """Group without looking at the sensitive column, then hide which groups had too many protected values.

    Rows are grouped to k-anonymity. V are the groups whose share of protected rows exceeds 1/l. Of the other groups
    (l - 1)|V| are drawn, and each group of V gets the share of one of them, by changing sensitive values at random. So
    the minimality of the grouping tells nothing. **It changes sensitive values**: how many is told to the data owner.

    It is here for comparison.

    Against
    -------
    Somebody who knows who is in the table and that the grouping was made as fine as the promise allows. It does not
    defend against somebody who knows how the sensitive value is distributed.

    Promise
    -------
    k-anonymity. That a violating group cannot be told from the l - 1 that lend their shares is the paper's argument; it
    is not claimed and not proved here: docs/threats/distribution.md#for-comparison.

    Parameters
    ----------
    k
        The least size of a group.
    l
        No group publishes more than 1/l protected rows.
    protected
        The protected values, or lists of values. They count together. They are not published.

    Cost
    ----
    With n rows: a sort of the rows by nearness, n log n, and one pass over them.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": list(range(40)), "ill": ["HIV"] * 3 + ["flu", "cold", "gout"] * 12 + ["flu"]}
    >>> table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    >>> Mask(k=4, l=2, protected=["HIV"]).protect(table, seed=1).inside.remarks[0].sentence
    '3 of 40 sensitive values were changed, in 1 of 10 groups'

    References
    ----------
    Wong, Fu, Wang and Pei, Minimality Attack in Privacy Preserving Data Publishing, 2007.
    """

    skipped_checks: ClassVar[dict[str, str]] = {
        "check_inside_agrees_with_frames": "it changes sensitive values: the frames do not show those of the kept rows",
    }

    k: Annotated[int, Field(strict=True, ge=1, description="the least number of rows of a group, an integer from 1 up")]
    l: Annotated[int, Field(strict=True, ge=2, description="an integer from 2 up")]
    protected: Annotated[
        ProtectedValues, Field(json_schema_extra=PRIVATE, description="values to protect, or lists of values")
    ]

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the cells, group their rows and distort the values of some, and publish the distorted table."""
        cells, values = self.statistics(table, job.origin)
        distortion = self.plan(cells, values, job.randomness.secret())
        job.progress(self.name, 0.5)
        return self.apply(table, distortion, job)

    def statistics(self, table: Table, origin: Table | None = None) -> tuple[Cells, GuardedValues]:
        """Return the cells, and the sensitive values of their rows with those that are protected.

        A protected value may have been in `origin`, the first table, only.
        """
        name = only_sensitive(table)
        if len(table) < self.k:
            raise Infeasible(
                f"{self} cannot be met: the table has {len(table):,} rows.", hint=f"The largest k is {len(table)}."
            )
        if self.protected is None:
            raise ParameterError("mask needs protected values.", hint="Name those that must not be linked to anybody.")
        target = table.codes(name)
        known = [] if origin is None else [origin.codes(name).values]
        guarded = ProtectedEntries.of(self.protected, target.values, elsewhere=known).entry_of >= 0
        return table.cells(), GuardedValues(target.codes.astype(np.int64), guarded)

    def plan(self, cells: Cells, values: GuardedValues, secret: Generator) -> Distortion:
        """Group neighbours, and change values where a group has too many protected ones."""
        order = nearby_order(cells, secret)
        rows = len(order)
        group = np.empty(rows, dtype=np.int64)
        group[order] = np.minimum(np.arange(rows) // self.k, rows // self.k - 1)
        changed = self._distorted(values.codes, values.guarded, group, secret)
        return Distortion(group, changed, changed != values.codes)

    def apply(self, table: Table, distortion: Distortion, job: Job) -> Outcome:
        """Write the changed values, number the groups at random, and publish people and values apart."""
        (name,) = table.sensitive
        group, touched = distortion.group, distortion.touched
        published = _with_column(table, table.codes(name).values.gather(distortion.codes).alias(name))
        kept = np.ones(len(table), dtype=bool)
        numbers = numbered(group, kept, job)
        shuffled = permutation(job.randomness.shuffle(), len(table))
        return Outcome(
            publish=lambda: Bucketized.publish(published, kept, shuffled, numbers, changed=table.sensitive),
            kept=kept,
            group=numbers,
            guarantees=(KAnonymity(k=self.k),),
            onward=lambda: published,
            warnings=("some sensitive values were changed at random: counts of values are not those of the table",),
            remarks=(
                f"{int(touched.sum()):,} of {len(table):,} sensitive values were changed, in "
                f"{len(np.unique(group[touched])):,} of {int(group.max()) + 1:,} groups",
            ),
        )

    def _distorted(self, codes: Ints, guarded: Flags, group: Ints, generator: Generator) -> Ints:
        """Return the codes after the groups with too many protected rows got the shares of others."""
        sizes = np.bincount(group)
        held = np.bincount(group, weights=guarded[codes]).astype(np.int64)
        violating = np.flatnonzero(self.l * held > sizes)
        lenders = np.flatnonzero(self.l * held <= sizes)
        needed = (self.l - 1) * len(violating)
        harmless = np.bincount(codes[~guarded[codes]], minlength=len(guarded)).astype(np.float64)
        if len(lenders) < needed or (len(violating) and not harmless.sum()):
            raise Infeasible(
                f"{self} cannot be met: {len(violating):,} groups have more than 1/{self.l} protected rows, and only "
                f"{len(lenders):,} others can lend their shares ({needed:,} are needed).",
                hint="Ask for a smaller l, a larger k, or protect fewer values.",
            )
        changed = codes.copy()
        if not len(violating):
            return changed
        drawn = generator.choice(lenders, needed, replace=False) if needed else lenders
        lent = generator.choice(drawn, len(violating))
        wanted = np.zeros(len(sizes), dtype=np.int64)
        wanted[violating] = held[lent] * sizes[violating] // sizes[lent]
        inside = np.isin(group, violating) & guarded[codes]
        rows = generator.permutation(np.flatnonzero(inside))
        rows = rows[np.argsort(group[rows], kind="stable")]
        place = np.arange(len(rows)) - np.searchsorted(group[rows], group[rows])
        lost = rows[place >= wanted[group[rows]]]
        changed[lost] = generator.choice(len(guarded), len(lost), p=harmless / harmless.sum())
        return changed

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(k=4, l=2, protected=["gout"])]


def _with_column(table: Table, values: pl.Series) -> Table:
    """Return the table with other values in one column."""
    plain = {Kind.NUMERIC, Kind.CATEGORICAL, Kind.DATE}
    shown = {*table.quasi_identifiers, *table.sensitive, *table.published_others}
    return Table(
        table.frame.with_columns(values),
        identifiers=table.identifiers,
        person=table.person,
        missing={name: table.missing(name) for name in (*table.sensitive, *table.items)},
        allow=table.allowed,
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
        items=table.items,
        hierarchies={c.name: c.hierarchy for c in table.columns if c.hierarchy is not None},
        kinds={c.name: c.kind.value for c in table.columns if c.kind in plain and c.name in shown},
        others=table.others,
    )
