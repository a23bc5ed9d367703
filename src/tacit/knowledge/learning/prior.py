"""The prior: what a reader would believe of a person who is in no group, from the model that the release taught her."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.arrays import Floats, Ints
from tacit.kernels.learning.arguments import Candidates, LogLinear
from tacit.knowledge.learning.features import Features
from tacit.knowledge.learning.models import Model

_ENTRIES = 1_000_000
"""Probabilities from which a model is calibrated, 8 bytes each: of as many people as fit in, evenly spread."""

_AT_A_TIME = 200_000
"""Probabilities that are held at a time where everybody is asked about, 8 bytes each; nothing depends on it."""

_SCALINGS = 500
"""Rounds of scaling at most. Calibration to the counts of real tables ends after ten to thirty."""

_TOLERANCE = 1e-12
"""The relative distance from the counts at which calibration ends."""


@dataclass(frozen=True, eq=False)
class Prior:
    """What she believes of people as if they were in no group.

    Attributes
    ----------
    entries
        Per entry of the groups, the probability of the value.
    value, chance
        Per place, the likeliest value of all, and its probability.
    """

    entries: Floats
    value: Ints
    chance: Floats

    @classmethod
    def of(cls, model: Model, features: Features, laid: Candidates) -> Prior:
        """Ask a model of everybody in the groups, some people at a time."""
        from tacit.kernels.learning.scoring import look_up

        people = len(laid.rows)
        entries, value, chance = np.zeros(laid.starts[-1]), np.zeros(people, np.int64), np.zeros(people)
        step = max(1, _AT_A_TIME // max(1, model.values))
        for begin in range(0, people, step):
            chances = model.chances(features, laid.rows[begin : begin + step])
            look_up(laid, begin, chances, entries)
            value[begin : begin + step] = chances.argmax(axis=1)
            chance[begin : begin + step] = chances.max(axis=1)
        return cls(entries, value, chance)


def calibrated(model: Model, features: Features, laid: Candidates) -> Model:
    """Shift the model so that the values it expects of all people are those that the groups hold.

    A model that adds up what columns tell expects some values too often. Columns (the values) are scaled to their
    counts and rows (the people) to one, in turns; the factor of a value is a shift of its score. Inside a group such a
    shift changes no belief.
    """
    people, values = len(laid.rows), model.values
    if not people or not values:
        return model
    step = -(-people * values // _ENTRIES)
    chances = model.chances(features, laid.rows[::step])
    counts = np.bincount(laid.values, weights=laid.counts, minlength=values)
    wanted = counts * (len(chances) / max(1.0, counts.sum()))
    factor = np.ones(values)
    for _ in range(_SCALINGS):
        # Not `@`, which wakes all processors for each of these small products.
        shares = np.reciprocal(np.einsum("ij,j->i", chances, factor))
        expected = np.einsum("ij,i->j", chances, shares) * factor
        off = np.abs(expected - wanted).max()
        factor *= np.where(wanted > 0.0, wanted / np.where(expected > 0.0, expected, 1.0), 0.0)
        if off <= _TOLERANCE * len(chances):
            break
    shift = np.log(np.where(factor > 0.0, factor, 1e-300))
    starts, table, bias = model.parameters
    return Model(LogLinear(starts, table, bias + shift))
