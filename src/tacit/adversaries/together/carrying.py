"""Carrying: a reader who learns, and takes what she believes after one release into the next.

After every release she counts which values go with which quasi-identifiers, by what she believes of everybody so far
(naive Bayes). This is how likely each value is to her beforehand when she reads the next release beside those before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl

from tacit.adversaries.together.fitting import Together, read_together
from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Floats, Ints
from tacit.knowledge.learning.features import Features

_SMOOTHING = 0.5
"""People added to every count, as `LearningAdversary` does."""

_ROUNDS = 3
"""How often she learns anew after the last release; beliefs hardly change after the second. Chosen by trial."""

Entries: TypeAlias = Callable[[Ints, Ints], Floats]


def carry(sightings: Sequence[Sighting], features: Features, column: str, dictionary: pl.Series) -> Together:
    """Return what she believes after all releases, read one after another.

    Parameters
    ----------
    sightings
        One per table; tables of one release are read together.
    features
        The quasi-identifiers of everybody, as codes.
    column, dictionary
        The sensitive column, and the values behind the codes of all sightings.
    """
    releases = list(dict.fromkeys(sighting.release for sighting in sightings))
    learned: Entries | None = None
    for last in range(len(releases)):
        so_far = [sighting for sighting in sightings if sighting.release in releases[: last + 1]]
        belief = read_together(so_far, column, dictionary, learned)
        learned = _learned(belief, features)
    for _ in range(_ROUNDS):
        belief = read_together(sightings, column, dictionary, learned)
        learned = _learned(belief, features)
    return belief


def _learned(belief: Together, features: Features) -> Entries:
    """Count how likely each value is, given each quasi-identifier, by what is believed of everybody."""
    width = len(belief.dictionary)
    owner = np.repeat(np.arange(len(belief.candidates)), belief.candidates)
    totals = np.bincount(belief.codes, weights=belief.weights, minlength=width) + _SMOOTHING
    bias = np.log(totals / totals.sum())
    tables = []
    for at, size in enumerate(features.sizes):
        code = features.codes[owner, at].astype(np.int64)
        known = code >= 0
        counts = (
            np.bincount(
                code[known] * width + belief.codes[known], weights=belief.weights[known], minlength=size * width
            ).reshape(size, width)
            + _SMOOTHING
        )
        tables.append(np.log(counts / counts.sum(axis=0)))

    def likely(person: Ints, value: Ints) -> Floats:
        score = bias[value].copy()
        for at, table in enumerate(tables):
            code = features.codes[person, at].astype(np.int64)
            score += np.where(code >= 0, table[np.maximum(code, 0), value], 0.0)
        most = np.full(len(features.codes), -np.inf)
        np.maximum.at(most, person, score)
        return np.asarray(np.exp(score - most[person]))

    return likely
