"""Adversaries: what outsiders could infer.

An adversary reads only the public frames, plus the knowledge it declares, and returns posteriors. One file per kind of
knowledge; shapes stand between adversaries and methods, so any adversary attacks any release, made by anyone.
"""

from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.beliefs import Belief, Linkage
from tacit.adversaries.blanks import BlankReader, Reading
from tacit.adversaries.eligibility import EligibilityAdversary, Suspicion
from tacit.adversaries.known_set import KnownSetAdversary, Matches
from tacit.adversaries.labels import LabelAdversary, LabelBeliefs
from tacit.adversaries.linkage import LinkageAdversary

__all__ = [
    "Adversary",
    "Belief",
    "BlankReader",
    "EligibilityAdversary",
    "KnownSetAdversary",
    "LabelAdversary",
    "LabelBeliefs",
    "Linkage",
    "LinkageAdversary",
    "Matches",
    "Notice",
    "Reading",
    "Suspicion",
]
