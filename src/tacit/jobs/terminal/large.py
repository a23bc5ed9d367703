"""What `tacit publish` prints of a table that no memory holds."""

from __future__ import annotations

from tacit.jobs.large import LargePublication
from tacit.report.sentences import share
from tacit.report.terminal import verdict_lines, written_line


def large_lines(result: LargePublication) -> list[str]:
    """Write what was done, where it ran, and what was judged."""
    release = result.release
    withheld = release.size - release.rows
    fragments = f"{len(release.about):,} fragment{'' if len(release.about) == 1 else 's'}"
    lines = [result.engine.sentence, *release.remarks]
    gone = f", {share(withheld, release.size)} are withheld" if withheld else ""
    lines.append(f"{result.place}: {release.rows:,} of {release.size:,} rows are published{gone}; made in {fragments}.")
    if result.verdict.cost is not None:
        lines.append(f"{result.verdict.cost}, counted from all files that were written.")
    lines += verdict_lines(result.audit, ())
    lines.append(written_line(result.written))
    return lines
