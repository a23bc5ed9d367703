"""Hold-out: a second release of a random part of the table, attacked for that part and for the people left out.

What a reader concludes about people who are not in a release, she concludes from the population. Only what she knows
better about those who are in it is told by their being in it. The second release is made by the same method and is
never published; nothing of it leaves but the rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.adversaries import Linkage, LinkageAdversary
from tacit.arrays import Flags, Ints
from tacit.measures.rates import Baseline, Rate
from tacit.methods import Method
from tacit.progress import Progress, silent
from tacit.randomness import Randomness
from tacit.shapes import Published
from tacit.table import Table, as_text

_ASKED = 4_000
"""People of each part who are looked up at most. More make intervals narrower (they are 3 points wide at 4,000) and
take longer in proportion. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class HoldOut:
    """A second release, with the people who are in its table and those who are not.

    Attributes
    ----------
    table
        The whole table.
    release
        What was made of a part of it.
    rows, others
        The rows that are asked about: of the part, and of the rest.
    part
        Which rows of the table are in the part.
    """

    table: Table
    release: Published
    rows: Ints
    others: Ints
    part: Flags

    @classmethod
    def make(
        cls, method: Method, table: Table, *, seed: int | None = None, progress: Progress | None = None
    ) -> HoldOut:
        """Draw half of the people, protect their rows by the same method, and choose whom to ask about.

        Parameters
        ----------
        method
            What makes the release. It gets no ledger: a second release of a part is no part of a series.
        table
            The whole table.
        seed
            For tests.
        progress
            Told the stage and the share done.
        """
        source = Randomness.make(seed)
        draws = source.secret()
        if table.people is None:
            part = _half(len(table), draws)
        else:
            part = _half(int(table.people.ids.max(initial=-1)) + 1, draws)[table.people.ids]
        release = method.protect(table.filter(part), seed=seed, progress=progress or silent)
        rows, others = np.flatnonzero(part), np.flatnonzero(~part)
        return cls(table, release, _some(rows, draws), _some(others, draws), part)

    def _looked_up(self, rows: Ints) -> Linkage:
        names = [name for name in self.release.shape.quasi_identifiers if name in self.table.quasi_identifiers]
        return LinkageAdversary(victims=self.table.frame.select(names)[rows]).attack(self.release)

    @cached_property
    def inside(self) -> Linkage:
        """What a reader finds about people of the part."""
        return self._looked_up(self.rows)

    @cached_property
    def outside(self) -> Linkage:
        """What she finds about people who were left out."""
        return self._looked_up(self.others)

    def singled_out(self) -> Baseline:
        """Tell of how many exactly one row fits."""
        return Baseline(*(_rate(found.candidates == 1) for found in (self.inside, self.outside)))

    def fitting(self) -> Baseline:
        """Tell of how many some row fits: who is taken for somebody who is in the release."""
        return Baseline(*(_rate(found.candidates > 0) for found in (self.inside, self.outside)))

    def guessed(self, column: str) -> Baseline | None:
        """Tell whose value she guesses right; where no row fits she guesses the most frequent one."""
        if column not in self.inside.beliefs or column not in self.table.sensitive:
            return None
        usual = self._most_frequent(column)
        rates = []
        for found, rows in ((self.inside, self.rows), (self.outside, self.others)):
            guess = as_text(found.beliefs[column].values()).fill_null(usual)
            truth = as_text(self.table.frame[column][rows])
            rates.append(_rate(guess.eq_missing(truth).to_numpy()))
        return Baseline(*rates)

    def _most_frequent(self, column: str) -> str:
        texts = as_text(self.table.frame[column].filter(self.part)).drop_nulls()
        counted = texts.value_counts(sort=True)
        return str(counted[counted.columns[0]][0]) if len(counted) else ""


def _half(people: int, draws: np.random.Generator) -> Flags:
    """Choose half of the people at random."""
    chosen = np.zeros(people, dtype=bool)
    chosen[draws.permutation(people)[: (people + 1) // 2]] = True
    return chosen


def _some(rows: Ints, draws: np.random.Generator) -> Ints:
    if len(rows) <= _ASKED:
        return rows
    return np.asarray(np.sort(draws.choice(rows, _ASKED, replace=False)), dtype=np.int64)


def _rate(right: Flags) -> Rate:
    return Rate(float(right.sum()), len(right))
