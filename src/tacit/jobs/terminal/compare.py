"""What `tacit compare` prints."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.jobs.compare import Choice
from tacit.report.sentences import probability
from tacit.report.terminal import columns

_LEGEND = (
    "",
    " claims       whether every claimed guarantee holds",
    " posterior    the largest probability with which a reader is right about what a claim protects",
    " linkage      the same about a sensitive value, for somebody who knows all quasi-identifiers of a person",
    " learning     how often a reader guesses a sensitive value right who learns from the files themselves",
    " NCP          normalized certainty penalty: information lost, from 0 (nothing) to 1 (everything)",
    " query error  median relative error of COUNT queries",
    " withheld     rows that are not published; NCP counts each as lost",
    " CPU s        seconds of computing, over all threads",
    " dominated    another choice promises as much or more, lets a reader learn no more and costs no more, and is",
    "              better in one of these",
)


def comparison_lines(choices: Sequence[Choice]) -> list[str]:
    """Write a comparison as a table; dominated choices are marked."""
    rows = [("choice", "claims", "posterior", "linkage", "learning", "NCP", "query error", "withheld", "CPU s", "")]
    words = {True: "hold", False: "FAIL", None: "not checked"}
    for c in choices:
        if c.refused is not None:
            rows.append((c.label, "-", "-", "-", "-", "-", "-", "-", "-", c.refused))
            continue
        rows.append(
            (
                c.label,
                words[c.holds],
                probability(c.max_posterior),
                probability(c.link_posterior),
                "-" if c.learned_share is None else f"{c.learned_share:.1%}",
                f"{c.ncp:.4f}",
                "-" if c.query_error is None else f"{c.query_error:.1%}",
                f"{c.suppression_rate:.1%}",
                f"{c.seconds:.2f}",
                "dominated" if c.dominated else "",
            )
        )
    return [*(line.rstrip() for line in columns(rows)), *_LEGEND]
