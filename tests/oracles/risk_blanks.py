"""Cover for blanks by its definition: who would have had a reason, and what the blanks among them hide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.risk import as_written, known_sets


def peers(
    rows: Sequence[Mapping[str, Any]],
    column: str,
    known: Mapping[str, float],
    weight: Mapping[str, Mapping[Any, float]],
    alpha: float,
    delta: float,
) -> list[int]:
    """The rows of the input that would be above delta if their cell weighed as much as the column's largest."""
    largest = max(as_written(weight[column].get(row[column], 0)) for row in rows)
    found = []
    for i, row in enumerate(rows):
        total = Fraction(0)
        for K in known_sets(list(row)):
            pk = Fraction(1)
            for j in K:
                pk *= as_written(known.get(j, 0))
            if not pk:
                continue
            F = sum(all(row[j] == other[j] for j in K) for other in rows)
            lost = Fraction(0)
            for j in row:
                if j not in K:
                    lost += largest if j == column else as_written(weight.get(j, {}).get(row[j], 0))
            total += as_written(alpha) * pk / F * lost
        if total > as_written(delta):
            found.append(i)
    return found


def later_peers(
    rows: Sequence[Mapping[str, Any]],
    blank: Sequence[Mapping[str, bool]],
    column: str,
    known: Mapping[str, float],
    weight: Mapping[str, Mapping[Any, float]],
    alpha: float,
    delta: float,
) -> list[int]:
    """The rows that would be above delta in the release, read by somebody to whom a blank is a value of its own.

    A row weighs what it weighs in the input, and its cell in the column as much as the column's largest. Whoever knows
    a cell of it that is blank knows which row it is.
    """
    largest = max(as_written(weight[column].get(row[column], 0)) for row in rows)
    above = []
    for i, row in enumerate(rows):
        total = Fraction(0)
        for K in known_sets(list(row)):
            pk = Fraction(1)
            for j in K:
                pk *= as_written(known.get(j, 0))
            if not pk:
                continue
            F = 1
            if not any(blank[i][j] for j in K):
                F = sum(
                    all(row[j] == other[j] and not hidden[j] for j in K)
                    for other, hidden in zip(rows, blank, strict=True)
                )
            for j in row:
                if j not in K:
                    w = largest if j == column else as_written(weight.get(j, {}).get(row[j], 0))
                    total += as_written(alpha) * pk / F * w
        if total > as_written(delta):
            above.append(i)
    return above


def blanks_hold(
    rows: Sequence[Mapping[str, Any]],
    blank: Sequence[Mapping[str, bool]],
    known: Mapping[str, float],
    weight: Mapping[str, Mapping[Any, float]],
    alpha: float,
    delta: float,
    cover: int,
    missing: str,
) -> bool:
    """The whole rule: every column, peers of the input, later peers, all who are no peers of the input.

    Where somebody who is no peer of the input has something to hide, also all rows together.
    """
    for column in weight:
        weighs = [weight[column].get(row[column], 0) > 0 for row in rows]
        if not any(weighs) or not any(cells[column] for cells in blank):
            continue
        first = set(peers(rows, column, known, weight, alpha, delta))
        kinds = [first]
        if not all(weighs):
            everybody = set(range(len(rows)))
            kinds.append(everybody - first)
            if any(weighs[i] and blank[i][column] for i in everybody - first):
                kinds.append(everybody)
            if missing == "own":
                kinds.append(set(later_peers(rows, blank, column, known, weight, alpha, delta)) - first)
        for kind in kinds:
            hidden = [i for i in kind if blank[i][column]]
            telling = sum(weighs[i] for i in hidden)
            if telling * cover > len(hidden) and len(hidden) < len(kind):
                return False
    return True


def is_covered(
    rows: Sequence[Mapping[str, Any]],
    blank: Sequence[Mapping[str, bool]],
    column: str,
    known: Mapping[str, float],
    weight: Mapping[str, Mapping[Any, float]],
    alpha: float,
    delta: float,
    cover: int,
) -> bool:
    who = peers(rows, column, known, weight, alpha, delta)
    hidden = [i for i in who if blank[i][column]]
    telling = [i for i in hidden if weight[column].get(rows[i][column], 0) > 0]
    return len(telling) * cover <= len(hidden) or all(blank[i][column] for i in who)
