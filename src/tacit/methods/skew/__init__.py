"""Suppressions for a table in which a sensitive value is too frequent for any l-diverse grouping."""

from tacit.methods.skew.base import SkewSuppression
from tacit.methods.skew.r_suppression import RSuppression
from tacit.methods.skew.safe_d import SafeDSuppression
from tacit.methods.skew.shift import ShiftSuppression
from tacit.methods.skew.suppress_all import SuppressAll
from tacit.methods.skew.unsafe_d import UnsafeDSuppression

__all__ = [
    "RSuppression",
    "SafeDSuppression",
    "ShiftSuppression",
    "SkewSuppression",
    "SuppressAll",
    "UnsafeDSuppression",
]
