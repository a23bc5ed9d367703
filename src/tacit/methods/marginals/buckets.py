"""Buckets: the tuples that marginals may group with one another (spec, steps 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import Flags, Ints, offsets_of
from tacit.guarantees import GroupGuarantee, KAnonymity, LDiversity, MInvariance
from tacit.methods.linkage.mondrian import MondrianStatistics
from tacit.methods.marginals.value_orders import ValueOrders, dearest
from tacit.progress import Progress, silent
from tacit.randomness import permutation
from tacit.table import Groups, Histogram

SHARED = 250
"""Rows per value of a bucket: the sub-tables from which shared signatures are drawn have m times as many. With fewer
rows people share less, with more the first months blur more. Chosen by trial on the census."""


@dataclass(frozen=True, eq=False)
class Buckets:
    """Rows by bucket; in a bucket every value is equally frequent.

    Buckets of the same values are one: a group may take its rows from either, and has the same signature.

    Attributes
    ----------
    bucket
        The bucket of each row.
    rows, start, width
        Bucket `k` has `width[k]` values and the rows `rows[start[k]:start[k + 1]]`, sorted by value.
    grouped
        Whether the rows of each value are in an order in which those at the same place are alike.
    """

    bucket: Ints
    rows: Ints
    start: Ints
    width: Ints
    grouped: bool = True

    @classmethod
    def of(cls, bucket: Ints, sensitive: Ints, values: int, *, grouped: bool = True) -> Buckets:
        """Unite the drawn buckets that have the same values, and lay them out value by value, drawn ones together."""
        from tacit.kernels.counting_order import counted_order
        from tacit.kernels.lists import number_lists

        drawn = Histogram.of(bucket, int(bucket.max(initial=-1)) + 1, sensitive, values)
        united, one = number_lists(drawn.offsets, drawn.values)
        whole = united[bucket]
        rows, _ = counted_order(bucket, len(drawn.offsets) - 1, np.arange(len(bucket)))
        rows, _ = counted_order(sensitive, values, rows)
        rows, start = counted_order(whole, len(one), rows)
        return cls(whole, rows, start, drawn.distinct()[one], grouped)


def draw(
    statistics: MondrianStatistics,
    guarantee: MInvariance,
    secret: Generator,
    progress: Progress = silent,
    rows: Flags | None = None,
    orders: ValueOrders | None = None,
    shared: bool = False,
) -> Ints:
    """Put every row, or some, into a bucket, -1 for the others; which of equal rows goes where is secret.

    Given orders of the values, buckets of equal rows have the first ones of their region where there is a choice: many
    buckets of a region then have the same values. If `shared`, sub-tables are large, and a bucket has any of their
    rows: there are few buckets, and many people in each.
    """
    from tacit.kernels.marginals.assign import SubTables, assign

    # m-eligible is frequency l-diverse with l = m; cuts and exchanges keep similar rows together.
    asked: list[GroupGuarantee] = [LDiversity(l=guarantee.m, kind="frequency")]
    if shared:
        asked.append(KAnonymity(k=_least_rows(guarantee.m, rows)))
    parts = statistics.grouping(asked, statistics.whole, rows)
    if not guarantee.eligible(statistics.count(parts)).all():  # the kernel promises it, and it is checked all the same
        parts = Groups.whole(len(parts.ids)) if rows is None else Groups(np.where(rows, 0, -1), 1)
    progress("partition", 0.3)
    order = permutation(secret, len(parts.ids))
    near = near_rows(statistics, parts)
    order = order[np.argsort(parts.ids[order] if shared else near.ids[order], kind="stable")]
    order = order[parts.ids[order] >= 0]
    start = offsets_of(parts.sizes())
    (sensitive,) = statistics.sensitive.values()
    tables = SubTables(start, order, near.ids, sensitive.codes, sensitive.cardinality)
    if shared:  # to the kernel all rows of a part are alike, so it takes them as they come
        tables = SubTables(start, order, np.zeros(len(parts.ids), np.int64), sensitive.codes, sensitive.cardinality)
    elif orders is not None:
        codes = orders.codes(parts.ids, order[start[:-1]])
        tables = SubTables(start, order, near.ids, codes, orders.width, alike=True)
    bucket, _ = assign(tables, guarantee.m)
    progress("assign", 0.4)
    return np.asarray(bucket, dtype=np.int64)


def _least_rows(m: int, rows: Flags | None) -> int:
    """Return how many rows a sub-table has at least, if signatures are shared; of newcomers so much fewer."""
    if rows is None:
        return SHARED * m
    new = int(rows.sum())
    return max(1, min(new, SHARED * m * new // len(rows)))


def near_rows(statistics: MondrianStatistics, parts: Groups) -> Groups:
    """Number equal rows of each part so that neighbours share the attributes in which a difference costs most.

    These are the attributes of few values.
    """
    dear = dearest(statistics.attributes)
    first = parts.ids + 1  # rows of no part come first
    return Groups.of([first, *(c.codes for c in dear)], [parts.count + 1, *(c.cardinality for c in dear)])
