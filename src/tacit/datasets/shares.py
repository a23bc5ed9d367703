"""Shares: how likely each value is, one distribution per class of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
from numpy.random import Generator

from tacit.arrays import FloatGrid, Ints


@dataclass(frozen=True, eq=False)
class Shares:
    """Values, and for each class of people the weight of each value.

    Attributes
    ----------
    values
        The values, in the order of their codes.
    weights
        ``float64[classes, values]``, not negative, each row with a positive sum.

    Examples
    --------
    >>> pets = Shares.read('''
    ...            cat  dog
    ...     town     3    1
    ...     farm     0    1
    ... ''')
    >>> pets.column("pet", pets.draw(np.random.default_rng(1), np.array([1, 1, 1]))).to_list()
    ['dog', 'dog', 'dog']
    """

    values: tuple[str, ...]
    weights: FloatGrid

    @classmethod
    def read(cls, text: str) -> Shares:
        """Read a small table: the values in the first line, then a line per class, its label first (not used)."""
        head, *lines = (line.split() for line in text.strip().splitlines())
        return cls(tuple(head), np.array([[float(cell) for cell in line[1:]] for line in lines]))

    @classmethod
    def one(cls, values: Sequence[str], weights: npt.ArrayLike) -> Shares:
        """Make a single distribution, the same for everybody."""
        return cls(tuple(values), np.asarray(weights, dtype=np.float64).reshape(1, -1))

    def draw(self, generator: Generator, classes: Ints) -> Ints:
        """Draw the code of a value for every row, from the distribution of its class."""
        cumulative = np.cumsum(self.weights, axis=1)
        cumulative /= cumulative[:, -1:]
        # One sorted array for all classes: class c occupies (c, c + 1], so one search serves every row.
        steps = (cumulative + np.arange(len(cumulative))[:, None]).ravel()
        steps_passed = np.searchsorted(steps, classes + generator.random(len(classes)), side="right")
        codes: Ints = steps_passed - classes * len(self.values)
        # Rounding may carry a draw to the very end of its class: it belongs to the last value that can occur.
        last = len(self.values) - 1 - np.argmax(self.weights[:, ::-1] > 0, axis=1)
        return np.asarray(np.minimum(codes, last[classes]), dtype=np.int64)

    def alike(self, generator: Generator, rows: int) -> Ints:
        """Draw for people who are all of the first class."""
        return self.draw(generator, np.zeros(rows, dtype=np.int64))

    def column(self, name: str, codes: Ints) -> pl.Series:
        """Write codes as text."""
        return pl.Series(name, self.values, dtype=pl.String).gather(codes)
