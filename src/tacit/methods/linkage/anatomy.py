"""Anatomy (Xiao and Tao 2006): who is in a group and what is in a group are published apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Flags, Ints, offsets_of
from tacit.errors import LedgerConflict, RoleError
from tacit.guarantees import GroupGuarantee, LDiversity
from tacit.knowledge.learning import expected_right
from tacit.methods.base import Job, Method, Outcome, Scales, require_constant
from tacit.methods.linkage.mondrian import Attribute
from tacit.methods.linkage.mondrian.statistics import MondrianStatistics
from tacit.methods.linkage.similar_buckets import similar_buckets, united_neighbours
from tacit.randomness import permutation
from tacit.shapes import Bucketized
from tacit.table import Codes, Groups, GroupStats, Table

_KEY = "anatomy"

_LARGE = 4
"""Buckets of more than so many times l rows, on average, are large: then groups that are dealt by all sensitive columns
together are tried, which takes as long as Mondrian does. Chosen by hand."""


class Anatomy(Method):
    """Put rows into buckets in which no sensitive value is in more than 1/l of the rows; blur nothing.

    A bucket has one row of each of l values; leftovers join a bucket without their value. Quasi-identifiers are
    published as they are, with the number of the bucket; sensitive values apart, with the same number and a count. Rows
    of a bucket are similar: a reader who learns from all buckets which values go with which quasi-identifiers then
    finds little inside a bucket to tell its rows apart by, and counts that are estimated from buckets are more exact.
    With a ledger, a later release of the same table has the same buckets. Every row is published.

    Of several sensitive columns the tightest is dealt, the one whose most frequent value has most rows. The others are
    made diverse by merging buckets, similar ones where buckets are of similar rows; where that would leave large
    buckets, those are taken that `Mondrian` finds, which deals all columns together.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her bucket up.

    Promise
    -------
    She believes no sensitive value of a person with probability above 1/l, if she takes all ways to match the rows of a
    bucket with its values for equally likely; buckets exist exactly where no value is in more than n/l of n rows:
    docs/threats/linkage.md#why-it-holds. Where that stops: docs/threats/linkage.md#where-the-proof-stops. A reader who
    learns does not take them for equally likely; nothing is promised about her, and the audit says how far she gets.

    Parameters
    ----------
    l
        No value in more than 1/l of a bucket.
    buckets
        "similar": of rows with similar quasi-identifiers. "random": of any rows, as in the paper and for comparison;
        the release then carries a warning with what a reader who learns gets.

    Cost
    ----
    O(q n log n) for n rows, q quasi-identifiers and one sensitive column. Each further column may merge the buckets
    O(log n) times.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [30, 41, 52, 63], "ill": ["a", "a", "b", "c"]}
    >>> table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    >>> release = Anatomy(l=2).protect(table)
    >>> release.shape.statistics.sizes.tolist(), sorted(release.frames())
    ([2, 2], ['quasi_identifiers', 'sensitive'])

    References
    ----------
    Xiao and Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006.
    """

    takes_several_rows: ClassVar[bool] = True
    scales: ClassVar[Scales | None] = "fragments"

    l: Annotated[int, Field(strict=True, ge=1, description="no value in more than 1/l of a bucket")]
    buckets: Annotated[
        Literal["similar", "random"], Field(description='of rows with "similar" quasi-identifiers, or of any, "random"')
    ] = "similar"

    @property
    def guarantee(self) -> LDiversity:
        """What every bucket satisfies."""
        return LDiversity(l=self.l, kind="frequency")

    @property
    def of_fragments(self) -> tuple[GroupGuarantee, ...]:
        """A fragment has buckets where no value is in more than 1/l of it."""
        return (self.guarantee,)

    @property
    def exchanged_until(self) -> int:
        """No value in more than 1/l of a fragment: it may get rows from elsewhere for that."""
        return self.l

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the values, plan buckets of values, and give the rows of each value places in them."""
        counts = self.statistics(table)
        buckets = self.plan(counts)
        return self.apply(table, buckets, job)

    def statistics(self, table: Table) -> Ints:
        """Count the values of the tightest sensitive column; none may have a value in more than 1/l of the rows."""
        if not table.sensitive:
            raise RoleError(f"{self.name} needs a sensitive column.", hint="Name one in `sensitive`.")
        require_constant(self, table)
        self.guarantee.require(table)
        return _dealt(table)[0].counts()

    def plan(self, counts: Ints) -> Groups:
        """Plan the buckets by counts alone: the bucket of every row that a value has, value after value."""
        return planned_buckets(counts, self.l)

    def apply(self, table: Table, buckets: Groups, job: Job) -> Outcome:
        """Put rows into buckets, or into those of earlier releases, and publish people and values apart."""
        groups = self._recalled(table, job) or self._drawn(table, buckets, job)
        numbers = permutation(job.randomness.shuffle(), groups.count)
        group = numbers[groups.ids]
        order = permutation(job.randomness.shuffle(), len(table))
        kept = np.ones(len(table), dtype=bool)
        return Outcome(
            publish=lambda: Bucketized.publish(table, kept, order, group),
            kept=kept,
            group=group,
            guarantees=(self.guarantee,),
            order=order,
            warnings=self._warnings(table, groups),
        )

    def _warnings(self, table: Table, groups: Groups) -> tuple[str, ...]:
        """Say what a reader who learns gets from buckets of any rows, in each sensitive column."""
        if self.buckets == "similar" or self.l == 1 or table.people is not None:
            return ()
        return tuple(
            f"rows share buckets at random: a reader who learns from all buckets which values of {name!r} go with "
            f"which quasi-identifiers expects to guess it right for {expected:.0%} of the rows, where "
            f"{1 / self.l:.0%} is promised to one who does not learn; "
            'buckets="similar" leaves her less to learn'
            for name in table.sensitive
            if (expected := expected_right(table, name, groups)) * self.l > 1
        )

    def _recalled(self, table: Table, job: Job) -> Groups | None:
        """Return the buckets of earlier releases: of two draws, both buckets of a person share only her own value."""
        known = job.recall(_KEY, table)
        if known is None:
            return None
        if known["method"] != self.describe():
            raise LedgerConflict(
                f"{self} would put people into other buckets than the earlier releases of this table.",
                hint="Use the parameters of those: two draws together tell more than either.",
            )
        ids: Ints = np.asarray(known["bucket"], dtype=np.int64)
        return Groups(ids, int(ids.max()) + 1)

    def _drawn(self, table: Table, buckets: Groups, job: Job) -> Groups:
        """Deal the rows out, unite buckets where a further column needs it, and remember who is where."""
        secret = job.randomness.secret()
        similar = self.buckets == "similar" and len(table.quasi_identifiers) > 0
        values, units = _dealt(table)
        if similar:
            columns = [(table.column(name), table.codes(name)) for name in table.quasi_identifiers]
            attributes = [
                Attribute.of(c, codes if units is None else codes.take(units), "sets") for c, codes in columns
            ]
            groups = similar_buckets(attributes, values, self.l, secret)
        else:
            groups = dealt(values, buckets, secret)
        if table.people is not None:
            groups = Groups(groups.ids[table.people.ids], groups.count)
        job.progress(self.name, 0.5)
        if len(table.sensitive) > 1 or table.people is not None:
            groups = diverse(groups, self.guarantee, table.statistics, similar, secret)
        if similar and len(table.sensitive) > 1 and groups.count * self.l * _LARGE < len(table):
            statistics = MondrianStatistics.of(table, "sets")
            together = statistics.grouping([self.guarantee], statistics.whole)
            groups = together if together.count > groups.count else groups
        job.remember(_KEY, table, method=self.describe(), bucket=groups.ids.astype(np.int32))
        return groups

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2), cls(l=2, buckets="random")]


