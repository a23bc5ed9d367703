"""Where a suppression stops, in closed form.

A D-step takes one record of the most frequent value. D-steps therefore cut all counts to one level, and where they stop
can be computed from the level without a loop over records.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate


def cut_level(target: Sequence[int], l: int) -> int:
    """Find M* = max{M : l M <= sum of min(g, M)}, the highest level at which the cut counts are l-eligible.

    Parameters
    ----------
    target
        Counts g, most frequent first.
    l
        Eligibility asked for.

    Examples
    --------
    >>> cut_level([6, 4, 4, 2, 1], 3)
    5
    """
    # Between g[j] and the count before it exactly j counts are above the level, so raising the level by one costs the
    # surplus, sum min(g, M) - l M, exactly l - j. The surplus is concave in M and 0 at 0: the highest level follows
    # from the first count that leaves a surplus, which is one of the first l.
    below = list(accumulate(reversed(target), initial=0))[::-1]
    for j, g in enumerate(target[:l]):
        surplus = below[j] + j * g - l * g
        if surplus >= 0:
            return g + surplus // (l - j)
    return 0


class Levels:
    """The counts that R(h, F) and Unsafe-D publish, in closed form.

    R(h, F) is R-suppression that sends S1, the most frequent value, to place h and to the count F. Let F1 >= ... >= Fm
    be the frequencies. If S1 has the count F and all counts are cut to the level M, the values other than S1 have
    A(M) = sum over i >= 2 of min(Fi, M) records, and all values together S_F(M) = A(M) + min(F, M).

    Coming from above, the counts are first eligible at the level Mhat(F), the largest M with l M <= S_F(M). At least l
    values are candidates once no more than C records are left. The first state in which both hold has
    min(C, S_F(min(C // l, Mhat(F)))) records.

    Parameters
    ----------
    ranked
        Frequencies of the present values, most frequent first: an ineligible table.
    l
        At most the number of values.

    Examples
    --------
    >>> Levels([10, 4, 2, 1, 1], 3).published(2, 3)
    10
    """

    def __init__(self, ranked: Sequence[int], l: int) -> None:
        self.l = l
        self.m = len(ranked)
        self.n = sum(ranked)
        self.F = [0, *ranked, *(0 for _ in range(l + 2 - self.m))]
        self._ascending = list(reversed(ranked))
        self._suffix = [*accumulate(reversed(ranked), initial=0)][::-1]
        self.base = self.n - self.n // l - 1
        self.B = [0, 0, *(l * self.F[j] - self.besides_first(self.F[j]) for j in range(2, l + 2))]
        j = next(j for j in range(2, l + 1) if self.B[j] <= self.F[j])
        self.G = self.F[j] + (self.F[j] - self.B[j]) // (l - j + 1)

    def besides_first(self, M: int) -> int:
        """Count A(M), the records of all values but S1, the most frequent one, after all counts are cut to M."""
        above = self.m - bisect_left(self._ascending, M + 1)
        return (above - 1) * M + self._suffix[above] if above else self.n - self.F[1]

    def total(self, F: int, M: int) -> int:
        """Count all records after S1 went to F and everything was cut to M: S_F(M)."""
        return self.besides_first(M) + min(F, M)

    def highest(self, F: int) -> int:
        """Find Mhat(F), the highest level whose start is eligible."""
        if F >= self.G:
            return self.G
        j = next(j for j in range(2, self.l + 2) if self.B[j] <= F)
        return self.F[j] + (F - self.B[j]) // (self.l - j + 2)

    def candidates(self, h: int, F: int) -> int:
        """Find C, the most records that may be published so that l values could still be S1."""
        return self.base + (F if h == self.l else self.F[self.l])

    def published(self, h: int, F: int) -> int:
        """Count the records that R(h, F) publishes; Unsafe-D is R(1, F1)."""
        C = self.candidates(h, F)
        return min(C, self.total(F, min(C // self.l, self.highest(F))))

    def counts(self, h: int, F: int) -> list[int]:
        """List the counts that R(h, F) publishes, by rank in T (S1 first)."""
        ordered = [*self.F[2 : h + 1], F, *self.F[h + 1 : self.m + 1]]
        wanted = self.published(h, F)
        level = self._level_of(wanted, F)
        cut = [min(b, level) for b in ordered]
        at_level = sum(b >= level for b in ordered)  # `ordered` descends, so these are the first entries
        for i in range(at_level - (sum(cut) - wanted), at_level):
            cut[i] -= 1
        return [cut[h - 1], *cut[: h - 1], *cut[h:]]

    def _level_of(self, records: int, F: int) -> int:
        """Find the lowest M with S_F(M) >= records by bisection: S_F grows with M."""
        low, high = 0, self.F[1]
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.total(F, middle) >= records else (middle + 1, high)
        return low
