"""ART, an algorithm for r-robust tables (paper 003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Flags, Ints
from tacit.errors import Infeasible
from tacit.guarantees import RRobustness
from tacit.kernels.distribution.arguments import News
from tacit.knowledge.distribution import (
    Distribution,
    JoinedDistribution,
    ProtectedEntries,
    Robustness,
    SeveralDistributions,
    only_sensitive,
)
from tacit.knowledge.learning import Features
from tacit.methods.base import Job, Method, Outcome, Scales
from tacit.methods.distribution.art.covering import cover, holds
from tacit.methods.distribution.art.grouping import GroupingProblem, group_tuples
from tacit.methods.distribution.art.no_news import Reader, no_news, search_no_news, told
from tacit.methods.distribution.art.repairing import repaired
from tacit.methods.distribution.nearness import numbered
from tacit.progress import Progress, silent
from tacit.randomness import permutation
from tacit.shapes import Bucketized
from tacit.table import Cells, Codes, Layout, Table

_MOST_COVERED = 500
"""Tuples that no group could hide and that are still withheld with others. If there are more, no cover is looked for:
so many are a sign that r is too large, and each attempt judges all of them. Chosen by trial."""

_ROUNDING = 1e-9
"""The relative rounding that the comparison of r with its ceiling forgives."""


@dataclass(frozen=True, eq=False)
class KnownTuples:
    """The tuples of a table with what the adversary knows of them; the distribution, and the column it is about.

    `values` are the values of that column by code, and `reader` who attacks while groups without news are built.
    """

    problem: GroupingProblem
    distribution: Distribution
    column: str
    values: pl.Series
    reader: Reader | None = None


@dataclass(frozen=True, eq=False)
class Grouping:
    """The group of each tuple (-1: alone), the tuples that are withheld, and how many of them no group could hide.

    `remarks` say what the groups tell on average.
    """

    group: Ints
    withheld: Ints
    stuck: int
    remarks: tuple[str, ...] = ()


class ART(Robustness, Method):
    """Publish buckets in which nobody is linked to a protected value with more than 1/r.

    A protected tuple is grouped with others that are about as likely to have its value, whatever set of
    quasi-identifiers the adversary looks at. Tuples whose value is not protected may stay alone. What cannot be hidden
    is withheld, with enough others that the withheld tuples, read as one more group, hold as well.

    Against
    -------
    Somebody who knows who is in the table and, for every set of quasi-identifiers, how the sensitive value is
    distributed: in the whole table, or as the given `distribution` says. She weighs every way to assign a group's
    values to its people by these probabilities.

    Promise
    -------
    r-robustness: under every attribute set nobody's posterior of a protected value exceeds 1/r, in every group and
    among the withheld. Every group is accepted by counting its worlds or by a bound that is proved in
    docs/threats/distribution.md#lemma-swap-for-groups-of-any-size. The view "paper" accepts by the paper's inequality
    (4), which holds where a value is only held or not.

    Parameters
    ----------
    r
        Nobody's posterior exceeds 1/r; above 1.
    protected
        The values to protect: every value by default, or a list of values and of lists of values that count as one. It
        is not published.
    view
        "exact" (default): every value has its own probability, and a group is accepted by its posterior. "paper": a
        value is either held or not, and a group is accepted by the paper's bound.
    distribution
        What the adversary knows: a path or data frame with columns of quasi-identifiers (null: not in the set), the
        sensitive column and `probability`. By default she knows the table's own, "table"; after other steps that is the
        first step's table. "naive-bayes" and "logistic" are models of all quasi-identifiers at once, learned from the
        true table. Of a list, each must hold. It is not published.
    min_support
        Of the table's own distribution: a signature with fewer rows has the whole table's.
    gain
        No news: a posterior may exceed 1/r where its odds are at most `gain` times the odds that the adversary gave it
        before. By default nothing may exceed 1/r, which is impossible where she believes more than that beforehand.
    tiers
        Further pairs (s, gain): a posterior may exceed 1/s only where its odds grew by at most that factor.
    cover
        Every value that she gave somebody more than `cover` before must be in that person's group.
    adversarial_rounds
        With `gain` and learned models: how often the release is attacked as its readers would, and built again so that
        what they learned finds no news either.

    Cost
    ----
    With n rows, c cells of equal quasi-identifiers and s attribute sets (2^q - 1 for q quasi-identifiers): s groupings
    of c cells, a sort of n rows, and for each protected row a bounded number of candidates times s; in the exact view,
    where that leaves somebody, the same again for some rounds, and s numbers per cell and value. With `gain`: a sort
    of n rows, and for each group that fails a bounded number of changes, each of which counts the worlds of two groups.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"land": ["us", "us", "jp", "jp"] * 30, "ill": ["heart", "flu", "flu", "cold"] * 30}
    >>> table = tc.Table(frame, quasi_identifiers="land", sensitive="ill")
    >>> release = ART(r=2, protected=["heart"]).protect(table)
    >>> release.shape.name, tc.audit(release).holds
    ('bucketized', True)

    References
    ----------
    Wong, Fu, Wang, Xu, Pei and Yu, Anonymization with Worst-Case Distribution-Based Background Knowledge, 2009.
    """

    scales: ClassVar[Scales | None] = "fragments"

    adversarial_rounds: Annotated[int, Field(strict=True, ge=0, le=100, description="attacks while building")] = 2

    @property
    def guarantee(self) -> RRobustness:
        """What is claimed."""
        return RRobustness(**{key: value for key, value in dict(self).items() if key != "adversarial_rounds"})

    def run(self, table: Table, job: Job) -> Outcome:
        """Put together what is known of the tuples, group them or withhold them, and number the groups at random."""
        earlier = job.recall(self.key, table)
        if earlier is None:
            known = self.statistics(table, job.origin, job.planned)
            secret = job.randomness.secret()
            job.progress(self.name, 0.3)
            grouping = self.plan(known, secret, job.progress)
        else:  # a repetition groups as before: two groupings of the same people tell more than one
            grouping = Grouping(**{**earlier, "remarks": tuple(earlier["remarks"])})
        kept = {**vars(grouping), "remarks": list(grouping.remarks)}
        job.remember(self.key, table, permanent=False, **kept)
        return self.apply(table, grouping, job)

    def why_not_large(self, layout: Layout) -> str | None:
        """Refuse what would have to be learned from rows, or read from a file by every worker."""
        if self.distribution is not None:
            return "the distribution is counted in the whole table; one that is given or learned is read in memory"
        return None

    def statistics(self, table: Table, origin: Table | None = None, counted: Distribution | None = None) -> KnownTuples:
        """Return the cells of the table, the values of their tuples, and what the adversary knows of both.

        She knows the distribution of `origin`, the first table, whatever earlier steps withheld of it; or the one that
        was `counted` in a table of which this is a fragment.
        """
        name = only_sensitive(table)
        origin = table if origin is None else origin
        distribution = self.guarantee.knowledge_of(origin, name) if counted is None else counted
        target = table.codes(name)
        protected = ProtectedEntries.of(self.protected, target.values, elsewhere=[origin.codes(name).values])
        problem = self._problem(table.cells(), target, distribution, protected)
        several = self.distribution
        learned = several.learned if isinstance(several, SeveralDistributions) else ()
        reader = None
        if self.gain is not None and learned and self.adversarial_rounds:
            reader = Reader(Features.of_table(table), learned, self.adversarial_rounds)
        return KnownTuples(problem, distribution, name, target.values, reader)

    def plan(self, known: KnownTuples, secret: Generator, progress: Progress = silent) -> Grouping:
        """Group the tuples, and choose whom to withhold where some cannot be hidden."""
        problem, news = known.problem, self.news()
        if news is not None:
            return self._without_news(known, news, secret, progress)
        self._require_eligible(problem, known.column)
        self._require_room(problem, known.distribution)
        order = problem.order(secret)
        group, stuck = group_tuples(problem, order, secret, progress)
        group, stuck = repaired(problem, order, group, stuck, secret)
        withheld = self._withheld(problem, order, group, stuck) if len(stuck) else stuck
        if withheld is None:
            raise self._obstacle(known, stuck)
        return Grouping(group, withheld, len(stuck))

    def _without_news(self, known: KnownTuples, news: News, secret: Generator, progress: Progress) -> Grouping:
        """Search groups that hold no news, and withhold those that do, as one more group without news."""
        problem = known.problem
        parts = (
            known.distribution.parts if isinstance(known.distribution, JoinedDistribution) else (known.distribution,)
        )
        # People are placed by the most that is known of them: the last attribute set of each distribution.
        views = np.cumsum([len(part.sets) for part in parts]) - 1
        group, stuck = search_no_news(problem, views, news, known.reader, secret, progress)
        figures = [(known.distribution.set_name(int(view)), *told(problem, group, int(view))) for view in views]
        remarks = tuple(
            f"known from {name}, a group tells {bits:.2f} bits about a person on average (KL of posterior and prior), "
            f"and the true value is believed {growth:.2f} times as much as before (geometric mean)"
            for name, bits, growth in figures
        )
        if not len(stuck):
            return Grouping(group, stuck, 0, remarks)
        if len(stuck) == len(problem.cells) or not no_news(problem, stuck, news):
            value = known.values[int(problem.values[int(stuck[0])])]
            raise Infeasible(
                f"{self} was not met: {len(stuck):,} of {len(problem.cells):,} tuples, such as one with {known.column} "
                f"{value!r}, are in groups that still hold news, and they would hold news as withheld rows too.",
                hint="Ask for a larger gain or a smaller r, for fewer distributions, or protect fewer values.",
            )
        return Grouping(group, stuck, len(stuck), remarks)

    def apply(self, table: Table, grouping: Grouping, job: Job) -> Outcome:
        """Number the groups at random, and publish people and values apart."""
        kept = np.ones(len(table), dtype=bool)
        kept[grouping.withheld] = False
        group = numbered(grouping.group, kept, job)
        job.progress(self.name, 0.9)
        order = permutation(job.randomness.shuffle(), int(kept.sum()))
        return Outcome(
            publish=lambda: Bucketized.publish(table, kept, order, group),
            kept=kept,
            group=group,
            guarantees=(self.guarantee,),
            remarks=(*self._remarks(kept, group, grouping.stuck), *grouping.remarks),
        )

    def _problem(
        self, cells: Cells, target: Codes, distribution: Distribution, protected: ProtectedEntries
    ) -> GroupingProblem:
        """Put together what the grouping needs: cells with their signatures, and the probabilities of every value."""
        codes = [
            distribution.encode(column, cells.dictionaries[column])[cells.column(column)]
            for column in distribution.columns
        ]
        return GroupingProblem(
            cells=cells.members.ids,
            values=target.codes.astype(np.int64),
            signatures=distribution.signatures(codes, len(cells)),
            chances=distribution.aligned(target.values),
            protected=protected,
            masks=np.array([sum(1 << j for j in chosen) for chosen in distribution.sets], dtype=np.int64),
            r=float(self.r),
            bound=self.guarantee.bound(),
            exact_view=self.view == "exact",
        )

    def _require_eligible(self, problem: GroupingProblem, name: str) -> None:
        """A group holds one tuple of an entry and at least r tuples: a value in more than n/r rows cannot be hidden."""
        rows = len(problem.cells)
        counts = np.bincount(problem.entries[problem.entries >= 0], minlength=problem.protected.count)
        if not len(counts) or float(counts.max()) * self.r <= rows:
            return
        top = int(np.argmax(counts))
        raise Infeasible(
            f"{self} cannot be met: {problem.protected.names[top]!r} of column {name!r} is in {int(counts[top]):,} of "
            f"{rows:,} rows, more than 1/{self.r:g}.",
            hint=f"The largest r that its frequency allows is {rows / int(counts[top]):.4g}; or suppress the surplus "
            "first (shift-suppression), or protect other values only.",
        )

    def _require_room(self, problem: GroupingProblem, distribution: Distribution) -> None:
        """Refuse at once what no grouping and no withholding can reach; proved for the paper's view."""
        if self.view == "exact":
            return
        most, where = problem.ceiling()
        if self.r > (1.0 + most) * (1.0 + _ROUNDING):
            raise Infeasible(
                f"{self} cannot be met by any groups: by {distribution.set_name(where)}, those who have a protected "
                "value are too easily told from the others.",
                hint=f"The largest r that this leaves room for is below {1.0 + most:.4g}; or ask for a larger "
                "min_support, fewer or coarser quasi-identifiers, or protect fewer values.",
            )

    def _withheld(self, problem: GroupingProblem, order: Ints, group: Ints, stuck: Ints) -> Ints | None:
        """Return the tuples to withhold, whole groups with the stuck ones; None if the withheld would not hold."""
        if holds(problem, stuck):
            return stuck
        covered = cover(problem, order, group, stuck) if len(stuck) <= _MOST_COVERED else None
        if covered is None or len(covered) == len(problem.cells):
            return None
        whole = np.isin(group, np.unique(group[covered[len(stuck) :]])) & (group >= 0)
        return np.union1d(covered, np.flatnonzero(whole))

    def _obstacle(self, known: KnownTuples, stuck: Ints) -> Infeasible:
        """Say which tuples can neither be hidden nor withheld, and what would help."""
        problem, distribution, name = known.problem, known.distribution, known.column
        ruled_out = problem.ruled_out(stuck)
        if ruled_out is not None:
            tuple_, where = ruled_out
            value = known.values[int(problem.values[tuple_])]
            return Infeasible(
                f"{self} cannot be met: somebody has {name} {value!r}, to whom the distribution by "
                f"{distribution.set_name(where)} gives it with probability 0, and no group hides such a contradiction.",
                hint="Correct the distribution, or leave out what it does not know."
                + (' The view "exact" may hide it among others.' if self.view == "paper" else ""),
            )
        hard = problem.hardness()[stuck]
        ceiling, where = problem.ceiling()
        value = known.values[int(problem.values[int(stuck[np.argmax(hard)])])]
        return Infeasible(
            f"{self} cannot be met: {len(stuck):,} tuples, such as one with {name} {value!r}, can neither be hidden in "
            f"a group nor withheld: somebody who knows the distribution gives one of them {hard.max():.4g} beforehand.",
            hint=f"Ask for a smaller r (by {distribution.set_name(where)}, the paper's view leaves room for at most "
            f"{1.0 + ceiling:.3g}), a larger min_support, fewer or coarser quasi-identifiers, or protect fewer values.",
        )

    def _remarks(self, kept: Flags, group: Ints, stuck: int) -> tuple[str, ...]:
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
        """Return both views, with all values protected."""
        return [cls(r=2), cls(r=2, view="paper"), cls(r=1.5, gain=8, distribution="naive-bayes")]
