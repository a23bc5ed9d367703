"""What somebody who looks people up believes of each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from tacit.adversaries.belief import Belief, one_series
from tacit.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Guesses:
    """What she believes of one sensitive column: per victim the likeliest value and its posterior."""

    codes: Ints
    posterior: Floats
    dictionary: pl.Series

    def values(self) -> pl.Series:
        """Return the likeliest value of each victim, null for one without a candidate."""
        codes = pl.Series(self.codes, dtype=pl.Int64)
        return self.dictionary.gather(codes.set(codes < 0, None))


Reason = Literal["unread", "node"]


@dataclass(frozen=True)
class Doubt:
    """Cells of one published column of which it is not clear which values they stand for.

    Attributes
    ----------
    column
        The published column.
    rows
        How many published rows have such a cell.
    example
        One of the cells, None for an empty one.
    reason
        "unread": the cell could not be read, so its rows were counted as candidates of everybody. "node": it is a word
        that no victim has as a value, while some victims were not found: it may be the name of a node of a hierarchy
        that was not given.
    """

    column: str
    rows: int
    example: str | None
    reason: Reason

    @property
    def sentence(self) -> str:
        """What a data owner should read."""
        rows = "1 row has" if self.rows == 1 else f"{self.rows:,} rows have"
        cell = "an empty cell" if self.example is None else f"a cell such as {self.example!r}"
        if self.reason == "unread":
            return f"{rows} {cell} in column {self.column!r}, which cannot be read and was taken for any value"
        return (
            f"{rows} {cell} in column {self.column!r}, which no victim has as a value, and not all victims were "
            "found: if it is the name of a node of a hierarchy, give the hierarchy, otherwise people are overlooked"
        )


@dataclass(frozen=True, eq=False)
class Linkage(Belief):
    """What linkage gives: how many rows a victim may be, and what that says of her.

    There is one entry per victim and sensitive column, all victims of one column after another.

    Attributes
    ----------
    candidates
        Per victim, the number of published rows that may be hers; 0 where none fits.
    beliefs
        Per sensitive column, the likeliest value and its posterior.
    listed
        Whether a victim is one person of a list. Otherwise it is everybody with the same published cells.
    doubts
        The cells of which it is not clear which values they stand for.
    """

    candidates: Ints
    beliefs: Mapping[str, Guesses]
    listed: bool = True
    doubts: tuple[Doubt, ...] = ()

    @property
    def people(self) -> Ints:
        """How many people each entry is about: 1 of a list, otherwise everybody with these cells."""
        each = np.ones(len(self.candidates), np.int64) if self.listed else self.candidates
        return np.tile(each, len(self.beliefs))

    @property
    def values(self) -> pl.Series:
        """The likeliest value of each victim, null for one without a candidate."""
        return one_series([guesses.values() for guesses in self.beliefs.values()])

    @property
    def posteriors(self) -> Floats:
        """The posterior of the likeliest value, 0 for a victim without a candidate."""
        return np.concatenate([np.zeros(0), *(guesses.posterior for guesses in self.beliefs.values())])

    @property
    def where(self) -> pl.Series:
        """The sensitive column of each entry."""
        columns = pl.Series("where", list(self.beliefs), dtype=pl.String)
        return columns.gather(np.repeat(np.arange(len(columns)), len(self.candidates)))

    @property
    def max_posterior(self) -> float:
        """The largest posterior of any victim and column."""
        return float(self.posteriors.max(initial=0.0))

    def frame(self) -> pl.DataFrame:
        """Return one row per victim."""
        columns: dict[str, Any] = {"candidates": self.candidates}
        for name, belief in self.beliefs.items():
            columns[name] = belief.values()
            columns[f"{name} (posterior)"] = belief.posterior
        return pl.DataFrame(columns)


def together(linkages: Sequence[Linkage]) -> Linkage:
    """List the victims of several tables one after another."""
    if len(linkages) == 1:
        return linkages[0]
    beliefs = {}
    for name in _columns(linkages):
        codes, posteriors, dictionary = _in_one_dictionary(linkages, name)
        beliefs[name] = Guesses(np.concatenate(codes), np.concatenate(posteriors), dictionary)
    return Linkage(np.concatenate([linkage.candidates for linkage in linkages]), beliefs, linkages[0].listed)


def most_exposed(linkages: Sequence[Linkage]) -> Linkage:
    """Take, for every victim, the table that tells most of her; all tables are asked about the same victims."""
    if len(linkages) == 1:
        return linkages[0]
    beliefs = {}
    for name in _columns(linkages):
        codes, posteriors, dictionary = _in_one_dictionary(linkages, name)
        worst, victim = np.argmax(posteriors, axis=0), np.arange(len(posteriors[0]))
        beliefs[name] = Guesses(np.stack(codes)[worst, victim], np.stack(posteriors)[worst, victim], dictionary)
    doubts = tuple(doubt for linkage in linkages for doubt in linkage.doubts)
    return Linkage(np.min([linkage.candidates for linkage in linkages], axis=0), beliefs, doubts=doubts)


def _columns(linkages: Sequence[Linkage]) -> list[str]:
    return list(dict.fromkeys(name for linkage in linkages for name in linkage.beliefs))


def _in_one_dictionary(linkages: Sequence[Linkage], name: str) -> tuple[list[Ints], list[Floats], pl.Series]:
    """Write the beliefs of all tables in one dictionary; a table without the column tells nothing."""
    codes, posteriors, words = [], [], []
    base = 0
    for linkage in linkages:
        belief, victims = linkage.beliefs.get(name), len(linkage.candidates)
        if belief is None:
            codes.append(np.full(victims, -1, np.int64))
            posteriors.append(np.zeros(victims))
            continue
        codes.append(np.where(belief.codes < 0, -1, belief.codes + base))
        posteriors.append(belief.posterior)
        words.append(belief.dictionary)
        base += len(belief.dictionary)
    return codes, posteriors, pl.concat(words)
