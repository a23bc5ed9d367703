"""Marginals: somebody has several releases of the same people."""

from tacit.guarantees.marginals.m_invariance import MInvariance

__all__ = ["MInvariance"]
