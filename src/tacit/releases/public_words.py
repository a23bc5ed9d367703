"""Public words: what metadata of every format says of a release, in sentences.

They hold only what the public frames, the counts that may be public and the verdicts tell. Nobody said who publishes
the table, under which licence and for what, so nothing is said of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.audits import VERDICT, Audit
from tacit.measures.small_counts import SmallCounts
from tacit.shapes import Published, PublishedColumn
from tacit.table import Role


@dataclass(frozen=True)
class PublicWords:
    """What is said of a release.

    Attributes
    ----------
    title, description
        What it is.
    sensitive
        What is personal in it, and what protects it.
    limitations
        What cannot be read from it.
    biases
        How it may differ from the table that it was made from.
    processing
        How it was made.
    """

    title: str
    description: str
    sensitive: tuple[str, ...]
    limitations: tuple[str, ...]
    biases: tuple[str, ...]
    processing: str

    @classmethod
    def of(cls, release: Published, audit: Audit, hide: SmallCounts | None = None) -> PublicWords:
        """Gather the words; the audit may be any, only what is public of it is used.

        `hide` decides which counts are shown, where small ones may not be.
        """
        shape, verdict = release.shape, audit.public()
        said = hide.text if hide is not None else str
        by_role = {role: [c.name for c in shape.columns if c.role is role] for role in Role}
        known, secret = by_role[Role.QUASI_IDENTIFIER], by_role[Role.SENSITIVE] + list(shape.items)
        promises = "; ".join(f"{finding.title}: {VERDICT[finding.holds]}" for finding in verdict.findings)
        method = release.method
        steps = [] if method is None else [str(step["name"]) for step in method.get("steps", [method])]
        return cls(
            title=f"A table about people, protected before publication ({shape.name})",
            description=f"{shape.sentence} What was promised and checked is in release.json, and in words in the "
            "report, where there is one.".lstrip(),
            sensitive=(
                f"The rows are about people. Columns that an outsider may know: {', '.join(known) or 'none'}.",
                f"Columns that people would not tell: {', '.join(secret) or 'none'}.",
                f"Guarantees, judged from the published files: {promises or 'none is claimed'}.",
                "Nothing is promised against knowledge that no guarantee is about.",
            ),
            limitations=tuple(said(each) for each in _limits(release)),
            biases=tuple(said(each) for each in biases(release.shape.rows, release.size)),
            processing=f"Steps, in order: {', '.join(steps)}." if steps else "It was made by another tool.",
        )


def _limits(release: Published) -> list[str]:
    shape = release.shape
    blurred = [c.name for c in shape.columns if c.blurred and shape.grouped]
    suppressed = [c.name for c in shape.columns if c.suppressed]
    changed = [c.name for c in shape.columns if c.changed]
    said = []
    if blurred:
        said.append(f"Cells of {', '.join(blurred)} may be intervals, sets or nodes of a hierarchy instead of values.")
    if suppressed:
        said.append(
            f"Some cells of {', '.join(suppressed)} are suppressed; a blank cell does not mean a missing value."
        )
    if changed:
        said.append(f"Some cells of {', '.join(changed)} were changed at random.")
    if not shape.flat:
        said.append("Sensitive values are published apart from the people, by group: single rows cannot be joined.")
    if shape.counterfeits:
        said.append(f"{shape.counterfeits:,} rows are nobody's; which ones is not published.")
    return said or ["Cells are published as they were."]


def biases(rows: int, size: int | None) -> list[str]:
    """Say how a release of so many rows may differ from a table of so many, if that is known."""
    if size is None:
        return ["How many rows were left out is not known."]
    if size == rows:
        return [f"All {rows:,} rows of the table are in it."]
    return [
        f"{size - rows:,} of {size:,} rows are withheld. Which ones depends on what they hold, so rare combinations "
        "and frequent values may be rarer in it than in the table."
    ]


def notes(column: PublishedColumn | None, *, grouped: bool) -> str:
    """Describe one column in words; empty for a count or a group number."""
    if column is None:
        return ""
    said = [column.role.value]
    if column.blurred and grouped:
        said.append("a cell may be an interval [a, b], a set {a, b}, a node of a hierarchy or *")
    if column.suppressed:
        said.append("some cells are suppressed")
    return "; ".join(said)
