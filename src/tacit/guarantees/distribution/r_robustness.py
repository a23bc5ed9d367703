"""r-robustness (paper 003): nobody is linked to a protected value by the distribution of any attribute set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tacit.errors import RoleError
from tacit.guarantees.base import WITHHELD_NEEDED, Guarantee, of_withheld
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Exactness, Finding, PartVerdict, worst
from tacit.knowledge.distribution import Distribution, GivenDistribution, Protected, Robustness, Verdicts, Worlds
from tacit.knowledge.distribution.published_worlds import missing_people, published_worlds, withheld_worlds
from tacit.knowledge.distribution.worlds import IMPOSSIBLE, UNDECIDED
from tacit.shapes import Claim, Published
from tacit.table import Histogram, Table

_ROUNDING = 1e-9
_WORDS = ("exact", "certified", "undecided", "impossible")
_VIEWS = {"exact": "every value with its own probability", "paper": "a value is held or not"}


class RRobustness(Robustness, Guarantee):
    """Nobody is linked to a protected value with more than 1/r, whatever attribute set the adversary looks at.

    Posteriors are over possible worlds: assignments of a group's values to its tuples. In the view "exact" every value
    has its own probability; in the view "paper" a value is held or not, which is where the paper's theorem holds.
    Posteriors are compared with 1/r to nine digits.

    The parameters are those of `Robustness`.
    """

    knowledge: ClassVar[str] = "for every set of quasi-identifiers the exact distribution of the sensitive value"

    def bound(self) -> float:
        """Return 1/r, with room for rounding in the tenth digit."""
        return (1.0 + _ROUNDING) / self.r

    def knowledge_of(self, table: Table, sensitive: str) -> Distribution:
        """Return what the adversary knows of a table's sensitive column."""
        if isinstance(self.distribution, Distribution):
            return self.distribution
        if isinstance(self.distribution, GivenDistribution):
            codes = table.codes(sensitive)
            return self.distribution.bind(table.quasi_identifiers, sensitive, codes.values, codes.counts())
        return Distribution.of(table, min_support=self.min_support, sensitive=sensitive)

    def judge(self, worlds: Worlds, values: pl.Series) -> Verdicts:
        """Judge groups whose values have these codes."""
        protected = Protected.of(self.protected, values, strict=False)
        return worlds.judge(protected, full=self.view == "exact", bound=self.bound())

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge every published group, and the withheld rows as one more, for every attribute set."""
        findings = [
            self._check(part, claim, name) for part in evidence.parts() for name in part.published.shape.sensitive
        ]
        if not findings:
            return self._unknown("no sensitive column is published")
        return worst(findings)

    def _check(self, evidence: Evidence, claim: Claim, name: str) -> Finding:
        shape, source = evidence.published.shape, evidence.source
        if isinstance(self.distribution, Distribution):
            distribution = self.distribution
        elif source is not None and name in source.sensitive:
            distribution = self.knowledge_of(source, name)
        elif isinstance(self.distribution, GivenDistribution):
            totals = evidence.totals.histograms[name].totals()
            distribution = self.distribution.bind(shape.quasi_identifiers, name, shape.dictionary(name), totals)
        else:
            return self._unknown("the distribution is that of the table, which is not here; give the table")
        people, together = _published_people(evidence)
        worlds = published_worlds(shape, name, distribution, people, together)
        if worlds is None:
            return self._unknown("it cannot be told who is in which group")
        verdicts = self.judge(worlds, shape.dictionary(name))
        withheld, hidden = self._judge_missing(evidence, claim, name, distribution)
        return self._finding(evidence, verdicts, distribution, withheld, hidden)

    def groups(self, published: Published, table: Table) -> pl.DataFrame:
        """Return one row per published group that holds a protected value, and say how its posterior is known.

        Parameters
        ----------
        published
            A release.
        table
            What it was made from.
        """
        frames = []
        for name in published.shape.sensitive:
            distribution = self.knowledge_of(table, name)
            people, together = _published_people(Evidence(published, table))
            worlds = published_worlds(published.shape, name, distribution, people, together)
            if worlds is None:
                raise RoleError("It cannot be told who is in which group.", hint="Give the table it was made from.")
            found = self.judge(worlds, published.shape.dictionary(name))
            held = np.flatnonzero(found.posterior > 0)
            frames.append(
                pl.DataFrame(
                    {
                        "column": [name] * len(held),
                        "group": [published.shape.whereabouts(int(g)) for g in held],
                        "size": np.diff(worlds.offsets)[held],
                        "posterior": found.posterior[held],
                        "known": [_WORDS[int(status)] for status in found.status[held]],
                        "attributes": [distribution.set_name(int(w)) for w in found.where[held]],
                    }
                )
            )
        return pl.concat(frames)

    def _judge_missing(
        self, evidence: Evidence, claim: Claim, name: str, distribution: Distribution
    ) -> tuple[PartVerdict, Verdicts | None]:
        stats = evidence.withheld(claim)
        if stats is None or isinstance(stats, str):
            return ("not checked" if stats is None else stats), None
        if not int(stats.sizes[0]):
            return "none", None
        part = evidence.missing(claim)
        shape, source = evidence.published.shape, evidence.source
        if part is None and source is not None and shape.shows_members:
            part = missing_people(source, shape)
            if part is not None and len(part) != int(stats.sizes[0]):
                part = None
            if part is not None:
                return self._verdict(_with_values(part, stats.histograms[name], name, distribution), source, name)
        if part is None or source is None:
            return "not checked", None
        return self._verdict(withheld_worlds(part, name, distribution), source, name)

    def _verdict(self, worlds: Worlds, source: Table, name: str) -> tuple[PartVerdict, Verdicts]:
        found = self.judge(worlds, source.codes(name).values)
        return ("holds" if bool(found.held(self.bound())[0]) else "fails"), found

    def _finding(
        self,
        evidence: Evidence,
        found: Verdicts,
        distribution: Distribution,
        withheld: PartVerdict,
        hidden: Verdicts | None,
    ) -> Finding:
        held = found.held(self.bound())
        wrong = ~held & (found.status != UNDECIDED)
        open_ = ~held & (found.status == UNDECIDED)
        # A bound beyond 1/r is not a posterior: the largest one that is known is told, unless there is none.
        told = wrong if wrong.any() else open_ if open_.any() else np.ones(len(held), dtype=bool)
        worst = int(np.argmax(np.where(told, found.posterior, -1.0))) if len(held) else None
        holds: bool | None = False if wrong.any() or withheld == "fails" else None if open_.any() else True
        exactness: Exactness = "exact" if not (found.status > 0).any() else "certified"
        if open_.any() and not wrong.any():
            exactness = "not guaranteed"
        if hidden is not None and holds and int(hidden.status[0]) > 0:
            exactness = "certified"
        posterior = None if worst is None else float(found.posterior[worst])
        return self.finding(
            self._sentence(found, held, distribution, worst, withheld),
            published="fails" if wrong.any() else "not checked" if open_.any() else "holds",
            withheld=withheld,
            exactness=exactness,
            posterior=posterior,
            bound=1.0 / self.r,
            where=None if worst is None else evidence.whereabouts(worst),
            secret=True,  # which values are protected, and what is known of them, is not published
            needed=WITHHELD_NEEDED if withheld == "not checked" else None,
        )

    def _sentence(
        self, found: Verdicts, held: Any, distribution: Distribution, worst: int | None, withheld: PartVerdict
    ) -> str:
        several = found.posterior > 0
        counts = np.bincount(found.status[several], minlength=4)
        text = f"{int(several.sum()):,} groups with a protected value, {len(distribution.sets):,} attribute sets, "
        text += f"view {self.view!r} ({_VIEWS[self.view]}): {counts[0]:,} exact, {counts[1]:,} certified"
        if worst is not None and several.any():
            known = distribution.set_name(int(found.where[worst]))
            text += f"; largest posterior {found.posterior[worst]:.4f}, known from {known}"
        if not held.all():
            text += f"; {int((~held & (found.status < UNDECIDED)).sum()):,} groups break it"
        if counts[UNDECIDED]:
            text += f"; {counts[UNDECIDED]:,} have too many worlds to count and no certificate"
        if counts[IMPOSSIBLE]:
            text += f"; {counts[IMPOSSIBLE]:,} have no possible world under the distribution"
        return text + of_withheld(withheld)

    def _unknown(self, why: str) -> Finding:
        return self.finding(why, published="not checked", withheld="not checked", bound=1.0 / self.r, needed=why)

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return both views."""
        return [cls(r=2), cls(r=3, protected=["flu"], view="paper", min_support=10)]


def _published_people(evidence: Evidence) -> tuple[pl.DataFrame | None, Any]:
    """Return the quasi-identifiers of the rows that are published, and who is together, as far as that is known.

    A bucketized release says both itself.
    """
    inside, source = evidence.inside, evidence.source
    if source is None or evidence.published.shape.shows_members:
        return None, None
    frame = source.frame.select(source.quasi_identifiers)
    if inside is None:
        return frame, None
    together = inside.group[inside.kept] if isinstance(inside.group, np.ndarray) else None
    return frame.filter(pl.Series(inside.kept)), together


def _with_values(part: Table, histogram: Histogram, name: str, distribution: Distribution) -> Worlds:
    """Read people as one group whose values are counted elsewhere."""
    worlds = withheld_worlds(part, name, distribution)
    return Worlds(worlds.offsets, worlds.cells, worlds.rows, histogram, worlds.signatures, worlds.chances)
