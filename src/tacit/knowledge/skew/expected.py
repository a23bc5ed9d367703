"""Expected numbers of suppressed records: exact fractions, in closed form.

For R-suppression the mean over all places h and levels F needs sums of floors, because the level at which eligibility
is first met is piecewise linear in F with integer division: see ``_SumsOverLevels.below``. The cost is
O(m log m + l^2), whatever the number of records.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.knowledge.skew.counts import as_counts, as_l, eligible, require_enough_values
from tacit.knowledge.skew.levels import Levels
from tacit.knowledge.skew.r_suppression import r_interval
from tacit.knowledge.skew.safe_d import safe_ranked
from tacit.knowledge.skew.shift import Hide, hidden_values, shift_level


def expected_unsafe_d(frequencies: npt.ArrayLike, l: int) -> Fraction:
    """Count the records that Unsafe-D suppresses.

    Examples
    --------
    >>> expected_unsafe_d([10, 4, 2, 1, 1], 3)
    Fraction(6, 1)
    """
    ranked = _ineligible(frequencies, l)
    if not ranked:
        return Fraction(0)
    levels = Levels(ranked, l)
    return Fraction(levels.n - levels.published(1, ranked[0]))


def expected_safe_d(frequencies: npt.ArrayLike, l: int) -> Fraction:
    """Count the records that Safe-D suppresses: the sum over i <= l of F(i) - F(l).

    Examples
    --------
    >>> expected_safe_d([10, 4, 2, 1, 1], 3)
    Fraction(10, 1)
    """
    ranked = _ineligible(frequencies, l)
    return Fraction(sum(ranked) - sum(safe_ranked(ranked, l)) if ranked else 0)


def expected_suppress_all(frequencies: npt.ArrayLike, l: int) -> Fraction:
    """Count the records that Suppress-All suppresses: none or all.

    Examples
    --------
    >>> expected_suppress_all([10, 4, 2, 1, 1], 3)
    Fraction(18, 1)
    """
    counts = as_counts(frequencies)
    return Fraction(0 if eligible(counts, l) else int(counts.sum()))


def expected_shift(frequencies: npt.ArrayLike, l: int, hide: Hide = "violating") -> Fraction:
    """Count the records that Shift suppresses, the same for every draw.

    Examples
    --------
    >>> expected_shift([10, 4, 2, 1, 1], 3)
    Fraction(9, 1)
    """
    counts, l = as_counts(frequencies), as_l(l)
    k = hidden_values(counts, l, hide)
    if eligible(counts, l):
        return Fraction(0)
    target, level = shift_level(np.sort(counts)[::-1].tolist(), l, k)
    return Fraction(int(counts.sum()) - sum(min(g, level) for g in target))


def expected_r_suppression(frequencies: npt.ArrayLike, l: int) -> Fraction:
    """Give the mean number of records that R-suppression suppresses, over all places and levels.

    Examples
    --------
    >>> expected_r_suppression([10, 4, 2, 1, 1], 3)
    Fraction(71, 9)
    """
    ranked = _ineligible(frequencies, l)
    if not ranked:
        return Fraction(0)
    sums = _SumsOverLevels(ranked, l)
    published = Fraction(0)
    for h in range(1, l + 1):
        low, high = r_interval(ranked, h)
        published += Fraction(sums.published(h, low, high), high - low + 1)
    return sums.levels.n - published / l


class _SumsOverLevels:
    """Sums of Levels.published over intervals of levels."""

    def __init__(self, ranked: list[int], l: int) -> None:
        self.l = l
        self.levels = Levels(ranked, l)

    def published(self, h: int, low: int, high: int) -> int:
        """Sum the records published by R(h, F) over F = low..high, all in the interval of place h."""
        levels, G = self.levels, self.levels.G
        above = max(0, high - max(low, G) + 1)
        if h == self.l:  # S1 itself is the l-th value: candidacy holds from the start
            return self.below(low, min(high, G - 1)) + above * levels.total(G, G)
        C = levels.candidates(h, 0)
        K = C // self.l
        q = min(K, G)
        # From this F on the level K, at which candidacy holds, is below the level Mhat(F), at which eligibility holds.
        cut_by_candidacy = self.l * K - levels.besides_first(K) if K <= G else G
        result = above * min(C, levels.besides_first(q) + q)
        result += self.below(low, min(high, G - 1, cut_by_candidacy - 1))
        first, last = max(low, cut_by_candidacy), min(high, G - 1)
        if first <= last:
            top = min(K, C - levels.besides_first(K))
            result += (last - first + 1) * levels.besides_first(K) + _sum_of_minima(first, last, top)
        return result

    def below(self, low: int, high: int) -> int:
        """Sum S_F(Mhat(F)) over F = low..high, all below G.

        From B(j) up to B(j - 1), Mhat(F) = F(j) + (F - B(j)) // (l - j + 2), and A grows by j - 2 per level.
        """
        levels, result = self.levels, 0
        for j in range(2, self.l + 2):
            first = max(low, levels.B[j])
            last = high if j == 2 else min(high, levels.B[j - 1] - 1)
            if first <= last:
                size, steps, slope = last - first + 1, self.l - j + 2, j - 2
                climbed = _sum_of_floors(last - levels.B[j], steps) - _sum_of_floors(first - levels.B[j] - 1, steps)
                result += size * levels.besides_first(levels.F[j]) + slope * climbed + (first + last) * size // 2
        return result


def _sum_of_floors(x: int, q: int) -> int:
    """Sum y // q over y = 0..x."""
    if x < 0:
        return 0
    whole, rest = divmod(x + 1, q)
    return q * whole * (whole - 1) // 2 + rest * whole


def _sum_of_minima(first: int, last: int, top: int) -> int:
    """Sum min(F, top) over F = first..last."""
    turn = min(last, max(top, first - 1))
    return (first + turn) * (turn - first + 1) // 2 + (last - turn) * top


def _ineligible(frequencies: npt.ArrayLike, l: int) -> list[int]:
    """List the frequencies of an ineligible table, most frequent first; nothing for an eligible one."""
    counts, l = as_counts(frequencies), as_l(l)
    if eligible(counts, l):
        return []
    ranked: list[int] = np.sort(counts[counts > 0])[::-1].tolist()
    require_enough_values(len(ranked), l)
    return ranked
