"""ReportView: what a report says, as values; how it looks is decided elsewhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from tacit.report.charts import Chart
from tacit.report.evidence.board import BoardEvidence

Part = Literal["context", "data", "tests", "mitigation", "governance"]
"""Where a section stands in a certificate, whose parts are in the order of ISO/IEC 27559."""


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
    """A heading and what stands under it.

    Attributes
    ----------
    part
        Of which part of a certificate it is: most sections of a report say what an attack found.
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    grid: Grid | None = None
    pictures: tuple[Picture, ...] = ()
    code: str | None = None
    part: Part = "tests"


@dataclass(frozen=True)
class ReportView:
    """A whole report.

    Attributes
    ----------
    title, verdict, sections
        What is read from top to bottom.
    evidence
        What a board asks, as values; the sections say the same in words.
    """

    title: str
    verdict: str
    sections: tuple[ReportSection, ...] = field(default_factory=tuple)
    evidence: BoardEvidence | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the words and numbers for JSON; pictures by their captions."""
        sections = []
        for section in self.sections:
            content = asdict(replace(section, pictures=()))
            content["pictures"] = [picture.caption for picture in section.pictures]
            sections.append(content)
        evidence = {} if self.evidence is None else {"evidence": self.evidence.to_json()}
        return {"title": self.title, "verdict": self.verdict, "sections": sections, **evidence}
