"""Learning: somebody who has nothing but the release, learns from all groups together, and matches inside each."""

from tacit.adversaries.learning.adversary import LearningAdversary
from tacit.adversaries.learning.learned import Learned
from tacit.adversaries.learning.sentences import promised, success_sentence
from tacit.adversaries.learning.success import Success
from tacit.adversaries.learning.truth import compared_with_truth

__all__ = ["Learned", "LearningAdversary", "Success", "compared_with_truth", "promised", "success_sentence"]
