"""The beliefs of somebody who reads several tables, from their definition: all worlds, each equally likely.

A world gives a value to everybody, known or not, so that every group of every table shows what it does. Of people who
are not known by name only their number in each group is; they are different in every table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product


def posteriors(
    groups: Sequence[Sequence[int | None]], shown: Sequence[Mapping[int, Sequence[str]]]
) -> list[dict[str, Fraction]] | None:
    """Return per person how likely each value is; None if there is no world.

    `groups[table][person]` is her group there, and `shown[table][group]` all values that it shows, with repetitions.
    """
    values = sorted({value for table in shown for held in table.values() for value in held})
    count = len(groups[0])
    total, had = 0, [dict.fromkeys(values, 0) for _ in range(count)]
    for world in product(values, repeat=count):
        ways = 1
        for mine, table in zip(groups, shown, strict=True):
            for group, held in table.items():
                left = list(held)
                for person in range(count):
                    if mine[person] == group:
                        if world[person] not in left:
                            ways = 0
                            break
                        left.remove(world[person])
                if not ways:
                    break
                ways *= len(set(permutations(left)))
            if not ways:
                break
        total += ways
        for person in range(count):
            had[person][world[person]] += ways
    if not total:
        return None
    return [{value: Fraction(n, total) for value, n in mine.items() if n} for mine in had]
