"""R-suppression: send the most frequent value to a random level, then go on as Unsafe-D."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.errors import ParameterError
from tacit.knowledge.skew.counts import (
    Counts,
    as_counts,
    as_l,
    eligible,
    present_ranked,
    rank_order,
    require_enough_values,
    scatter,
)
from tacit.knowledge.skew.levels import Levels


@dataclass(frozen=True, kw_only=True)
class RDraw:
    """What R-suppression drew for one table: a secret, kept so that the table is never drawn for twice.

    Parameters
    ----------
    order
        Value codes in rank order, ties broken.
    h
        The place that S1 goes to, from 1 to l.
    level
        The count that S1 goes to, within the interval of that place.
    """

    order: tuple[int, ...]
    h: int
    level: int


def r_suppression(frequencies: npt.ArrayLike, l: int, rng: np.random.Generator) -> Counts:
    """Publish what R-suppression leaves for a fresh draw.

    The published proof assumes that all eligible outcomes are equally likely. They are not, and somebody who knows the
    algorithm can believe of a value with far more than 1/l that it is S1, the most frequent one.

    Parameters
    ----------
    frequencies
        One count per value code, zero for absent values.
    l
        Eligibility asked for.
    rng
        Draws h and the level, and breaks ties.

    Examples
    --------
    >>> eligible(r_suppression([10, 4, 2, 1, 1], 3, np.random.default_rng(7)), 3)
    True
    """
    counts, l = as_counts(frequencies), as_l(l)
    return counts if eligible(counts, l) else r_suppression_of(counts, l, draw_r(counts, l, rng))


def draw_r(frequencies: npt.ArrayLike, l: int, rng: np.random.Generator) -> RDraw:
    """Draw h uniformly from 1..l, then a level uniformly from the interval of place h, both ends included."""
    counts = as_counts(frequencies)
    order = rank_order(counts, rng)
    ranked = present_ranked(counts, order)
    require_enough_values(len(ranked), l)
    h = int(rng.integers(1, l, endpoint=True))
    level = int(rng.integers(*r_interval(ranked, h), endpoint=True))
    return RDraw(order=tuple(order.tolist()), h=h, level=level)


def r_suppression_of(frequencies: npt.ArrayLike, l: int, draw: RDraw) -> Counts:
    """Publish what R-suppression leaves of an ineligible table for a given draw.

    Examples
    --------
    >>> r_suppression_of([1, 10, 4, 2, 1], 3, RDraw(order=(1, 2, 3, 0, 4), h=2, level=3)).tolist()
    [1, 3, 3, 2, 1]
    """
    counts = as_counts(frequencies)
    order = np.array(draw.order, dtype=np.int64)
    if sorted(draw.order) != list(range(counts.size)) or np.any(np.diff(counts[order]) > 0):
        raise ParameterError("The draw was made for other frequencies.", hint="Draw again for this table.")
    return scatter(r_ranked(present_ranked(counts, order), l, draw.h, draw.level), order)


def r_interval(ranked: Sequence[int], h: int) -> tuple[int, int]:
    """Give the lowest and highest level of place h: F(h+1) and F(h), where F(m+1) counts as 1.

    Examples
    --------
    >>> [r_interval([10, 4, 2], h) for h in (1, 2, 3)]
    [(4, 10), (2, 4), (1, 2)]
    """
    return (ranked[h] if h < len(ranked) else 1), ranked[h - 1]


def r_ranked(ranked: Sequence[int], l: int, h: int, level: int) -> list[int]:
    """Give the counts by rank of R(h, level) for the frequencies of an ineligible table, most frequent first.

    Examples
    --------
    >>> r_ranked([10, 4, 2, 1, 1], 3, 2, 3)
    [3, 3, 2, 1, 1]
    """
    require_enough_values(len(ranked), l)
    if not 1 <= h <= l:
        raise ParameterError(f"Place {h} is not one of 1..{l}.")
    low, high = r_interval(ranked, h)
    if not low <= level <= high:
        raise ParameterError(f"Level {level} is not in the interval {low}..{high} of place {h}.")
    return Levels(ranked, l).counts(h, level)
