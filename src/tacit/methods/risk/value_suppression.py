"""ValueSuppression: blank the cells that make a record risky, and keep the row (paper 001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import Ints
from tacit.guarantees import RiskBelow
from tacit.knowledge.risk import DESCRIBED_RISK, Attributes, DisclosureRisk, Records
from tacit.knowledge.risk.peers import Peers
from tacit.measures.ncp import blank_losses, mean_loss
from tacit.methods.base import Job, Method, Outcome, suppressed_cells
from tacit.methods.risk.comparison import described
from tacit.methods.risk.one_pass import one_pass
from tacit.methods.risk.threshold import Plan, plan_cells
from tacit.progress import Progress, monotone, part, silent
from tacit.randomness import Randomness, permutation
from tacit.shapes import Microdata
from tacit.table import Table


class ValueSuppression(Method):
    """Suppress single cells until no record has a disclosure risk above delta.

    Every row is published. ``mode="threshold"`` goes on until nobody is above delta, takes the moves that cost fewest
    cells, gives back what is not needed, and blanks further cells as cover for those that hide something. It claims
    `RiskBelow`. ``mode="one-pass"`` is the paper's: once, for each risky record, the cells of the known set that adds
    most to its risk. It claims nothing, and leaves risky records.

    Against
    -------
    Somebody who knows any subset of a person's attributes, each with the probability that it is publicly known, and
    that the person is in the table; and who counts what blanks may hide. Not somebody who also knows the algorithm and
    everything but one column: which cells are blanked depends on what they hide.

    Promise
    -------
    No record is above delta, proved in docs/threats/risk.md#why-it-holds; and of the blanks of a column at most one in
    `cover` hides a value that weighs something, as docs/threats/risk.md#what-a-blank-may-tell says and limits.

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

    Cost
    ----
    Most of it is scoring, which grows with the different rows among n and with the known sets that must be visited (at
    most 2^a for a attributes that may be known, far fewer where bounds decide). It is done several
    times, and once more for the rows that are asked about as cover. Under ``missing="own"`` all rows are scored again
    in every round.

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

    References
    ----------
    Orooji and Knapp, "Improving suppression to reduce disclosure risk and enhance data utility", 2019: the risk of a
    record and the one pass. The threshold mode and the cover are not in it.
    """

    by_position: ClassVar[str | None] = "risk"
    delta: Annotated[float, Field(ge=0, allow_inf_nan=False, description="the threshold, a number from 0 up")]
    risk: Annotated[DisclosureRisk, DESCRIBED_RISK, Field(description="what may be known, and what matters")] = (
        DisclosureRisk()
    )
    mode: Literal["threshold", "one-pass"] = Field("threshold", description='"threshold" or "one-pass"')
    cover: int = Field(2, ge=1, strict=True, description="one in so many blanks may hide something; from 1 up")

    @property
    def guarantee(self) -> RiskBelow:
        """What is claimed in the threshold mode."""
        return RiskBelow(delta=self.delta, risk=self.risk, cover=self.cover)

    def run(self, table: Table, job: Job) -> Outcome:
        """Score every record, plan which cells to blank, and publish the rest."""
        tell = monotone(job.progress)
        scored = 0.25 if self.mode == "threshold" else 0.8  # the share of the time that scoring takes
        records, risky = self.statistics(table, part(tell, 0.0, scored))
        plan = self.plan(records, risky, job.randomness, part(tell, scored, 1.0))
        return self.apply(table, records, risky, plan, job)

    def statistics(self, table: Table, progress: Progress = silent) -> tuple[Records, Ints]:
        """Count the distinct rows in what the risk looks at, and return them with the rows that are above delta."""
        self.risk.resolved(table).require_weights()
        records = Records.of(Attributes.of(self.risk, table))
        return records, np.flatnonzero(self.guarantee.score(records, progress).above)

    def plan(self, records: Records, risky: Ints, randomness: Randomness, progress: Progress = silent) -> Plan:
        """Choose the cells to blank."""
        if self.mode == "threshold":
            peers = Peers(records, self.delta, risky)
            return plan_cells(self.guarantee, records.attributes, risky, peers, randomness.secret(), progress)
        progress("what the paper suppresses", 0.0)
        blank = one_pass(records, risky)
        progress("what the paper suppresses", 1.0)
        return Plan(blank, 1, 0, 0)

    def apply(self, table: Table, records: Records, risky: Ints, plan: Plan, job: Job) -> Outcome:
        """Publish every row without the cells that were chosen, in a random order."""
        attributes, claims = records.attributes, self.mode == "threshold"
        cells = suppressed_cells(table, dict(zip(attributes.names, plan.blank.T, strict=True)))
        kept = np.ones(len(table), dtype=bool)
        order = permutation(job.randomness.shuffle(), len(table))
        details = f"; {plan.rounds} rounds, {plan.cover:,} cells as cover, {plan.returned:,} cells given back"
        losses = blank_losses(plan.blank, dict(zip(attributes.names, attributes.sizes, strict=True)))
        sentence = (
            f"{self.mode}: {len(risky):,} of {len(table):,} records were above {self.delta:g}; "
            f"{int(plan.blank.sum()):,} cells suppressed, NCP {mean_loss(losses):.5f}"
            f"{details if claims else ''}"
        )
        return Outcome(
            publish=lambda: Microdata.publish(table, kept, order, cells),
            kept=kept,
            guarantees=(self.guarantee,) if claims else (),
            cells=cells,
            warnings=() if claims else ("one pass leaves records above the threshold; nothing is claimed about it",),
            remarks=(described(self.risk, self.delta, self.mode, sentence),),
        )

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [
            cls(delta=0.05),
            cls(delta=0.02, risk=DisclosureRisk(missing="wildcard")),
            cls(delta=0.05, risk=DisclosureRisk(missing="own"), mode="one-pass"),
        ]
