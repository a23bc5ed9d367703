"""Guarantees: what is promised.

A guarantee is a frozen value with its parameters and the knowledge it is about, and a predicate over counts. Methods
ask it while they work, the audit asks it again on the public frames. Arithmetic is in integers, or errs on the safe
side.
"""

from tacit.guarantees import distribution, linkage, marginals, quasi_sensitive, risk, skew
from tacit.guarantees.base import GroupGuarantee, Guarantee
from tacit.guarantees.distribution import *  # noqa: F403
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, Parts
from tacit.guarantees.linkage import *  # noqa: F403
from tacit.guarantees.marginals import *  # noqa: F403
from tacit.guarantees.quasi_sensitive import *  # noqa: F403
from tacit.guarantees.registry import make, recall
from tacit.guarantees.risk import *  # noqa: F403
from tacit.guarantees.skew import *  # noqa: F403
from tacit.guarantees.value_guarantee import ValueGuarantee
from tacit.knowledge.risk import DisclosureRisk

__all__ = ["DisclosureRisk", "Evidence", "Finding", "GroupGuarantee", "Guarantee", "Parts", "ValueGuarantee"]
__all__ += ["make", "recall"]
__all__ += distribution.__all__
__all__ += linkage.__all__
__all__ += marginals.__all__
__all__ += quasi_sensitive.__all__
__all__ += risk.__all__
__all__ += skew.__all__
