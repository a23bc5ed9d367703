"""ANGEL: generalized marginals whose rows point to batches of sensitive values (Tao et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.guarantees import KAnonymity, LDiversity
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.linkage.anatomy import anatomized
from tacit.methods.linkage.mondrian import RECODES, Attribute, Mondrian, Recode
from tacit.methods.marginals.cuts import MarginalCut
from tacit.methods.marginals.schemas import Schemas, one_sensitive, resolve
from tacit.randomness import permutation
from tacit.shapes import Marginals
from tacit.table import Table


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
    Frequency `LDiversity` of every batch: a value is linked to a person with at most 1/l. See
    docs/threats/marginals.md#what-angel-promises. Nothing is promised about a second release of the same table.

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
        l + 1 rows each, dealt out as Anatomy does.
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

    def run(self, table: Table, job: Job) -> Outcome:
        """Batch the rows once, then blur every marginal by itself."""
        one_sensitive(table, self.name)
        schemas = resolve(self.marginals, table)
        whole = table.whole()
        diversity, anonymity = LDiversity(l=self.l, kind="frequency"), KAnonymity(k=self.k or self.l)
        for guarantee in (diversity, anonymity):
            guarantee.require(table, whole)
        attributes = {n: Attribute.of(table.column(n), table.codes(n), self.recode) for n in table.quasi_identifiers}
        if self.batches == "similar":
            mondrian = Mondrian(guarantees=[diversity], recode=self.recode)
            batches = mondrian.groups(table, list(attributes.values()), whole)
        else:
            batches = anatomized(table, table.sensitive[0], self.l, job.randomness.secret())
        job.progress("batches", 0.3)
        shuffle = job.randomness.shuffle()
        batch = permutation(shuffle, batches.count)[batches.ids]
        cutter = Mondrian(guarantees=[anonymity], recode=self.recode)
        cuts = {}
        for index, (name, columns) in enumerate(schemas.items()):
            mine = [attributes[column] for column in columns]
            groups = cutter.groups(table, mine, whole)
            cuts[name] = MarginalCut.numbered(table, columns, mine, groups, batch, shuffle)
            job.progress("marginals", 0.3 + 0.7 * (index + 1) / len(schemas))
        return Outcome(
            publish=lambda: Marginals({name: cut.bucketized(table) for name, cut in cuts.items()}),
            kept=np.ones(len(table), dtype=bool),
            group=dict.fromkeys(schemas, batch),
            guarantees=(diversity,),
        )

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(l=2), cls(l=2, batches="smallest")]
