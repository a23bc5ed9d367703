"""ReportView: what a report says, as values; how it looks is decided elsewhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from tacit.report.charts import Chart


@dataclass(frozen=True)
class Grid:
    """A table of text with a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A chart and what it shows in words."""

    caption: str
    chart: Chart


@dataclass(frozen=True)
class ReportSection:
    """A heading and what stands under it."""

    title: str
    paragraphs: tuple[str, ...] = ()
    grid: Grid | None = None
    pictures: tuple[Picture, ...] = ()
    code: str | None = None


@dataclass(frozen=True)
class ReportView:
    """A whole report."""

    title: str
    verdict: str
    sections: tuple[ReportSection, ...] = field(default_factory=tuple)

    def as_dict(self) -> dict[str, Any]:
        """Return the words and numbers for JSON; pictures by their captions."""
        sections = []
        for section in self.sections:
            content = asdict(ReportSection(section.title, section.paragraphs, section.grid, (), section.code))
            content["pictures"] = [picture.caption for picture in section.pictures]
            sections.append(content)
        return {"title": self.title, "verdict": self.verdict, "sections": sections}
