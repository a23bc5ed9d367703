"""Guarantees: what is promised.

A guarantee is a frozen value with its parameters and the knowledge it is about, and a predicate over counts. Methods
ask it while they work, the audit asks it again on the public frames. Arithmetic is in integers, or errs on the safe
side.
"""

from tacit.guarantees.base import Finding, GroupGuarantee, Guarantee
from tacit.guarantees.eligibility import Eligibility
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_dichotomy import LDichotomy
from tacit.guarantees.making import make, recall

__all__ = [
    "Eligibility",
    "Evidence",
    "Finding",
    "GroupGuarantee",
    "Guarantee",
    "KAnonymity",
    "LDichotomy",
    "make",
    "recall",
]
