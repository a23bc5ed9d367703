"""m-invariance of a set of marginals (Xiao and Tao 2007; He, Xiao, Wang et al. for marginals of one table)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Floats, Ints
from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import GroupGuarantee, Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, several
from tacit.guarantees.marginals.signatures import (
    as_many_people,
    changed_signatures,
    find_people,
    number_signatures,
    outside_buckets,
)
from tacit.shapes import Claim, Inside
from tacit.table import GroupStats


class MInvariance(GroupGuarantee):
    """In every marginal each group has at least m rows with different values; and nobody's signature ever changes.

    The signature of a person is the set of values in her group. If it is the same in all marginals, then every value of
    it is equally possible: exchanging values inside all groups at once gives a world that looks the same.

    Against
    -------
    Somebody who has every marginal, knows everybody's quasi-identifiers and everybody's group in each of them, and
    takes all worlds that are consistent with them for equally likely.

    Promise
    -------
    Her posterior of anybody's value is 1/|signature|, at most 1/m, whatever the number of marginals. Proved in
    docs/threats/marginals.md#invariance-gives-one-over-the-signature. Who is who is not published: without the private
    part of a release of several marginals there is no verdict, see
    docs/threats/marginals.md#what-an-audit-checks-of-it.

    Parameters
    ----------
    m
        The least number of values of a group, an integer from 2 up.
    per
        "person": nobody's signature ever changes. "episode": somebody whose value comes and goes may get a new one, and
        the promise is about each of her episodes by itself.

    Cost
    ----
    O(n log n) in the published rows n, for every marginal.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.array([0, 0, 1, 1])], [2]), {"ill": (np.array([0, 1, 1, 1]), 2)})
    >>> MInvariance(m=2).satisfied(stats).tolist()
    [True, False]

    References
    ----------
    Xiao and Tao, "m-invariance: towards privacy preserving re-publication of dynamic datasets", SIGMOD 2007; He, Xiao,
    Wang et al., "Dynamic anonymization for marginal publication".
    """

    knowledge: ClassVar[str] = "the group of every person in every marginal, and that she is in the table"

    m: Annotated[int, Field(strict=True, ge=2, description="the least number of values of a group, an integer from 2")]

    per: Literal["person", "episode"] = Field("person", description='about a "person", or about each "episode" of hers')

    def public(self) -> dict[str, Any]:
        """Return the parameters that may be published; that it is about persons goes without saying."""
        shown = super().public()
        return shown if self.per == "episode" else {key: value for key, value in shown.items() if key != "per"}

    def __repr_args__(self) -> Any:
        return [(key, value) for key, value in super().__repr_args__() if key != "per" or value == "episode"]

    @property
    def judged_together(self) -> bool:
        """Whether beliefs tell if it is kept: not where a person may have several signatures, one per episode."""
        return self.per == "person"

    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Judge m-uniqueness: at least m rows, every value once; a group of nobody is fine."""
        held = (stats.sizes >= self.m) | (stats.sizes == 0)
        for histogram in stats.histograms.values():
            held &= histogram.largest() <= 1
        return np.asarray(held)

    def kept_together(self, beliefs: GroupStats, rows: Ints, reference: GroupStats) -> Flags:
        """Compare the likeliest value with 1/m."""
        held = np.ones(beliefs.count, dtype=bool)
        for histogram in beliefs.histograms.values():
            held &= self.m * histogram.largest() <= beliefs.sizes
        return held

    def measure(self, stats: GroupStats) -> int:
        """Return the size of the smallest group, 1 where a value repeats."""
        sizes = stats.sizes[stats.sizes > 0]
        if any((histogram.largest() > 1).any() for histogram in stats.histograms.values()):
            return 1
        return int(sizes.min()) if len(sizes) else 0

    def posterior(self, stats: GroupStats) -> Floats:
        """Return the share of the most frequent value, which is 1/size where every value is there once."""
        worst = np.where(stats.sizes > 0, 1.0 / np.maximum(1, stats.sizes), 0.0)
        for histogram in stats.histograms.values():
            worst = np.maximum(worst, histogram.largest() / np.maximum(1, stats.sizes))
        return np.asarray(worst, dtype=np.float64)

    def bound(self) -> float:
        """Return 1/m."""
        return 1.0 / self.m

    def sentence(self, stats: GroupStats) -> str:
        """Tell how many groups there are, and the smallest."""
        distinct = [histogram.distinct() for histogram in stats.histograms.values()]
        fewest = min((int(counts.min()) for counts in distinct if counts.size), default=0)
        return f"{several(stats.many, 'group')}, the smallest of {fewest:,} different values"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Name the value that is in more than 1/m of the rows."""
        rows = int(stats.sizes.sum())
        for column, histogram in stats.histograms.items():
            totals = histogram.totals()
            top = int(np.argmax(totals))
            if self.m * int(totals[top]) > rows:
                best = rows // int(totals[top])
                largest = f"The largest m that works is {best}" if best > 1 else "No m from 2 up works"
                return Infeasible(
                    f"{self} cannot be met: {names[column][top]!r} of column {column!r} is in {int(totals[top]):,} of "
                    f"{rows:,} rows, more than 1/{self.m}.",
                    hint=f"{largest}; or suppress the surplus first: Pipeline([ShiftSuppression(l={self.m}), "
                    f"InvariantMarginals(m={self.m}, ...)]).",
                )
        return Infeasible(
            f"{self} cannot be met: the table has {rows:,} rows.", hint=f"The largest m that works is {max(1, rows)}."
        )

    def eligible(self, stats: GroupStats) -> Flags:
        """Say of every group whether it can be cut into groups of at least m different values: no value above 1/m."""
        held = np.ones(stats.count, dtype=bool)
        for histogram in stats.histograms.values():
            held &= self.m * histogram.largest() <= stats.sizes
        return held

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge every marginal by itself, then the signatures person by person, earlier releases included."""
        shape = evidence.published.shape
        if not shape.sensitive:
            raise RoleError(f"{self} is about a sensitive column, and none is named.", hint="Name one in `sensitive`.")
        if len({frozenset(part.sensitive) for part in shape.parts.values()}) > 1:
            raise RoleError(f"{self} is about marginals with the same sensitive columns, and these have others.")
        hidden = [name for name in shape.sensitive if shape.column(name).suppressed]
        if hidden:
            return self._with_blanks(evidence, hidden[0])
        finding = super().check(evidence, claim)
        if finding.holds is False:
            return finding
        if evidence.contradiction is not None:
            return replace(finding.but(replayed="fails"), sentence=evidence.contradiction)
        inside = evidence.parts()[0].inside
        signatures = number_signatures(shape.parts)
        if inside is not None and inside.group is not None and all(p.numbers is not None for p in shape.parts.values()):
            return self._by_person(finding, evidence, inside, signatures)
        if len(shape.parts) == 1:
            alone = "; about this one table, whatever else is published of the same people"
            return replace(finding, sentence=finding.sentence + alone)
        if not as_many_people(shape.parts, signatures):
            reason = "some signatures stand for more people in one marginal than in another"
            return replace(finding.but(published="fails"), posterior=None, where=None, sentence=reason)
        return replace(
            finding.but(replayed="not checked"),
            exactness="not guaranteed",
            sentence="every signature stands for as many people in each marginal; whether they are the same people is "
            "not published, and was not checked",
            needed="who is in which group: give the private part of the release",
        )

    def _by_person(self, finding: Finding, evidence: Evidence, inside: Inside, signatures: Sequence[Ints]) -> Finding:
        """Follow every published person through all marginals."""
        parts = evidence.published.shape.parts
        people = find_people(parts, signatures, inside, evidence.source)
        if people is None:
            return replace(finding.but(replayed="fails"), sentence="the private part is not about these frames")
        changed = changed_signatures(people) | outside_buckets(people, inside)
        if changed.any():
            reason = f"the signature of {int(changed.sum()):,} people is not the same in all marginals"
            return replace(finding.but(replayed="fails"), posterior=None, where=None, sentence=reason)
        count = f"{len(parts)} marginals, " if len(parts) > 1 else ""
        return replace(finding.but(replayed="holds"), sentence=f"{count}{finding.sentence}; nobody's signature changes")

    def _with_blanks(self, evidence: Evidence, column: str) -> Finding:
        """Look for a counterexample among the values that are shown; without one nothing can be said."""
        broken = any(not self.satisfied(part.published.shape.shown_statistics).all() for part in evidence.parts())
        return self.finding(
            "a group is too small, or shows a value more than once"
            if broken
            else f"cells of {column!r} are suppressed, and a suppressed cell may hide any value",
            published="fails" if broken else "not checked",
            withheld="none" if self.of == "published" else "not checked",
            blanks="not checked",
            bound=self.bound(),
            needed=f"the suppressed values of {column!r}",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(m=2), cls(m=4)]
