"""Guarantees: what is promised.

A guarantee is a frozen value with its parameters and the knowledge it is about, and a predicate over counts. Methods
ask it while they work, the audit asks it again on the public frames. Arithmetic is in integers, or errs on the safe
side.
"""

from tacit.guarantees.alpha_k import AlphaK
from tacit.guarantees.base import Finding, GroupGuarantee, Guarantee
from tacit.guarantees.beta_likeness import BetaLikeness
from tacit.guarantees.counted import CountedGuarantee
from tacit.guarantees.delta_disclosure import DeltaDisclosure
from tacit.guarantees.eligibility import Eligibility
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_dichotomy import LDichotomy
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.m_invariance import MInvariance
from tacit.guarantees.making import make, recall
from tacit.guarantees.qs_base import QSGuarantee
from tacit.guarantees.qs_closeness import QSCloseness
from tacit.guarantees.qs_diversity import QSDiversity
from tacit.guarantees.r_robustness import RRobustness
from tacit.guarantees.risk_below import RiskBelow
from tacit.guarantees.t_closeness import TCloseness
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
    "QSCloseness",
    "QSDiversity",
    "QSGuarantee",
    "RRobustness",
    "RiskBelow",
    "TCloseness",
    "make",
    "recall",
]
