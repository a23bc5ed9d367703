"""What following people costs at least, in a case that is small enough to try everything.

Two places, in each of them one person with each of four values; m = 2. Then one of the eight leaves and one comes, with
any value, at either place. A group costs something if it holds people of both places, and nothing otherwise. A first
month says for every person which signature she has; a second one keeps them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, permutations, product

VALUES = "abcd"
Person = tuple[int, str]  # where she is, and her value
Signature = frozenset[str]
PEOPLE: list[Person] = [(place, value) for place in (0, 1) for value in VALUES]
SIGNATURES = [frozenset(chosen) for size in (2, 3, 4) for chosen in combinations(VALUES, size)]


def first_months() -> Iterator[dict[Person, Signature]]:
    """Yield every way to give the eight people signatures, so that each holds as many of each of its values."""
    for times in product(range(3), repeat=len(SIGNATURES)):
        used = list(chain.from_iterable([s] * n for s, n in zip(SIGNATURES, times, strict=True)))
        if any(sum(value in s for s in used) != 2 for value in VALUES):
            continue
        for turned in product((False, True), repeat=len(VALUES)):  # which of the two who have a value gets which one
            first = {}
            for value, turn in zip(VALUES, turned, strict=True):
                mine = [s for s in used if value in s]
                first[0, value], first[1, value] = mine[::-1] if turn else mine
            yield first


def counterfeits(
    signature: dict[Person, Signature], present: list[Person], comes: Person
) -> tuple[int, list[Signature]]:
    """Return how few rows of nobody a second month needs, and the signatures of the newcomer that need no more."""
    best: dict[Signature, int] = {}
    for hers in SIGNATURES:
        if comes[1] not in hers:
            continue
        held = [(signature[person], person[1]) for person in present] + [(hers, comes[1])]
        count = Counter(held)
        lacking = 0
        for s in {s for s, _ in held}:
            most = max(count[s, value] for value in s)
            lacking += sum(most - count[s, value] for value in s)
        best[hers] = lacking
    fewest = min(best.values())
    return fewest, [s for s, many in best.items() if many == fewest]


def blurred(people: list[tuple[Person, Signature]]) -> int:
    """Return how few people stand in a group of both places; every signature holds as many of each of its values."""
    total = 0
    for s in {s for _, s in people}:
        lists = [[place for (place, value), mine in people if mine == s and value == v] for v in sorted(s)]
        ways = product([tuple(lists[0])], *(set(permutations(one)) for one in lists[1:]))
        total += min(sum(len(s) for group in zip(*way, strict=True) if len(set(group)) > 1) for way in ways)
    return total


def afresh(people: list[Person]) -> bool:
    """Whether the people can be grouped without blur: at each place nobody's value is in more than half."""
    for place in (0, 1):
        here = Counter(value for at, value in people if at == place)
        if here and 2 * max(here.values()) > sum(here.values()):
            return False
    return True
