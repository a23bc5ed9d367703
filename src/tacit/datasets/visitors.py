"""Visitors: who comes how often, in tables where a person has several rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import Flags, Ints
from tacit.datasets.shares import Shares

_ROWS_EACH = 4
"""Rows of a person on average; few have many."""
_AGE_FROM = np.array([1, 6, 18, 30, 45, 60, 75, 95])
_AGES = Shares.one([f"{low}-" for low in _AGE_FROM[:-1]], [6, 9, 13, 19, 22, 20, 11])


@dataclass(frozen=True)
class Visitors:
    """People, and whose each row is.

    Attributes
    ----------
    person
        The person of each row.
    age, female
        Of each person: her age in the first year, and her sex.
    """

    person: Ints
    age: Ints
    female: Flags

    @classmethod
    def draw(cls, generator: Generator, rows: int) -> Visitors:
        """Draw people and their rows: most come once or twice, a few very often."""
        people = max(1, rows // _ROWS_EACH)
        band = _AGES.alike(generator, people)
        age = generator.integers(_AGE_FROM[band], _AGE_FROM[band + 1])
        eager = generator.gamma(0.8, size=people) * (1 + age / 40)
        person = generator.choice(people, rows, p=eager / eager.sum())
        return cls(person.astype(np.int64), age, generator.random(people) < 0.53)

    def habit(self, generator: Generator, shares: np.ndarray[tuple[int], np.dtype[np.float64]], loyal: float) -> Ints:
        """Draw what each row is about: a person's own matter with probability `loyal`, else whatever comes."""
        own = generator.choice(len(shares), len(self.age), p=shares)
        other = generator.choice(len(shares), len(self.person), p=shares)
        return np.where(generator.random(len(self.person)) < loyal, own[self.person], other)
