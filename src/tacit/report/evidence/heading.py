"""Heading: one of the three questions that European supervisors ask of a table that was made safe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tacit.report.evidence.figure import RiskFigure

HeadingName = Literal["singling out", "linkability", "inference"]


@dataclass(frozen=True)
class Heading:
    """A question with its figures.

    Attributes
    ----------
    name
        The heading.
    question
        What is asked.
    figures
        What was measured, and what was not assessed.
    remarks
        What no figure says.
    """

    name: HeadingName
    question: str
    figures: tuple[RiskFigure, ...]
    remarks: tuple[str, ...] = ()

    @property
    def assessed(self) -> bool:
        """Whether something was measured."""
        return any(figure.assessed for figure in self.figures)

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "name": self.name,
            "question": self.question,
            "assessed": self.assessed,
            "figures": [figure.to_json() for figure in self.figures],
            "remarks": list(self.remarks),
        }