def tightest(table: Table) -> str:
    """Return the sensitive column whose most frequent value has most rows; of equally tight ones that of fewer values.

    Examples
    --------
    >>> frame = {"town": list("abcd"), "ill": list("yyyn"), "smokes": list("ynnn")}
    >>> tightest(Table(frame, sensitive=["town", "smokes", "ill"]))
    'ill'
    """
    return tightest_of({name: table.counts(name) for name in table.sensitive})


def tightest_of(counts: Mapping[str, Ints]) -> str:
    """Do the same, given how many rows each value of each column has."""
    return min(counts, key=lambda name: (-int(counts[name].max()), int((counts[name] > 0).sum()), name))


def planned_buckets(counts: Ints, l: int) -> Groups:
    """Return the bucket of every row that a value has, value after value, in the smallest l-diverse buckets.

    Examples
    --------
    >>> planned_buckets(np.array([2, 1, 1]), 2).ids.tolist()
    [1, 0, 1, 0]
    """
    from tacit.kernels.anatomy import anatomize

    places: Ints = np.arange(int(counts.sum()))
    ids, count = anatomize(places, offsets_of(counts), l)
    return Groups(ids, count)


def _dealt(table: Table) -> tuple[Codes, Ints | None]:
    """Return the value by which each row is dealt or, where people have several, each person; and one row of each.

    A person is dealt by that of her values which is most frequent in the whole table, because it must be spread most.
    Her other values are not looked at here: buckets in which they are too many are united.
    """
    values, people = table.codes(tightest(table)), table.people
    if people is None:
        return values, None
    counts = values.counts()
    order = np.lexsort((-counts[values.codes], people.ids))
    rows: Ints = order[offsets_of(people.rows)[:-1]]
    return values.take(rows), rows


