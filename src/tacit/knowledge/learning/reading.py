"""Reading: learn from all groups, match inside each, and repeat; choose the round by groups that were held out.

A round learns a model from what is believed so far and matches people with values inside each group by it. Before the
first round everybody has the shares of her group. More rounds are not better: on a release that resists, beliefs drift
and become surer and less often right. The reader can see that herself. She holds groups out, learns from the others,
and stops at the round whose model makes the counts of the held-out groups likeliest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tacit.arrays import Flags, Floats
from tacit.kernels.learning.arguments import Candidates, Effort
from tacit.knowledge.learning.candidates import shares, some_groups
from tacit.knowledge.learning.features import Features
from tacit.knowledge.learning.models import Model, ModelName, learn

_HELD_OUT = 5
"""One group of so many is held out; the specification's 20%."""

_FEWEST = 10
"""Groups. With fewer, the likelihood of those held out says nothing, and the first round is taken."""

_PATIENCE = 3
"""Rounds without a better likelihood after which no further one is tried. On all tables that were measured the
likelihood has one peak."""

_TRIED = 100_000
"""People in the groups on which rounds are tried: enough to tell them apart, and bounded work on larger tables."""

STATES = 4096
"""States up to which the worlds of a group are counted; larger groups are scaled instead. On Adult the two differ by
less than 0.01 in groups of more states. More states cost time in proportion."""

ROUGH = Effort(STATES, 50, 1e-3)
"""For the rounds on the way: scaling stops at a thousandth of a person."""

FINE = Effort(STATES, 2000, 1e-10)
"""For what is reported."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What a reader ends with.

    Attributes
    ----------
    laid
        The groups that beliefs are about: those of the last table, where several are read together.
    beliefs
        Per entry, what she believes after the round she chose.
    last
        The same after the last round that she tried.
    model
        What she had learned in the round she chose.
    chosen, rounds
        The number of that round, and of the last one.
    likelihoods
        Per round that was tried, the mean log-likelihood of a held-out person; empty where no group was held out.
    exact
        Whether the worlds of every group were counted, and one table was read.
    """

    laid: Candidates
    beliefs: Floats
    last: Floats
    model: Model
    chosen: int
    rounds: int
    likelihoods: tuple[float, ...]
    exact: bool


def read(
    features: Features,
    tables: Sequence[Candidates],
    values: int,
    *,
    model: ModelName = "naive-bayes",
    rounds: int = 25,
    smoothing: float = 0.5,
) -> Reading:
    """Learn from one or several tables about the same people, and match inside their groups.

    Parameters
    ----------
    features
        What is known of the people, all quasi-identifiers that she knows.
    tables
        The groups of each table; beliefs after one table are the start of the next.
    values
        How many sensitive values there are.
    model, rounds, smoothing
        How she learns, how often at most, and how many people are added to each count of naive Bayes.
    """
    learner = _Learner(features, values, model, smoothing)
    # Where people of a group are alike, beliefs stay the shares of the group, however much is learned.
    likelihoods = [] if len(tables) == 1 and _alike(features, tables[0]) else learner.tried(tables, rounds)
    chosen = int(np.argmax(likelihoods)) + 1 if likelihoods else 1
    last_round = len(likelihoods) or 1
    at_chosen: tuple[Model, Floats, bool] | None = None
    beliefs = np.zeros(0)
    for number, (learned, matched, counted) in enumerate(learner.rounds(tables), start=1):
        if number == chosen:  # where all worlds were counted, scaling more finely changes nothing
            at_chosen = (learned, *((matched, True) if counted else learner.match(learned, tables, FINE)[:2]))
        if number == last_round:
            beliefs = matched
            break
        del matched
    assert at_chosen is not None  # noqa: S101 - the chosen round is among those that were tried
    learned, final, exact = at_chosen
    return Reading(tables[-1], final, beliefs, learned, chosen, last_round, tuple(likelihoods), exact)


