"""What `tacit compare` prints."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.jobs.compare import Choice
from tacit.report.sentences import probability
from tacit.report.terminal import columns

_LEGEND = (
    "",
    " claims       whether every claimed guarantee holds",
    " posterior    the largest posterior that a claim is about",
    " linkage      the largest posterior of somebody who knows all quasi-identifiers",
    " NCP          information lost, 0 to 1",
    " query error  median relative error of COUNT queries",
    " dominated    another choice is at least as private and costs no more, and is better in one of the two",
)


def comparison_lines(choices: Sequence[Choice]) -> list[str]:
    """Write a comparison as a table; dominated choices are marked."""
    rows = [("choice", "claims", "posterior", "linkage", "NCP", "query error", "withheld", "CPU s", "")]
    words = {True: "hold", False: "FAIL", None: "not checked"}
    for c in choices:
        if c.refused is not None:
            rows.append((c.label, "-", "-", "-", "-", "-", "-", "-", c.refused))
            continue
        rows.append(
            (
                c.label,
                words[c.holds],
                probability(c.max_posterior),
                probability(c.link_posterior),
                f"{c.ncp:.4f}",
                "-" if c.query_error is None else f"{c.query_error:.1%}",
                f"{c.suppression_rate:.1%}",
                f"{c.seconds:.2f}",
                "dominated" if c.dominated else "",
            )
        )
    return [*(line.rstrip() for line in columns(rows)), *_LEGEND]
