"""Beliefs: the probabilities of all labels, as exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from tacit.arrays import Floats


@dataclass(frozen=True)
class ExactBelief:
    """The probability of every label: one numerator per label, over one common denominator.

    Examples
    --------
    >>> ExactBelief((1, 1, 0), 2).reach(Fraction(1))
    2
    >>> ExactBelief((1, 1), 2).distance2(ExactBelief((1, 0), 1))
    Fraction(1, 2)
    """

    numerators: tuple[int, ...]
    denominator: int

    @classmethod
    def of(cls, sizes: Sequence[int], counts: np.ndarray[Any, Any], rows: int) -> ExactBelief:
        """Compute the belief of a group from counts of its rows.

        Parameters
        ----------
        sizes
            Numbers of labels that a row may link to, one per line of `counts`.
        counts
            Line i, column e: how many rows that link to `sizes[i]` labels link to label e.
        rows
            How many rows the group has, those that link to no label included.
        """
        common = lcm(*sizes) if len(sizes) else 1
        sums = [0] * counts.shape[1]
        for size, line in zip(sizes, counts, strict=True):
            share = common // int(size)
            for label in np.flatnonzero(line).tolist():
                sums[label] += share * int(line[label])
        return cls(tuple(sums), common * max(1, rows))

    @classmethod
    def together(cls, parts: Sequence[tuple[ExactBelief, int]]) -> ExactBelief:
        """Return the belief of several groups as one, given how many rows each has.

        Examples
        --------
        >>> one, two = ExactBelief.of([1], np.array([[2, 0]]), 2), ExactBelief.of([2], np.array([[1, 1]]), 1)
        >>> ExactBelief.together([(one, 2), (two, 1)]) == ExactBelief.of([1, 2], np.array([[2, 0], [1, 1]]), 3)
        True
        """
        filled = [(belief, rows) for belief, rows in parts if rows]
        common = lcm(*(belief.denominator // rows for belief, rows in filled)) if filled else 1
        sums = [0] * max((len(belief.numerators) for belief, _ in parts), default=0)
        for belief, rows in filled:
            share = common * rows // belief.denominator
            for label, numerator in enumerate(belief.numerators):
                sums[label] += share * numerator
        return cls(tuple(sums), common * max(1, sum(rows for _, rows in filled)))

    def reach(self, c: Fraction) -> int | None:
        """Return l', the largest l with p1 <= c (p_l + p_(l+1) + ...); None where nobody links: then every l holds."""
        sums = sorted((n for n in self.numerators if n), reverse=True)
        if not sums:
            return None
        rest, reached = sum(sums), 0
        for value in sums:
            if sums[0] > c * rest:
                break
            reached += 1
            rest -= value
        return reached

    def distance2(self, other: ExactBelief) -> Fraction:
        """Return the squared Euclidean distance."""
        x, y = self.denominator, other.denominator
        gaps = sum((n * y - m * x) ** 2 for n, m in zip(self.numerators, other.numerators, strict=True))
        return Fraction(gaps, (x * y) ** 2)

    def floats(self) -> Floats:
        """Return the probabilities, rounded."""
        return np.array([n / self.denominator for n in self.numerators], dtype=np.float64)
