"""Label knowledge: an external table of labels and the items that go with each.

`LabelTable` is what the adversary holds: illnesses and their symptoms, say. A row links to every label whose items
include all of the row's, so `Linking` (rows bound to a label table, in groups) gives her beliefs: the mean, over the
rows of a group, of one part in |K| for each of the |K| labels that a row links to. `Prior` is what she believed before.
"""

from tacit.knowledge.quasi_sensitive.belief import ExactBelief
from tacit.knowledge.quasi_sensitive.cost import harmonic, removal_cost
from tacit.knowledge.quasi_sensitive.linking import LabelVerdicts, Linking
from tacit.knowledge.quasi_sensitive.prior import Prior, PriorName, prior_of
from tacit.knowledge.quasi_sensitive.published import PublishedSets, published_sets
from tacit.knowledge.quasi_sensitive.reading import as_label_table, supplied
from tacit.knowledge.quasi_sensitive.table import LabelTable

__all__ = [
    "ExactBelief",
    "LabelTable",
    "LabelVerdicts",
    "Linking",
    "Prior",
    "PriorName",
    "PublishedSets",
    "as_label_table",
    "harmonic",
    "prior_of",
    "published_sets",
    "removal_cost",
    "supplied",
]
