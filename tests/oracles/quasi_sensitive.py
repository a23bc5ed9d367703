"""Quasi-sensitive items from the definitions, in fractions: slow and obvious."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations

Row = frozenset[str]
Knowledge = Mapping[str, Iterable[str]]
Belief = dict[str, Fraction]


def links(row: Iterable[str], knowledge: Knowledge) -> set[str]:
    return {label for label, items in knowledge.items() if set(row) <= set(items)}


def belief(rows: Sequence[Iterable[str]], knowledge: Knowledge) -> Belief:
    believed = {label: Fraction(0) for label in knowledge}
    for row in rows:
        labels = links(row, knowledge)
        for label in labels:
            believed[label] += Fraction(1, len(labels)) / len(rows)
    return believed


def reach(believed: Belief, c: Fraction) -> int | None:
    """The largest l; None where nobody links."""
    p = sorted((value for value in believed.values() if value > 0), reverse=True)
    if not p:
        return None
    return max((l for l in range(1, len(p) + 1) if p[0] <= c * sum(p[l - 1 :])), default=0)


def diverse(rows: Sequence[Iterable[str]], knowledge: Knowledge, c: Fraction, l: int) -> bool:
    reached = reach(belief(rows, knowledge), c)
    return reached is None or reached >= l


def distance2(x: Belief, y: Belief) -> Fraction:
    return sum(((x[label] - y[label]) ** 2 for label in x), Fraction(0))


def close(rows: Sequence[Iterable[str]], knowledge: Knowledge, t: Fraction, prior: Belief) -> bool:
    believed = belief(rows, knowledge)
    return not any(believed.values()) or distance2(believed, prior) <= t * t


def prior(name: str, knowledge: Knowledge, rows: Sequence[Iterable[str]]) -> Belief:
    if name == "data":
        return belief(rows, knowledge)
    parts = {label: len(set(items)) if name == "size" else 1 for label, items in knowledge.items()}
    return {label: Fraction(part, sum(parts.values())) for label, part in parts.items()}


Person = tuple[int, frozenset[str]]
"""Who somebody is, a number, and the items."""


def left_out(published: Sequence[Person], table: Sequence[Person]) -> set[tuple[Row, ...]]:
    """Every multiset of items that may have been left out: published rows are people of the table with fewer items.

    All ways to give every published row a person of its own are tried. No way: the release is no part of the table.
    """
    worlds = set()
    for behind in permutations(range(len(table)), len(published)):
        pairs = [(row, table[person]) for row, person in zip(published, behind, strict=True)]
        if all(row[0] == person[0] and row[1] <= person[1] for row, person in pairs):
            rest = [table[i][1] for i in range(len(table)) if i not in behind]
            worlds.add(tuple(sorted(rest, key=sorted)))
    return worlds


def groups(people: Sequence[Person]) -> list[list[Row]]:
    """The sets of items of those who cannot be told apart."""
    return [[items for who, items in people if who == each] for each in sorted({who for who, _ in people})]


def row_cost(before: int, after: int) -> Fraction:
    return sum((Fraction(1, left) for left in range(after + 1, before + 1)), Fraction(0))


def cost(before: Sequence[Iterable[str]], after: Sequence[Iterable[str]]) -> Fraction:
    """T, of rows that stand in the same order."""
    removed = sum((row_cost(len(set(x)), len(set(y))) for x, y in zip(before, after, strict=True)), Fraction(0))
    whole = sum((row_cost(len(set(x)), 0) for x in before), Fraction(0))
    return removed / whole if whole else Fraction(0)


def patterns(rows: Sequence[Row]) -> Iterable[list[Row]]:
    """Every way to remove items."""
    if not rows:
        yield []
        return
    first = sorted(rows[0])
    for size in range(len(first) + 1):
        for kept in combinations(first, size):
            for others in patterns(rows[1:]):
                yield [frozenset(kept), *others]


def best(rows: Sequence[Row], holds: object) -> Fraction | None:
    """The least cost of a removal pattern that holds, by trying all; None if none does."""
    costs = [cost(rows, kept) for kept in patterns(list(rows)) if holds(kept)]  # type: ignore[operator]
    return min(costs, default=None)
