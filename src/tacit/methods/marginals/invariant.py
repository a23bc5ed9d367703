"""InvariantMarginals: any number of marginals of one table, now and later, that tell no more together than one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Ints
from tacit.errors import LedgerConflict
from tacit.guarantees import MInvariance
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.linkage.mondrian import RECODES, Attribute, MondrianStatistics, Recode
from tacit.methods.marginals.buckets import Buckets, draw
from tacit.methods.marginals.cuts import MarginalCut
from tacit.methods.marginals.schemas import Schemas, one_sensitive, resolve
from tacit.progress import Progress, silent
from tacit.shapes import Marginals
from tacit.table import Groups, Table

BUCKETS = "buckets"


class InvariantMarginals(Method):
    """Publish marginals in which everybody keeps her signature, the set of values that she could have.

    Rows are put into buckets of at least m values, each equally frequent. Every marginal cuts each bucket into groups
    of one row per value, in the way that blurs its own columns least. Groups differ from marginal to marginal; the
    values of a group are always those of the bucket. Given a ledger, a later marginal uses the same buckets.

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

    remembers: ClassVar[bool] = True

    m: Annotated[int, Field(strict=True, ge=2, description="the least number of values of a group, an integer from 2")]
    marginals: Schemas = None
    recode: Recode = Field("auto", description=RECODES)

    @property
    def guarantee(self) -> MInvariance:
        """What is claimed."""
        return MInvariance(m=self.m)

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the table, plan the buckets unless the ledger has them, and cut them for every marginal."""
        statistics = self.statistics(table)
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

    def apply(self, table: Table, statistics: MondrianStatistics, bucket: Ints, job: Job) -> Outcome:
        """Cut every bucket into groups of one row per value, for every marginal, and publish the marginals."""
        buckets = self._laid_out(statistics, bucket)
        attributes = {attribute.column.name: attribute for attribute in statistics.attributes}
        schemas = resolve(self.marginals, table)
        shuffle = job.randomness.shuffle()
        cuts = {}
        for index, (name, columns) in enumerate(schemas.items()):
            mine = [attributes[column] for column in columns]
            groups = _cut(table, buckets, mine)
            cuts[name] = MarginalCut.draw(table, columns, mine, groups, shuffle)
            job.progress("decompose", 0.4 + 0.6 * (index + 1) / len(schemas))
        return Outcome(
            publish=lambda: Marginals({name: cut.marginal(table) for name, cut in cuts.items()}),
            kept=np.ones(len(table), dtype=bool),
            group={name: cut.number for name, cut in cuts.items()},
            guarantees=(self.guarantee,),
            bucket=buckets.bucket,
        )

    def _laid_out(self, statistics: MondrianStatistics, bucket: Ints) -> Buckets:
        """Lay the buckets out for the cuts; those of the ledger may have too few values."""
        (sensitive,) = statistics.sensitive.values()
        buckets = Buckets.of(bucket, sensitive.codes.astype(np.int64), sensitive.cardinality)
        if int(buckets.width.min(initial=self.m)) < self.m:
            raise LedgerConflict(
                f"{self} cannot be met: earlier marginals of this table were cut from buckets of "
                f"{int(buckets.width.min())} values.",
                hint=f"Ask for m = {int(buckets.width.min())} or less; everybody's signature must stay what it was.",
            )
        return buckets

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(m=2), cls(m=2, recode="hierarchy")]


def _cut(table: Table, buckets: Buckets, attributes: list[Attribute]) -> Groups:
    """Cut every bucket into groups of one row per value, for the least NCP of these columns."""
    from tacit.kernels.marginals.cost import MarginalRows
    from tacit.kernels.marginals.decompose import BucketRows, decompose
    from tacit.kernels.mondrian.space import space_of

    space = space_of([attribute.layout() for attribute in attributes])
    points = np.empty((len(table), len(attributes)), dtype=np.int32)
    for a, attribute in enumerate(attributes):
        points[:, a] = space.position[space.start[a] : space.start[a + 1]][attribute.codes.codes]
    cells = table.groups([attribute.column.name for attribute in attributes])
    group = decompose(MarginalRows(space, points, cells.ids), BucketRows(buckets.rows, buckets.start, buckets.width))
    return Groups(np.asarray(group, dtype=np.int64), int(group.max(initial=-1)) + 1)
