"""What `tacit publish` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.audits import ALSO_FOUND
from tacit.jobs.certify import Certified
from tacit.jobs.publish import Publications
from tacit.report.evidence.lines import evidence_lines
from tacit.report.sentences import left_out, outcome, share
from tacit.report.terminal import near, verdict_lines, written_line
from tacit.report.usefulness import answers

if TYPE_CHECKING:
    from tacit.jobs.large import LargePublication


def publication_lines(result: Publications | LargePublication) -> list[str]:
    """Write what `publish` did, batch by batch, and a summary of several."""
    if not isinstance(result, Publications):
        from tacit.jobs.terminal.large import large_lines

        return large_lines(result)
    lines = []
    for part in result.parts:
        if part.release is None or part.written is None or part.utility is None:
            lines.append(f"{part.place}: not published. {part.refused}")
            continue
        if part.release.inside is not None:
            table = part.release.inside.table
            lines += [f"{remark}." for remark in (() if table is None else table.remarks)]
            lines += [str(remark) for remark in part.release.inside.remarks]
        lines.append(outcome(part.release, part.place))
        lines += [f" {sentence}" for sentence in left_out(part.release)]
        lines += verdict_lines(part.written.audit, part.also_found)
        lines.append(
            f" cost  information lost (NCP, normalized certainty penalty, 0 to 1) {part.utility.ncp:.4f}; groups of "
            f"{part.utility.average_group_size:,.1f} {part.utility.unit} on average"
        )
        lines += [f" costly  {sentence}" for sentence in part.costly]
        if part.useful is not None:
            lines += [f" useful  {sentence}" for sentence in (*answers(part.useful), *part.useful.missing)]
        lines += evidence_lines(part.evidence)
        lines.append(written_line(part.written))
        if part.certified is not None:
            lines += certificate_lines(part.certified)
    if result.batched:
        summary = result.as_dict()["summary"]
        lines.append(
            f"{summary['batches']} batches: {summary['treated']} needed rows withheld, {summary['refused']} not "
            f"published; {share(summary['withheld'], summary['rows'])} of {summary['rows']:,} rows withheld."
        )
        lines += [f" {ALSO_FOUND}  {text}" for text in result.warnings]
    return lines


def certificate_lines(certified: Certified) -> list[str]:
    """Say where the certificates are, or in one sentence why there are none."""
    made = [near(path) for path in (certified.public, certified.private) if path is not None]
    lines = [f"certificates  {', '.join(made)}"] if made else []
    return lines if certified.missing is None else [*lines, f"certificate not made  {certified.missing}"]
