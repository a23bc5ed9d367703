"""Methods: how a guarantee is met.

A method is a frozen value; `protect` makes a release of a table. It asks the guarantee whether groups will do, never
judges by itself, and says in `inside` what it did to every row.
"""

from tacit.methods.anatomy import Anatomy
from tacit.methods.art import ART
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.injector import Injector
from tacit.methods.making import make, make_steps
from tacit.methods.marginals import Angel, InvariantMarginals
from tacit.methods.mask import Mask
from tacit.methods.mondrian import Mondrian
from tacit.methods.pipeline import Pipeline
from tacit.methods.quasi_sensitive import QuasiSensitive
from tacit.methods.skew import RSuppression, SafeDSuppression, ShiftSuppression, SuppressAll, UnsafeDSuppression
from tacit.methods.small_groups import SmallGroups
from tacit.methods.value_suppression import ValueSuppression

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
