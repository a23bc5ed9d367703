"""Inverting R-suppression and Unsafe-D: from which tables D-steps stop at the published counts.

D-steps cut counts to a level M, so every published count below M is an original frequency. Unknown are F1 and the
original frequencies of the values whose published count is M; some of them may have lost one record more, and have a
published count of M - 1. Whether the D-steps from a table stop at these counts, and not before, depends on M, on how
many counts were above M before the cut, and on the l-th largest count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.knowledge.skew.posterior.consistent_tables import MASS, ConsistentTables, Key, Terms
from tacit.knowledge.skew.posterior.symmetric_tables import Tables, runs


@dataclass(frozen=True)
class StoppedCounts:
    """Published counts of an R-suppression or Unsafe-D, descending, without absent values."""

    counts: tuple[int, ...]
    n: int
    l: int

    @property
    def level(self) -> int:
        """The level M of the cut."""
        return self.counts[0]

    @property
    def top(self) -> int:
        """How many values stand at the level of the cut."""
        return self.counts.count(self.level)

    @property
    def published(self) -> int:
        """How many records are published."""
        return sum(self.counts)

    @property
    def base(self) -> int:
        """Candidacy holds when at most this plus the l-th largest count is published."""
        return self.n - self.n // self.l - 1

    def first_stop(self, cut: int, above: Any, candidates: Any) -> Any:
        """Tell whether D-steps stop at these counts, and not before.

        Parameters
        ----------
        cut
            How many values lost one record more than the level.
        above
            How many counts were above the level before the cut.
        candidates
            The most records for which candidacy holds.
        """
        p, l = self.published, self.l
        if l * self.level > p:
            return np.zeros(np.shape(above), dtype=bool)
        by_candidacy = candidates == p
        if cut:  # below the start of a level, steps can lose eligibility but not gain it: candidacy stopped them
            return by_candidacy & (above >= 0)
        # At the start of the next higher level there were p + above records, and one of the two conditions failed; or
        # no step was made at all.
        failed_before = (above == 0) | (l * (self.level + 1) > np.minimum(candidates, p + above))
        return by_candidacy | ((candidates > p) & failed_before)


def stop_cases(counts: Sequence[int], n: int, l: int, *, randomized: bool) -> Iterator[ConsistentTables]:
    """List the cases of R-suppression (``randomized``) or Unsafe-D for the descending counts of an ineligible table.

    Parameters
    ----------
    counts
        Published counts.
    n
        Records of the base table, more than are published.
    l
        Parameter of the suppression.
    randomized
        R-suppression, where the count of S1, the most frequent value, may also be below the largest.
    """
    stopped = StoppedCounts(tuple(counts), n, l)
    lows = list(counts[stopped.top :])
    below_top = lows.count(stopped.level - 1)
    for cut in range(below_top + 1):
        # Values that lost one record more have a count of M - 1, so this many of the counts M - 1 are not originals.
        known = lows[cut:]
        unknown = stopped.top + cut
        if l > unknown:
            candidates = stopped.base + counts[l - 1]
            if candidates < stopped.published or (cut and candidates != stopped.published):
                continue
        yield _top_case(stopped, known, cut, randomized=randomized)
        if randomized and l > unknown:
            # S1 was given one of the first l places, so its count is one of the l largest.
            for level, _ in runs(known[: l - unknown]):
                yield _low_case(stopped, known, cut, level)


def _top_case(stopped: StoppedCounts, known: list[int], cut: int, *, randomized: bool) -> ConsistentTables:
    """The case in which S1 was cut to the level; unknown are F1 and the originals of the other values cut to it."""
    q, n, l, M = stopped.top + cut, stopped.n, stopped.l, stopped.level

    def terms(rows: Tables) -> Terms:
        originals_above = (rows[:, 1:] > M).sum(axis=1)
        at_l = rows[:, l - 1] if l <= q else stopped.counts[l - 1]
        for h in range(1, min(l, q) + 1 if randomized else 2):
            stops = stopped.first_stop(cut, originals_above + 1, stopped.base + at_l)
            if not randomized:
                yield 1, _top_numerators(stopped, rows, cut, h, stops.astype(np.int64))
                continue
            highest = rows[:, h - 1]
            lowest = rows[:, h] if h < q else np.full(len(rows), known[0] if known else 1)
            stops_at_M = stopped.first_stop(cut, originals_above, stopped.base + at_l)
            if h == l:  # S1 itself is the l-th: candidacy holds from the start, and only eligibility stops the steps
                never = np.full(len(rows), n)
                stops = stopped.first_stop(cut, originals_above + 1, never)
                stops_at_M = stopped.first_stop(cut, originals_above, never)
            levels_above = np.maximum(highest - np.maximum(lowest, M + 1) + 1, 0)
            ways = levels_above * stops + (lowest <= M) * stops_at_M
            yield highest - lowest + 1, _top_numerators(stopped, rows, cut, h, ways)

    return ConsistentTables(
        total=n - sum(known),
        low=(max(n // l + 1, M), *(M for _ in range(q - 1))),
        fixed=tuple(known),
        terms=terms,
        denominators=n - stopped.published + M if randomized else 1,
    )


def _top_numerators(
    stopped: StoppedCounts, rows: Tables, cut: int, h: int, ways: npt.NDArray[np.int64]
) -> dict[Key, npt.NDArray[Any]]:
    """Split the probability of the case that S1 is at place h by question and published count."""
    M, top = stopped.level, stopped.top
    mine = M if h <= top else M - 1
    others_at_top = top - 1 if h <= top else top
    numerators: dict[Key, npt.NDArray[Any]] = {MASS: ways, ("first", mine): ways}
    _add(numerators, ("violating", mine), ways)
    _add(numerators, ("withheld", mine), ways * (rows[:, 0] - mine))
    _add_others(numerators, stopped, rows[:, 1:], others_at_top, cut, ways)
    return numerators


def _low_case(stopped: StoppedCounts, known: list[int], cut: int, level: int) -> ConsistentTables:
    """The case in which S1 was sent to a lower count and kept it; unknown are F1 and all originals at the level."""
    q, n, l, M = stopped.top + cut, stopped.n, stopped.l, stopped.level
    rest = list(known)
    rest.remove(level)
    larger = q + sum(x > level for x in rest)
    places = [h for h in range(larger + 1, larger + rest.count(level) + 2) if h <= l]
    beside_top = q + 1 in places

    def terms(rows: Tables) -> Terms:
        originals = rows[:, 1:]
        stops = stopped.first_stop(
            cut, (originals > M).sum(axis=1), np.full(len(rows), stopped.base + stopped.counts[l - 1])
        )
        ways = stops.astype(np.int64)
        numerators: dict[Key, npt.NDArray[Any]] = {MASS: ways, ("first", level): ways}
        _add(numerators, ("violating", level), ways)
        _add(numerators, ("withheld", level), ways * (rows[:, 0] - level))
        _add_others(numerators, stopped, originals, stopped.top, cut, ways)
        for h in places:
            lowest = rest[h - q - 1] if h - q - 1 < len(rest) else 1
            yield (originals[:, -1] if h == q + 1 else rest[h - q - 2]) - lowest + 1, numerators

    return ConsistentTables(
        total=n - sum(rest),
        low=(max(n // l + 1, M), *(M for _ in range(q))),
        fixed=tuple(rest),
        terms=terms,
        denominators=n - stopped.published + M if beside_top else len(places),
    )


def _add_others(
    numerators: dict[Key, npt.NDArray[Any]],
    stopped: StoppedCounts,
    originals: npt.NDArray[np.int64],
    at_top: int,
    cut: int,
    ways: npt.NDArray[np.int64],
) -> None:
    """Add what is asked of the values other than S1 whose originals are unknown.

    The first `at_top` of them have a published count of the level, the rest one record less.
    """
    limit = stopped.n // stopped.l
    parts = [(stopped.level, originals[:, :at_top])] + ([(stopped.level - 1, originals[:, at_top:])] if cut else [])
    for level, part in parts:
        _add(numerators, ("violating", level), ways * (part > limit).sum(axis=1))
        _add(numerators, ("withheld", level), ways * (part - level).sum(axis=1))


def _add(numerators: dict[Key, npt.NDArray[Any]], key: Key, values: npt.NDArray[Any]) -> None:
    numerators[key] = numerators[key] + values if key in numerators else values
