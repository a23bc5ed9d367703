"""What several commands print: aligned columns of plain text, no colour needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tacit.adversaries import Notice
from tacit.audits import Audit
from tacit.releases import Written
from tacit.report.sentences import readers, verdicts


def columns(rows: Sequence[Sequence[str]], *, indent: str = " ") -> list[str]:
    """Align all columns but the last.

    Examples
    --------
    >>> columns([("a", "long", "x"), ("bbb", "c", "y")])
    [' a    long  x', ' bbb  c     y']
    """
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return [
        indent + "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False)) + row[-1]
        for row in rows
    ]


def verdict_lines(audit: Audit, also_found: Sequence[Notice] = ()) -> list[str]:
    """Write the findings and warnings of an audit, and whose beliefs its posteriors are.

    `also_found` are warnings for the data owner only.
    """
    lines = columns(verdicts(audit, also_found))
    if not audit.findings:
        lines = [" nothing is claimed", *lines]
    return lines + [f" {sentence}" for sentence in readers(audit)]


def written_line(written: Written) -> str:
    """Say where the files are."""
    private = "" if written.private is None else f"     private  {near(written.private)}/ (0700)"
    return f"written  {near(written.folder)}/ ({', '.join(written.files)}){private}"


def saved_line(path: Path) -> str:
    """Say where one file is."""
    return f"written  {near(path.resolve())}"


def near(path: Path) -> str:
    """Write a path as short as it can be from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
