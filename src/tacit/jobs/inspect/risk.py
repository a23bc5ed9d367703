"""Risk: what is at stake in a table as it is, before anything is suppressed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from tacit.knowledge.risk import DisclosureRisk
from tacit.measures.risk import LinkageRisks, RiskProfile, linkage_risks, profile
from tacit.progress import Progress, silent
from tacit.table import Table


@dataclass(frozen=True, eq=False)
class RiskFound:
    """The plain linkage risks, and disclosure risk taken apart; None where a table has no such columns."""

    linkage: LinkageRisks | None
    profile: RiskProfile | None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        found = self.profile
        return {
            "linkage": None if self.linkage is None else asdict(self.linkage),
            "disclosure": None
            if found is None
            else {
                "known": found.risk.known,
                "weights": found.risk.weights,
                "alpha": found.risk.alpha,
                "histogram": asdict(found.histogram),
                "mean": found.mean,
                "combinations": [asdict(each) for each in found.combinations],
                "shares": dict(found.shares),
                "certain": found.certain,
                "sampled": found.sampled,
            },
        }


def risk_found(
    table: Table, risk: DisclosureRisk, population: pl.DataFrame | None = None, progress: Progress = silent
) -> RiskFound:
    """Take the risk of a table apart."""
    linkage = linkage_risks(table, population) if table.quasi_identifiers else None
    known = risk.resolved(table)
    asked = any((known.known or {}).values()) and any((known.weights or {}).values())
    return RiskFound(linkage, profile(risk, table, progress) if asked else None)
