"""Belief: what an adversary infers, in one form for every adversary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, TypeVar

import numpy as np
import polars as pl

from tacit.arrays import Floats, Ints
from tacit.table import as_text

Exactness = Literal["exact", "approximate", "partial"]
"""Whether the posteriors are what somebody with this knowledge must believe: "exact" in every entry, "approximate"
where a simpler computation stands in for some of them, "partial" where some were not computed."""


class Belief(ABC):
    """What an adversary believes after reading a release.

    It is a list of entries. An entry is about one person, or about several people whom she cannot tell apart, and about
    one thing that she wants to know of them. The lists `people`, `values`, `posteriors` and `where` have one element
    per entry, in the same order. Every adversary returns a `Belief`; most of them add attributes of their own.

    Attributes
    ----------
    people
        How many people the entry is about.
    values
        The value that she believes most, null where she believes none or links a person to a row instead of a value.
    posteriors
        How probable that is to her: between 0 and 1, or not a number where it was not computed.
    exactness
        Whether the posteriors are exact, see `Exactness`.
    where
        What the entry is about, in words: the column, and what she used.
    """

    @property
    @abstractmethod
    def people(self) -> Ints:
        """How many people each entry is about."""

    @property
    @abstractmethod
    def values(self) -> pl.Series:
        """The value that she believes most, per entry."""

    @property
    @abstractmethod
    def posteriors(self) -> Floats:
        """The probability of that value to her, per entry; not a number where it was not computed."""

    @property
    @abstractmethod
    def where(self) -> pl.Series:
        """What each entry is about, in words."""

    @property
    def exactness(self) -> Exactness:
        """Whether the posteriors are exact."""
        return "exact"

    @property
    def max_posterior(self) -> float | Fraction:
        """The largest posterior that was computed, 0 where there is none."""
        computed = self.posteriors[~np.isnan(self.posteriors)]
        return float(computed.max(initial=0.0))

    def frame(self) -> pl.DataFrame:
        """Return one row per entry."""
        return pl.DataFrame(
            {"where": self.where, "people": self.people, "value": self.values, "posterior": self.posteriors}
        )


B = TypeVar("B", bound=Belief)


@dataclass(frozen=True, eq=False)
class BeliefByColumn(Belief, Generic[B]):
    """What she believes of several columns: the entries of each, one column after another.

    `belief["illness"]` is what she believes of one column.
    """

    columns: Mapping[str, B]

    def __getitem__(self, column: str) -> B:
        return self.columns[column]

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def items(self) -> ItemsView[str, B]:
        """Return the columns with what she believes of each."""
        return self.columns.items()

    @property
    def people(self) -> Ints:
        """How many people each entry is about."""
        return np.concatenate([np.zeros(0, np.int64), *(each.people for each in self.columns.values())])

    @property
    def values(self) -> pl.Series:
        """The value that she believes most, per entry; as text where columns hold values of several types."""
        return one_series([each.values for each in self.columns.values()])

    @property
    def posteriors(self) -> Floats:
        """The probability of that value to her, per entry."""
        return np.concatenate([np.zeros(0), *(each.posteriors for each in self.columns.values())])

    @property
    def where(self) -> pl.Series:
        """What each entry is about, in words."""
        return pl.concat([pl.Series("where", [], dtype=pl.String), *(each.where for each in self.columns.values())])

    @property
    def exactness(self) -> Exactness:
        """The weakest word among the columns."""
        words = {each.exactness for each in self.columns.values()}
        return next((word for word in ("partial", "approximate") if word in words), "exact")


def one_series(pieces: Sequence[pl.Series]) -> pl.Series:
    """Put values one after another; as text where their types differ.

    Examples
    --------
    >>> one_series([pl.Series([1, 2]), pl.Series(["a"])]).to_list()
    ['1', '2', 'a']
    """
    if not pieces:
        return pl.Series("value", [], dtype=pl.String)
    alike = len({str(piece.dtype) for piece in pieces}) == 1
    return pl.concat([(piece if alike else as_text(piece)).alias("value") for piece in pieces])


def repeated(text: str, times: int) -> pl.Series:
    """Say the same of several entries."""
    return pl.Series("where", [text], dtype=pl.String).new_from_index(0, times)
