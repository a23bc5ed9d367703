"""Skew: one sensitive value is too frequent, and somebody who knows the algorithm asks which."""

from tacit.guarantees.skew.eligibility import Eligibility
from tacit.guarantees.skew.l_dichotomy import LDichotomy

__all__ = ["Eligibility", "LDichotomy"]
