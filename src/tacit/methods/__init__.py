"""Methods: how a guarantee is met.

A method is a frozen value; `protect` makes a release of a table. It asks the guarantee whether groups will do, never
judges by itself, and says in `inside` what it did to every row.
"""

from tacit.methods.base import Job, Method, Outcome
from tacit.methods.distribution import ART, Injector, Mask
from tacit.methods.linkage import Anatomy, Mondrian, SmallGroups
from tacit.methods.marginals import Angel, InvariantMarginals
from tacit.methods.pipeline import Pipeline
from tacit.methods.quasi_sensitive import QuasiSensitive
from tacit.methods.registry import make, make_steps
from tacit.methods.risk import ValueSuppression
from tacit.methods.skew import RSuppression, SafeDSuppression, ShiftSuppression, SuppressAll, UnsafeDSuppression

__all__ = [
    "ART",
    "Anatomy",
    "Angel",
    "Injector",
    "InvariantMarginals",
    "Job",
    "Mask",
    "Method",
    "Mondrian",
    "Outcome",
    "Pipeline",
    "QuasiSensitive",
    "RSuppression",
    "SafeDSuppression",
    "ShiftSuppression",
    "SmallGroups",
    "SuppressAll",
    "UnsafeDSuppression",
    "ValueSuppression",
    "make",
    "make_steps",
]
