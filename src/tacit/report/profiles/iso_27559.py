"""ISO/IEC 27559: its clauses as contents."""

from __future__ import annotations

from tacit.report.evidence.requirement import Requirement
from tacit.report.profiles.base import Measured, Profile

_SOURCE = "ISO/IEC 27559:2022, Privacy enhancing data de-identification framework, clause"
_PEOPLE = "not in this report: it is for the data owner to write"

_CLAUSES = (
    (
        "context: threat modelling",
        "6.2",
        "'What the adversary is assumed to know'; who has motives is not in this report",
    ),
    ("context: transparency and impact", "6.3", _PEOPLE),
    ("data: features", "7.2", "'What was published': columns, roles, kinds and what was done to the cells"),
    (
        "data: attack modelling",
        "7.3",
        "'Who can be found', largest and mean risk; a sample where a population was given",
    ),
    ("identifiability: quantified", "8.2.2", "'Singling out', 'Linkability', 'Inference'"),
    (
        "identifiability: adversarial testing",
        "8.2.3",
        "'Against whom it is safe', 'What learning from the files tells'",
    ),
    ("mitigation: transforming the data", "8.3.3", "'How it was made'"),
    ("governance", "9", _PEOPLE),
)


def _asks(measured: Measured) -> tuple[Requirement, ...]:
    """List the clauses and where each is answered; the standard names no number."""
    return tuple(Requirement(name, "", where, None, f"{_SOURCE} {clause}") for name, clause, where in _CLAUSES)


ISO_27559 = Profile(
    "iso-27559",
    "ISO/IEC 27559, by its clauses",
    "The standard is a framework of what to assess and to document. It names no threshold, and a report does not make "
    "an organisation conform to it.",
    _asks,
    baseline=True,
)
