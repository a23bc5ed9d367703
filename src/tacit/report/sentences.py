"""Sentences about a release: what a data owner reads, the same in a terminal, a page and a file."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.adversaries import Notice
from tacit.audits import ALSO_FOUND, VERDICT, Audit
from tacit.guarantees import Finding
from tacit.guarantees.registry import classes
from tacit.shapes import Published
from tacit.table import Role

CERTAIN = 1e-12
"""A posterior this near to 1 is certainty: the difference is the rounding of a sum of floats."""


def share(part: int, whole: int) -> str:
    """Write a part of a whole.

    Examples
    --------
    >>> share(2911, 18204)
    '2,911 (16.0%)'
    """
    return f"{part:,} ({part / whole:.1%})" if whole else f"{part:,}"


def people(count: int) -> str:
    """Count people in words.

    Examples
    --------
    >>> people(1), people(1200)
    ('1 person', '1,200 people')
    """
    return "1 person" if count == 1 else f"{count:,} people"


def probability(value: float | None) -> str:
    """Write a posterior.

    Examples
    --------
    >>> probability(1 / 3), probability(None)
    ('0.3333', '-')
    """
    return "-" if value is None else f"{value:.4f}"


def parameters(finding: Finding) -> str:
    """Write the parameters of a claim, scalars only."""
    given = finding.parameters or {}
    return " ".join(f"{key}={value}" for key, value in given.items() if isinstance(value, int | float | str))


def outcome(release: Published, place: str) -> str:
    """Say how many rows are published and withheld."""
    rows, published = release.size or release.shape.rows, release.shape.rows
    method = release.method or {"name": "another tool"}
    steps = ", then ".join(step["name"] for step in method.get("steps", [method]))
    if published == rows:
        return f"{place}: {steps} publishes all {rows:,} rows."
    return f"{place}: {steps}. {share(rows - published, rows)} of {rows:,} rows are withheld."


def left_out(release: Published) -> list[str]:
    """Name the columns that are not published, each with its role, and those that look like names and are."""
    table = None if release.inside is None else release.inside.table
    if table is None:
        return []
    shown = {name for column in release.shape.columns for name in (column.name, column.item_of)}
    missing = [c for c in table.columns if c.name not in shown]
    words = {Role.OTHER: "no role"}
    named = ", ".join(f"{c.name} ({words.get(c.role, c.role.value)})" for c in missing)
    sentences = [f"Not published: {named}."] if missing else []
    return sentences + [
        f"Column {name!r} looks like {what}; it is published because it was named as one that may leave."
        for name, what in table.allowed.items()
        if name in shown
    ]


def verdicts(audit: Audit, also_found: Sequence[Notice] = ()) -> list[tuple[str, str, str, str]]:
    """Lay findings and warnings out as rows: name, parameters, verdict, sentence.

    `also_found` are warnings that are not part of the audit, because they are for the data owner only.
    """
    rows = [
        (finding.guarantee, parameters(finding), VERDICT[finding.holds], finding_sentence(finding))
        for finding in audit.findings
    ]
    return rows + [(ALSO_FOUND, notice.adversary, "", notice.sentence) for notice in _heard(audit, also_found)]


def _heard(audit: Audit, also_found: Sequence[Notice]) -> list[Notice]:
    """Return all warnings; what the data owner knows of a reader stands for what everybody can compute of her."""
    known = {notice.adversary for notice in also_found}
    return [*(notice for notice in audit.warnings if notice.adversary not in known), *also_found]


def finding_sentence(finding: Finding) -> str:
    """Write what was found of one claim, with the largest posterior and what it must not exceed."""
    sentence = finding.reason
    if finding.posterior is not None:
        sentence += f"; largest posterior {probability(finding.posterior)}"
        sentence += f" (bound {probability(finding.bound)})" if finding.bound is not None else ""
        sentence += f", {finding.exactness}"
    return sentence


def headline(audit: Audit, also_found: Sequence[Notice] = ()) -> str:
    """Say whether the claims hold, and repeat the prominent warnings and those about a reader who is certain.

    Examples
    --------
    >>> headline(Audit(()))
    'Nothing is claimed.'
    """
    heard = _heard(audit, also_found)
    certain = [notice.sentence for notice in heard if notice.prominent or is_certain(notice)]
    return " ".join([_claims(audit), *(f"Yet {sentence}." for sentence in certain)])


def is_certain(notice: Notice) -> bool:
    """Tell whether a warning is about a reader who is certain, with a posterior of 1."""
    return notice.posterior is not None and notice.posterior >= 1.0 - CERTAIN


def _claims(audit: Audit) -> str:
    if not audit.findings:
        return "Nothing is claimed."
    if audit.passes:
        return "Every claimed guarantee holds."
    rejected = [f"{finding.title} {VERDICT[finding.holds]}" for finding in audit.findings if finding.holds is not True]
    return f"{'; '.join(rejected)}."


def readers(audit: Audit) -> list[str]:
    """Say whose beliefs the posteriors of the claims are, one sentence for each kind of reader."""
    known = classes()
    claims: dict[str, list[str]] = {}
    for finding in audit.findings:
        reader = known[finding.guarantee].reader if finding.guarantee in known else ""
        if reader and finding.posterior is not None and finding.guarantee not in claims.get(reader, ()):
            claims.setdefault(reader, []).append(finding.guarantee)
    return [
        f"The posterior of {' and '.join(names)} is what somebody could believe who {reader}."
        for reader, names in claims.items()
    ]
