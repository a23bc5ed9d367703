"""Whether a risk is exactly at the limit: rational arithmetic, for the few records where rounding cannot tell."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tacit.knowledge.risk.population import Population

MOST = 14
"""Attributes at most. There are 2^14 known sets then, each of which takes a few fractions; one attribute more doubles
the time for a record. How the value was chosen was not written down."""


def exact_above(
    population: Population, victim: npt.NDArray[np.int32], gain: npt.NDArray[np.float64], base: float, limit: float
) -> int:
    """Say whether the risk of a victim is above the limit: 1 it is, 0 it is not, -1 there are too many known sets.

    Every number is taken as the decimal fraction that it is written as: 0.1 is 1/10, not the nearest binary number.
    """
    a = len(victim)
    if a > MOST:
        return -1
    rows = population.rows
    same = (rows == victim) | (rows < 0) | (victim < 0)
    counts = np.zeros(1 << a, dtype=np.int64)
    np.add.at(counts, same @ (np.int64(1) << np.arange(a, dtype=np.int64)), population.weight)
    for l in range(a):  # from "agrees exactly on" to "agrees at least on"
        pairs = counts.reshape(-1, 2, 1 << l)
        pairs[:, 0] += pairs[:, 1]
    known, weights = [as_written(p) for p in population.known], [as_written(w) for w in gain]
    products, rest = [Fraction(1)], [as_written(base) + sum(weights, Fraction(0))]
    for p, w in zip(known, weights, strict=True):
        products += [product * p for product in products]
        rest += [left - w for left in rest]
    total = sum(
        (products[K] * rest[K] / max(1, int(counts[K])) for K in range(1, 1 << a)),
        Fraction(0),
    )
    return int(as_written(population.scale) * total > as_written(limit))


def as_written(number: float) -> Fraction:
    """Return the fraction that a number is written as.

    Examples
    --------
    >>> as_written(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(float(number)))
