"""Reading: learn from all groups, match inside each, and repeat; choose the round by groups that were held out.

A round learns a model from what is believed so far and matches people with values inside each group by it. Before the
first round everybody has the shares of her group. More rounds are not better: on a release that resists, beliefs drift
and become surer and less often right. The reader can see that herself. She holds groups out, learns from the others,
believes every round's model as far as the held-out groups bear it out, and stops at the round that makes their counts
likeliest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from tacit.arrays import Flags, Floats, Ints
from tacit.kernels.learning.arguments import Candidates, Effort
from tacit.knowledge.learning.candidates import Best, best, groups_of_some, shares, some_groups, true_values
from tacit.knowledge.learning.features import Features
from tacit.knowledge.learning.models import Model, ModelName, learn
from tacit.knowledge.learning.trust import HeldOut, Trust, errors_above, every_nth, tempered

_HELD_OUT = 5
"""One group of so many is held out; the specification's 20%."""

_FEWEST = 10
"""Groups. With fewer, the likelihood of those held out says nothing, and the first round is taken."""

_PATIENCE = 3
"""Rounds without a better likelihood after which no further one is tried. On all tables that were measured the
likelihood has one peak."""

_SOMETHING = 3e-4
"""Nats per held-out person: a likelihood that rose by less has not risen. On Adult such rounds change who is guessed
right for one in a thousand people."""

_WORSE = -1.0
"""Standard errors. Later rounds that make held-out groups less likely than the first one by more than this have misled
her inside groups. Of tables of 2,000 to 20,000 rows that were measured, those where matching misleads are at -1.4 to
-5.4, where it has something to tell at -.4 and above."""

_SETTLED = 2.0
"""Standard errors above or below the first round from which chance is no explanation."""

_TRIED = 100_000
"""People in the groups on which rounds are tried: enough to tell them apart, and bounded work on larger tables."""

_KEPT = 4_000_000
"""Entries, 8 bytes each, up to which the beliefs of the chosen round are kept beside those that are reported, so that
whoever asks for the last round need not repeat all of them. Of larger tables memory counts more."""

STATES = 4096
"""States up to which the worlds of a group are counted; larger groups are scaled instead. On Adult the two differ by
less than 0.01 in groups of more states. More states cost time in proportion."""

ROUGH = Effort(STATES, 50, 1e-3)
"""For the rounds on the way, and where only the likeliest value counts: scaling stops at a thousandth of a person, or
after so many turns. By a model of Adult's true occupations 6 of 48,842 people have another likeliest value than with
`FINE`, which takes twenty times as long."""

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
        Per entry, what she believes after the round she chose, as far as she trusts its model.
    model
        What she had learned in the round she chose.
    chosen, rounds
        The number of that round, and of the last one.
    likelihoods
        Per round that was tried, the mean log-likelihood of a held-out person; empty where no group was held out.
    temperatures
        Per round that was tried, what its scores were multiplied by before she matched.
    trust
        How far she believes the model, by the groups that she held out.
    exact
        Whether the worlds of every group were counted, and one table was read.
    afterwards
        What the rounds after the chosen one are computed from, when somebody asks for the last one.
    """

    laid: Candidates
    beliefs: Floats
    model: Model
    chosen: int
    rounds: int
    likelihoods: tuple[float, ...]
    temperatures: tuple[float, ...]
    trust: Trust
    exact: bool
    afterwards: _Afterwards

    @cached_property
    def last(self) -> Best:
        """Of every person what she believed most after the last round that she tried."""
        return self.afterwards.last()

    def informed(self, truth: Ints) -> Best:
        """Return what somebody would believe most who matched in the same groups by a model of the true values.

        `truth` is the value of each of the people, -1 of whom it is not known. No reader of the release can hope to
        learn more with this model. Groups whose worlds cannot be counted are scaled as in the rounds on the way: which
        value is likeliest is settled long before its probability is.
        """
        return self.afterwards.informed(truth)


def read(
    features: Features,
    tables: Sequence[Candidates],
    values: int,
    *,
    model: ModelName = "naive-bayes",
    rounds: int = 25,
    smoothing: float = 0.5,
    calibrate: bool = True,
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
    calibrate
        Whether she believes a model only as far as held-out groups bear it out. Otherwise she takes it for true.
    """
    learner = _Learner(features, values, model, smoothing)
    # Where people of a group are alike, beliefs stay the shares of the group, however much is learned.
    alike = len(tables) == 1 and _alike(features, tables[0])
    tried = _NOTHING_TRIED if alike else learner.tried(tables, rounds, calibrate)
    rough = learner.round(tables, tried, tried.chosen)
    if rough.counted and tried.trust.inside:  # where all worlds were counted, scaling more finely changes nothing
        final, exact = rough.beliefs, True
    else:
        if len(rough.beliefs) > _KEPT:
            rough = rough._replace(beliefs=np.zeros(0))
        final, exact = learner.match(tempered(rough.model, tried.trust.within_groups), tables, FINE)
    ends = (tried.chosen, tried.rounds, tried.likelihoods, tried.temperatures, tried.trust)
    return Reading(tables[-1], final, rough.model, *ends, exact, _Afterwards(learner, tuple(tables), tried, rough))


