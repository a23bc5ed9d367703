"""Two months of m = 2, and a reader who knows the rule by which newcomers are chosen and counterfeits are made.

Month one: pairs of people with two values each. Month two: some left, some are new. The rule: as many newcomers as can
be take the places that signatures lack, while the other newcomers stay 2-eligible; what is still lacking gets a
counterfeit. All worlds are counted that are consistent with what is published, with and without the rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random

Signature = frozenset[str]


class Stream:
    """What is published: everybody's signature in both months, who is there, and the counterfeits of each signature."""

    def __init__(self, rng: Random, values: str = "abcd") -> None:
        self.before: dict[str, Signature] = {}
        self.truth: dict[str, str] = {}
        for pair in range(rng.randint(1, 2)):
            one, other = rng.sample(values, 2)
            for person, value in ((f"o{pair}x", one), (f"o{pair}y", other)):
                self.before[person], self.truth[person] = frozenset({one, other}), value
        self.stay = {person for person in self.before if rng.random() < 0.6}
        new = {f"n{i}": rng.choice(values) for i in range(rng.randint(2, 4))}
        chosen = most(self.lacking(self.truth), new)
        self.fillers = {} if chosen is None else rng.choice(chosen)
        rest = [person for person in new if person not in self.fillers]
        rng.shuffle(rest)
        self.now = dict(self.fillers)
        while rest:  # pairs of different values, the most frequent first: it works if the rest is 2-eligible
            count = Counter(new[person] for person in rest)
            (a, _), (b, _) = count.most_common(2) if len(count) > 1 else (("", 0), ("", 0))
            if not a:
                self.now = {}
                break
            for value in (a, b):
                person = next(p for p in rest if new[p] == value)
                rest.remove(person)
                self.now[person] = frozenset({a, b})
        self.possible = chosen is not None and (bool(self.now) or not new)
        self.truth |= new
        self.counterfeits = self._left_over(self.truth)

    def lacking(self, has: Mapping[str, str]) -> Counter[tuple[Signature, str]]:
        """Return which values the signatures of those who stay lack."""
        lacking: Counter[tuple[Signature, str]] = Counter()
        for signature in {self.before[person] for person in self.stay}:
            count = Counter(dict.fromkeys(signature, 0))
            count.update(has[person] for person in self.stay if self.before[person] == signature)
            for value in signature:
                lacking[signature, value] = max(count.values()) - count[value]
        return +lacking

    def _left_over(self, has: Mapping[str, str]) -> Counter[tuple[Signature, str]] | None:
        left = self.lacking(has)
        for person, signature in self.fillers.items():
            left[signature, has[person]] -= 1
        return None if any(many < 0 for many in left.values()) else +left

    def worlds(self, *, rule: bool) -> list[dict[str, str]]:
        """Return every world that is consistent with what is published, and, if asked, with the rule."""
        signature = {**self.before, **self.now}
        new = list(self.now)
        made_up = None if self.counterfeits is None else Counter(s for s, _ in self.counterfeits.elements())
        found = []
        for values in product(*(sorted(signature[person]) for person in signature)):
            has = dict(zip(signature, values, strict=True))
            if any(has[a] == has[b] for a, b in self._pairs()):
                continue
            left = self._left_over(has)
            if left is None or Counter(s for s, _ in left.elements()) != made_up:
                continue
            if rule:
                best = most(self.lacking(has), {person: has[person] for person in new})
                if best is None or len(best[0]) != len(self.fillers) or self.fillers not in best:
                    continue
            found.append(has)
        return found

    def _pairs(self) -> list[tuple[str, str]]:
        old = list(self.before)
        pairs = [(old[i], old[i + 1]) for i in range(0, len(old), 2)]
        rest = [person for person in self.now if person not in self.fillers]
        return pairs + [(rest[i], rest[i + 1]) for i in range(0, len(rest), 2)]


def most(lacking: Counter[tuple[Signature, str]], new: Mapping[str, str]) -> list[dict[str, Signature]] | None:
    """Return every choice of the most newcomers who fill, the others being 2-eligible; None if there is none."""
    places = list(lacking.elements())
    for many in range(min(len(new), len(places)), -1, -1):
        found = []
        for people in combinations(new, many):
            rest = Counter(value for person, value in new.items() if person not in people)
            if rest and 2 * max(rest.values()) > sum(rest.values()):
                continue
            found += _placed(list(people), new, lacking)
        if found:
            return found
    return None


def _placed(
    people: Sequence[str], new: Mapping[str, str], lacking: Counter[tuple[Signature, str]]
) -> list[dict[str, Signature]]:
    if not people:
        return [{}]
    first, rest = people[0], people[1:]
    found = []
    for signature, value in [key for key, many in lacking.items() if many and key[1] == new[first]]:
        left = Counter(lacking)
        left[signature, value] -= 1
        found += [{first: signature, **others} for others in _placed(rest, new, left)]
    return found


def largest(worlds: Sequence[Mapping[str, str]]) -> Fraction:
    """Return the largest posterior of anybody."""
    counts = Counter((person, value) for world in worlds for person, value in world.items())
    return max((Fraction(many, len(worlds)) for many in counts.values()), default=Fraction(0))
