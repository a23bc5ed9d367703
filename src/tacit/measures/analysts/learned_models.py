"""Learned models: what a model that was trained on a release knows of people whom it has not seen.

A part of the people is held out. The same models are trained on the rest of the table, and on a release of that rest,
which is made by the same method and never published; all are asked about those held out. So nobody whom a model is
asked about was in what it learnt from, and the difference is what protection costs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.measures.analysts.feature_space import FeatureSpace
from tacit.measures.analysts.target import Target
from tacit.randomness import Randomness
from tacit.shapes import Published, Shape
from tacit.sources.extras import extra
from tacit.table import Table

SAMPLE = 20_000
"""People at most, drawn at random, who are learnt from or asked about. More give narrower intervals and take longer:
these take some seconds per target. Chosen by trial."""

HELD_OUT = 0.3
"""The share of them that is held out."""

_ENTRIES = 60_000
"""Rows at most that a model learns from: a bucketized release has one for each value that a person may have."""

_SAME = 1e-9
"""Features that differ by no more are the same; the rest is rounding."""

MODELS = {"logistic regression": "logistic", "gradient boosting": "boosting"}
"""The models, by what a report calls them."""

Protect = Callable[[Table], Published]
"""Makes a release of a table; it may raise `Infeasible`."""


@dataclass(frozen=True)
class Score:
    """How good a model is on people it has not seen.

    Attributes
    ----------
    accuracy
        The share of right answers.
    interval
        Its 95% interval (Wilson).
    auc
        How well it ranks: the area under the ROC curve, one answer against the others, weighted by frequency; None
        where only one answer occurs.
    """

    accuracy: float
    interval: tuple[float, float]
    auc: float | None


@dataclass(frozen=True)
class ModelScore:
    """One model for one target, trained on the table and on the release.

    Attributes
    ----------
    target, question
        The column that is predicted, and what is asked about it.
    model
        The name of the model.
    table, release
        How good it is if it learns from each.
    guess
        The share of right answers of whoever always says the most frequent one.
    learnt, asked
        How many people were learnt from and asked about.
    """

    target: str
    question: str
    model: str
    table: Score
    release: Score
    guess: float
    learnt: int
    asked: int


def score_models(table: Table, targets: list[str], protect: Protect, *, seed: int = 0) -> list[ModelScore]:
    """Score every model for every target.

    Parameters
    ----------
    table
        The whole table.
    targets
        The columns to predict, sensitive ones or quasi-identifiers.
    protect
        The method.
    seed
        Which people are held out; the same figures come out again.

    Raises
    ------
    SourceError
        If scikit-learn is not installed.
    Infeasible
        If the part that is learnt from cannot be protected.
    """
    extra("sklearn", what="A model", extra_name="utility")
    learnt, asked = _parts(table, seed)
    flags = np.zeros(len(table), dtype=bool)
    flags[learnt] = True
    release = protect(table.filter(flags))
    scores = []
    for name in targets:
        part = _fullest(release.shape, name)
        target = Target.of(table, name)
        space = FeatureSpace.of(table, [each for each in table.quasi_identifiers if each != name])
        truth, seen = target.exact(table, asked), space.exact(asked)
        exact = (space.exact(learnt), target.exact(table, learnt), np.ones(len(learnt)))
        blurred = _published(space, target, table, part, seed)
        common = np.bincount(exact[1], minlength=len(target.answers)).argmax()
        for model, kind in MODELS.items():
            by_table, by_release = (
                _score(_trained(kind, *given, len(target.answers)), seen, truth, len(target.answers))
                for given in (exact, blurred)
            )
            guess = float((truth == common).mean())
            scores.append(
                ModelScore(name, target.question, model, by_table, by_release, guess, len(learnt), len(asked))
            )
    return scores


def _parts(table: Table, seed: int) -> tuple[Ints, Ints]:
    """Draw the people who are learnt from and those who are held out; rows of a person stay together."""
    draws = Randomness.make(seed).shuffle()
    people = table.people
    if people is None:
        chosen = np.sort(draws.permutation(len(table))[:SAMPLE])
        out = draws.permutation(len(chosen)) < round(HELD_OUT * len(chosen))
        return chosen[~out].astype(np.int64), chosen[out].astype(np.int64)
    drawn = draws.permutation(people.count)
    rows_of = np.argsort(drawn)[people.ids]  # the place of each row's person in the random order
    enough = int(SAMPLE * people.count / max(1, len(table)))
    held = round(HELD_OUT * min(enough, people.count))
    rows = np.arange(len(table), dtype=np.int64)
    return rows[(rows_of >= held) & (rows_of < enough)], rows[rows_of < held]


def _fullest(shape: Shape, target: str) -> Shape:
    """Choose, of several published tables, the one that shows the target beside most quasi-identifiers."""
    shown = [p for p in shape.parts.values() if target in (*p.sensitive, *p.quasi_identifiers)]
    return max(shown or list(shape.parts.values()), key=lambda part: len(part.quasi_identifiers))


def _published(
    space: FeatureSpace, target: Target, table: Table, part: Shape, seed: int
) -> tuple[FloatGrid, Ints, Floats]:
    """Return what an analyst makes of a published table: features, answers, and weights."""
    if target.name not in (*part.sensitive, *part.quasi_identifiers):
        empty = np.zeros(0, dtype=np.int64)
        return np.zeros((0, len(space.names))), empty, np.zeros(0)
    owner, answer, weight = target.published(table, part)
    if len(owner) > _ENTRIES:
        drawn = Randomness.make(seed).secret().choice(len(owner), _ENTRIES, p=weight / weight.sum())
        owner, answer, weight = owner[drawn], answer[drawn], np.ones(_ENTRIES)
    return space.published(part)[owner], answer, weight


def _trained(kind: str, features: FloatGrid, answers: Ints, weights: Floats, size: int) -> Callable[[FloatGrid], Any]:
    """Fit a model; return how it answers: the probability of every answer, zero for one that it has not seen."""
    seen = np.unique(answers)
    # A column in which nothing varies teaches nothing, and a model would still weigh it.
    varying = np.flatnonzero(np.ptp(features, axis=0) > _SAME) if len(features) else np.zeros(0, dtype=np.int64)
    if len(seen) < 2 or not len(varying):
        shares = np.bincount(answers, weights=weights, minlength=size)
        constant = shares / max(1e-12, shares.sum())
        return lambda asked: np.tile(constant, (len(asked), 1))
    if kind == "logistic":
        from sklearn.linear_model import LogisticRegression

        model: Any = LogisticRegression(max_iter=300, C=1.0)
    else:
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(
            max_iter=60, max_leaf_nodes=15, learning_rate=0.15, early_stopping=False, random_state=0
        )
    with fitting():
        model.fit(features[:, varying], answers, sample_weight=weights)

    def answered(asked: FloatGrid) -> FloatGrid:
        whole = np.zeros((len(asked), size))
        with fitting():
            whole[:, model.classes_] = model.predict_proba(asked[:, varying])
        return whole

    return answered


@contextmanager
def fitting() -> Iterator[None]:
    """Fit with one thread: several wait for one another where a machine is busy, and the figures stay the same."""
    from threadpoolctl import threadpool_limits

    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # a model that has not converged is still a model
        yield


def _score(model: Callable[[FloatGrid], FloatGrid], asked: FloatGrid, truth: Ints, size: int) -> Score:
    if not len(truth):
        return Score(0.0, (0.0, 1.0), None)
    probabilities = model(asked)
    right = int((probabilities.argmax(axis=1) == truth).sum())
    return Score(right / len(truth), wilson(right, len(truth)), area(probabilities, truth, size))


def area(probabilities: FloatGrid, truth: Ints, size: int) -> float | None:
    """Return the area under the ROC curve, one answer against the rest, weighted by how frequent it is.

    It is the probability that somebody with the answer is ranked above somebody without; ties count half.
    """
    from scipy.stats import rankdata

    total, weighted = 0, 0.0
    for answer in range(size):
        positive = truth == answer
        inside, outside = int(positive.sum()), int((~positive).sum())
        if not inside or not outside:
            continue
        ranks = rankdata(probabilities[:, answer])
        above = (float(ranks[positive].sum()) - inside * (inside + 1) / 2) / (inside * outside)
        total, weighted = total + inside, weighted + inside * above
    return weighted / total if total else None


def wilson(right: int, asked: int) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson 1927).

    Examples
    --------
    >>> [round(end, 3) for end in wilson(5, 10)]
    [0.237, 0.763]
    """
    z, share = 1.959963984540054, right / asked
    middle = share + z * z / (2 * asked)
    spread = z * float(np.sqrt(share * (1 - share) / asked + z * z / (4 * asked * asked)))
    below = 1 + z * z / asked
    return max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below)
