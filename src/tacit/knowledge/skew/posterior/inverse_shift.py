"""Inverting Shift, V-Shift and Safe-D: which tables lead to the published counts.

The place of the most frequent value is uniform over l places whatever the frequencies are, so no table has to be known
for it. Whether other values are too frequent, and what a withheld person has, depends on the frequencies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.knowledge.skew.posterior.consistent_tables import MASS, ConsistentTables, Key, Terms
from tacit.knowledge.skew.posterior.symmetric_tables import Tables, runs


def place_beliefs(counts: Sequence[int], places: int) -> dict[int, Fraction]:
    """Return, for each count, the probability that a value with this count is the hidden one.

    The hidden value has each of the first places with the same probability; values with tied counts share theirs.

    Examples
    --------
    >>> place_beliefs([3, 2, 2, 2, 1], 3)[2]
    Fraction(2, 9)
    """
    head = list(counts[:places])
    return {level: Fraction(head.count(level), size * places) for level, size in runs(counts)}


def shift_cases(counts: Sequence[int], n: int, l: int, *, violating: bool) -> Iterator[ConsistentTables]:
    """List the cases of Shift or V-Shift (``violating``) for descending counts of an ineligible table.

    Parameters
    ----------
    counts
        Published counts, absent values of the domain as zeros at the end.
    n
        Records of the base table, more than are published.
    l
        Parameter of the suppression.
    violating
        V-Shift, where the number of hidden values is unknown too.
    """
    for k in range(1, l if violating else 2):
        case = _blocks_case(list(counts), n, l, k, violating=violating)
        if case is not None:
            yield case


def _blocks_case(counts: list[int], n: int, l: int, k: int, *, violating: bool) -> ConsistentTables | None:
    """The case that k values were hidden in k blocks; unknown are their frequencies and those of counts at the cut."""
    if k * l > len(counts) or not counts[l - 1]:
        return None
    homes = _homes(len(counts), l, k)
    M, top = counts[0], counts.count(counts[0])
    published = sum(counts)
    if any(len({counts[i] for i in home}) > 1 for home in homes) or l * M > published:
        return None  # the last target of a block is used for two places, so both must have the same published count
    unknown = sum(home[-1] < top for home in homes)
    known = [counts[home[0]] for home in homes[unknown:]]
    limit = n // l

    def terms(rows: Tables) -> Terms:
        not_hidden = rows[:, k:]
        above = sum(
            ((not_hidden[:, i] > M) * len(homes[i]) for i in range(unknown)), start=np.zeros(len(rows), dtype=np.int64)
        )
        ways = ((above == 0) | (l * (M + 1) > published + above)).astype(np.int64)
        numerators: dict[Key, npt.NDArray[Any]] = {MASS: ways * l}

        def stands(kind: Any, i: int, share: int, value: Any) -> None:
            key = (kind, counts[i])
            numerators[key] = numerators.get(key, 0) + ways * (share * value)

        for i in range(l):
            stands("first", i, 1, 1)
        for block in range(k):
            for i in range(block * l, (block + 1) * l):
                stands("violating", i, 1, 1)
                stands("withheld", i, 1, rows[:, block] - counts[i])
        for j in range(len(homes)):
            original = not_hidden[:, j] if j < unknown else known[j - unknown]
            for i, share in _stays(j, l, k):
                stands("violating", i, share, original > limit)
                stands("withheld", i, share, original - counts[i])
        yield 1, numerators

    # V-Shift hides every value above n / l, so all values that it does not hide have at most n / l records.
    high = (*(n for _ in range(k)), *(limit for _ in range(unknown))) if violating else None
    return ConsistentTables(
        total=n - sum(known),
        low=(*(max(limit + 1, M) for _ in range(k)), *(M for _ in range(unknown))),
        high=high,
        fixed=tuple(known),
        terms=terms,
    )


def _homes(values: int, l: int, k: int) -> list[list[int]]:
    """List for each value that is not hidden the places whose target is its frequency."""
    homes = [[place] for place in range(values) if place >= k * l or place % l != l - 1]
    for block in range(k):
        homes[(block + 1) * (l - 1) - 1].append((block + 1) * l - 1)
    return homes


def _stays(j: int, l: int, k: int) -> list[tuple[int, int]]:
    """List the places that the j-th value that is not hidden may get, each with how many of the l draws lead to it."""
    if j >= k * (l - 1):
        return [(j + k, l)]
    block, own = divmod(j, l - 1)
    place = block * l + own
    return [(place, l - 1 - own), (place + 1, own + 1)]


def safe_cases(counts: Sequence[int], n: int, l: int) -> Iterator[ConsistentTables]:
    """List the one case of Safe-D: of the values tied at the largest count, fewer than l had more records before."""
    M, top = counts[0], counts.count(counts[0])
    known = tuple(counts[top:])
    withheld = n - sum(counts)
    if top < l:
        return

    def terms(rows: Tables) -> Terms:
        ones = np.ones(len(rows), dtype=np.int64)
        yield (
            1,
            {
                MASS: ones,
                ("first", M): ones,
                ("violating", M): (rows > n // l).sum(axis=1),
                ("withheld", M): ones * withheld,
            },
        )

    free = l - 1
    yield ConsistentTables(
        total=n - sum(known),
        low=(max(n // l + 1, M), *(M for _ in range(top - 1))),
        high=(*(n for _ in range(free)), *(M for _ in range(top - free))),
        fixed=known,
        terms=terms,
    )


def nothing_cases(values: int, n: int, l: int) -> Iterator[ConsistentTables]:
    """List the one case of Suppress-All: any ineligible table."""

    def terms(rows: Tables) -> Terms:
        ones = np.ones(len(rows), dtype=np.int64)
        yield (
            1,
            {
                MASS: ones,
                ("first", 0): ones,
                ("violating", 0): (rows > n // l).sum(axis=1),
                ("withheld", 0): ones * n,
            },
        )

    yield ConsistentTables(total=n, low=(n // l + 1, *(0 for _ in range(values - 1))), fixed=(), terms=terms)
