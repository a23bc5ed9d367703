"""Marginals: several releases of parts of one table, safe together."""

from tacit.methods.marginals.angel import Angel
from tacit.methods.marginals.invariant import InvariantMarginals

__all__ = ["Angel", "InvariantMarginals"]
