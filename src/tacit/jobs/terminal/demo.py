"""What `tacit demo` prints."""

from __future__ import annotations

import polars as pl

from tacit.jobs.demo import Demo
from tacit.report.terminal import columns, near, written_line


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
    lines += ["", *_rows(result), "", *(written_line(written) for written in result.written)]
    private = result.written[0].private
    report = "" if private is None else f" {near(private)}/report.html tells the data owner more, and stays inside."
    return [
        *lines,
        "",
        "NCP (normalized certainty penalty) is the information lost, from 0 to 1.",
        f"Open {near(result.written[0].folder)}/report.html: that is what everybody may read.{report}",
        "Now your own table: tacit inspect TABLE.csv --recipe TABLE.toml, then tacit publish TABLE.toml",
    ]


def _rows(result: Demo) -> list[str]:
    """Show three rows before, and the first three of the first release, which are of other people."""
    published = result.written[0].folder / "table.csv"
    if not published.exists() or not result.sample.width:
        return []
    after = pl.read_csv(published, n_rows=3, infer_schema=False)
    before = [tuple(result.sample.columns), *(tuple(map(str, row)) for row in result.sample.rows())]
    return [
        "three rows of the table",
        *columns(before),
        "three rows of the first release, in random order",
        *columns([tuple(after.columns), *(tuple(map(str, row)) for row in after.rows())]),
    ]
