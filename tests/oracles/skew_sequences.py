"""Several suppressions one after the other, and the adversary who knows all of them, by brute force.

A state is a tuple with the count of every value. A step re-ranks the values that are left, ties in every order, and
follows the law of its algorithm. Nothing is assumed of the steps but the definitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product

from tests.oracles.skew import Counts, eligible, law, partitions, weight

Step = tuple[str, int]
"""An algorithm of `tests.oracles.skew.law`, and its l."""
Steps = tuple[Step, ...]
Outcomes = dict[Counts, Fraction]


def orders(counts: Counts) -> Iterator[tuple[int, ...]]:
    """All orders of the values that are left, from most to least frequent; tied values in every order."""
    levels = sorted({count for count in counts if count}, reverse=True)
    tied = [[value for value, count in enumerate(counts) if count == level] for level in levels]
    for parts in product(*(permutations(part) for part in tied)):
        yield tuple(value for part in parts for value in part)


@cache
def step_law(counts: Counts, algorithm: str, l: int, absent: int = 0) -> Outcomes | None:
    """Published counts by value -> probability; None where the algorithm refuses.

    `absent` values of the declared domain are not in the table; an algorithm may count on them.
    """
    if eligible(counts, l):
        return {counts: Fraction(1)}
    outcomes: Outcomes = {}
    ways = list(orders(counts))
    for order in ways:
        ranked = law(algorithm, tuple(counts[value] for value in order) + (0,) * absent, l)
        if ranked is None:
            return None
        for p, published in ranked:
            state = [0] * len(counts)
            for value, count in zip(order, published, strict=False):
                state[value] = count
            outcomes[tuple(state)] = outcomes.get(tuple(state), Fraction(0)) + p / len(ways)
    return outcomes


@cache
def sequence_law(counts: Counts, steps: Steps) -> Outcomes | None:
    """The same after several steps; None where one of them refuses for some draw."""
    states: Outcomes = {counts: Fraction(1)}
    for algorithm, l in steps:
        after: Outcomes = {}
        for state, p in states.items():
            outcomes = step_law(state, algorithm, l)
            if outcomes is None:
                return None
            for published, q in outcomes.items():
                after[published] = after.get(published, Fraction(0)) + p * q
        states = after
    return states


def named(table: Counts, steps: Steps) -> dict[Counts, dict[int, Fraction]]:
    """Sorted published counts -> the probability of them with S1 at a value of each count; `table` is sorted."""
    joint: dict[Counts, dict[int, Fraction]] = {}
    for published, p in (sequence_law(table, steps) or {}).items():
        at = joint.setdefault(tuple(sorted(published, reverse=True)), {})
        at[published[0]] = at.get(published[0], Fraction(0)) + p
    return joint


def surest(at: dict[int, Fraction], published: Counts) -> Fraction:
    """The largest posterior of one value to be S1: values with equal counts share theirs."""
    return max(mass / published.count(count) for count, mass in at.items()) / sum(at.values(), start=Fraction(0))


def posterior_knowing_frequencies(table: Counts, steps: Steps, published: Counts) -> Fraction:
    """For somebody who knows how often values occur, but not which value occurs how often."""
    return surest(named(tuple(sorted(table, reverse=True)), steps)[published], published)


@cache
def posteriors_knowing_size(n: int, values: int, steps: Steps, prior: str) -> dict[Counts, Fraction]:
    """For somebody who knows n and the values: sorted published counts -> largest posterior, over all base tables."""
    joint: dict[Counts, dict[int, Fraction]] = {}
    for table in partitions(n, values):
        for published, at in named(table, steps).items():
            if sum(published) == n:
                continue  # nothing is withheld, so nothing is hidden
            here = joint.setdefault(published, {})
            for count, mass in at.items():
                here[count] = here.get(count, Fraction(0)) + mass * weight(table, prior)
    return {published: surest(at, published) for published, at in joint.items()}
