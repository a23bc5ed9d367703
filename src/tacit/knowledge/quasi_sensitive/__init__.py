"""Label knowledge: an external table of labels and the items that go with each.

`LabelTable` is what the adversary holds: illnesses and their symptoms, say. A row links to every label whose items
include all of the row's, so `Linking` (rows bound to a label table, in groups) gives her beliefs: the mean, over the
rows of a group, of one part in |K| for each of the |K| labels that a row links to. `Prior` is what she believed before.
"""

from tacit.knowledge.quasi_sensitive.belief import Belief
from tacit.knowledge.quasi_sensitive.cost import harmonic, removal_cost
from tacit.knowledge.quasi_sensitive.linking import Linking, Verdicts
from tacit.knowledge.quasi_sensitive.prior import Prior, PriorName, prior_of
from tacit.knowledge.quasi_sensitive.published import PublishedSets, published_sets
from tacit.knowledge.quasi_sensitive.reading import as_label_table
from tacit.knowledge.quasi_sensitive.table import LabelTable

__all__ = [
    "Belief",
    "LabelTable",
    "Linking",
    "Prior",
    "PriorName",
    "PublishedSets",
    "Verdicts",
    "as_label_table",
    "harmonic",
    "prior_of",
    "published_sets",
    "removal_cost",
]
