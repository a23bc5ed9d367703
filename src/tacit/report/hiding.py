"""Hiding: a public report without counts below a limit, and without others that would give them back."""

from __future__ import annotations

from dataclasses import replace

from tacit.measures.small_counts import SmallCounts
from tacit.report.evidence.board import BoardEvidence
from tacit.report.evidence.figure import RiskFigure
from tacit.report.view import Grid, ReportSection

_ALMOST = 1e-9  # what the writing of a risk rounds away


def hidden_section(section: ReportSection, hide: SmallCounts) -> ReportSection:
    """Write a section without small counts; pictures of counts are left out, because bars can be measured."""
    paragraphs = tuple(hide.text(paragraph) for paragraph in section.paragraphs)
    grid = None if section.grid is None else _grid(section.grid, hide)
    if section.pictures:
        paragraphs += (f"Pictures are left out: no count below {hide.smallest} may be read from them.",)
    return replace(section, paragraphs=paragraphs, grid=grid, pictures=())


def _grid(grid: Grid, hide: SmallCounts) -> Grid:
    """Show all counts of a grid or none: they may add up to what is known. The first column names what is counted."""
    counts = [count for row in grid.rows for cell in row[1:] for count in hide.counts(cell)]
    show = hide.all_shown(counts)
    rows = tuple((row[0], *(_cell(row[0], cell, hide, show) for cell in row[1:])) for row in grid.rows)
    return Grid(grid.head, rows)


def _cell(label: str, cell: str, hide: SmallCounts, show: bool) -> str:
    """Write a cell; a risk of being found is one over a count, and a largest posterior is a share of few rows."""
    if "risk of being found" in label or "largest posterior" in label:
        try:
            value = float(cell)
        except ValueError:
            return hide.text(cell, show=show)
        if "posterior" in label:
            return f"at most {hide.at_most(value):g}"
        if value > 1 / hide.smallest + _ALMOST:
            return f"more than 1 in {hide.smallest}"
    return hide.text(cell, show=show)


def hidden_evidence(evidence: BoardEvidence, hide: SmallCounts) -> BoardEvidence:
    """Return the evidence without small counts; special uniques are left out, because their counts are nested."""
    headings = tuple(
        replace(heading, figures=tuple(_figure(figure, hide) for figure in heading.figures))
        for heading in evidence.headings
    )
    profile = evidence.profile
    if profile is not None:
        judged = tuple(replace(each, figure=hide.text(each.figure, show=False)) for each in profile.requirements)
        profile = replace(profile, requirements=judged)
    return BoardEvidence(headings, profile, None, None)


def _figure(figure: RiskFigure, hide: SmallCounts) -> RiskFigure:
    rate = figure.rate
    if rate is None:
        return figure
    count = round(rate.right)
    if abs(rate.right - count) < _ALMOST and not (hide.all_shown([count]) and hide.all_shown([rate.people])):
        return replace(figure, rate=None, sentence=f"not shown: it would show a count below {hide.smallest}")
    return replace(figure, sentence=hide.text(figure.sentence))
