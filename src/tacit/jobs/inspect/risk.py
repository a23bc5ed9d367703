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
        disclosure = self.profile
        return {
            "linkage": None if self.linkage is None else asdict(self.linkage),
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
    table: Table, risk: DisclosureRisk, population: pl.DataFrame | None = None, progress: Progress = silent
) -> RiskFound:
    """Take the risk of a table apart."""
    linkage = linkage_risks(table, population) if table.quasi_identifiers else None
    known = risk.resolved(table)
    asked = any((known.known or {}).values()) and any((known.weights or {}).values())
    return RiskFound(linkage, profile(risk, table, progress) if asked else None)
