"""Distribution: somebody knows how the sensitive value depends on the quasi-identifiers."""

from tacit.guarantees.distribution.r_robustness import RRobustness

__all__ = ["RRobustness"]
