"""Adversaries: what outsiders could infer.

An adversary reads only the public frames, plus the knowledge it declares, and returns a `Belief`: posteriors, and whom
they are about. One file per kind of knowledge; shapes stand between adversaries and methods, so any adversary attacks
any release, made by anyone.
"""

from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief, BeliefByColumn, Exactness
from tacit.adversaries.distribution import DistributionAdversary, Inference
from tacit.adversaries.learning import Learned, LearningAdversary, Success
from tacit.adversaries.linkage import LinkageAdversary
from tacit.adversaries.looked_up import Guesses, Linkage
from tacit.adversaries.marginals import Intersection, IntersectionAdversary, WorldAdversary, Worlds
from tacit.adversaries.quasi_sensitive import LabelAdversary, LabelBeliefs
from tacit.adversaries.risk import BlankAdversary, KnownSetAdversary, Matches, Reading
from tacit.adversaries.skew import EligibilityAdversary, Suspicion

__all__ = [
    "Adversary",
    "Belief",
    "BeliefByColumn",
    "BlankAdversary",
    "DistributionAdversary",
    "EligibilityAdversary",
    "Exactness",
    "Guesses",
    "Inference",
    "Intersection",
    "IntersectionAdversary",
    "KnownSetAdversary",
    "LabelAdversary",
    "LabelBeliefs",
    "Learned",
    "LearningAdversary",
    "Linkage",
    "LinkageAdversary",
    "Matches",
    "Notice",
    "Reading",
    "Success",
    "Suspicion",
    "WorldAdversary",
    "Worlds",
]
