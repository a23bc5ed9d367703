"""HIPAA, expert determination: method, results, assumptions; no number."""

from __future__ import annotations

from tacit.report.evidence.requirement import Requirement
from tacit.report.profiles.base import Measured, Profile

_SOURCE = "45 CFR 164.514(b)(1), United States, HIPAA privacy rule"


def _asks(measured: Measured) -> tuple[Requirement, ...]:
    method = measured.method
    steps = [] if method is None else [str(step.get("name")) for step in method.get("steps", [method])]
    made = ", then ".join(steps) or "another tool"
    claims = ", ".join(measured.claims) or "nothing is claimed"
    largest, mean = measured.largest_risk, measured.mean_risk
    risk = "nothing is published" if largest is None or mean is None else f"largest {largest:.4f}, mean {mean:.4f}"
    return (
        Requirement("method is documented", "", f"{made}; {claims}", True, f"{_SOURCE}(ii)"),
        Requirement("results are documented", "", f"risk of being found: {risk}", True, f"{_SOURCE}(ii)"),
        Requirement(
            "assumptions are documented", "", "see 'What the adversary is assumed to know'", True, f"{_SOURCE}(ii)"
        ),
        Requirement(
            "the risk is very small, as an expert determines",
            "",
            "for an expert to determine, who signs it",
            None,
            f"{_SOURCE}(i); the rule names no number",
        ),
    )


HIPAA_EXPERT = Profile(
    "hipaa-expert",
    "HIPAA, expert determination",
    "The rule asks a person with knowledge of the methods to determine that the risk is very small. A report can hold "
    "the evidence; it cannot be that person.",
    _asks,
    baseline=True,
)