class _Round(NamedTuple):
    """What was matched in a round, the model it was matched by, its number, and whether all worlds were counted."""

    beliefs: Floats
    model: Model
    number: int
    counted: bool


class _Tried(NamedTuple):
    """The rounds that were tried: how likely each made held-out people, and at which temperature.

    `above` says by how many standard errors held-out groups are likelier than after the first round.
    """

    likelihoods: tuple[float, ...]
    temperatures: tuple[float, ...]
    above: tuple[float, ...]
    calibrated: bool

    @property
    def rounds(self) -> int:
        """The number of the last round."""
        return max(1, len(self.likelihoods))

    @property
    def misled(self) -> bool:
        """Whether every round that learned from what was matched did worse than the first, and not by chance."""
        return self.calibrated and len(self.above) > 1 and max(self.above[1:]) <= _WORSE

    @property
    def chosen(self) -> int:
        """The number of the round that made held-out groups likeliest; of those that matched, if she was not misled."""
        first = 1 if self.calibrated and not self.misled and len(self.likelihoods) > 1 else 0
        return int(np.argmax(self.likelihoods[first:])) + first + 1 if self.likelihoods else 1

    @property
    def trust(self) -> Trust:
        """How far to believe the chosen round."""
        settled = not self.calibrated or max(map(abs, self.above[1:]), default=_SETTLED) >= _SETTLED
        return Trust(self.temperature(self.chosen - 1), inside=not self.misled, settled=settled)

    def temperature(self, number: int, _: Model | None = None) -> float:
        """Return the temperature of a round, counted from 0."""
        return self.temperatures[number] if self.temperatures else 1.0


_NOTHING_TRIED = _Tried((), (), (), calibrated=False)


