"""Evidence: what a board asks about a release, as values.

Three headings (singling out, linkability, inference), each with figures from attacks and, where it was asked for, with
the same attack on people who are not in the release; a profile of thresholds, each met, not met or not assessed;
special uniques and population risk. How it looks is decided elsewhere.
"""

from tacit.report.evidence.board import BoardEvidence
from tacit.report.evidence.figure import RiskFigure
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.requirement import ProfileResult, Requirement

__all__ = ["BoardEvidence", "Heading", "ProfileResult", "Requirement", "RiskFigure"]
