"""Risk: what is at stake in a table as it is, before anything is suppressed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from tacit.errors import ParameterError
from tacit.knowledge.risk import DisclosureRisk
from tacit.measures.risk import (
    LinkageRisks,
    PopulationRisk,
    RiskProfile,
    SpecialUniques,
    affordable,
    linkage_risks,
    population_risk,
    profile,
    special_uniques,
)
from tacit.progress import Progress, silent
from tacit.table import Table


@dataclass(frozen=True, eq=False)
class RiskFound:
    """The plain linkage risks, and disclosure risk taken apart; None where a table has no such columns."""

    linkage: LinkageRisks | None
    profile: RiskProfile | None
    special_uniques: SpecialUniques | None = None
    population: PopulationRisk | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        disclosure = self.profile
        return {
            "linkage": None if self.linkage is None else asdict(self.linkage),
            "special_uniques": None if self.special_uniques is None else self.special_uniques.to_json(),
            "population": None if self.population is None else self.population.to_json(),
            "disclosure": None
            if disclosure is None
            else {
                "known": disclosure.risk.known,
                "weights": disclosure.risk.weights,
                "alpha": disclosure.risk.alpha,
                "histogram": asdict(disclosure.histogram),
                "mean": disclosure.mean,
                "combinations": [asdict(each) for each in disclosure.combinations],
                "shares": dict(disclosure.shares),
                "certain": disclosure.certain,
                "sampled": disclosure.sampled,
            },
        }


def risk_found(
    table: Table,
    risk: DisclosureRisk,
    population: pl.DataFrame | None = None,
    weights: str | None = None,
    progress: Progress = silent,
) -> RiskFound:
    """Take the risk of a table apart.

    Parameters
    ----------
    table
        The table as it is.
    risk
        What may be known, and what matters.
    population, weights
        What the table is a sample of: the people, or the column with the sampling weights.
    progress
        Told the stage and the share done.
    """
    linkage = linkage_risks(table, population) if table.quasi_identifiers else None
    sampled, unique = _sampled(table, population, weights), None
    distinct = 0 if linkage is None else min(linkage.rows, 2 * linkage.groups)
    most = affordable(distinct, len(table.quasi_identifiers))
    if most:
        progress("special uniques", 0.5)
        fraction = None if sampled is None else sampled.fraction
        unique = special_uniques(table, largest=most, fraction=fraction)
    known = risk.resolved(table)
    asked = any((known.known or {}).values()) and any((known.weights or {}).values())
    return RiskFound(linkage, profile(risk, table, progress) if asked else None, unique, sampled)


def _sampled(table: Table, population: pl.DataFrame | None, weights: str | None) -> PopulationRisk | None:
    """Measure what it means that the table is a sample, where somebody said of what."""
    if population is None and weights is None:
        return None
    if population is not None and weights is not None:
        raise ParameterError("Population risk takes a population or weights.", hint="Name one of the two.")
    return population_risk(table, population=population, weights=weights) if table.quasi_identifiers else None