@dataclass(frozen=True, eq=False)
class _Learner:
    features: Features
    values: int
    model: ModelName
    smoothing: float

    def rounds(
        self, tables: Sequence[Candidates], temperature: Callable[[int, Model], float], after: _Round | None = None
    ) -> Iterator[tuple[Floats, Model, int, bool]]:
        """Learn and match, again and again, from the first round or after another one.

        A round, counted from 0, is believed at its temperature. What is yielded are the parts of a `_Round`.
        """
        beliefs, learned, done = (shares(tables[-1]), None, 0) if after is None else after[:3]
        del after
        for number in count(done):
            learned = learn(
                self.model, self.features, tables[-1], beliefs, self.values, smoothing=self.smoothing, begin=learned
            )
            beliefs = np.zeros(0)  # entries are the largest arrays: what is no longer needed is given back
            beliefs, counted = self.match(tempered(learned, temperature(number, learned)), tables, ROUGH)
            yield beliefs, learned, number + 1, counted

    def round(self, tables: Sequence[Candidates], tried: _Tried, number: int, after: _Round | None = None) -> _Round:
        """Return a round that was tried, on all groups."""
        rounds = self.rounds(tables, tried.temperature, after)
        for _ in range(number - 1 - (0 if after is None else after.number)):
            next(rounds)
        return _Round(*next(rounds))

    def match(self, learned: Model, tables: Sequence[Candidates], effort: Effort) -> tuple[Floats, bool]:
        """Match in every table, one after another; return beliefs, and whether they are exact."""
        from tacit.kernels.learning.matching import match
        from tacit.kernels.learning.scoring import carry

        first = tables[0]
        beliefs = learned.scores(self.features, first)
        _, counted = match(first, beliefs, effort)
        exact = bool(counted.all()) and len(tables) == 1
        for before, laid in pairwise(tables):
            place_of = np.full(self.features.people, -1, dtype=np.int64)
            place_of[before.rows] = np.arange(len(before.rows))
            scores = np.empty(laid.starts[-1])
            carry(before, beliefs, place_of, laid, scores)
            match(laid, scores, effort)
            beliefs = scores
        return beliefs, exact

    def tried(self, tables: Sequence[Candidates], rounds: int, calibrate: bool) -> _Tried:
        """Try rounds on groups that are held out, until these have not become likelier for a while."""
        within = [_first_groups(laid) for laid in tables]
        groups = len(within[0].offsets) - 1
        if rounds == 1 or groups < _FEWEST:
            return _NOTHING_TRIED
        number = np.arange(groups)
        out = number % _HELD_OUT == _HELD_OUT - 1
        held = some_groups(within[0], number[out])
        people = np.zeros(self.features.people, dtype=bool)
        people[held.rows] = True
        seen = [some_groups(within[0], number[~out]), *(_without(laid, people) for laid in within[1:])]
        others = some_groups(seen[0], every_nth(seen[0], int(out.sum())))
        judge = HeldOut(self.features, held, others, ROUGH)
        likelihoods: list[float] = []
        temperatures: list[float] = []
        above: list[float] = []
        first = np.zeros(0)

        def judged(_: int, learned: Model) -> float:
            nonlocal first
            begin = temperatures[-1] if temperatures else 1.0
            warmth, of_groups = judge.at_best(learned, begin) if calibrate else (1.0, judge.of_groups(learned))
            first = first if len(first) else of_groups
            temperatures.append(warmth)
            likelihoods.append(judge.mean(of_groups))
            above.append(errors_above(of_groups, first))
            return warmth

        for _ in self.rounds(seen, judged):
            if len(likelihoods) == rounds or _idle(likelihoods) >= _PATIENCE:
                break
        return _Tried(tuple(likelihoods), tuple(temperatures), tuple(above), calibrate)


@dataclass(frozen=True, eq=False)
class _Afterwards:
    """The rounds after the chosen one: who learns, from which tables, what was tried, and the chosen round.

    The beliefs of that round are empty where they are many and not those of the reading; then all rounds are repeated.
    """

    learner: _Learner
    tables: tuple[Candidates, ...]
    tried: _Tried
    chosen: _Round

    def last(self) -> Best:
        """Return what was believed most after the last round."""
        known = self.chosen if len(self.chosen.beliefs) else None
        if known is None or self.tried.rounds > known.number:
            known = self.learner.round(self.tables, self.tried, self.tried.rounds, known)
        return best(self.tables[-1], known.beliefs)

    def informed(self, truth: Ints) -> Best:
        """Learn from the true values, and match."""
        learner = self.learner
        known = np.flatnonzero(truth >= 0)
        laid, beliefs = true_values(truth[known])
        model = learn(
            learner.model,
            learner.features,
            laid._replace(rows=known),
            beliefs,
            learner.values,
            smoothing=learner.smoothing,
        )
        return best(self.tables[-1], learner.match(model, self.tables, ROUGH)[0])


def _idle(likelihoods: Sequence[float]) -> int:
    """Count the rounds since the likelihood last rose by something."""
    at = 0
    for number in range(1, len(likelihoods)):
        if likelihoods[number] > likelihoods[at] + _SOMETHING:
            at = number
    return len(likelihoods) - 1 - at


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
    return some_groups(laid, np.flatnonzero(~groups_of_some(laid, people)))
