"""What `tacit publish` prints."""

from __future__ import annotations

from tacit.audits import ALSO_FOUND
from tacit.jobs.publish import Publications
from tacit.report.sentences import left_out, outcome, share
from tacit.report.terminal import verdict_lines, written_line


def publication_lines(result: Publications) -> list[str]:
    """Write what `publish` did, batch by batch, and a summary of several."""
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
        lines.append(written_line(part.written))
    if result.batched:
        summary = result.as_dict()["summary"]
        lines.append(
            f"{summary['batches']} batches: {summary['treated']} needed rows withheld, {summary['refused']} not "
            f"published; {share(summary['withheld'], summary['rows'])} of {summary['rows']:,} rows withheld."
        )
        lines += [f" {ALSO_FOUND}  {text}" for text in result.warnings]
    return lines
