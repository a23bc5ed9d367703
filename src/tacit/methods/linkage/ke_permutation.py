"""Permutation for (k,e)-anonymity (Zhang, Koudas, Srivastava and Yu 2007)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import Floats, Ints
from tacit.errors import RoleError
from tacit.guarantees.linkage.ke_anonymity import KEAnonymity, numbers_of
from tacit.methods.base import Job, Method, Outcome
from tacit.randomness import permutation
from tacit.shapes import Bucketized
from tacit.table import Groups, Table


class KEPermutation(Method):
    """Sort by the sensitive number, cut into groups, and publish people and numbers of a group apart.

    A group is a stretch of the sorted numbers; rows with equal numbers are in the same group. Of all ways to cut, the
    one with the smallest sum of ranges is taken, so that sums and averages over groups can be bounded as narrowly as
    possible. Quasi-identifiers are published as they are, with the number of the group. Every row is published.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her group up.

    Promise
    -------
    (k,e)-anonymity: in every group at least k different numbers, whose range is at least e. The cut is the best one:
    docs/threats/linkage.md#numbers-that-are-near-each-other. How probable each number is, nothing is said of.

    Parameters
    ----------
    k
        The least number of different values in a group.
    e
        The least range of a group, in the unit of the column.

    Cost
    ----
    O(n + m log m) for n rows and m different numbers.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [30, 41, 52, 63, 74], "pay": [10, 12, 30, 31, 45]}
    >>> release = KEPermutation(k=2, e=2).protect(tc.Table(frame, quasi_identifiers="age", sensitive="pay"))
    >>> release.frames()["sensitive"].sort("pay").group_by("group", maintain_order=True).agg("pay")["pay"].to_list()
    [[10, 12], [30, 31, 45]]

    References
    ----------
    Zhang, Koudas, Srivastava and Yu, "Aggregate query answering on anonymized tables", ICDE 2007.
    """

    numeric_only: ClassVar[bool] = True

    k: Annotated[int, Field(strict=True, ge=1, description="the least number of different values of a group")]
    e: Annotated[float, Field(ge=0, allow_inf_nan=False, description="the least range of a group, a number from 0 up")]

    @property
    def guarantee(self) -> KEAnonymity:
        """What every group satisfies."""
        return KEAnonymity(k=self.k, e=self.e)

    def run(self, table: Table, job: Job) -> Outcome:
        """List the different numbers, cut them into ranges, and give every row the group of its number."""
        name, numbers, present = self.statistics(table)
        ranges = self.plan(name, numbers, present)
        job.progress(self.name, 0.5)
        return self.apply(table, ranges, job)

    def statistics(self, table: Table) -> tuple[str, Floats, Ints]:
        """Return the sensitive column, the number behind each of its codes, and the codes that rows have."""
        if len(table.sensitive) != 1:
            raise RoleError(
                f"{self.name} needs one sensitive column.", hint="Name one column of numbers in `sensitive`."
            )
        name = table.sensitive[0]
        codes = table.codes(name)
        return name, numbers_of(codes.values), np.flatnonzero(codes.counts())

    def plan(self, name: str, numbers: Floats, present: Ints) -> Groups:
        """Cut the numbers that are present into ranges; return the range of each code, -1 for codes that no row has."""
        from tacit.kernels.value_ranges import cut_into_ranges

        ascending = present[np.argsort(numbers[present], kind="stable")]
        ranges = cut_into_ranges(numbers[ascending], self.k, self.guarantee.limit(numbers))
        if not len(ranges):
            raise self.guarantee.obstacle(name, numbers[present])
        range_of_code = np.full(len(numbers), -1, dtype=np.int64)
        range_of_code[ascending] = ranges
        return Groups(range_of_code, int(ranges[-1]) + 1)

    def apply(self, table: Table, ranges: Groups, job: Job) -> Outcome:
        """Number the ranges at random, and publish people and numbers apart."""
        numbers = permutation(job.randomness.shuffle(), ranges.count)
        group = numbers[ranges.ids[table.codes(table.sensitive[0]).codes]]
        order = permutation(job.randomness.shuffle(), len(table))
        kept = np.ones(len(table), dtype=bool)
        return Outcome(
            publish=lambda: Bucketized.publish(table, kept, order, group),
            kept=kept,
            group=group,
            guarantees=(self.guarantee,),
        )

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(k=2, e=10)]
