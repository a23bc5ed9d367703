"""Propensity: how well a model tells rows of the release from rows of the table.

pMSE is the mean squared distance of its probabilities from one half, if it sees as many rows of either. It is 0 where
nothing tells them apart and 0.25 where everything does. Two samples of one table give a little more than 0, which is
known exactly enough to divide by it (Snoke, Raab, Nowok, Dibben and Slavkovic 2018, after Woo, Reiter, Oganian and Karr
2009).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.measures.analysts.drawn_rows import DrawnRows
from tacit.measures.analysts.feature_space import FeatureSpace
from tacit.measures.analysts.learned_models import fitting
from tacit.randomness import Randomness
from tacit.shapes import Shape
from tacit.sources.extras import extra
from tacit.table import Table

_ROWS = 10_000
"""Rows of either kind that the model sees at most."""


@dataclass(frozen=True)
class Propensity:
    """How far a release is from its table, as a whole.

    Attributes
    ----------
    pmse
        From 0 (cannot be told apart) to 0.25.
    expected
        What two samples of one table would give.
    rows
        How many rows of either kind were compared.
    """

    pmse: float
    expected: float
    rows: int

    @property
    def ratio(self) -> float:
        """The pMSE over what two samples of one table would give."""
        return self.pmse / self.expected if self.expected > 0 else float("nan")


def propensity(shape: Shape, table: Table, *, seed: int = 0) -> Propensity | None:
    """Compare one published table with the table behind it; None where they have no column in common.

    The model is a logistic regression on all quasi-identifiers and sensitive columns, without products of columns.
    """
    extra("sklearn", what="The propensity", extra_name="utility")
    from sklearn.linear_model import LogisticRegression

    names = [name for name in shape.quasi_identifiers if name in table.quasi_identifiers]
    names += [name for name in shape.sensitive if name in table.sensitive and name in shape.classes.spreads]
    space = FeatureSpace.of(table, names)
    rows = min(_ROWS, len(table), shape.rows)
    if not space.names or not rows:
        return None
    draws = Randomness.make(seed).shuffle()
    there = space.exact(np.sort(draws.permutation(len(table))[:rows]).astype(np.int64))
    drawn = DrawnRows.of(shape, table, [column.source for column in space.columns], rows, draws)
    seen = np.hstack([column.numbers[np.maximum(0, drawn.codes[column.source])] for column in space.columns])
    whole, kind = np.vstack([there, seen]), np.repeat([0, 1], rows)
    with fitting():
        model = LogisticRegression(C=1e4, max_iter=500).fit(whole, kind)
    told = model.predict_proba(whole)[:, 1]
    used = int((whole.std(axis=0) > 0).sum())
    return Propensity(float(np.mean((told - 0.5) ** 2)), used * 0.5**3 / (2 * rows), rows)
