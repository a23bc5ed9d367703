"""Draws: where a generator begins, and the two ways to keep a share exact while who has it stays random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tacit.errors import ParameterError
from tacit.randomness import Randomness

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def begin(rows: int, seed: int | None) -> Generator:
    """Check what every generator of tables is asked, and return its stream of random numbers."""
    if isinstance(rows, bool) or not isinstance(rows, int | np.integer) or rows < 1:
        raise ParameterError(f"rows = {rows!r} is not allowed.", hint="Give a whole number of at least 1.")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise ParameterError(
            f"seed = {seed!r} is not allowed.",
            hint="Give a whole number of at least 0, or None for a new table each time.",
        )
    return Randomness.make(None if seed is None else int(seed)).secret()


def quota(generator: Generator, shares: Sequence[float] | Floats, rows: int) -> Ints:
    """Give every value its share of the rows, exactly up to rounding (largest remainders), in random order.

    Examples
    --------
    >>> codes = quota(np.random.default_rng(1), [0.5, 0.3, 0.2], 10)
    >>> np.bincount(codes).tolist()
    [5, 3, 2]
    """
    wanted = np.asarray(shares, dtype=np.float64)
    wanted = wanted / wanted.sum() * rows
    counts = np.floor(wanted).astype(np.int64)
    largest = np.argsort(counts - wanted, kind="stable")
    counts[largest[: rows - int(counts.sum())]] += 1
    codes = np.repeat(np.arange(len(counts)), counts)
    generator.shuffle(codes)
    return codes


def choose(generator: Generator, log_weights: Floats, count: int) -> Mask:
    """Choose exactly ``count`` rows without replacement, each in proportion to its weight.

    A row's key is its log weight plus Gumbel noise; the largest keys win, which is sampling without replacement.

    Examples
    --------
    >>> int(choose(np.random.default_rng(1), np.zeros(9), 4).sum())
    4
    """
    won = np.zeros(len(log_weights), dtype=np.bool_)
    count = min(max(0, count), len(log_weights))
    if count:
        keys = log_weights + generator.gumbel(size=len(log_weights))
        won[np.argpartition(keys, len(keys) - count)[len(keys) - count :]] = True
    return won
