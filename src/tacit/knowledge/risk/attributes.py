"""Attributes: the columns that a risk is about, bound to the codes of a table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.arrays import FloatGrid, Floats
from tacit.errors import ParameterError, nearest
from tacit.table import Codes, Table

Ints = npt.NDArray[np.int64]
Blank = npt.NDArray[np.bool_]
Missing = Literal["own", "wildcard", "adversary"]
MOST_KNOWN = 62
"""Columns that may be known, at most: a known set is a bit mask in a signed whole number of 64 bits."""


class RiskParameters(Protocol):
    """What is asked of a risk: how probably columns are known, what they weigh, and what a blank means."""

    @property
    def known(self) -> dict[str, float] | None:
        """Column to the probability that it is known."""

    @property
    def weights(self) -> dict[str, float] | None:
        """Column to how much it matters."""

    @property
    def value_weights(self) -> dict[str, dict[Any, float]] | None:
        """Column to value to how much it matters."""

    @property
    def alpha(self) -> float:
        """What all risks are multiplied with."""

    @property
    def missing(self) -> Missing:
        """What a blank means to whoever matches."""

    def resolved(self, table: Table) -> RiskParameters:
        """Return the same with its defaults written out for a table."""


@dataclass(frozen=True, eq=False)
class Attributes:
    """Everything of a risk and a table that counting needs.

    Attributes
    ----------
    names
        The columns with PK > 0 or W > 0, in the order of the table.
    known
        PK of each.
    worth
        The weight of each code of each: W_j * W_j(v).
    codes, sizes
        One code per row, and how many there are, of each.
    alpha, missing
        As in the risk.
    """

    names: tuple[str, ...]
    known: Floats
    worth: tuple[Floats, ...]
    codes: tuple[npt.NDArray[np.int32], ...]
    sizes: tuple[int, ...]
    alpha: float
    missing: Missing
    rows: int

    @classmethod
    def of(cls, risk: RiskParameters, table: Table, *, partly: Collection[str] = ()) -> Attributes:
        """Bind a risk to a table; names and values that are not there are errors.

        Parameters
        ----------
        risk, table
            What may be known and what matters, and the rows.
        partly
            Columns of which the table does not show every cell: a value that is not there may be behind a blank.
        """
        risk = risk.resolved(table)
        known, weights = risk.known or {}, risk.weights or {}
        names = tuple(
            column.name for column in table.columns if known.get(column.name, 0) > 0 or weights.get(column.name, 0) > 0
        )
        if sum(known.get(name, 0) > 0 for name in names) > MOST_KNOWN:
            raise ParameterError(
                f"disclosure-risk: more than {MOST_KNOWN} columns may be known.",
                hint="Give the probability 0 to those that nobody knows.",
            )
        encoded = [table.codes(name) for name in names]
        values = risk.value_weights or {}
        worth = tuple(
            weights.get(name, 0.0) * _value_weights(name, values.get(name), codes, strict=name not in partly)
            for name, codes in zip(names, encoded, strict=True)
        )
        return cls(
            names,
            np.array([known.get(name, 0.0) for name in names], dtype=np.float64),
            worth,
            tuple(codes.codes for codes in encoded),
            tuple(codes.cardinality for codes in encoded),
            risk.alpha,
            risk.missing,
            len(table),
        )

    @cached_property
    def columns(self) -> tuple[Codes, ...]:
        """The codes of each attribute with a dictionary of their own: a code stands for itself."""
        return tuple(
            Codes(codes, pl.Series(np.arange(size))) for codes, size in zip(self.codes, self.sizes, strict=True)
        )

    def weigh(self, codes: Sequence[npt.NDArray[np.int32]], rows: int) -> FloatGrid:
        """Return what the codes of each attribute weigh, rows by attributes."""
        weights = np.empty((rows, len(codes)))
        for j, (worth, mine) in enumerate(zip(self.worth, codes, strict=True)):
            weights[:, j] = worth[mine]
        return weights

    def gains(self, rows: npt.NDArray[Any] | slice = slice(None), blank: Blank | None = None) -> FloatGrid:
        """Return the weight of every cell of some rows; a suppressed cell weighs nothing."""
        weights = [worth[codes[rows]] for worth, codes in zip(self.worth, self.codes, strict=True)]
        gains = np.stack(weights, axis=1) if weights else np.zeros((self.rows, 0))
        if blank is not None:
            gains[blank[rows]] = 0.0
        return gains

    def take(self, rows: npt.NDArray[Any]) -> Attributes:
        """Return the attributes of some rows."""
        codes = tuple(codes[rows] for codes in self.codes)
        size = len(codes[0]) if codes else int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows)
        return Attributes(self.names, self.known, self.worth, codes, self.sizes, self.alpha, self.missing, size)

    @property
    def largest(self) -> Floats:
        """The largest weight of each column."""
        return np.array([worth.max(initial=0.0) for worth in self.worth])


def _value_weights(column: str, given: dict[Any, float] | None, codes: Codes, *, strict: bool) -> Floats:
    """Return the weight of each code; a value that is not in the column is an error if it could be a slip."""
    if given is None:
        return np.ones(codes.cardinality)
    texts: list[str | None] = codes.texts.to_list()
    numbers = codes.values.dtype.is_numeric()
    at = {_key(text, numbers): code for code, text in enumerate(texts)}
    weights, named, absent = np.zeros(codes.cardinality), np.zeros(codes.cardinality, dtype=bool), []
    for value, weight in given.items():
        code = at.get(_key(value, numbers))
        if code is None:
            absent.append((value, weight))
            continue
        weights[code], named[code] = weight, True
    # Where every value of the column is named, one more does no harm: a small table need not have them all.
    wrong = [value for value, weight in absent if weight > 0]
    if strict and wrong and not named.all():
        raise ParameterError(
            f"disclosure-risk: value_weights names {wrong[0]!r}, which column {column!r} does not hold.",
            hint=nearest(str(wrong[0]), _shown(texts), what="Values"),
        )
    return weights


def _shown(texts: Sequence[str | None]) -> list[str]:
    return [text for text in texts if text is not None]


def _key(value: Any, numbers: bool) -> Any:
    """Write a value as a recipe and a table may: text, or a number where the column holds numbers."""
    if isinstance(value, bool):
        value = str(value).lower()
    if numbers and value is not None:
        try:
            return float(value)
        except (TypeError, ValueError):
            return value
    return None if value is None else str(value)
