"""BoardEvidence: all that a board asks about one release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tacit.measures.risk import PopulationRisk, SpecialUniques
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.requirement import ProfileResult


@dataclass(frozen=True, eq=False)
class BoardEvidence:
    """What a report shows to a board, besides the verdicts on the claims.

    Attributes
    ----------
    headings
        Singling out, linkability, inference.
    profile
        The verdict on the profile of thresholds that the recipe names; None without one.
    special_uniques
        Who is alone by few columns: in the public report among the published rows, in the internal one in the table.
    population
        What it means that the table is a sample; None where nobody gave a population or weights.
    """

    headings: tuple[Heading, ...]
    profile: ProfileResult | None = None
    special_uniques: SpecialUniques | None = None
    population: PopulationRisk | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "headings": [heading.to_json() for heading in self.headings],
            "profile": None if self.profile is None else self.profile.to_json(),
            "special_uniques": None if self.special_uniques is None else self.special_uniques.to_json(),
            "population": None if self.population is None else self.population.to_json(),
        }
