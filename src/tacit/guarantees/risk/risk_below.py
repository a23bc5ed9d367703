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
from tacit.knowledge.risk.peers import HiddenByBlanks, Peers, Reasons
from tacit.knowledge.risk.population import Population
from tacit.knowledge.risk.released import Released
from tacit.knowledge.risk.search import bound
from tacit.knowledge.risk.stopping_rule import StoppingRule
from tacit.progress import Progress, silent
from tacit.shapes import Claim

_NEEDED = "what the blanks hide: give the table, and keep the private part beside the release"


class RiskBelow(Guarantee):
    """Every published record has a disclosure risk of at most delta, and a blank cell may hide any answer.

    The risk is bounded from both sides, so the verdict is certain, not sampled. Under ``missing="adversary"`` it needs
    the true values: without them a release is judged as if each blank hid a value that no other row shows, which only
    overstates the risk.

    Against
    -------
    Somebody who knows any subset of a person's attributes, each with the probability that it is publicly known, and
    that the person is in the table; and who counts what blanks may hide, and takes all blanks for equally likely.
    Somebody who also knows the algorithm and everything but one column may learn more from which cells are blank.

    Promise
    -------
    The risk is proved: docs/threats/risk.md#why-it-holds. Of the blanks of a column at most one in `cover` hides a
    value that weighs something, counted among the rows that could have had a reason to be blank; where these are too
    few, all of them are blank, and the verdict says how many hide something. Nothing is promised against somebody who
    knows the algorithm: docs/threats/risk.md#what-a-blank-may-tell.

    Parameters
    ----------
    delta
        The threshold, a number from 0 up.
    risk
        What may be known, and what matters.
    cover
        Of the blanks of a column, at most one in so many hides a value that weighs something.

    Cost
    ----
    It grows with d, the number of different rows among n, and with the known sets that must be visited: at most 2^a for
    a attributes that may be known, far fewer where bounds decide. Memory is a few numbers per row and attribute.
    Measured: docs/threats/risk.md#measured.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [15, 15, 16, 16], "held": ["N", "N", "Y", "N"]}
    >>> naive = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="held")
    >>> claim = RiskBelow(delta=0.1, risk=tc.DisclosureRisk(known={"age": 0.8}, value_weights={"held": {"Y": 1}}))
    >>> tc.audit(naive, claims=[claim]).findings[0].sentence
    '1 of 4 records are above 0.1'

    References
    ----------
    Orooji and Knapp, "Improving suppression to reduce disclosure risk and enhance data utility", 2019: the risk of a
    record. The intervals, the readings of a blank and the cover are not in it.
    """

    knowledge: ClassVar[str] = (
        "any subset of a person's attributes, each with the probability that it is publicly known; that she is in the "
        "table; and how many values of each column are hidden by blanks"
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
        goal = StoppingRule(self.delta)
        bounds = bound(population, victims, gains, goal, rounds=rounds, progress=progress, stage="who is still above")
        return np.asarray(bounds.above != 0)

    def missing_cover(self, blanks: int, weighted: int) -> int:
        """Return how many more blanks that hide nothing are needed, if so many of the blanks hide something."""
        return self.cover * weighted - blanks

    def covered(self, hidden: HiddenByBlanks) -> bool:
        """Whether few enough of some blanks hide something, or all rows that could have had a reason are blank."""
        return hidden.complete or self.missing_cover(hidden.blanks, hidden.weighted) <= 0

    def hidden(self, peers: Peers, blank: FlagGrid) -> list[HiddenByBlanks]:
        """Count what the blanks of each column hide; `blank` is aligned with the input."""
        return list(Reasons(peers, blank).hidden(self.cover))

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Recompute the risk of every published record, and what blanks tell, from the public frame."""
        shape = evidence.published.shape
        if not shape.flat:
            return self.finding(
                "it is about one table with a row per person; this release has another shape",
                published="not checked",
                needed="a release of one table with a row per person",
            )
        released = Released.of(self.risk, shape, evidence.source, evidence.published.inside)
        score, rows = self.score(released.records), released.attributes.rows
        above, blank = score.above, released.blank.any(axis=1)
        if not above.any():
            return self._with_blanks(released, f"the risk of each of the {rows:,} records is at most {self.delta:g}")
        overstated = self.risk.missing == "adversary" and not released.aligned
        certain = above & score.decided & ~(blank & overstated)
        if certain.any():
            sentence = f"{int(certain.sum()):,} of {rows:,} records are above {self.delta:g}"
            return self.finding(sentence, published="fails", exactness="certified")
        if (above & score.decided).any():
            sentence = f"{int(above.sum()):,} records with blanks cannot be judged without the table behind them"
            return self.finding(sentence, published="not checked", blanks="not checked", needed=_NEEDED)
        return self.finding(
            f"{int(above.sum()):,} of {rows:,} records are so near {self.delta:g} that rounding decides",
            published="not checked",
            needed="exact fractions over all known sets of these records, which are too many, or a larger delta",
        )

    def _with_blanks(self, released: Released, sentence: str) -> Finding:
        """Judge the blanks of a release of which nobody is above delta."""
        if not released.blank.any():
            return self.finding(sentence, published="holds", exactness="certified")
        if not released.aligned:
            sentence += "; what the blanks hide was not checked"
            return self.finding(sentence, published="holds", blanks="not checked", needed=_NEEDED)
        hidden = self.hidden(Peers(Records.of(released.attributes), self.delta), released.blank)
        failing = [each for each in hidden if not self.covered(each)]
        if failing:
            worst = max(failing, key=lambda each: each.share)
            text = (
                f"in column {worst.column!r} {worst.weighted:,} of {worst.blanks:,} blanks among the "
                f"{_REASON[worst.who]} hide a value that weighs something, more than one in {self.cover}: a blank "
                "tells what it hides"
            )
            verdict: PartVerdict = "fails"
        else:
            # Where every value weighs something, everybody knows without the blank that it hides one.
            mixed = {each.column for each in hidden if each.who == "no peers"}
            telling = [each for each in hidden if each.column in mixed]
            if not telling:
                return self.finding(sentence, published="holds", blanks="holds", exactness="certified")
            worst = max(telling, key=lambda each: each.share)
            text, verdict = self._covered_sentence(worst), "holds"
        return self.finding(
            f"{sentence}; {text}",
            published="holds",
            blanks=verdict,
            exactness="certified",
            posterior=worst.share,
            bound=max(worst.share, 1 / self.cover) if worst.complete else 1 / self.cover,
            secret=True,
        )

    def _covered_sentence(self, worst: HiddenByBlanks) -> str:
        if self.missing_cover(worst.blanks, worst.weighted) <= 0:
            return f"a blank cell may hide any answer: at most one in {self.cover} of those who could have it does"
        return (
            f"column {worst.column!r} is blank for all {worst.blanks:,} {_REASON[worst.who]}, and {worst.weighted:,} "
            "of these blanks hide a value that weighs something"
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(delta=0.1), cls(delta=0.05, risk=DisclosureRisk(missing="wildcard"))]


_REASON = {
    "peers": "rows that could have had a reason to be blank",
    "later peers": "rows that got a reason to be blank by other blanks",
    "no peers": "rows that had no reason to be blank in the table",
    "everybody": "rows of the table",
}
