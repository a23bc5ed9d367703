"""The evidence in a terminal: a line per heading, and what a profile asks."""

from __future__ import annotations

from tacit.report.evidence.board import BoardEvidence
from tacit.report.evidence.requirement import ProfileResult


def evidence_lines(evidence: BoardEvidence | None) -> list[str]:
    """Write the verdict on the profile and the first figure of each heading, where somebody asked for either."""
    asked = evidence is not None and any(f.baseline is not None for h in evidence.headings for f in h.figures)
    if evidence is None or (evidence.profile is None and not asked):
        return []
    lines = [] if evidence.profile is None else profile_lines(evidence.profile)
    for heading in evidence.headings:
        first = next((figure for figure in heading.figures if figure.assessed), None)
        if first is None:
            lines.append(f" {heading.name}  not assessed")
            continue
        beside = "" if first.baseline is None and first.population is None else f"; {first.compared}"
        lines.append(f" {heading.name}  {first.name}: {first.written}{beside}")
    return lines


def profile_lines(result: ProfileResult) -> list[str]:
    """Write the verdict on a profile, and each requirement that is judged."""
    lines = [f" profile {result.profile}  {result.sentence}"]
    for each in result.requirements:
        if each.met is not None:
            asked = f" ({each.threshold})" if each.threshold else ""
            lines.append(f"  {each.verdict:<7}  {each.name}{asked}: {each.figure}")
    return lines
