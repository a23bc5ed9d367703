"""Special uniques by the book: every set of columns of every row, one after another; and risks of a sample as sums."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import log, sqrt

Row = Sequence[object]


def minimal_sets(rows: Sequence[Row], largest: int) -> list[list[tuple[int, ...]]]:
    """List, for every row, the sets of columns by which it is alone and by no part of which it is."""
    found: list[list[tuple[int, ...]]] = [[] for _ in rows]
    for size in range(1, largest + 1):
        for columns in combinations(range(len(rows[0])), size):
            keys = [tuple(row[column] for column in columns) for row in rows]
            for at, key in enumerate(keys):
                if keys.count(key) == 1 and not any(set(known) <= set(columns) for known in found[at]):
                    found[at].append(columns)
    return found


def set_score(columns: int, largest: int, size: int) -> int:
    """Multiply (columns - i) for i from the size of the set to the largest, as long as that is not zero."""
    score = 1
    for i in range(size, largest + 1):
        if i < columns:
            score *= columns - i
    return score


def scores(rows: Sequence[Row], largest: int) -> list[int]:
    """Add up what the sets of each row are worth."""
    columns = len(rows[0])
    return [sum(set_score(columns, largest, len(each)) for each in sets) for sets in minimal_sets(rows, largest)]


def column_shares(rows: Sequence[Row], largest: int) -> list[Fraction]:
    """Return the share of all scores in whose sets each column is."""
    columns = len(rows[0])
    total, parts = 0, [0] * columns
    for sets in minimal_sets(rows, largest):
        for each in sets:
            worth = set_score(columns, largest, len(each))
            total += worth
            for column in each:
                parts[column] += worth
    return [Fraction(part, total) if total else Fraction(0) for part in parts]


def individual_risk(rows: int, people: float) -> float:
    """Sum 1/j times the negative binomial probability that j people share what `rows` sampled ones share."""
    p = rows / people
    if p >= 1:
        return 1 / rows
    total, j, weight = 0.0, rows, p**rows
    while weight > 1e-18 or j < people:
        total += weight / j
        weight *= (1 - p) * j / (j - rows + 1)
        j += 1
    return total


def individual_risk_of_one(people: float) -> float:
    """Return the closed form for one sampled row."""
    p = 1 / people
    return p / (1 - p) * log(1 / p)


def wilson(right: int, people: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Solve (p - share)^2 = z^2 p (1 - p) / n for p, by halving, from both sides of the share."""
    share = right / people

    def outside(p: float) -> bool:
        return abs(p - share) > z * sqrt(p * (1 - p) / people)

    ends = []
    for far in (0.0, 1.0):
        inside, beyond = share, far
        if not outside(far) and far in (share,):
            ends.append(far)
            continue
        for _ in range(200):
            middle = (inside + beyond) / 2
            if outside(middle):
                beyond = middle
            else:
                inside = middle
        ends.append(inside)
    return ends[0], ends[1]
