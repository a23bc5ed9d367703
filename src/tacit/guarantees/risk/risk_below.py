"""Risk below delta: nobody who knows any subset of a person's attributes learns too much (paper 001, to the end)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import FlagGrid, Flags, FloatGrid
from tacit.guarantees.base import Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, PartVerdict
from tacit.knowledge.risk import DESCRIBED_RISK, DisclosureRisk, Records, Score, score_records
from tacit.knowledge.risk.peers import Covered, Peers, covered, judge_blanks
from tacit.knowledge.risk.population import Population
from tacit.knowledge.risk.released import Released
from tacit.knowledge.risk.search import bound
from tacit.knowledge.risk.stopping_rule import Goal
from tacit.progress import Progress, silent
from tacit.shapes import Claim, FlatShape

_NEEDED = "what the blanks hide: give the table, or the private part of the release"


class RiskBelow(Guarantee):
    """Every published record has a disclosure risk of at most delta, and a blank does not mean yes.

    The risk is bounded from both sides, so the verdict is certain, not sampled. Under ``missing="adversary"`` it needs
    the true values: without them a release is judged as if each blank hid a value that no other row shows, which only
    overstates the risk.

    Parameters
    ----------
    delta
        The threshold.
    risk
        What may be known, and what matters.
    cover
        Of the blanks of a column, at most one in so many hides a value that weighs something, unless every row that
        might have had a reason is blank.
    """

    knowledge: ClassVar[str] = (
        "any subset of a person's attributes, each with the probability that it is publicly known; that she is in the "
        "table; and the algorithm"
    )

    delta: Annotated[float, Field(ge=0, allow_inf_nan=False, description="the threshold, a number from 0 up")]
    risk: Annotated[DisclosureRisk, DESCRIBED_RISK, Field(description="what may be known, and what matters")] = (
        DisclosureRisk()
    )
    cover: int = Field(2, ge=1, strict=True, description="one in so many blanks may hide something; from 1 up")

    def score(self, records: Records, progress: Progress = silent) -> Score:
        """Compare every record with delta; what cannot be decided counts as above."""
        return score_records(records, delta=self.delta, progress=progress)

    def above(
        self,
        population: Population,
        victims: np.ndarray[tuple[int, ...], np.dtype[np.int32]],
        gains: FloatGrid,
        *,
        rounds: int | None = None,
        progress: Progress = silent,
    ) -> Flags:
        """Say which victims, looked for in a release, are above delta; undecided counts as above."""
        goal = Goal(self.delta)
        found = bound(population, victims, gains, goal, rounds=rounds, progress=progress, stage="who is still above")
        return np.asarray(found.above != 0)

    def blanks(self, peers: Peers, blank: FlagGrid) -> list[Covered]:
        """Say what the blanks of each column tell; `blank` is aligned with the input."""
        return judge_blanks(peers, blank, self.cover)

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Recompute the risk of every published record, and what blanks tell, from the public frame."""
        shape = evidence.published.shape
        if not isinstance(shape, FlatShape):
            return self._finding(
                "not checked", "it is about one table with a row per person; this release has another shape"
            )
        released = Released.of(self.risk, shape, evidence.source, evidence.published.inside)
        score = self.score(released.records)
        loose = self.risk.missing == "adversary" and not released.aligned and bool(released.blank.any())
        bad = score.above
        if not bad.any():
            told = f"all {shape.rows:,} records are certainly at most at {self.delta:g}"
            return self._with_blanks(released, told)
        surely = bad & score.decided
        if loose:
            surely &= ~released.blank.any(axis=1)
        if surely.any():
            return self._finding("fails", f"{int(surely.sum()):,} of {shape.rows:,} records are above {self.delta:g}")
        told = f"{int(bad.sum()):,} records with blanks cannot be judged without the table behind them"
        return self._finding("not checked", told, "not checked", needed=_NEEDED)

    def _with_blanks(self, released: Released, told: str) -> Finding:
        if not released.blank.any():
            return self._finding("holds", told)
        if not released.aligned:
            return self._finding(
                "holds", f"{told}; what its blanks hide was not checked", "not checked", needed=_NEEDED
            )
        found = self.blanks(Peers(Records.of(released.attributes), self.delta), released.blank)
        holds = covered(found, self.cover)
        # Where every value weighs something, that a blank hides one is no news.
        news = [column for column in found if column.mixed]
        worst = max(news or found, key=lambda column: column.posterior, default=None)
        if worst is None or (holds and not news):
            return self._finding("holds", told, "holds" if holds else "fails")
        told += (
            f"; a blank cell may hide any answer: at most one in {self.cover} of those who could have it does"
            if holds
            else f"; in column {worst.column!r} a blank tells what it hides"
        )
        verdict: PartVerdict = "holds" if holds else "fails"
        return self._finding("holds", told, verdict, posterior=worst.posterior, bound=worst.allowed, secret=True)

    def _finding(
        self,
        published: PartVerdict,
        sentence: str,
        blanks: PartVerdict = "none",
        posterior: float | None = None,
        bound: float | None = None,
        secret: bool = False,
        needed: str | None = None,
    ) -> Finding:
        return self.finding(
            sentence,
            published=published,
            blanks=blanks,
            exactness="certified",
            posterior=posterior,
            bound=bound,
            secret=secret,
            needed=needed,
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(delta=0.1), cls(delta=0.05, risk=DisclosureRisk(missing="wildcard"))]
