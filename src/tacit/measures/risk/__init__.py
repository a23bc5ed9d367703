"""Risk figures of a table or a release: linkage, special uniques, populations, where disclosure risk comes from."""

from tacit.measures.risk.combinations import Combination, riskiest
from tacit.measures.risk.histogram import RiskHistogram
from tacit.measures.risk.linkage import THRESHOLDS, LinkageRisks, linkage_risks
from tacit.measures.risk.population_risk import PopulationRisk, individual_risk, population_risk
from tacit.measures.risk.profile import RiskProfile, profile
from tacit.measures.risk.special_uniques import (
    SpecialUniques,
    ValueShare,
    affordable,
    special_uniques,
    special_uniques_of_release,
)
from tacit.measures.risk.summary import RiskSummary, summarize

__all__ = [
    "THRESHOLDS",
    "Combination",
    "LinkageRisks",
    "PopulationRisk",
    "RiskHistogram",
    "RiskProfile",
    "RiskSummary",
    "SpecialUniques",
    "ValueShare",
    "affordable",
    "individual_risk",
    "linkage_risks",
    "population_risk",
    "profile",
    "riskiest",
    "special_uniques",
    "special_uniques_of_release",
    "summarize",
]
