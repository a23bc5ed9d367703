"""Risk figures of a table or a release: histograms, where risk comes from, plain linkage risks, what it cost."""

from tacit.measures.risk.combinations import Combination, riskiest
from tacit.measures.risk.histogram import RiskHistogram
from tacit.measures.risk.linkage import THRESHOLDS, LinkageRisks, linkage_risks
from tacit.measures.risk.profile import RiskProfile, profile
from tacit.measures.risk.summary import RiskSummary, summarize

__all__ = [
    "THRESHOLDS",
    "Combination",
    "LinkageRisks",
    "RiskHistogram",
    "RiskProfile",
    "RiskSummary",
    "linkage_risks",
    "profile",
    "riskiest",
    "summarize",
]
