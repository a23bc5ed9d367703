"""InvariantMarginals: any number of marginals of one table, now and later, that tell no more together than one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Ints
from tacit.errors import LedgerConflict
from tacit.guarantees import Eligibility, GroupGuarantee, MInvariance
from tacit.methods.base import Job, Method, Outcome, Scales
from tacit.methods.linkage.mondrian import RECODES, Attribute, MondrianStatistics, Recode
from tacit.methods.marginals.buckets import Buckets, draw
from tacit.methods.marginals.cuts import MarginalCut, about_counterfeits, counterfeits_of, shown_rows
from tacit.methods.marginals.following import CounterfeitsAllowed, FollowedPeople, follow, typed
from tacit.methods.marginals.schemas import Schemas, one_sensitive, resolve
from tacit.parameters import PRIVATE
from tacit.progress import Progress, silent
from tacit.releases import KnownPeople
from tacit.releases.ledger_people import AS_SHE_WAS, UNKNOWN, WITHHELD
from tacit.shapes import Marginals
from tacit.table import Groups, Table

BUCKETS = "buckets"


class InvariantMarginals(Method):
    """Publish marginals in which everybody keeps her signature, the set of values that she could have.

    Rows are put into buckets of at least m values, each equally frequent. Every marginal cuts each bucket into groups
    of one row per value, in the way that blurs its own columns least. Groups differ from marginal to marginal; the
    values of a group are always those of the bucket. Given a ledger, a later marginal uses the same buckets. If the
    table names a person column, it may change from release to release: whoever was published keeps her signature for
    ever, newcomers take the places of those who left, and rows that are nobody's take those that stay empty.

    Against
    -------
    Somebody who has every marginal that was published through the ledger, knows the quasi-identifiers of everybody and
    everybody's group in each marginal, and takes all worlds that are consistent with them for equally likely.

    Promise
    -------
    `MInvariance`: nobody's value is known with more than 1/m, whatever the number of marginals. Proved in
    docs/threats/marginals.md#invariance-gives-one-over-the-signature; what is not proved is listed in
    docs/threats/marginals.md#where-the-proof-stops.

    Parameters
    ----------
    m
        The least number of values of a group, an integer from 2 up.
    marginals
        Lists of quasi-identifiers, or a name for each list; by default one list of all of them.
    recode
        "auto": a column that has a hierarchy is published as nodes of it, every other one as intervals and sets;
        "sets": all columns as intervals and sets; "hierarchy": another word for "auto".
    counterfeits
        For a table that changes: what may be done where people have left whose values a signature needs. "publish":
        rows that are nobody's take their places, where no newcomer can, and up to 0.4% of the rows also where only
        somebody far away could. "newcomers": also beside newcomers who are too much alike. A number: the largest share
        of rows that may be nobody's.
    signatures
        For a table that changes: how newcomers get the signatures that they keep. "near": from the people nearest to
        them, so that the first releases are blurred least. "shared": from large sub-tables, so that many people share
        a signature. Then the first releases are blurred more and grow less, and fewer rows are nobody's. With m = 4
        shared ones blurred less from the eighth to twelfth month on, with m = 8 not within two years. The promise is
        the same.
    changing
        For a table that changes: values of the sensitive column that come and go, such as a flu. Whoever had one of
        them and has another one now gets a new signature, and the promise is about each episode by itself. Any other
        change of a value is refused.

    Cost
    ----
    No row is withheld; cells are blurred, more with a larger m. A value in more than 1/m of the rows makes it
    infeasible. Time grows a little slower than n, the rows, measured from 100,000 to 2,000,000; every marginal is cut
    once. A bucket of two values with up to 512 rows each is matched exactly, in the third power of these rows.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [20, 21, 50, 51], "zip": [3, 8, 3, 8], "ill": ["flu", "cold", "flu", "cold"]}
    >>> table = tc.Table(frame, quasi_identifiers=["age", "zip"], sensitive="ill")
    >>> release = InvariantMarginals(m=2, marginals=[["age"], ["zip"]]).protect(table)
    >>> sorted(release.frames()["age"]["age"].to_list())
    ['[20, 21]', '[20, 21]', '[50, 51]', '[50, 51]']

    References
    ----------
    He, Xiao, Wang et al., "Dynamic anonymization for marginal publication"; Xiao and Tao, "m-invariance", SIGMOD 2007.
    """

    scales: ClassVar[Scales | None] = "fragments"

    m: Annotated[int, Field(strict=True, ge=2, description="the least number of values of a group, an integer from 2")]
    marginals: Schemas = None
    recode: Recode = Field("auto", description=RECODES)
    counterfeits: CounterfeitsAllowed = Field(
        "publish",
        description='"publish", "newcomers", or the largest share of rows that may be counterfeits, from 0 to 1',
    )
    signatures: Literal["near", "shared"] = Field(
        "near",
        description='in a changing table: "near" blurs the first releases least, "shared" needs fewer counterfeits',
    )
    changing: tuple[str, ...] = Field((), json_schema_extra=PRIVATE, description="values that come and go")

    @property
    def guarantee(self) -> MInvariance:
        """What is claimed."""
        return MInvariance(m=self.m, per="episode" if self.changing else "person")

    @property
    def of_fragments(self) -> tuple[GroupGuarantee, ...]:
        """A fragment has buckets where no value is in more than 1/m of it."""
        return (Eligibility(l=self.m),)

    @property
    def exchanged_until(self) -> int:
        """No value in more than 1/m of a fragment: it may get rows from elsewhere for that."""
        return self.m

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the table, plan the buckets unless the ledger has them, and cut them for every marginal."""
        statistics = self.statistics(table)
        if job.people is not None:
            job.people.refuse_strangers(table)
            followed = self.follow(statistics, job.people.recall(table), job.randomness.secret(), job.progress)
            job.people.remember(table, followed.signature, followed.signatures)
            return self.apply(table, statistics, followed.signature, job, followed)
        earlier = job.recall(BUCKETS, table)
        if earlier is None:
            bucket = self.plan(statistics, job.randomness.secret(), job.progress)
            job.remember(BUCKETS, table, bucket=bucket.astype(np.int32), m=self.m)
        else:
            bucket = np.asarray(earlier["bucket"], dtype=np.int64)
        return self.apply(table, statistics, bucket, job)

    def statistics(self, table: Table) -> MondrianStatistics:
        """Count the cells of all quasi-identifiers, and the values of the one sensitive column."""
        one_sensitive(table, self.name)
        resolve(self.marginals, table)
        return MondrianStatistics.of(table, self.recode)

    def plan(self, statistics: MondrianStatistics, secret: Generator, progress: Progress = silent) -> Ints:
        """Choose the bucket of every row; which of equal rows goes where is drawn."""
        if not self.guarantee.eligible(statistics.whole).all():
            raise self.guarantee.obstacle(
                statistics.whole, {name: codes.values for name, codes in statistics.sensitive.items()}
            )
        return draw(statistics, self.guarantee, secret, progress)

    def follow(
        self, statistics: MondrianStatistics, known: KnownPeople, secret: Generator, progress: Progress = silent
    ) -> FollowedPeople:
        """Choose the signature of every person in a table that changes, and the counterfeits that are needed."""
        gone = int((known.signature == WITHHELD).sum())
        if gone:
            raise LedgerConflict(
                f"{gone:,} of the people were withheld by a suppression in earlier releases, and would be shown now.",
                hint="Begin with the suppression, as before: it withholds them again.",
            )
        known = replace(known, signature=np.where(known.signature == AS_SHE_WAS, UNKNOWN, known.signature))
        few = known.signatures.sizes[np.unique(known.signature[known.signature >= 0])].min(initial=self.m)
        if few < self.m:
            raise self._conflict(int(few))
        return follow(
            statistics,
            known,
            self.guarantee,
            self.counterfeits,
            secret,
            progress,
            self.changing,
            self.signatures == "shared",
        )

    def apply(
        self,
        table: Table,
        statistics: MondrianStatistics,
        bucket: Ints,
        job: Job,
        followed: FollowedPeople | None = None,
    ) -> Outcome:
        """Cut every bucket into groups of one row per value, for every marginal, and publish the marginals."""
        buckets = self._laid_out(statistics, bucket, followed)
        (sensitive,) = statistics.sensitive.values()
        like, nobody = None, None
        if followed is not None and len(followed.like):
            like, nobody = followed.like, typed(followed.signatures.texts, followed.nobody_value, sensitive.values)
        attributes = {attribute.column.name: attribute for attribute in statistics.attributes}
        schemas = resolve(self.marginals, table)
        shuffle = job.randomness.shuffle()
        cuts = {}
        for index, (name, columns) in enumerate(schemas.items()):
            mine = [attributes[column] for column in columns]
            groups = _cut(table, buckets, mine, like)
            cuts[name] = MarginalCut.draw(table, columns, mine, groups, shuffle, nobody)
            job.progress("decompose", 0.4 + 0.6 * (index + 1) / len(schemas))
        return Outcome(
            publish=lambda: Marginals({name: cut.marginal(table) for name, cut in cuts.items()}),
            kept=np.ones(len(table), dtype=bool),
            group={name: cut.number for name, cut in cuts.items()},
            guarantees=(self.guarantee,),
            bucket=buckets.bucket[: len(table)],
            warnings=() if nobody is None else about_counterfeits(cuts),
            counterfeits=None if nobody is None else counterfeits_of(cuts, nobody),
        )

    def _laid_out(
        self, statistics: MondrianStatistics, bucket: Ints, followed: FollowedPeople | None = None
    ) -> Buckets:
        """Lay the buckets out for the cuts, counterfeits last; those of the ledger may have too few values."""
        if followed is not None:
            every = np.concatenate([followed.signature, followed.nobody_signature])
            values = np.concatenate([followed.value, followed.nobody_value])
            _, dense = np.unique(every, return_inverse=True)
            return Buckets.of(dense, values, len(followed.signatures.texts), grouped=False)
        (sensitive,) = statistics.sensitive.values()
        buckets = Buckets.of(bucket, sensitive.codes.astype(np.int64), sensitive.cardinality)
        if int(buckets.width.min(initial=self.m)) < self.m:
            raise self._conflict(int(buckets.width.min()))
        return buckets

    def _conflict(self, fewest: int) -> LedgerConflict:
        return LedgerConflict(
            f"{self} cannot be met: earlier marginals of this table were cut from buckets of {fewest} values.",
            hint=f"Ask for m = {fewest} or less; everybody's signature must stay what it was.",
        )

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(m=2), cls(m=2, recode="hierarchy")]


def _cut(table: Table, buckets: Buckets, attributes: list[Attribute], like: Ints | None = None) -> Groups:
    """Cut every bucket into groups of one row per value, for the least NCP of these columns.

    `like` are the rows whose cells counterfeits have for the time being; counterfeits stand after the rows.
    """
    from tacit.kernels.marginals.cost import MarginalRows
    from tacit.kernels.marginals.decompose import BucketRows, decompose

    shown = shown_rows(attributes, table.groups([attribute.column.name for attribute in attributes]).ids)
    if like is not None:
        row = np.concatenate([np.arange(len(table)), like])
        shown = MarginalRows(shown.space, shown.points[row], shown.cell[row])
    group = decompose(shown, BucketRows(buckets.rows, buckets.start, buckets.width, buckets.grouped))
    return Groups(np.asarray(group, dtype=np.int64), int(group.max(initial=-1)) + 1)
