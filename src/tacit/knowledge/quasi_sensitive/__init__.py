"""Label knowledge: an external table of labels and the items that go with each.

`LabelTable` is what the adversary holds: illnesses and their symptoms, say. A row links to every label whose items
include all of the row's items. `Linking` binds rows, in groups, to a label table, and computes what she believes of a
group: of a row that links to |K| labels she believes each with 1/|K|, and of a group the mean over its rows. `Prior` is
what she believed before.
"""

from tacit.knowledge.quasi_sensitive.belief import ExactBelief
from tacit.knowledge.quasi_sensitive.cost import harmonic, removal_cost
from tacit.knowledge.quasi_sensitive.linking import LabelVerdicts, Linking
from tacit.knowledge.quasi_sensitive.prior import Prior, PriorName, prior_from, prior_of
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
    "prior_from",
    "prior_of",
    "published_sets",
    "removal_cost",
    "supplied",
]
