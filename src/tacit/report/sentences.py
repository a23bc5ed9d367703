"""Sentences about a release: what a data owner reads, the same in a terminal, a page and a file."""

from __future__ import annotations

from tacit.audits import VERDICT, Audit
from tacit.guarantees import Finding
from tacit.shapes import Published


def share(part: int, whole: int) -> str:
    """Write a part of a whole.

    Examples
    --------
    >>> share(2911, 18204)
    '2,911 (16.0%)'
    """
    return f"{part:,} ({part / whole:.1%})" if whole else f"{part:,}"


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
    n, published = release.size or release.shape.rows, release.shape.rows
    method = (release.method or {}).get("name", "another tool")
    steps = (release.method or {}).get("steps")
    if steps:
        method = ", then ".join(step["name"] for step in steps)
    if published == n:
        return f"{place}: {method} publishes all {n:,} rows."
    return f"{place}: {method} withholds {share(n - published, n)} of {n:,} rows."


def verdicts(audit: Audit) -> list[tuple[str, str, str, str]]:
    """Lay the findings and warnings out as rows: name, parameters, verdict, sentence."""
    rows = []
    for finding in audit.findings:
        told = finding.sentence
        if finding.posterior is not None:
            told += f"; largest posterior {probability(finding.posterior)}"
            told += f" (bound {probability(finding.bound)})" if finding.bound is not None else ""
            told += f", {finding.exactness}"
        rows.append((finding.guarantee, parameters(finding), VERDICT[finding.holds], told))
    rows += [("not asked", notice.adversary, "", notice.sentence) for notice in audit.warnings]
    return rows
