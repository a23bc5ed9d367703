"""ANGEL: generalized marginals whose rows point to batches of sensitive values (Tao et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.errors import RoleError
from tacit.guarantees import KAnonymity, LDiversity
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.linkage.anatomy import dealt, diverse, planned_buckets, tightest_of
from tacit.methods.linkage.mondrian import RECODES, MondrianStatistics, Recode
from tacit.methods.linkage.similar_buckets import similar_buckets
from tacit.methods.marginals.cuts import MarginalCut
from tacit.methods.marginals.schemas import Schemas, resolve
from tacit.randomness import Randomness, permutation
from tacit.shapes import Marginals
from tacit.table import Groups, Table


class Angel(Method):
    """Publish, per marginal, blurred columns beside a batch number, and once what values each batch holds.

    A batch is a set of rows in which no value is in more than 1/l. Columns are blurred so that every cell stands for
    at least k rows. Counts by value are shares of a batch, not counts of a group.

    Against
    -------
    Somebody who finds a person in every marginal of this release by her quasi-identifiers, and so learns her batch, and
    who takes all assignments of a batch's values to its people for equally likely.

    Promise
    -------
    Frequency `LDiversity` of every batch, in every sensitive column: a value is linked to a person with at most 1/l
    (docs/threats/marginals.md#what-angel-promises). Nothing is promised about a second release of the same table.

    Parameters
    ----------
    l
        No value is in more than 1/l of a batch.
    marginals
        Lists of quasi-identifiers, or a name for each list; by default one list of all of them.
    k
        The least number of rows with equal cells in a marginal, by default l.
    batches
        "similar": the groups that Mondrian finds, so that a batch tells what people like these have; "smallest": l or
        l + 1 similar rows each, as Anatomy puts them together; more where there are several sensitive columns.
    recode
        "auto": a column that has a hierarchy is published as nodes of it, every other one as intervals and sets;
        "sets": all columns as intervals and sets; "hierarchy": another word for "auto".

    Cost
    ----
    No row is withheld. One partition for the batches and one for each marginal, each O(n log n) in the rows n with a
    bounded number of columns.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [20, 21, 50, 51], "ill": ["flu", "cold", "flu", "cold"]}
    >>> table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    >>> release = Angel(l=2, marginals={"by_age": ["age"]}).protect(table)
    >>> sorted(release.frames()), sorted(release.frames()["by_age"]["age"].to_list())
    (['by_age', 'sensitive'], ['[20, 21]', '[20, 21]', '[50, 51]', '[50, 51]'])

    References
    ----------
    Tao, Chen, Xiao, Zhou and Zhang, "ANGEL: enhancing the utility of generalization for privacy preserving
    publication", TKDE 2009.
    """

    l: Annotated[int, Field(strict=True, ge=2, description="no value in more than 1/l of a batch, an integer from 2")]
    marginals: Schemas = None
    k: Annotated[int | None, Field(strict=True, ge=1, description="the least number of rows with equal cells")] = None
    batches: Literal["similar", "smallest"] = Field("similar", description='"similar" or "smallest"')
    recode: Recode = Field("auto", description=RECODES)

    @property
    def guarantee(self) -> LDiversity:
        """What every batch satisfies."""
        return LDiversity(l=self.l, kind="frequency")

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the table, batch its rows once, and blur every marginal by itself."""
        statistics = self.statistics(table)
        batches = self.plan(statistics, job.randomness)
        job.progress("batches", 0.3)
        return self.apply(table, statistics, batches, job)

    def statistics(self, table: Table) -> MondrianStatistics:
        """Count the cells of all quasi-identifiers, and the values of every sensitive column."""
        if not table.sensitive:
            raise RoleError(f"{self.name} needs a sensitive column.", hint="Name one in `sensitive`.")
        resolve(self.marginals, table)
        whole = table.whole()
        for guarantee in (self.guarantee, self._anonymity):
            guarantee.require(table, whole)
        return MondrianStatistics.of(table, self.recode, whole=whole)

    def plan(self, statistics: MondrianStatistics, randomness: Randomness) -> Groups:
        """Choose the batch of every row: similar rows together, in large batches or in the smallest."""
        if self.batches == "similar":
            return statistics.grouping([self.guarantee], statistics.whole)
        columns, secret = statistics.sensitive, randomness.secret()
        values = columns[tightest_of({name: codes.counts() for name, codes in columns.items()})]
        similar = bool(statistics.attributes)
        if similar:
            batches = similar_buckets(statistics.attributes, values, self.l, secret)
        else:
            batches = dealt(values, planned_buckets(values.counts(), self.l), secret)
        if len(columns) == 1:
            return batches
        united = diverse(batches, self.guarantee, statistics.count, similar, secret)
        together = statistics.grouping([self.guarantee], statistics.whole)
        return together if together.count > united.count else united

    def apply(self, table: Table, statistics: MondrianStatistics, batches: Groups, job: Job) -> Outcome:
        """Number the batches at random, group and blur the rows for every marginal, and publish the marginals."""
        schemas = resolve(self.marginals, table)
        shuffle = job.randomness.shuffle()
        batch = permutation(shuffle, batches.count)[batches.ids]
        cuts = {}
        for index, (name, columns) in enumerate(schemas.items()):
            mine = MondrianStatistics.of(table, self.recode, columns, statistics.whole)
            groups = mine.grouping([self._anonymity], statistics.whole)
            cuts[name] = MarginalCut.numbered(table, columns, mine.attributes, groups, batch, shuffle)
            job.progress("marginals", 0.3 + 0.7 * (index + 1) / len(schemas))
        return Outcome(
            publish=lambda: Marginals({name: cut.bucketized(table) for name, cut in cuts.items()}),
            kept=np.ones(len(table), dtype=bool),
            group=dict.fromkeys(schemas, batch),
            guarantees=(self.guarantee,),
        )

    @property
    def _anonymity(self) -> KAnonymity:
        return KAnonymity(k=self.k or self.l)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2), cls(l=2, batches="smallest")]
