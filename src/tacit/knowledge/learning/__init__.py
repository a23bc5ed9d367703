"""Learning: what somebody who has nothing but the release learns from it.

Over all groups together a release shows which values go with which quasi-identifiers. `Features` are the
quasi-identifiers as few codes, `Candidates` say who may have which values, `learn` makes a `Model` of p(value |
quasi-identifiers) from beliefs, and `read` repeats learning and matching and chooses the round; `Trust` says how far
the model is believed. `Prior` is what the same model says of people who are in no group. `learn_from_table` learns from
the true values: the best that such a reader can hope for, unless she also knows how people are placed in their groups,
which `read_by_place` follows.
"""

from tacit.knowledge.learning.candidates import Best, Candidates, best, candidates, shares, some_groups, true_values
from tacit.knowledge.learning.expected import expected_right
from tacit.knowledge.learning.features import Features
from tacit.knowledge.learning.models import Model, ModelName, learn, learn_from_table
from tacit.knowledge.learning.observed import Observed, observed, observed_columns, observed_inside
from tacit.knowledge.learning.placing import Placed, read_by_place
from tacit.knowledge.learning.prior import Prior, calibrated
from tacit.knowledge.learning.reading import FINE, Reading, read
from tacit.knowledge.learning.trust import Trust, tempered

__all__ = [
    "FINE",
    "Best",
    "Candidates",
    "Features",
    "Model",
    "ModelName",
    "Observed",
    "Placed",
    "Prior",
    "Reading",
    "Trust",
    "best",
    "calibrated",
    "candidates",
    "expected_right",
    "learn",
    "learn_from_table",
    "observed",
    "observed_columns",
    "observed_inside",
    "read",
    "read_by_place",
    "shares",
    "some_groups",
    "tempered",
    "true_values",
]
