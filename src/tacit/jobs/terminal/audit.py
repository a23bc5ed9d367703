"""What `tacit audit` prints."""

from __future__ import annotations

from tacit.jobs.audit import Audited
from tacit.report.evidence.lines import evidence_lines
from tacit.report.sentences import probability
from tacit.report.terminal import columns, verdict_lines


def audit_lines(result: Audited) -> list[str]:
    """Write what `audit` found."""
    shape = result.release.shape
    groups = "1 group" if shape.statistics.count == 1 else f"{shape.statistics.count:,} groups"
    lines = [f"{result.place}: {shape.name}, {shape.rows:,} rows in {groups}."]
    if result.readings:
        words = {True: "met", False: "NOT MET", None: ""}
        lines.append("what the table is (the published rows; a threshold is what is usually asked for)")
        head = ("measure", "value", "threshold", "", "")
        lines += columns([head, *((r.name, r.written, r.threshold, words[r.met], r.sentence) for r in result.readings)])
    lines += verdict_lines(result.audit, result.also_found)
    lines += evidence_lines(result.evidence)
    if result.linkage is not None:
        victims = result.as_dict()["victims"]
        lines.append(
            f" victims: {victims['found']:,} of {victims['asked']:,} may be in it; exactly one row fits "
            f"{victims['singled_out']:,} of them; largest posterior {probability(victims['max_posterior'])}"
        )
        lines += [f"  {name} is certain of {count:,} victims" for name, count in victims["certain"].items()]
        lines += [f"  note: {sentence}" for sentence in victims["doubts"]]
    return lines
