"""What `tacit demo` prints."""

from __future__ import annotations

from tacit.jobs.demo import Demo
from tacit.report.terminal import written_line


def demo_lines(result: Demo) -> list[str]:
    """Tell the story of the demonstration."""
    lines = [f"A hospital with {result.rows:,} patients; an attacker with a list of {result.victims:,} of them."]
    for act in result.acts:
        lines += [
            "",
            f"{act.title}: {act.story}",
            f"  before  {act.before}",
            f"  after   {act.after}",
            f"  cost    {act.cost}",
        ]
    lines += ["", *(written_line(written) for written in result.written)]
    return lines
