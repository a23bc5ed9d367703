"""The verdict on r-robustness by brute force: every world of every small group, one after another, in whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

Row = Mapping[str, Hashable]
Weights = Mapping[Hashable, int]  # of one person: value -> probability, times a number that is the same for all values


@cache
def every_world(values: tuple[Hashable, ...]) -> tuple[tuple[Hashable, ...], ...]:
    """Every different order of a multiset of values, which is given sorted."""
    if not values:
        return ((),)
    worlds = []
    for value in dict.fromkeys(values):
        rest = list(values)
        rest.remove(value)
        worlds += [(value, *world) for world in every_world(tuple(rest))]
    return tuple(worlds)


def possible(people: Sequence[Weights], values: Sequence[Hashable]) -> bool:
    """Whether some world gives everybody a value that she may have."""
    return any(
        all(person.get(value, 0) > 0 for person, value in zip(people, world, strict=True))
        for world in every_world(tuple(sorted(values)))
    )


def largest(people: Sequence[Weights], values: Sequence[Hashable], entries: Sequence[frozenset]) -> Fraction | None:
    """The largest posterior of an entry for anybody in a group; None if no world is possible."""
    total, held = 0, [Counter() for _ in people]
    for world in every_world(tuple(sorted(values))):
        weight = 1
        for person, value in zip(people, world, strict=True):
            weight *= person.get(value, 0)
            if not weight:
                break
        total += weight
        if weight:
            for j, value in enumerate(world):
                held[j][value] += weight
    if not total:
        return None
    return Fraction(max(sum(mine[value] for value in entry) for mine in held for entry in entries), total)


def own_distribution(rows: Sequence[Row], columns: Sequence[str], sensitive: str, least: int) -> list:
    """The table's own: per attribute set a function from a person to her weights."""
    whole = Counter(row[sensitive] for row in rows)
    known = []
    for size in range(1, len(columns) + 1):
        for chosen in combinations(columns, size):
            counted: dict[tuple, Counter] = {}
            for row in rows:
                counted.setdefault(tuple(row[c] for c in chosen), Counter())[row[sensitive]] += 1

            def weights(person: Row, chosen: tuple = chosen, counted: dict = counted) -> Weights:
                mine = counted[tuple(person[c] for c in chosen)]
                return mine if mine.total() >= least else whole

            known.append(weights)
    return known


def holds(
    groups: Sequence[tuple[Sequence[Row], Sequence[Hashable]]],
    known: Sequence,
    entries: Sequence[frozenset[Hashable]],
    *,
    r: Fraction,
    view: str,
) -> bool:
    """Whether under every attribute set nobody of any group has an entry with more than 1/r."""
    for people, values in groups:
        asked = [entry for entry in entries if any(value in entry for value in values)]
        for weights in known if asked else ():
            rows: list[Weights] = [weights(person) for person in people]
            if view == "exact":
                tops = [largest(rows, values, asked)]
            else:
                tops = []
                for entry in asked:
                    shares = [sum(w for v, w in row.items() if v in entry) for row in rows]
                    two = [{True: s, False: sum(row.values()) - s} for s, row in zip(shares, rows, strict=True)]
                    tops.append(largest(two, [value in entry for value in values], [frozenset({True})]))
            if any(top is None or top * r > 1 for top in tops):
                return False
    return True
