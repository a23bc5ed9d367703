"""l-dichotomy: nobody can tell which value was too frequent (R-suppression paper, corrected)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.guarantees.base import Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding
from tacit.guarantees.skew.eligibility import Eligibility
from tacit.knowledge.skew.declared import known_suppression
from tacit.knowledge.skew.posterior import proved_bound
from tacit.knowledge.skew.replay import replayed
from tacit.shapes import Claim


class LDichotomy(Guarantee):
    """The published rows are l-eligible, and any of l values could have been the most frequent one.

    For every prior that treats the values alike the posterior that a value was the most frequent one is at most 1/l. It
    is a property of the algorithm: it is judged by which algorithm made the release, by the published counts, and,
    where the table is at hand, by running the algorithm's arithmetic again.

    Parameters
    ----------
    l
        Integer from 1 up.
    """

    knowledge: ClassVar[str] = (
        "the algorithm, the size of the table, and how often values occur, but not which value occurs how often"
    )
    final: ClassVar[bool] = True

    l: Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the published counts, and how they came about."""
        eligible = bool(Eligibility(l=self.l).satisfied(evidence.totals).all())
        known = known_suppression(evidence.published, claim.step)
        proved = None if known is None else proved_bound(known.algorithm, self.l, "most_frequent")
        faithful = known is None or self._faithful(evidence, claim, known.algorithm)
        holds: bool | None = eligible and faithful
        if holds and (proved is None or (known is not None and known.l != self.l)):
            holds = None
        told = f"the most frequent value could be any of {self.l}"
        if evidence.published.size == evidence.published.shape.rows:
            told = "no value was too frequent, and nothing is withheld"
        elif not eligible:
            told = "a value is in more than 1/l of the published rows"
        elif not faithful:
            told = "the published counts are not what the algorithm leaves of this table"
        elif holds is None:
            told = "not guaranteed: it is not known which algorithm made this release"
        return self.finding(
            told + (", proved for whoever suspected no value more than another beforehand" if holds else ""),
            published="holds" if eligible else "fails",
            withheld="apart" if evidence.published.size != evidence.published.shape.rows else "none",
            replayed="not checked" if holds is None else "holds" if faithful else "fails",
            exactness="certified" if holds else "not guaranteed",
            posterior=1.0 / self.l if holds else None,
            bound=1.0 / self.l,
        )

    def _faithful(self, evidence: Evidence, claim: Claim, algorithm: str) -> bool:
        """Whether the counts are a possible outcome, by the table's own counts; True where the table is not there."""
        table, inside = evidence.source, evidence.inside
        if table is None or inside is None or len(inside.withheld) <= claim.step:
            return True
        gone = inside.withheld[claim.step].rows
        before = np.ones(len(table), dtype=bool)
        for earlier in inside.withheld[: claim.step]:
            before &= ~earlier.rows
        for name in table.sensitive:
            had, left = table.counts(name, before), table.counts(name, before & ~gone)
            if not replayed(had, left, self.l, algorithm, table.domain_size(name)):
                return False
        return True

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(l=2)]
