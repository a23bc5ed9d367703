"""Adversaries: what outsiders could infer.

An adversary reads only the public frames, plus the knowledge it declares, and returns posteriors. One file per kind of
knowledge; shapes stand between adversaries and methods, so any adversary attacks any release, made by anyone.
"""

from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.beliefs import Belief, Linkage
from tacit.adversaries.blanks import BlankReader, Reading
from tacit.adversaries.distribution import DistributionAdversary, Inference
from tacit.adversaries.eligibility import EligibilityAdversary, Suspicion
from tacit.adversaries.intersection import Intersection, IntersectionAdversary
from tacit.adversaries.known_set import KnownSetAdversary, Matches
from tacit.adversaries.labels import LabelAdversary, LabelBeliefs
from tacit.adversaries.linkage import LinkageAdversary
from tacit.adversaries.worlds import WorldAdversary, Worlds

__all__ = [
    "Adversary",
    "Belief",
    "BlankReader",
    "DistributionAdversary",
    "EligibilityAdversary",
    "Inference",
    "Intersection",
    "IntersectionAdversary",
    "KnownSetAdversary",
    "LabelAdversary",
    "LabelBeliefs",
    "Linkage",
    "LinkageAdversary",
    "Matches",
    "Notice",
    "Reading",
    "Suspicion",
    "WorldAdversary",
    "Worlds",
]
