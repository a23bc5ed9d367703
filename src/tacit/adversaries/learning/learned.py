"""What a reader who learns from a release believes of everybody."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from tacit.adversaries.belief import Belief, Exactness, repeated
from tacit.adversaries.learning.success import Success
from tacit.arrays import Flags, Floats, Ints
from tacit.knowledge.learning import Best, Candidates, Prior, Reading, best, shares

_SURE = 1.0 - 1e-15
"""Odds are taken of probabilities up to this, so that certainty has finite odds."""


@dataclass(frozen=True, eq=False)
class Learned(Belief):
    """What she believes of everybody, after learning and matching, and what she would believe without the groups.

    There is one entry per person, in the order of `row`.

    Attributes
    ----------
    column
        The sensitive column.
    dictionary
        Its published values; `value` and `prior_value` are positions in it.
    reading
        What she learned and believes, value by value: see `tacit.knowledge.learning.Reading`.
    before
        What the same model says of people as if they were in no group.
    people_published
        How many people the release has; fewer were read where a sample was taken.
    told
        Whether the people were given to her: then the figures are not from the published files alone.
    each_row
        Whether people have several rows: each row is then read by itself, as if it were somebody.
    """

    column: str
    dictionary: pl.Series
    reading: Reading
    before: Prior
    people_published: int
    told: bool = False
    each_row: bool = False

    @property
    def row(self) -> Ints:
        """The row of the published people (or of those given) that each entry is about."""
        return self.laid.rows

    @property
    def several_tables(self) -> bool:
        """Whether she read several tables, one after another: going through them again would tell her more."""
        return len(self.reading.afterwards.tables) > 1

    @property
    def laid(self) -> Candidates:
        """Who may have which values, group after group."""
        return self.reading.laid

    @cached_property
    def _best(self) -> Best:
        return best(self.laid, self.reading.beliefs)

    @property
    def people(self) -> Ints:
        """One person each."""
        return np.ones(len(self.row), np.int64)

    @property
    def posteriors(self) -> Floats:
        """The probability to her of the value that she believes most."""
        return self._best.posterior

    @property
    def value(self) -> Ints:
        """The value that she believes most, as a position in `dictionary`."""
        return self._best.value

    @property
    def values(self) -> pl.Series:
        """The value that she believes most."""
        return self.dictionary.gather(self.value)

    @property
    def where(self) -> pl.Series:
        """The column, and how she learned."""
        return repeated(f"{self.column}, learned from the release in {self.reading.chosen} rounds", len(self.row))

    @property
    def exactness(self) -> Exactness:
        """Approximate where the worlds of some group were too many to count, or several tables were read."""
        return "exact" if self.reading.exact else "approximate"

    @property
    def prior(self) -> Floats:
        """Of the value she believes most, the probability to her if the person were in no group."""
        from tacit.kernels.learning.scoring import at_values

        prior = np.zeros(len(self.row))
        at_values(self.laid, self.before.entries, self.value, prior)
        return prior

    @property
    def prior_value(self) -> Ints:
        """The value that she would believe most of the person if she were in no group."""
        return self.before.value

    @property
    def share(self) -> Floats:
        """The largest share of a value in the person's group: the belief of somebody who learns nothing."""
        return best(self.laid, shares(self.laid)).posterior

    @property
    def gain(self) -> Floats:
        """The odds of what she believes most over the odds that it had before: what the person's group added."""
        return odds(self.posteriors) / odds(self.prior)

    def news(self, r: float, gain: float) -> Flags:
        """Say of whom she believes something with more than 1/r whose odds the group raised by more than `gain`."""
        raised = odds(self.reading.beliefs) > gain * odds(self.before.entries)
        hit = (self.reading.beliefs > (1.0 + 1e-9) / r) & raised
        sizes, distinct = np.diff(self.laid.offsets), np.diff(self.laid.value_offsets)
        place = np.repeat(np.arange(len(self.row)), np.repeat(distinct, sizes))
        return np.bincount(place[hit], minlength=len(self.row)) > 0

    @property
    def expected(self) -> float:
        """The share of people whose value she expects to guess right."""
        return _mean(self.posteriors)

    @property
    def expected_before(self) -> float:
        """The share that she would expect to guess right knowing only the population."""
        return _mean(self.before.chance)

    @property
    def expected_unlearned(self) -> float:
        """The share that somebody expects to guess right who sees the groups and learns nothing."""
        return _mean(self.share)

    def above(self, bound: float) -> int:
        """Count the people of whom she believes something with more than `bound`."""
        return int((self.posteriors > bound * (1.0 + 1e-9)).sum())

    def judged(self, truth: Ints) -> Success:
        """Compare with the truth: per row of the people, the position of the true value in `dictionary`."""
        true = truth[self.row]
        last = self.reading.last
        return Success(
            self.posteriors,
            self.value == true,
            last.posterior,
            last.value == true,
            self.before.chance,
            self.prior_value == true,
            self.reading.informed(truth).value == true,
        )

    def frame(self) -> pl.DataFrame:
        """Return one row per person, in the order of the people."""
        order = np.argsort(self.row)
        return pl.DataFrame(
            {
                "value": self.values.gather(order),
                "posterior": self.posteriors[order],
                "prior": self.prior[order],
                "gain": self.gain[order],
            }
        )


def odds(chance: Floats) -> Floats:
    """Return p / (1 - p); of certainty a large number."""
    held = np.clip(chance, 1e-300, _SURE)
    return held / (1.0 - held)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
