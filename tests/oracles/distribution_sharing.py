"""Groups of one protected tuple and others of one value, by definition: subsets and partitions are enumerated."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.oracles.distribution import worst


def closed_form(chances: Sequence[Mapping[Hashable, Fraction]], x: Hashable, y: Hashable) -> list[Fraction]:
    """p(t_j : x) where one of the people has x and all others y: p(s_j : x) / p(s_j : y), over the sum of these."""
    weights = [mine[x] / mine[y] for mine in chances]
    return [weight / sum(weights) for weight in weights]


def holds(weights: Sequence[Sequence[Fraction]], r: Fraction) -> bool:
    """Under every attribute set nobody has more than 1/r of the sum; a row is a person, a column an attribute set."""
    return all(max(column) * r <= sum(column) for column in zip(*weights, strict=True))


def cheapest(
    seed: Sequence[Fraction], others: Sequence[Sequence[Fraction]], prices: Sequence[float], r: Fraction
) -> float | None:
    """What the cheapest others cost with whom a seed's group holds; None if there are none."""
    costs = [
        sum(prices[i] for i in chosen)
        for size in range(len(others) + 1)
        for chosen in combinations(range(len(others)), size)
        if holds([seed, *(others[i] for i in chosen)], r)
    ]
    return min(costs, default=None)


def exists(
    people: Sequence[Mapping[str, Any]],
    sensitive: str,
    known: Callable,
    entry: frozenset[Hashable],
    r: Fraction,
) -> bool:
    """Some grouping hides everybody: each protected person in a group of her own with others, nobody withheld."""
    seeds = [i for i, person in enumerate(people) if person[sensitive] in entry]
    others = [i for i, person in enumerate(people) if person[sensitive] not in entry]

    def hidden(members: tuple[int, ...]) -> bool:
        rows = [people[i] for i in members]
        return worst(rows, [row[sensitive] for row in rows], known, [entry], view="exact") * r <= 1

    good = {seed: [set(c) for c in _subsets(others) if hidden((seed, *c))] for seed in seeds}

    def place(at: int, used: set[int]) -> bool:
        return at == len(seeds) or any(not c & used and place(at + 1, used | c) for c in good[seeds[at]])

    return place(0, set())


def _subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)
