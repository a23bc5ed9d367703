"""Learning: somebody who has nothing but the release, learns from all groups together, and matches inside each."""

from tacit.adversaries.learning.adversary import LearningAdversary
from tacit.adversaries.learning.learned import Learned
from tacit.adversaries.learning.success import Success

__all__ = ["Learned", "LearningAdversary", "Success"]
