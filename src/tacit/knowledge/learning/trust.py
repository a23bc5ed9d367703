"""Trust: how far a reader may believe her model, as the groups that she held out tell her.

Naive Bayes counts what columns say together once for each of them, so it is surer than it is right. And where a method
put people together so that nothing inside a group tells them apart, a model that is true between groups misleads
inside. Both can be seen from published files alone.

*Temperature.* Scores are multiplied by a temperature, below 1 for a model that is too sure, and the model is shifted so
that it expects each value as often as it is published. The temperature of a round is the one under which the counts of
the held-out groups are likeliest; what is matched at it is what the next round learns from.

*Matching.* The first round learns from the shares of groups, every later one from what was matched inside them. If all
of these make the held-out groups less likely than the first one did, by more than chance would, matching misled her,
and inside groups she keeps to the shares. Where there are too few groups to tell, she matches: whoever publishes should
not count on what a reader fails to see.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Floats, Ints
from tacit.kernels.learning.arguments import Candidates, Effort, LogLinear
from tacit.knowledge.learning.features import Features
from tacit.knowledge.learning.models import Model
from tacit.knowledge.learning.prior import calibrated

_TEMPERATURES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0)
"""What is tried, from 1 or the last round's on. On tables that were measured, .6 to 1.2 in the round that is chosen."""

_BARELY = 1e-6
"""The temperature of a model that decides between equal shares, and nothing else."""


class Trust(NamedTuple):
    """How far she believes her model.

    `temperature` is what its scores are multiplied by. Where not `inside`, she does not believe it inside groups: there
    every value has its share, and the model only decides which of equal shares she names first. `settled` says whether
    the groups that were held out could tell that it helps or misleads there.
    """

    temperature: float = 1.0
    inside: bool = True
    settled: bool = True

    @property
    def within_groups(self) -> float:
        """The temperature inside groups."""
        return self.temperature if self.inside else _BARELY


class HeldOut(NamedTuple):
    """Groups that models are tried on, and as many others whose values a tempered model is shifted to."""

    features: Features
    groups: Candidates
    others: Candidates
    effort: Effort

    def of_groups(self, model: Model) -> Floats:
        """Return the log-likelihood of each held-out group, for a model as it is."""
        from tacit.kernels.learning.matching import match

        entries, sums = model.scores_and_sums(self.features, self.groups)
        likelihood, _ = match(self.groups, entries, self.effort)
        people = np.diff(self.groups.offsets)
        group = np.repeat(np.arange(len(people)), people)
        return np.asarray(likelihood - np.bincount(group, weights=sums, minlength=len(people)), dtype=np.float64)

    def mean(self, of_groups: Floats) -> float:
        """Return the log-likelihood per person."""
        return float(of_groups.sum()) / max(1, len(self.groups.rows))

    def likelihood(self, model: Model) -> float:
        """Return the mean log-likelihood of a person in the held-out groups, for a model as it is."""
        return self.mean(self.of_groups(model))

    def at_best(self, model: Model, begin: float = 1.0) -> tuple[float, Floats]:
        """Return the temperature at which held-out groups are likeliest, and how likely each of them is then.

        It climbs from `begin`, in the direction that rises; the likelihood has one peak on all tables that were
        measured.
        """
        known: dict[int, Floats] = {}

        def of_groups(at: int) -> Floats:
            if at not in known:
                warmer = tempered(model, _TEMPERATURES[at])
                known[at] = self.of_groups(calibrated(warmer, self.features, self.others))
            return known[at]

        def value(at: int) -> float:
            return self.mean(of_groups(at))

        at = _TEMPERATURES.index(begin)
        for step in (-1, 1):
            while 0 <= at + step < len(_TEMPERATURES) and value(at + step) > value(at):
                at += step
        return _TEMPERATURES[at], of_groups(at)


def errors_above(after: Floats, before: Floats) -> float:
    """Return by how many standard errors groups are likelier after than before; 0 where nothing differs.

    Examples
    --------
    >>> round(errors_above(np.array([-1.0, -2.0, -1.0, -1.0]), np.array([-1.0, -2.5, -1.5, -2.0])), 2)
    2.83
    """
    difference = after - before
    spread = float(difference.std()) * len(difference) ** 0.5
    return float(difference.sum()) / spread if spread > 0.0 else 0.0


def tempered(model: Model, temperature: float) -> Model:
    """Multiply the scores of a model: below 1 it is less sure of everything.

    Examples
    --------
    >>> sure = Model(LogLinear(np.zeros(1, np.int64), np.zeros((0, 2)), np.log([0.9, 0.1])))
    >>> np.exp(tempered(sure, 0.5).parameters.bias).round(3).tolist()
    [0.949, 0.316]
    """
    if temperature == 1.0:
        return model
    starts, table, bias = model.parameters
    return Model(LogLinear(starts, table * temperature, bias * temperature))


def every_nth(laid: Candidates, groups: int) -> Ints:
    """Return the numbers of about so many groups, spread over all."""
    count = len(laid.offsets) - 1
    return np.arange(0, count, max(1, count // max(1, groups)))