def dealt(codes: Codes, buckets: Groups, secret: Generator) -> Groups:
    """Give the rows of each value, in random order, the places that its value has in the buckets."""
    shuffled = permutation(secret, len(codes.codes))
    rows = shuffled[np.argsort(codes.codes[shuffled], kind="stable")]
    ids: Ints = np.empty(len(rows), dtype=np.int64)
    ids[rows] = buckets.ids
    return Groups(ids, buckets.count)


def diverse(
    groups: Groups,
    guarantee: GroupGuarantee,
    count: Callable[[Groups], GroupStats],
    similar: bool,
    secret: Generator,
) -> Groups:
    """Unite buckets until every sensitive column is diverse in each, and not only the one by which rows were dealt.

    Parameters
    ----------
    groups
        The buckets. As one bucket, all rows must be diverse.
    guarantee
        What every bucket must satisfy.
    count
        Counts every sensitive column in every bucket.
    similar
        Neighbours are similar, and a bucket is united with the next one; otherwise with any.
    secret
        What draws the others.
    """
    while groups.count > 1:
        broken = ~guarantee.satisfied(count(groups))
        if not broken.any():
            break
        whole = united_neighbours(broken) if similar else united(broken, permutation(secret, groups.count))
        groups = Groups.of([whole[groups.ids]], [groups.count])
    return groups


def united(broken: Flags, order: Ints) -> Ints:
    """Return the bucket that each bucket becomes part of, so that broken ones take others along.

    `order` is a random order of the buckets. The broken ones are put first, and as many buckets as there are of them
    are taken from its end. There are fewer buckets each time, so that at last all are one, which is diverse.

    Examples
    --------
    >>> united(np.array([False, True, False]), np.array([0, 1, 2])).tolist()
    [1, 0, 0]
    """
    count = len(broken)
    order = order[np.argsort(~broken[order], kind="stable")]
    wanted = min(count - 1, int(broken.sum()))
    place = np.empty(count, dtype=np.int64)
    place[order] = np.arange(count)
    return np.where(place >= count - wanted, count - 1 - place, place)
