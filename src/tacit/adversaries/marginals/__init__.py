"""Marginals: somebody finds a person in several releases, and keeps what all of them allow."""

from tacit.adversaries.marginals.intersection import Intersection, IntersectionAdversary
from tacit.adversaries.marginals.worlds import WorldAdversary, Worlds

__all__ = ["Intersection", "IntersectionAdversary", "WorldAdversary", "Worlds"]
