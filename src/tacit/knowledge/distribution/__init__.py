"""Distribution knowledge: how a sensitive value is distributed given quasi-identifiers, for every set of them.

`Distribution` is what the adversary knows: for every set of quasi-identifiers and every signature of it, the
probability of each sensitive value. `GroupWorlds` is what she sees: who is in a group and which values are in it, not
who has what. Together they give posteriors, in two views: *exact*, where every value has its own probability, and
*paper*, where a value is either held or not. `ProtectedEntries` are the values she must not be sure of.
"""

from tacit.knowledge.distribution.distribution import Distribution, only_sensitive
from tacit.knowledge.distribution.given_distribution import GivenDistribution, as_given, require_match
from tacit.knowledge.distribution.protected import ProtectedEntries, as_protected
from tacit.knowledge.distribution.robustness import Robustness, View
from tacit.knowledge.distribution.several import JoinedDistribution, SeveralDistributions, learned_distribution
from tacit.knowledge.distribution.worlds import GroupVerdicts, GroupWorlds

__all__ = [
    "Distribution",
    "GivenDistribution",
    "GroupVerdicts",
    "GroupWorlds",
    "JoinedDistribution",
    "ProtectedEntries",
    "Robustness",
    "SeveralDistributions",
    "View",
    "as_given",
    "as_protected",
    "learned_distribution",
    "only_sensitive",
    "require_match",
]
