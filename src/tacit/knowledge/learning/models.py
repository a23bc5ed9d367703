"""Models: the probability of a sensitive value given all quasi-identifiers at once, learned from weighted people.

Both models add one number per column and value: the score of a value. Its probability is in proportion to the
exponential of the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.learning.arguments import Candidates, LogLinear
from tacit.knowledge.learning.candidates import true_values
from tacit.knowledge.learning.features import Features
from tacit.table import Table

ModelName = Literal["naive-bayes", "logistic"]
"""How a reader learns. "naive-bayes": columns tell independently, given the value. "logistic": each column has a weight
for each value, and all weights are fitted together."""


@dataclass(frozen=True, eq=False)
class Model:
    """A learned model.

    Attributes
    ----------
    parameters
        What the kernels add up.
    """

    parameters: LogLinear

    @property
    def values(self) -> int:
        """How many sensitive values there are."""
        return len(self.parameters.bias)

    def scores(self, features: Features, laid: Candidates) -> Floats:
        """Return the score of every entry, the logarithm of its probability but for a constant per person."""
        from tacit.kernels.learning.scoring import score

        scores = np.empty(laid.starts[-1])
        score(features.codes, self.parameters, laid, scores)
        return scores

    def chances(self, features: Features, rows: Ints | None = None) -> FloatGrid:
        """Return p(value | quasi-identifiers), people by values."""
        from tacit.kernels.learning.scoring import to_chances

        scores = self._all_scores(features, np.arange(features.people, dtype=np.int64) if rows is None else rows)
        to_chances(scores)
        return scores

    def scores_and_sums(self, features: Features, laid: Candidates) -> tuple[Floats, Floats]:
        """Return the score of every entry, and per place the logarithm of the sum of the exponentials of all values."""
        from tacit.kernels.learning.scoring import look_up, to_chances

        scores, every = np.empty(laid.starts[-1]), self._all_scores(features, laid.rows)
        look_up(laid, 0, every, scores)
        return scores, to_chances(every)

    def _all_scores(self, features: Features, rows: Ints) -> FloatGrid:
        from tacit.kernels.learning.scoring import score_all

        scores = np.empty((len(rows), self.values))
        score_all(features.codes, rows, self.parameters, scores)
        return scores


def learn(
    name: ModelName,
    features: Features,
    laid: Candidates,
    beliefs: Floats,
    values: int,
    *,
    smoothing: float = 0.5,
    begin: Model | None = None,
) -> Model:
    """Learn a model from people who are believed to have values.

    Parameters
    ----------
    name
        Which model.
    features
        What is known of the people.
    laid, beliefs
        Who may have which values, and how much each is believed.
    values
        How many sensitive values there are.
    smoothing
        Of naive Bayes: people added to every value of every column.
    begin
        Of logistic regression: a model to begin the search with, such as that of the round before.
    """
    if name == "logistic":
        from tacit.knowledge.learning.logistic import fit_logistic

        return Model(fit_logistic(features, laid, beliefs, values, None if begin is None else begin.parameters))
    from tacit.knowledge.learning.naive_bayes import fit_naive_bayes

    return Model(fit_naive_bayes(features, laid, beliefs, values, smoothing))


def learn_from_table(name: ModelName, table: Table, sensitive: str, *, smoothing: float = 0.5) -> FloatGrid:
    """Return p(value | quasi-identifiers) of every row, by a model that was learned from the true table.

    It is the best that a reader of any release of the table can hope to learn with this model.

    Examples
    --------
    >>> people = {"sex": ["f", "f", "m", "m"], "ill": ["gout", "gout", "flu", "flu"]}
    >>> table = Table(people, quasi_identifiers="sex", sensitive="ill")
    >>> learn_from_table("naive-bayes", table, "ill").round(3).tolist()
    [[0.167, 0.833], [0.167, 0.833], [0.833, 0.167], [0.833, 0.167]]
    """
    features, codes = Features.of_table(table), table.codes(sensitive)
    laid, beliefs = true_values(codes.codes.astype(np.int64))
    return learn(name, features, laid, beliefs, codes.cardinality, smoothing=smoothing).chances(features)
