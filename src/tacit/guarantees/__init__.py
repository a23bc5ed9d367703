"""Guarantees: what is promised.

A guarantee is a frozen value with its parameters and the knowledge it is about, and a predicate over counts. Methods
ask it while they work, the audit asks it again on the public frames. Arithmetic is in integers, or errs on the safe
side.
"""

from tacit.guarantees.base import GroupGuarantee, Guarantee
from tacit.guarantees.distribution import RRobustness
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, Parts
from tacit.guarantees.linkage import AlphaK, BetaLikeness, DeltaDisclosure, KAnonymity, LDiversity, TCloseness
from tacit.guarantees.marginals import MInvariance
from tacit.guarantees.quasi_sensitive import QSCloseness, QSDiversity, QSGuarantee
from tacit.guarantees.registry import make, recall
from tacit.guarantees.risk import RiskBelow
from tacit.guarantees.skew import Eligibility, LDichotomy
from tacit.guarantees.value_guarantee import CountedGuarantee
from tacit.knowledge.risk import DisclosureRisk

__all__ = [
    "AlphaK",
    "BetaLikeness",
    "CountedGuarantee",
    "DeltaDisclosure",
    "DisclosureRisk",
    "Eligibility",
    "Evidence",
    "Finding",
    "GroupGuarantee",
    "Guarantee",
    "KAnonymity",
    "LDichotomy",
    "LDiversity",
    "MInvariance",
    "Parts",
    "QSCloseness",
    "QSDiversity",
    "QSGuarantee",
    "RRobustness",
    "RiskBelow",
    "TCloseness",
    "make",
    "recall",
]
