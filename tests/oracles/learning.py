"""The reader who learns, the slow and obvious way: plain loops, and every way to deal the values of a group out.

Nothing is shared with the package. People are dictionaries of quasi-identifiers, groups are lists of people with the
list of values that the group holds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations, permutations
from typing import Any

Person = dict[str, Any]
Group = tuple[list[Person], list[Hashable]]
Beliefs = list[list[dict[Hashable, float]]]
"""Per group and person: how probable each value of the group is."""


def group_shares(groups: Sequence[Group]) -> Beliefs:
    """Before anything is learned, each person of a group has the group's shares."""
    return [[{v: c / len(values) for v, c in Counter(values).items()} for _ in people] for people, values in groups]


class NaiveBayes:
    """p(v) and p(x_a | v) from beliefs, with `smoothing` people added to every value of every column."""

    def __init__(self, groups: Sequence[Group], beliefs: Beliefs, domain: Any, values: Any, smoothing: float) -> None:
        self.values, self.domain = values, domain
        total = dict.fromkeys(values, 0.0)
        count = {(a, x, v): 0.0 for a, known in domain.items() for x in known for v in values}
        for (people, _), believed in zip(groups, beliefs, strict=True):
            for person, chances in zip(people, believed, strict=True):
                for v, p in chances.items():
                    total[v] += p
                    for a in domain:
                        count[a, person[a], v] += p
        everybody = sum(total.values())
        self.prior = {v: (total[v] + smoothing) / (everybody + smoothing * len(values)) for v in values}
        self.given = {
            (a, x, v): (count[a, x, v] + smoothing)
            / (sum(count[a, y, v] for y in domain[a]) + smoothing * len(domain[a]))
            for (a, x, v) in count
        }

    def chances(self, person: Person, temperature: float = 1.0, factor: Any = None) -> dict[Hashable, float]:
        """p(v | x): powers of what the model says, times a factor for each value, made to add up to one."""
        weight = {v: self.prior[v] * math.prod(self.given[a, person[a], v] for a in self.domain) for v in self.values}
        weight = {v: w**temperature * (1.0 if factor is None else factor[v]) for v, w in weight.items()}
        total = sum(weight.values())
        return {v: w / total for v, w in weight.items()}


def matched(
    people: Sequence[Person],
    values: Sequence[Hashable],
    model: NaiveBayes,
    temperature: float = 1.0,
    factor: Any = None,
) -> tuple[Any, float]:
    """Weigh every different world by the product of p(w_i | x_i): beliefs, and the weight of all worlds."""
    chances = [model.chances(person, temperature, factor) for person in people]
    sums: list[dict[Hashable, float]] = [dict.fromkeys(values, 0.0) for _ in people]
    total = 0.0
    for world in set(permutations(values)):
        weight = math.prod(chances[i][v] for i, v in enumerate(world))
        total += weight
        for i, v in enumerate(world):
            sums[i][v] += weight
    return [{v: s / total for v, s in each.items()} for each in sums], total


def read(
    groups: Sequence[Group], domain: Any, values: Any, rounds: int, smoothing: float, temperatures: Sequence[float] = ()
) -> tuple[Beliefs, NaiveBayes]:
    """Learn from what is believed, match in every group, and repeat; at a temperature per round."""
    beliefs = group_shares(groups)
    for each in range(rounds):
        model = NaiveBayes(groups, beliefs, domain, values, smoothing)
        temperature = temperatures[each] if temperatures else 1.0
        beliefs = [matched(people, held, model, temperature)[0] for people, held in groups]
    return beliefs, model


def likelihoods(groups: Sequence[Group], domain: Any, values: Any, rounds: int, smoothing: float) -> list[float]:
    """Learn from four groups of five; how likely are the counts of the fifth, per person, round by round?"""
    seen = [group for number, group in enumerate(groups) if number % 5 != 4]
    held = [group for number, group in enumerate(groups) if number % 5 == 4]
    found = []
    for each in range(1, rounds + 1):
        _, model = read(seen, domain, values, each, smoothing)
        logs = sum(math.log(matched(people, dealt, model)[1]) for people, dealt in held)
        found.append(logs / sum(len(people) for people, _ in held))
    return found


def tempered_likelihood(
    groups: Sequence[Group], model: NaiveBayes, others: Sequence[Group], temperature: float
) -> float:
    """How likely counts are, per person, if scores are multiplied and values are scaled to the counts of others."""
    first = [model.chances(person, temperature) for members, _ in others for person in members]
    last = calibrated(model, others, temperature)
    factor = {v: last[0][v] / first[0][v] for v in model.values}
    logs = sum(math.log(matched(people, held, model, temperature, factor)[1]) for people, held in groups)
    return logs / sum(len(people) for people, _ in groups)


def calibrated(model: NaiveBayes, groups: Sequence[Group], temperature: float = 1.0) -> list[dict[Hashable, float]]:
    """Scale values to their counts and people to one, in turns, until nothing changes."""
    people = [person for members, _ in groups for person in members]
    wanted = Counter(v for _, values in groups for v in values)
    chances = [model.chances(person, temperature) for person in people]
    for _ in range(2000):
        for v in model.values:
            expected = sum(each[v] for each in chances)
            for each in chances:
                each[v] *= wanted[v] / expected
        for each in chances:
            total = sum(each.values())
            for v in each:
                each[v] /= total
    return chances


def facts_needed(values: Sequence[Hashable], limit: float, kind: str) -> int | None:
    """The fewest facts about a group until some belief exceeds `limit` (1: is certainty), by trying all sets of facts.

    `kind` is "neighbours" (people are told apart, and some have known values) or "values" (the target lacks some).
    """
    people = range(len(values))
    for many in range(len(values) + 1):
        if kind == "neighbours":
            for known in combinations(people, many):
                rest = Counter(values[i] for i in people if i not in known)
                if rest and _exceeds(max(rest.values()), sum(rest.values()), limit):
                    return many
        else:
            for excluded in combinations(sorted(set(values), key=repr), many):
                rest = Counter(v for v in values if v not in excluded)
                if rest and _exceeds(max(rest.values()), sum(rest.values()), limit):
                    return many
    return None


def _exceeds(part: int, whole: int, limit: float) -> bool:
    return part == whole if limit == 1 else part / whole > limit


def decided_by(
    tables: Sequence[Sequence[int]],
    values: Sequence[Hashable],
    person: int | None,
    nobody: Sequence[Sequence[tuple[int, Hashable]]] = (),
) -> set[int]:
    """Who is certain if one person's value is known: use up known values, group by group, until nothing changes.

    The values of rows that are nobody's, a list of group and value per table, are never used up.
    """
    known = set() if person is None else {person}
    while True:
        before = set(known)
        for t, groups in enumerate(tables):
            for group in set(groups):
                rest = [i for i, g in enumerate(groups) if g == group and i not in known]
                made_up = {value for g, value in nobody[t] if g == group} if nobody else set()
                if rest and len({values[i] for i in rest} | made_up) == 1:
                    known |= set(rest)
        if known == before:
            return known
