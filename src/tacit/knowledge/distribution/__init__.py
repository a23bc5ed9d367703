"""Distribution knowledge: how a sensitive value is distributed given quasi-identifiers, for every set of them.

`Distribution` is what the adversary knows: for every set of quasi-identifiers and every signature of it, the
probability of each sensitive value. `Worlds` is what she sees: who is in a group and which values are in it, not who
has what. Together they give posteriors, in two views: *full*, where every value has its own probability, and
*two-valued*, where a value is held or not.
"""

from tacit.knowledge.distribution.bounds import delta_max, expected_size
from tacit.knowledge.distribution.distribution import Distribution, only_sensitive
from tacit.knowledge.distribution.given_distribution import GivenDistribution, as_given
from tacit.knowledge.distribution.posteriors import posteriors, swap_bounds
from tacit.knowledge.distribution.protected import Protected, as_protected
from tacit.knowledge.distribution.robustness import Robustness
from tacit.knowledge.distribution.worlds import Verdicts, Worlds

__all__ = [
    "Distribution",
    "GivenDistribution",
    "Protected",
    "Robustness",
    "Verdicts",
    "Worlds",
    "as_given",
    "as_protected",
    "delta_max",
    "expected_size",
    "only_sensitive",
    "posteriors",
    "swap_bounds",
]
