"""Analysts: whether a release can still be used for what the table would be used for.

Models are trained on a release and asked about people whom it does not hold; the same models trained on the table are
the yardstick. Propensity says how well the release can be told from the table; correlations and regression coefficients
stand beside those of the table, with intervals. All of it compares with the table, so it is for the data owner.
"""

from tacit.measures.analysts.associations import Association, associations
from tacit.measures.analysts.learned_models import ModelScore, score_models
from tacit.measures.analysts.propensity import Propensity, propensity
from tacit.measures.analysts.usefulness import Usefulness, usefulness

__all__ = [
    "Association",
    "ModelScore",
    "Propensity",
    "Usefulness",
    "associations",
    "propensity",
    "score_models",
    "usefulness",
]
