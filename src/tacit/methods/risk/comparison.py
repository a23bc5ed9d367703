"""Value suppression compared: the risk of the input, of the release, and of what the paper's one pass would leave.

Nothing of this is needed to protect a table. It is computed once, where somebody wants to look at it.
"""

from __future__ import annotations

import numpy as np

from tacit.guarantees import RiskBelow
from tacit.knowledge.risk import Attributes, DisclosureRisk, Records
from tacit.measures.risk import RiskSummary, summarize
from tacit.methods.risk.one_pass import one_pass
from tacit.progress import Progress, monotone, part, silent
from tacit.shapes import Published, Remark
from tacit.table import Table

KIND = "value-suppression"
"""The kind of the remark that carries the parameters of value suppression."""


def described(risk: DisclosureRisk, delta: float, mode: str, sentence: str) -> Remark:
    """Return the remark of value suppression for the data owner, with what is needed to compare it later."""
    return Remark(sentence, KIND, {"delta": delta, "mode": mode, "risk": risk.model_dump(mode="json")})


def risk_summaries(release: Published, table: Table, progress: Progress = silent) -> tuple[RiskSummary, ...]:
    """Return the risk before, after, and after the paper's one pass; nothing for a release of another method.

    Parameters
    ----------
    release
        What value suppression made, with what is kept inside of it.
    table
        What it was made from.
    progress
        Told the stage and the share done.
    """
    if release.inside is None or len(release.inside.kept) != len(table):
        return ()
    remark = next((remark for remark in release.inside.remarks if remark.kind == KIND), None)
    if remark is None:
        return ()
    risk = DisclosureRisk(**remark.figures["risk"])
    guarantee = RiskBelow(delta=remark.figures["delta"], risk=risk)
    inside = release.inside
    attributes = Attributes.of(risk, table)
    blank = inside.cells[:, [inside.columns.index(name) for name in attributes.names]]
    if not inside.kept.all():
        attributes, blank = attributes.take(inside.kept), blank[inside.kept]
    tell = monotone(progress)
    nothing = np.zeros_like(blank)
    before = summarize(guarantee, attributes, nothing, "before", part(tell, 0.0, 0.3))
    paper = "the paper's one pass"
    if remark.figures["mode"] == "one-pass":
        return before, summarize(guarantee, attributes, blank, paper, part(tell, 0.3, 1.0))
    records = Records.of(attributes)
    passed = one_pass(records, np.flatnonzero(guarantee.score(records, part(tell, 0.3, 0.4)).above))
    after = summarize(guarantee, attributes, blank, "after", part(tell, 0.4, 0.7))
    return before, after, summarize(guarantee, attributes, passed, paper, part(tell, 0.7, 1.0))
