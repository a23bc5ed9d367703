"""r-robustness (paper 003): nobody is linked to a protected value by the distribution of any attribute set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.errors import RoleError
from tacit.guarantees.base import WITHHELD_NEEDED, Guarantee, GuaranteeOfPeople, of_whom
from tacit.guarantees.distribution.seen import seen_groups
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Exactness, Finding, PartVerdict, worst
from tacit.kernels.distribution.arguments import EXACT, IMPOSSIBLE, UNDECIDED
from tacit.knowledge.distribution import (
    Distribution,
    GivenDistribution,
    GroupVerdicts,
    GroupWorlds,
    JoinedDistribution,
    ProtectedEntries,
    Robustness,
    SeveralDistributions,
    learned_distribution,
    require_match,
)
from tacit.knowledge.distribution.protected import require_known, unknown_values
from tacit.knowledge.distribution.published_worlds import (
    missing_people,
    withheld_worlds,
)
from tacit.shapes import Claim, Published
from tacit.table import GroupStats, Table, as_text

_ROUNDING = 1e-9
"""The relative rounding that a comparison with 1/r forgives: probabilities are ratios of counts in floating point."""

_WORDS = ("exact", "certified", "undecided", "impossible")
"""How a posterior is known, by the codes of `tacit.kernels.distribution.arguments`."""

_VIEWS = {"exact": "every value with its own probability", "paper": "a value is held or not"}
_TABLE_NEEDED = "the table: the distribution that is promised about is its own"
_PEOPLE_NEEDED = "who is in which group: give the table and the private part of the release"


class RRobustness(Robustness, GuaranteeOfPeople):
    """Nobody is linked to a protected value with more than 1/r, whatever attribute set the adversary looks at.

    Posteriors are over possible worlds: assignments of a group's values to its people. In the view "exact" every value
    has its own probability; in the view "paper" a value is held or not, which is where the paper's theorem holds.
    Posteriors are compared with 1/r to nine digits.

    Against
    -------
    Somebody who knows who is in the table and, for every set of quasi-identifiers, exactly how the sensitive value is
    distributed: in the whole table, or as the given `distribution` says.

    Promise
    -------
    Under the distribution of every attribute set, nobody's posterior of a protected value exceeds 1/r, in every
    published group and among the rows that were withheld, read as one more group. With `gain` nobody is believed to
    have a value with more than 1/r, unless the adversary believed it before, and then she gains at most a factor
    `gain` in odds. A verdict counts worlds, or rests on the bound that is proved in
    docs/threats/distribution.md#lemma-swap-for-groups-of-any-size. What no news leaves open is listed in
    docs/threats/distribution.md#no-news.

    Parameters
    ----------
    r
        Nobody's posterior exceeds 1/r; above 1.
    protected
        The values to protect: every value by default, or a list of values and of lists of values that count as one. It
        is not published.
    view
        "exact" (default): every value has its own probability. "paper": a value is either held or not.
    distribution
        What the adversary knows: a path or data frame with columns of quasi-identifiers (null: not in the set), the
        sensitive column and `probability`. By default she knows the table's own, "table". "naive-bayes" and "logistic"
        are models of all quasi-identifiers at once, learned from the true table. Of a list, each must hold. It is not
        published.
    min_support
        Of the table's own distribution: a signature with fewer rows has the whole table's.
    gain
        No news: a posterior may exceed 1/r where its odds are at most `gain` times the odds that the adversary gave it
        before, by the same distribution and attribute set. By default nothing may exceed 1/r.
    tiers
        Further pairs (s, gain): a posterior may exceed 1/s only where its odds grew by at most that factor.
    cover
        Every value that she gave somebody more than `cover` before must be in that person's group; by default what is
        not in a group may be excluded of its people.
    of
        About whom it is: "everybody" in the table, or, weaker, those "published".

    Cost
    ----
    With n rows, c cells of equal quasi-identifiers and s attribute sets (2^q - 1 for q quasi-identifiers): s groupings
    of c cells, and for each group and set the count of its worlds, at most 65,536 states, or a bound in the square of
    the group's distinct signatures.

    Examples
    --------
    >>> import tacit as tc
    >>> people = {"group": [1, 1], "land": ["American", "Japanese"]}
    >>> values = {"group": [1, 1], "ill": ["heart", "flu"], "count": [1, 1]}
    >>> release = tc.Release.foreign(
    ...     {"quasi_identifiers": people, "sensitive": values}, quasi_identifiers="land", sensitive="ill"
    ... )
    >>> known = {"land": ["American", "Japanese"], "ill": ["heart", "heart"], "probability": [0.1, 0.003]}
    >>> tc.audit(release, claims=[RRobustness(r=2, distribution=known)]).max_posterior.__round__(4)
    0.9736

    References
    ----------
    Wong, Fu, Wang, Xu, Pei and Yu, Anonymization with Worst-Case Distribution-Based Background Knowledge, 2009.
    """

    knowledge: ClassVar[str] = "for every set of quasi-identifiers the exact distribution of the sensitive value"

    def bound(self) -> float:
        """Return 1/r, with room for rounding in the tenth digit."""
        return (1.0 + _ROUNDING) / self.r

    @property
    def judged_together(self) -> bool:
        """Whether every value is protected alike, and however likely it was before."""
        return self.gain is None and self.protected is None

    def kept_together(self, beliefs: GroupStats, rows: Ints, reference: GroupStats) -> Flags:
        """Compare the likeliest value with 1/r, for a reader without the distribution."""
        most = np.max([histogram.largest() for histogram in beliefs.histograms.values()], axis=0)
        return np.asarray(most <= self.bound() * beliefs.sizes)

    def knowledge_of(self, table: Table, sensitive: str) -> Distribution:
        """Return what the adversary knows of a table's sensitive column; of several distributions, all joined.

        A given distribution that says nothing about the table raises `ParameterError`.
        """
        if not isinstance(self.distribution, SeveralDistributions):
            return self._of_table(self.distribution, table, sensitive)
        parts = [
            self._of_table(None, table, sensitive) if name == "table" else learned_distribution(table, sensitive, name)
            for name in self.distribution.known
        ]
        if self.distribution.given is not None:
            parts.append(self._of_table(self.distribution.given, table, sensitive))
        return JoinedDistribution.join(parts)

    def _of_table(self, known: Any, table: Table, sensitive: str) -> Distribution:
        if known is None:
            return Distribution.of(table, min_support=self.min_support, sensitive=sensitive)
        codes = table.codes(sensitive)
        distribution, listed = _bound(known, table.quasi_identifiers, sensitive, codes.values, codes.counts())
        require_match(distribution, listed, table.frame.select(table.quasi_identifiers), codes.values)
        return distribution

    def judge(
        self,
        worlds: GroupWorlds,
        values: pl.Series,
        *,
        elsewhere: Sequence[pl.Series] = (),
        distribution: Distribution | None = None,
    ) -> GroupVerdicts:
        """Judge groups whose values have these codes; `elsewhere` are further values that exist.

        With `cover`, values of the `distribution` that no group holds are looked for too. With `gain`, they count in
        what is believed beforehand of an entry of several values.
        """
        if (self.cover is not None or self.gain is not None) and distribution is not None:
            absent = distribution.values.filter(~distribution.values.is_in(as_text(values).to_list()))
            values = pl.concat([as_text(values), absent.alias(values.name)])
            worlds = replace(worlds, chances=distribution.aligned(values))
        protected = ProtectedEntries.of(self.protected, values, elsewhere=elsewhere)
        return worlds.judge(protected, exact_view=self.view == "exact", bound=self.bound(), news=self.news())

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge every published group, and the withheld rows as one more, for every attribute set."""
        parts = [(part, name) for part in evidence.parts() for name in part.published.shape.sensitive]
        if not parts:
            return self._unchecked("no sensitive column is published", needed="a release with a sensitive column")
        values = _values_of(parts, evidence.source)
        if evidence.source is not None:
            require_known(self.protected, *values)
        elif isinstance(self.distribution, GivenDistribution):
            values += [self.distribution.listed(name) for name in dict.fromkeys(name for _, name in parts)]
        unknown = unknown_values(self.protected, *values)
        if unknown:
            return self._unchecked(
                f"no published value is {unknown[0]!r}: without the table nothing tells whether it is a value at all",
                needed="the table, or a distribution that lists the protected values",
                secret=True,
            )
        return worst([self._check_column(part, claim, name, values) for part, name in parts])

    def _check_column(self, evidence: Evidence, claim: Claim, name: str, values: list[pl.Series]) -> Finding:
        shape, source = evidence.published.shape, evidence.source
        if shape.column(name).suppressed:
            return self._unchecked(f"some cells of {name!r} are blank", needed="the values behind the blank cells")
        if source is not None and name in source.sensitive:
            distribution = self.knowledge_of(source, name)
        elif self.distribution is not None and not isinstance(self.distribution, SeveralDistributions):
            totals = evidence.totals.histograms[name].totals()
            values_here = shape.dictionary(name)
            distribution, listed = _bound(self.distribution, shape.quasi_identifiers, name, values_here, totals)
            if shape.shows_members:
                require_match(distribution, listed, shape.people, listed)
        else:
            return self._unchecked(
                "the distribution is that of the table, which is not here; give the table", needed=_TABLE_NEEDED
            )
        seen = seen_groups(evidence, name, distribution)
        if seen is None:
            return self._unchecked("it cannot be told who is in which group", needed=_PEOPLE_NEEDED)
        verdicts = self.judge(seen.worlds, shape.dictionary(name), elsewhere=values, distribution=distribution)
        withheld, hidden = self._judge_withheld(evidence, claim, name, distribution)
        complete = source is not None or self.of == "published" or evidence.published.size == shape.rows
        return self._finding(evidence, verdicts, distribution, withheld, hidden, seen.people_known, complete)

    def groups(self, published: Published, table: Table) -> pl.DataFrame:
        """Return one row per published group that holds a protected value, and say how its posterior is known.

        Parameters
        ----------
        published
            A release.
        table
            What it was made from.
        """
        evidence = Evidence(published, table)
        frames = []
        for name in published.shape.sensitive:
            distribution = self.knowledge_of(table, name)
            seen = seen_groups(evidence, name, distribution)
            if seen is None or not seen.people_known:
                raise RoleError("It cannot be told who is in which group.", hint="Give the table it was made from.")
            verdicts = self.judge(
                seen.worlds, published.shape.dictionary(name), elsewhere=_values_of([(evidence, name)], table)
            )
            protected = np.flatnonzero((verdicts.posterior if verdicts.beyond is None else verdicts.beyond) > 0)
            frames.append(
                pl.DataFrame(
                    {
                        "column": [name] * len(protected),
                        "group": [published.shape.whereabouts(int(g)) for g in protected],
                        "size": np.diff(seen.worlds.offsets)[protected],
                        "posterior": verdicts.posterior[protected],
                        "known": [_WORDS[int(status)] for status in verdicts.status[protected]],
                        "attributes": [distribution.set_name(int(w)) for w in verdicts.where[protected]],
                    }
                )
            )
        return pl.concat(frames)

    def _judge_withheld(
        self, evidence: Evidence, claim: Claim, name: str, distribution: Distribution
    ) -> tuple[PartVerdict, GroupVerdicts | None]:
        """Judge the rows that were not published as one more group."""
        if self.of == "published":
            return "none", None
        stats = evidence.withheld(claim)
        if stats is None or isinstance(stats, str):
            return ("not checked" if stats is None else stats), None
        if not int(stats.sizes[0]):
            return "none", None
        source = evidence.source
        if source is None or name not in source.sensitive:
            return "not checked", None
        rows = evidence.missing(claim)
        if rows is not None:
            worlds = withheld_worlds(rows, name, distribution)
        else:  # without a private part: the people and the values of the table that the frames lack
            shape = evidence.published.shape
            rows = missing_people(source, shape) if shape.shows_members else None
            if rows is None or len(rows) != int(stats.sizes[0]):
                return "not checked", None
            worlds = withheld_worlds(rows, name, distribution).with_histogram(stats.histograms[name])
        elsewhere = _values_of([(evidence, name)], source)
        verdicts = self.judge(worlds, source.codes(name).values, elsewhere=elsewhere, distribution=distribution)
        return _part(verdicts, self.bound()), verdicts

    def _finding(
        self,
        evidence: Evidence,
        verdicts: GroupVerdicts,
        distribution: Distribution,
        withheld: PartVerdict,
        hidden: GroupVerdicts | None,
        people_known: bool,
        complete: bool,
    ) -> Finding:
        """Put the verdict together; `complete` says that nobody is missing who would change the distribution."""
        published, needed = _part(verdicts, self.bound()), None
        if published == "not checked":
            needed = "smaller groups: some have too many worlds to count"
        elif published == "holds" and not people_known:
            published, needed = "not checked", _PEOPLE_NEEDED
        elif published == "holds" and not complete:
            published, needed = "not checked", "the table: shares that the distribution does not list are the table's"
        if needed is None and withheld == "not checked":
            needed = WITHHELD_NEEDED
        top = _decisive(verdicts, self.bound())
        exactness: Exactness = "exact"
        if (verdicts.status > EXACT).any() or (hidden is not None and int(hidden.status[0]) > EXACT):
            exactness = "certified"
        return self.finding(
            self._sentence(verdicts, distribution, top, withheld),
            published=published,
            withheld=withheld,
            exactness=exactness,
            posterior=None if top is None else float(verdicts.posterior[top]),
            bound=1.0 / self.r,
            where=None if top is None else evidence.whereabouts(top),
            secret=True,  # which values are protected, and what is known of them, is not published
            needed=needed,
        )

    def _sentence(
        self, verdicts: GroupVerdicts, distribution: Distribution, top: int | None, withheld: PartVerdict
    ) -> str:
        protected = verdicts.posterior > 0 if verdicts.beyond is None else verdicts.beyond > 0
        counts = np.bincount(verdicts.status[protected], minlength=len(_WORDS))
        broken = int((_broken(verdicts, self.bound()) & (verdicts.status != IMPOSSIBLE)).sum())
        text = f"{int(protected.sum()):,} groups with a protected value, {len(distribution.sets):,} attribute sets, "
        text += f"view {self.view!r} ({_VIEWS[self.view]}): {counts[0]:,} exact, {counts[1]:,} certified"
        if top is not None and protected.any():
            known = distribution.set_name(int(verdicts.where[top]))
            text += f"; largest posterior {verdicts.posterior[top]:.4f}, known from {known}"
        if verdicts.growth is not None:
            text += (
                f"; where what was believed before excuses more than 1/{self.r:g}, odds grew by a factor of "
                f"{verdicts.growth.max(initial=0.0):.4g} at most"
            )
        if broken:
            text += f"; {broken:,} groups break it"
        if counts[UNDECIDED]:
            text += f"; {counts[UNDECIDED]:,} have too many worlds to count and no certificate"
        if counts[IMPOSSIBLE]:
            text += f"; {counts[IMPOSSIBLE]:,} have no possible world under the distribution"
        return text + of_whom(self.of, withheld)

    def _unchecked(self, reason: str, *, needed: str, secret: bool = False) -> Finding:
        withheld: PartVerdict = "none" if self.of == "published" else "not checked"
        return self.finding(
            reason, published="not checked", withheld=withheld, bound=1.0 / self.r, secret=secret, needed=needed
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return both views."""
        return [
            cls(r=2),
            cls(r=3, protected=["flu"], view="paper", min_support=10),
            cls(r=2, gain=2, distribution=["naive-bayes", "table"]),
        ]


def _broken(verdicts: GroupVerdicts, bound: float) -> Flags:
    """Say which groups break the promise for sure."""
    return np.asarray(~verdicts.held(bound) & (verdicts.status != UNDECIDED))


def _part(verdicts: GroupVerdicts, bound: float) -> PartVerdict:
    """Judge a part of the promise by its groups; one whose worlds cannot be counted leaves it open."""
    if _broken(verdicts, bound).any():
        return "fails"
    return "holds" if verdicts.held(bound).all() else "not checked"


def _decisive(verdicts: GroupVerdicts, bound: float) -> int | None:
    """Return the group with the largest posterior among those that decide the verdict; None without groups.

    A bound beyond 1/r is not a posterior: it is named only where no posterior decides.
    """
    if not len(verdicts.posterior):
        return None
    broken, undecided = _broken(verdicts, bound), verdicts.status == UNDECIDED
    deciding = broken if broken.any() else undecided if undecided.any() else np.ones(len(broken), dtype=bool)
    size = verdicts.posterior if verdicts.beyond is None else verdicts.beyond
    return int(np.argmax(np.where(deciding, size, -1.0)))


def _bound(
    known: Any, columns: tuple[str, ...], sensitive: str, values: pl.Series, totals: Ints
) -> tuple[Distribution, pl.Series]:
    """Return a given distribution over some values, and the values that it lists."""
    if isinstance(known, GivenDistribution):
        return known.bind(columns, sensitive, values, totals), known.listed(sensitive)
    return known, known.values


def _values_of(parts: Sequence[tuple[Evidence, str]], source: Table | None) -> list[pl.Series]:
    """Return the values that are known to exist: those of the published columns, and of the table's."""
    published = [part.published.shape.dictionary(name).alias(name) for part, name in parts]
    names = dict.fromkeys(name for _, name in parts)
    table = [] if source is None else [source.codes(n).values.alias(n) for n in names if n in source.sensitive]
    return published + table
