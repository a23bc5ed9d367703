"""What `tacit audit` prints."""

from __future__ import annotations

from tacit.jobs.audit import Audited
from tacit.report.sentences import probability
from tacit.report.terminal import verdict_lines


def audit_lines(result: Audited) -> list[str]:
    """Write what `audit` found."""
    shape = result.release.shape
    lines = [f"{result.place}: {shape.name}, {shape.rows:,} rows in {shape.statistics.count:,} groups."]
    lines += verdict_lines(result.audit)
    if result.linkage is not None:
        told = result.as_dict()["victims"]
        lines.append(
            f" victims: {told['found']:,} of {told['asked']:,} may be in it, {told['singled_out']:,} fit one row only; "
            f"largest posterior {probability(told['max_posterior'])}"
        )
        lines += [f"  {name}: known for sure of {count:,}" for name, count in told["certain"].items()]
    return lines
