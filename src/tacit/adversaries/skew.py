"""Skew: somebody knows how rows were withheld, and asks which value was too frequent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief, BeliefByColumn, Exactness
from tacit.arrays import Floats, Ints
from tacit.errors import ParameterError
from tacit.knowledge.skew import is_invertible, proved_bound
from tacit.knowledge.skew.declared import KnownSuppression, countable_column, known_suppressions
from tacit.knowledge.skew.posterior import Posterior, Prior, posterior
from tacit.shapes import Published


@dataclass(frozen=True, eq=False)
class Suspicion(Belief):
    """What she believes of the published values of one sensitive column; None where it was not computed.

    There are two entries: which value was the most frequent one of the table, and which value a withheld person has.

    Attributes
    ----------
    column, suppression, dictionary
        The sensitive column, how it was suppressed, and the values that are published.
    posterior
        What she believes of each of these values.
    size, withheld_rows
        The rows of the table, and how many of them are withheld.
    """

    column: str
    suppression: KnownSuppression
    posterior: Posterior | None
    dictionary: pl.Series
    size: int
    withheld_rows: int

    @property
    def people(self) -> Ints:
        """Everybody in the table, and those who are withheld."""
        return np.array([self.size, self.withheld_rows], dtype=np.int64)

    @property
    def values(self) -> pl.Series:
        """The value that she takes for the most frequent one, and the one that she expects of a withheld person."""
        positions = [None if not each else each.index(max(each)) for each in self._both]
        return self.dictionary.gather(pl.Series(positions, dtype=pl.Int64))

    @property
    def posteriors(self) -> Floats:
        """Her posteriors of these two values; not a number where one was not computed."""
        return np.array([float(max(each)) if each else np.nan for each in self._both], dtype=np.float64)

    @property
    def where(self) -> pl.Series:
        """What each of the two entries is about."""
        return pl.Series("where", [f"the most frequent {self.column}", f"{self.column} of a withheld person"])

    @property
    def exactness(self) -> Exactness:
        """Exact where it was computed."""
        return "exact" if all(self._both) else "partial"

    @property
    def _both(self) -> tuple[tuple[Fraction, ...] | None, tuple[Fraction, ...] | None]:
        return (None, None) if self.posterior is None else (self.posterior.most_frequent, self.posterior.withheld)

    @property
    def most_frequent(self) -> Fraction | None:
        """The largest posterior that a value was the most frequent one."""
        return _largest(None if self.posterior is None else self.posterior.most_frequent)

    @property
    def withheld(self) -> Fraction | None:
        """The largest posterior that a withheld person has a value."""
        return _largest(None if self.posterior is None else self.posterior.withheld)


class EligibilityAdversary(Adversary):
    """She counts the published values and asks which of them was too frequent, and what the withheld people have.

    Her prior treats the values alike. She adds up all tables that could have led to the published counts. Where these
    are too many, she says nothing but what is proved.

    Knows
    -----
    The algorithm, its parameter l, and how many rows the table had: all of it is public.

    Infers
    ------
    For each published value the probability that it was the most frequent one, that it was in more than n/l rows, and
    that a withheld person has it; exact fractions, or None where they were not computed.

    Parameters
    ----------
    prior
        "frequencies": all vectors of frequencies equally likely; "assignments": all assignments of values to rows.

    Cost
    ----
    Up to some seconds: at most two million tables are added up, about a microsecond each (see
    `docs/threats/skew.md#what-somebody-can-infer-exactly`).

    Examples
    --------
    >>> import tacit as tc
    >>> ill = ["flu"] * 10 + ["cold"] * 4 + ["mumps"] * 2 + ["gout", "lupus"]
    >>> table = tc.Table({"age": range(18), "ill": ill}, quasi_identifiers="age", sensitive="ill")
    >>> naive = tc.UnsafeDSuppression(l=3).protect(table)
    >>> float(EligibilityAdversary().attack(naive)["ill"].most_frequent)
    0.5

    References
    ----------
    Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010; the exact posteriors are this project's own.
    """

    knowledge: ClassVar[str] = "the algorithm, its parameter, and how many rows the table had"

    prior: Prior = Field("frequencies", description='"frequencies" or "assignments"')

    def attack(self, published: Published) -> BeliefByColumn[Suspicion]:
        """Return what she believes, per sensitive column; empty where no skewed value was suppressed."""
        suppressions = known_suppressions(published)
        if not suppressions or published.size is None or published.size == published.shape.rows:
            return BeliefByColumn({})
        known = suppressions[0]
        suspicions = {}
        for name in published.shape.sensitive:
            counts = published.shape.totals.histograms[name].totals()
            belief = None
            if name == countable_column(published):
                belief = self._belief(counts[counts > 0], published.size, known)
            values = published.shape.dictionary(name).filter(pl.Series(counts > 0))
            withheld = published.size - published.shape.rows
            suspicions[name] = Suspicion(name, known, belief, values, published.size, withheld)
        return BeliefByColumn(suspicions)

    def _belief(self, counts: Ints, n: int, known: KnownSuppression) -> Posterior | None:
        if not is_invertible(known.algorithm):
            return None
        try:
            return posterior(counts, n, known.l, algorithm=known.algorithm, prior=self.prior)
        except ParameterError:
            return None  # a value may have been withheld completely, and then the counts do not show that it exists

    def warn(self, published: Published) -> list[Notice]:
        """Say how sure she is of the most frequent value, and of what the withheld have, where no bound is proved."""
        notices = []
        for name, suspicion in self.attack(published).items():
            algorithm, l = suspicion.suppression.algorithm, suspicion.suppression.l
            if published.shape.rows and proved_bound(algorithm, l, "most_frequent") is None:
                sentence = _about_the_name(name, suspicion.most_frequent)
                notices.append(
                    Notice(self.name, f"{sentence} (1/l is {1 / l:.4f})", _float(suspicion.most_frequent)),
                )
            if proved_bound(algorithm, l, "withheld") is None:
                notices.append(
                    Notice(self.name, _about_the_withheld(name, suspicion.withheld), _float(suspicion.withheld))
                )
        return notices

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return both priors."""
        return [cls(), cls(prior="assignments")]


def _about_the_name(column: str, reached: Fraction | None) -> str:
    if reached is None:
        return (
            f"nothing is promised about the name of the most frequent value of {column!r}: how well somebody can tell "
            f"it who knows the algorithm was not computed"
        )
    return f"somebody who knows the algorithm names the most frequent value of {column!r} with {float(reached):.4f}"


def _about_the_withheld(column: str, reached: Fraction | None) -> str:
    learned = (
        f"how well {column!r} of a withheld person can be guessed was not computed; nothing is promised about it"
        if reached is None
        else f"somebody who knows that a person is withheld guesses her {column!r} right with probability "
        f"{float(reached):.4f}; nothing is promised about it"
    )
    return f"{learned} (safe-d-suppression promises a bound), and quasi-identifiers of the withheld may tell more"


def _largest(beliefs: tuple[Fraction, ...] | None) -> Fraction | None:
    return max(beliefs) if beliefs else None


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
