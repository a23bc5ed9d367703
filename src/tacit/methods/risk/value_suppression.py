"""ValueSuppression: blank the cells that make a record risky, and keep the row (paper 001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Ints
from tacit.guarantees import RiskBelow
from tacit.knowledge.risk import DESCRIBED_RISK, Attributes, DisclosureRisk, Records, score_records
from tacit.knowledge.risk.attributes import Blank
from tacit.knowledge.risk.histogram import Histogram
from tacit.knowledge.risk.ncp import suppression_ncp
from tacit.knowledge.risk.peers import Peers
from tacit.knowledge.risk.rising import rising
from tacit.knowledge.risk.spread import Spread, placed
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.risk.threshold import plan
from tacit.progress import Progress, part
from tacit.randomness import permutation
from tacit.shapes import Microdata, Remark
from tacit.table import Table

_COARSE, _ROUNDS = 0.5, 3  # for a histogram of decades


class ValueSuppression(Method):
    """Suppress single cells until no record has a disclosure risk above delta.

    Every row is published. ``mode="threshold"`` goes on until nobody is above delta, takes the moves that cost fewest
    cells, gives back what is not needed, and blanks further cells so that a blank does not tell what it hides. It
    claims `RiskBelow`. ``mode="one-pass"`` is the paper's: once, for each risky record, the cells of the known
    set that adds most to its risk. It claims nothing, and leaves risky records.

    Parameters
    ----------
    delta
        The threshold. There is no default: look at the histogram of `tacit inspect` first.
    risk
        What may be known of a person, and what matters.
    mode
        "threshold" or "one-pass".
    cover
        Of the blanks of a column, at most one in so many hides a value that weighs something.

    Examples
    --------
    >>> table = Table(
    ...     {"age": [15, 15, 15, 16, 16, 16], "sex": list("FFMMMF"), "held": list("NNYNNY")},
    ...     quasi_identifiers=["age", "sex"],
    ...     sensitive="held",
    ... )
    >>> risk = DisclosureRisk(known={"age": 0.05, "sex": 0.8}, value_weights={"held": {"Y": 1}})
    >>> ValueSuppression(risk=risk, delta=0.2).protect(table, seed=1).frames()["table"]["held"].null_count()
    4
    """

    delta: Annotated[float, Field(ge=0, allow_inf_nan=False, description="the threshold, a number from 0 up")]
    risk: Annotated[DisclosureRisk, DESCRIBED_RISK, Field(description="what may be known, and what matters")] = (
        DisclosureRisk()
    )
    mode: Literal["threshold", "one-pass"] = Field("threshold", description='"threshold" or "one-pass"')
    cover: int = Field(2, ge=1, strict=True, description="one in so many blanks may hide something; from 1 up")

    def run(self, table: Table, job: Job) -> Outcome:
        """Blank cells."""
        tell = rising(job.progress)
        guarantee = RiskBelow(delta=self.delta, risk=self.risk, cover=self.cover)
        self.risk.resolved(table).require_weights()
        attributes = Attributes.of(self.risk, table)
        records = Records.of(attributes)
        before = guarantee.score(records, part(tell, 0.0, 0.2)).above
        risky = np.flatnonzero(before)
        tell("what the paper suppresses", 0.2)
        paper = one_pass(records, risky)
        remarks: list[Remark | str] = [
            self._spread("before", records, np.zeros_like(paper), before, part(tell, 0.22, 0.3)).remark()
        ]
        if self.mode == "one-pass":
            blank = paper
        else:
            draws = job.randomness.secret()
            peers = Peers(records, self.delta, risky)
            made = plan(guarantee, attributes, risky, peers, draws, part(tell, 0.3, 0.75))
            blank = made.blank
            del records, peers  # memory for the next ones
            nobody = np.zeros_like(before)
            after = self._spread("after", Records.of(attributes, blank), blank, nobody, part(tell, 0.75, 0.82))
            remarks.append(after.remark())
            remarks.append(
                f"threshold: {made.rounds} rounds, {made.cover:,} cells as cover, {made.returned:,} cells given back"
            )
        last = part(tell, 0.3 if self.mode == "one-pass" else 0.82, 1.0)
        passed = Records.of(attributes, paper)
        left = _left(guarantee, passed, risky, part(last, 0.0, 0.7))
        remarks.append(self._spread("the paper's one pass", passed, paper, left, part(last, 0.7, 1.0)).remark())
        names = [column.name for column in table.columns]
        cells = np.zeros((len(table), len(names)), dtype=bool)
        cells[:, [names.index(name) for name in attributes.names]] = blank
        kept = np.ones(len(table), dtype=bool)
        order = permutation(job.randomness.shuffle(), len(table))
        claims = self.mode == "threshold"
        return Outcome(
            publish=lambda: Microdata.publish(table, kept, order, cells),
            kept=kept,
            guarantees=(guarantee,) if claims else (),
            cells=cells,
            warnings=() if claims else ("one pass leaves records above the threshold; nothing is claimed about it",),
            remarks=tuple(remarks),
        )

    def _spread(self, when: str, records: Records, blank: Blank, above: Flags, progress: Progress) -> Spread:
        """Find how the risk of a release is spread; who is above delta is known already, for certain."""
        coarse = score_records(records, relative=_COARSE, rounds=_ROUNDS, progress=progress, stage=f"risk {when}")
        histogram = Histogram.of(placed(coarse, self.delta, above))
        attributes = records.attributes
        lost, ncp = int(blank.sum()), suppression_ncp(attributes, blank)
        return Spread(when, self.delta, attributes.rows, int(above.sum()), lost, ncp, histogram)

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [
            cls(delta=0.05),
            cls(delta=0.02, risk=DisclosureRisk(missing="wildcard")),
            cls(delta=0.05, risk=DisclosureRisk(missing="own"), mode="one-pass"),
        ]


def one_pass(records: Records, risky: Ints) -> Blank:
    """Return the cells that the paper's algorithm suppresses (fig. 1)."""
    blank = np.zeros((records.attributes.rows, len(records.attributes.names)), dtype=bool)
    chosen, at = np.unique(records.ids[risky], return_inverse=True)
    if len(chosen):
        blank[risky] = records.population.heaviest(records.victims[chosen], records.gains[chosen])[at]
    return blank


def _left(guarantee: RiskBelow, records: Records, risky: Ints, progress: Progress) -> Flags:
    """Say who is above delta after all; only "own" lets anybody's risk rise who was not risky before."""
    if records.attributes.missing == "own":
        return guarantee.score(records, progress).above
    left = np.zeros(records.attributes.rows, dtype=bool)
    chosen, at = np.unique(records.ids[risky], return_inverse=True)
    above = guarantee.above(records.population, records.victims[chosen], records.gains[chosen], progress=progress)
    left[risky] = above[at]
    return left