@dataclass(frozen=True, eq=False)
class _Learner:
    features: Features
    values: int
    model: ModelName
    smoothing: float

    def rounds(self, tables: Sequence[Candidates]) -> Iterator[tuple[Model, Floats, bool]]:
        """Learn and match, again and again."""
        beliefs, learned = shares(tables[-1]), None
        while True:
            learned = learn(
                self.model, self.features, tables[-1], beliefs, self.values, smoothing=self.smoothing, begin=learned
            )
            beliefs = np.zeros(0)  # entries are the largest arrays: what is no longer needed is given back
            beliefs, exact, _ = self.match(learned, tables, ROUGH)
            yield learned, beliefs, exact

    def match(self, learned: Model, tables: Sequence[Candidates], effort: Effort) -> tuple[Floats, bool, Floats]:
        """Match in every table, one after another; return beliefs, whether exact, and the likelihood of each group."""
        from tacit.kernels.learning.matching import match
        from tacit.kernels.learning.scoring import carry

        first = tables[0]
        beliefs = learned.scores(self.features, first)
        likelihood, counted = match(first, beliefs, effort)
        exact = bool(counted.all()) and len(tables) == 1
        for before, laid in pairwise(tables):
            place_of = np.full(self.features.people, -1, dtype=np.int64)
            place_of[before.rows] = np.arange(len(before.rows))
            scores = np.empty(laid.starts[-1])
            carry(before, beliefs, place_of, laid, scores)
            match(laid, scores, effort)
            beliefs = scores
        return beliefs, exact, likelihood

    def tried(self, tables: Sequence[Candidates], rounds: int) -> list[float]:
        """Return the mean log-likelihood of a held-out person, round by round, until it has not risen for a while."""
        if rounds == 1:
            return []
        within = [_first_groups(laid) for laid in tables]
        groups = len(within[0].offsets) - 1
        if groups < _FEWEST:
            return []
        number = np.arange(groups)
        out = number % _HELD_OUT == _HELD_OUT - 1
        held = some_groups(within[0], number[out])
        seen = [some_groups(within[0], number[~out])]
        people = np.zeros(self.features.people, dtype=bool)
        people[held.rows] = True
        seen += [_without(laid, people) for laid in within[1:]]
        likelihoods: list[float] = []
        for learned, _, _ in self.rounds(seen):
            _, sums = learned.chances_and_sums(self.features, held.rows)
            _, _, likelihood = self.match(learned, [held], ROUGH)
            likelihoods.append(float(likelihood.sum() - sums.sum()) / max(1, len(held.rows)))
            best = int(np.argmax(likelihoods))
            if len(likelihoods) == rounds or len(likelihoods) - 1 - best >= _PATIENCE:
                return likelihoods
        raise AssertionError  # rounds never end by themselves


def _alike(features: Features, laid: Candidates) -> bool:
    """Tell whether everybody in a group has the same codes."""
    inside = np.ones(len(laid.rows), dtype=bool)
    inside[laid.offsets[:-1][np.diff(laid.offsets) > 0]] = False  # the first of a group is compared with nobody
    after = np.flatnonzero(inside)
    return all(bool((column[laid.rows[after]] == column[laid.rows[after - 1]]).all()) for column in features.codes.T)


def _first_groups(laid: Candidates) -> Candidates:
    """Return as many of the groups as hold the people on whom rounds are tried, spread over all groups."""
    groups, people = len(laid.offsets) - 1, len(laid.rows)
    if people <= _TRIED:
        return laid
    step = -(-people // _TRIED)
    return some_groups(laid, np.arange(0, groups, step))


def _without(laid: Candidates, people: Flags) -> Candidates:
    """Leave out the groups that hold any of some people."""
    groups = len(laid.offsets) - 1
    group = np.repeat(np.arange(groups), np.diff(laid.offsets))
    hit = np.bincount(group[people[laid.rows]], minlength=groups) > 0
    return some_groups(laid, np.flatnonzero(~hit))
