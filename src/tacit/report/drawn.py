"""A view with its pictures drawn, so that it can travel between processes."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.report.charts import alternative, svg
from tacit.report.view import Grid, Picture, ReportView


@dataclass(frozen=True)
class DrawnSection:
    """A section of a report; pictures are captions with SVG, in which every text is escaped."""

    title: str
    paragraphs: tuple[str, ...]
    grid: Grid | None
    pictures: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DrawnView:
    """A report whose pictures are drawn."""

    title: str
    verdict: str
    sections: tuple[DrawnSection, ...]


def drawn(view: ReportView) -> DrawnView:
    """Draw the pictures of a view; one that cannot be drawn is left out."""
    return DrawnView(
        view.title,
        view.verdict,
        tuple(
            DrawnSection(each.title, each.paragraphs, each.grid, tuple(_pictures(each.pictures)))
            for each in view.sections
        ),
    )


def _pictures(pictures: tuple[Picture, ...]) -> list[tuple[str, str]]:
    made = []
    for picture in pictures:
        try:
            made.append((picture.caption, svg(picture.chart, alternative(picture.chart, picture.caption))))
        except Exception:  # noqa: S112  (a picture helps, but nothing fails for want of it)
            continue
    return made
