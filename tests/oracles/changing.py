"""All worlds of a stream of releases, counted one by one: the definition of what a reader of all of them can believe.

A release is a list of marginals; a marginal is a list of groups; a group is (people in it, published values). People
are known to be in the group; the published values that are left over belong to counterfeits, which are rows of the
release and so have the same values in each of its marginals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product

Group = tuple[Sequence[Hashable], Sequence[Hashable]]
Marginal = Sequence[Group]


def posteriors(releases: Sequence[Sequence[Marginal]]) -> dict[Hashable, dict[Hashable, Fraction]] | None:
    """Return the share of worlds in which each person has each value; None where no world is consistent."""
    allowed: dict[Hashable, set[Hashable]] = {}
    for marginals in releases:
        for groups in marginals:
            for people, values in groups:
                for person in people:
                    allowed[person] = allowed.get(person, set(values)) & set(values)
    everybody = sorted(allowed, key=str)
    worlds: Counter[tuple[Hashable, Hashable]] = Counter()
    total = 0
    for world in product(*(sorted(allowed[person], key=str) for person in everybody)):
        has = dict(zip(everybody, world, strict=True))
        if all(_possible(marginals, has) for marginals in releases):
            total += 1
            worlds.update(has.items())
    if not total:
        return None
    return {p: {v: Fraction(worlds[p, v], total) for v in allowed[p] if worlds[p, v]} for p in everybody}


def _possible(marginals: Sequence[Marginal], has: dict[Hashable, Hashable]) -> bool:
    left = []
    for groups in marginals:
        nobody: Counter[Hashable] = Counter()
        for people, values in groups:
            rest = Counter(values)
            rest.subtract(has[person] for person in people)
            if min(rest.values()) < 0:
                return False
            nobody += rest
        left.append(nobody)
    return all(each == left[0] for each in left)
