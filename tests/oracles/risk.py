"""Disclosure risk by its definition: every known set, every record, every other record.

Exact fractions, three loops, no pruning; numbers are taken as they are written, so that .8 is 8/10. A suppressed cell
is `BLANK`. It shares no code with the package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

BLANK = "<suppressed>"


def known_sets(columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(columns) + 1):
        yield from combinations(columns, size)


def matches(
    victim: Mapping[str, Any], released: Mapping[str, Any], row: Mapping[str, Any], K: Any, missing: str
) -> bool:
    """Whether a released row may be the victim's, to somebody who knows K of her.

    `victim` is what she truly is, `released` what her own row shows.
    """
    for j in K:
        if missing == "own":
            agrees = released[j] == row[j]
        elif missing == "wildcard":
            agrees = BLANK in (released[j], row[j]) or released[j] == row[j]
        else:
            agrees = row[j] in (BLANK, victim[j])
        if not agrees:
            return False
    return True


def term(
    true: Sequence[Mapping[str, Any]],
    release: Sequence[Mapping[str, Any]],
    i: int,
    K: Sequence[str],
    known: Mapping[str, float],
    weight: Mapping[str, Mapping[Any, float]],
    alpha: float,
    missing: str,
) -> Fraction:
    """What one known set adds to the risk of record i."""
    pk = Fraction(1)
    for j in K:
        pk *= as_written(known.get(j, 0))
    F = sum(matches(true[i], release[i], row, K, missing) for row in release)
    w = Fraction(0)
    for j in release[i]:
        if j not in K and release[i][j] != BLANK:
            w += as_written(weight.get(j, {}).get(true[i][j], 0))
    return as_written(alpha) * pk / F * w if pk and w else Fraction(0)


def risks(
    true: Sequence[Mapping[str, Any]],
    release: Sequence[Mapping[str, Any]],
    known: Mapping[str, float],
    weight: Mapping[str, Mapping[Any, float]],
    alpha: float = 1,
    missing: str = "adversary",
) -> list[Fraction]:
    """The risk of every record. `weight[column][value]` is W_j * W_j(v)."""
    columns = list(true[0])
    return [
        sum((term(true, release, i, K, known, weight, alpha, missing) for K in known_sets(columns)), Fraction(0))
        for i in range(len(true))
    ]


def heaviest(
    true: Sequence[Mapping[str, Any]],
    i: int,
    known: Mapping[str, float],
    weight: Mapping[str, Mapping[Any, float]],
    alpha: float,
    missing: str,
) -> tuple[str, ...]:
    """The known set that adds most; of equals the one with fewest attributes, then the first in column order."""
    columns = list(true[0])
    return max(known_sets(columns), key=lambda K: term(true, true, i, K, known, weight, alpha, missing))


@cache
def as_written(number: float) -> Fraction:
    return Fraction(str(number))
