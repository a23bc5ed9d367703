"""What `tacit publish` prints."""

from __future__ import annotations

from tacit.jobs.publish import Publications
from tacit.report.sentences import outcome, share, verdicts
from tacit.report.terminal import columns, written_line


def publication_lines(result: Publications) -> list[str]:
    """Write what `publish` did, batch by batch, and a summary of several."""
    lines = []
    for part in result.parts:
        if part.release is None or part.written is None or part.utility is None:
            lines.append(f"{part.place}: not published. {part.refused}")
            continue
        lines += [str(remark) for remark in part.release.inside.remarks] if part.release.inside is not None else []
        lines.append(outcome(part.release, part.place))
        lines += columns(
            [*verdicts(part.written.audit), *(("not asked", n.adversary, "", n.sentence) for n in part.others)]
        ) or [" nothing is claimed"]
        lines.append(f" cost  NCP {part.utility.ncp:.4f}, average group {part.utility.average_group_size:,.1f} rows")
        lines.append(written_line(part.written))
    if result.batched:
        told = result.as_dict()["summary"]
        lines.append(
            f"{told['batches']} batches: {told['treated']} needed rows withheld, {told['refused']} not published; "
            f"{share(told['withheld'], told['rows'])} of {told['rows']:,} rows withheld."
        )
        lines += [f" not asked  {text}" for text in result.warnings]
    return lines
