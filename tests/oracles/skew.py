"""Suppression by single D-steps, and the adversary by brute force: slow, obvious, and independent of the closed forms.

Everything here works on a base table in rank order (most frequent value first) and follows the sentences of the
definitions one record at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

Counts = tuple[int, ...]
Law = list[tuple[Fraction, Counts]]
"""Outcomes of a run: probability, and the published count of the value of rank 1, 2, ... in T."""


def eligible(counts: Counts, l: int) -> bool:
    return all(count * l <= sum(counts) for count in counts)


def candidacy(counts: Counts, n: int, l: int) -> bool:
    withheld = n - sum(counts)
    return (sorted(counts, reverse=True)[l - 1] + withheld) * l > n


def d_steps(counts: Counts, stop: Callable[[Counts], bool]) -> Counts:
    now = list(counts)
    while not stop(tuple(now)):
        top = max(now)
        last = max(i for i, count in enumerate(now) if count == top)
        now[last] -= 1
    return tuple(now)


def unsafe_d(table: Counts, l: int) -> Counts:
    n = sum(table)
    return d_steps(table, lambda c: eligible(c, l) and candidacy(c, n, l))


def safe_d(table: Counts, l: int) -> Counts:
    return d_steps(table, lambda c: max(c) == table[l - 1])


def r_suppression(table: Counts, l: int, h: int, level: int) -> Counts:
    n = sum(table)
    ordered = (*table[1:h], level, *table[h:])
    done = d_steps(ordered, lambda c: eligible(c, l) and candidacy(c, n, l))
    return (done[h - 1], *done[: h - 1], *done[h:])


def r_draws(table: Counts, l: int) -> Iterator[tuple[Fraction, int, int]]:
    for h in range(1, l + 1):
        low = table[h] if h < len(table) else 1
        levels = range(low, table[h - 1] + 1)
        for level in levels:
            yield Fraction(1, l * len(levels)), h, level


def cut_level(target: Counts, l: int) -> int:
    return max(M for M in range(max(target) + 1) if l * M <= sum(min(g, M) for g in target))


def v_shift(table: Counts, l: int, k: int) -> Law | None:
    """The law of Shift for the first ``k`` ranks, None where it cannot be done; ``table`` may end in zeros."""
    if k * l > len(table):
        return None
    u = list(table[k:])
    g: list[int] = []
    for _ in range(k):
        block, u = u[: l - 1], u[l - 1 :]
        g += [*block, block[-1]]
    g += u
    level = cut_level(tuple(g), l)
    if level == 0:
        return None
    cut = [min(x, level) for x in g]
    law = []
    for places in product(range(l), repeat=k):
        taken = {block * l + place for block, place in enumerate(places)}
        others = [x for i, x in enumerate(cut) if i not in taken]
        hidden = [cut[block * l + place] for block, place in enumerate(places)]
        law.append((Fraction(1, l**k), (*hidden, *others)))
    return law


def violating(table: Counts, l: int) -> int:
    return sum(f * l > sum(table) for f in table)


def law(algorithm: str, table: Counts, l: int) -> Law | None:
    """Every outcome of ``algorithm`` on an ineligible sorted table, or None where the algorithm is infeasible."""
    m = sum(f > 0 for f in table)
    zeros = (0,) * (len(table) - m)
    if algorithm == "suppress-all":
        return [(Fraction(1), (0,) * len(table))]
    if l > m:
        return None
    present = table[:m]
    if algorithm == "unsafe-d":
        return [(Fraction(1), unsafe_d(present, l) + zeros)]
    if algorithm == "safe-d":
        return [(Fraction(1), safe_d(present, l) + zeros)]
    if algorithm == "r":
        return [(p, r_suppression(present, l, h, level) + zeros) for p, h, level in r_draws(present, l)]
    if algorithm == "shift":
        return v_shift(table, l, 1)
    if algorithm == "v-shift":
        return v_shift(table, l, violating(table, l))
    raise AssertionError(algorithm)


def partitions(n: int, parts: int, largest: int | None = None) -> Iterator[Counts]:
    """Sorted tables of ``n`` records and ``parts`` values, absent values included as zeros."""
    largest = n if largest is None else largest
    if parts == 0:
        if n == 0:
            yield ()
        return
    for first in range(min(n, largest), -1, -1):
        if first * parts < n:
            return
        for rest in partitions(n - first, parts - 1, first):
            yield (first, *rest)


def labellings(table: Counts) -> int:
    return factorial(len(table)) // prod(factorial(table.count(x)) for x in set(table))


def weight(table: Counts, prior: str) -> int:
    if prior == "frequencies":
        return labellings(table)
    return labellings(table) * factorial(sum(table)) // prod(factorial(f) for f in table)


Seen = dict[Counts, tuple[Fraction, dict[int, Fraction], dict[int, Fraction], dict[int, Fraction]]]


def outcomes(algorithm: str, n: int, parts: int, l: int, prior: str) -> Seen:
    """Sorted published counts -> mass, and by published count the mass of S1, of violating values, of the withheld.

    The masses by published count are for one value with that count.
    """
    mass: dict[Counts, Fraction] = {}
    by: dict[Counts, list[dict[int, Fraction]]] = {}
    for table in partitions(n, parts):
        if eligible(table, l):
            continue
        for p, published in law(algorithm, table, l) or []:
            seen = tuple(sorted(published, reverse=True))
            w = p * weight(table, prior)
            mass[seen] = mass.get(seen, Fraction(0)) + w
            first, broken, withheld = by.setdefault(seen, [{}, {}, {}])
            for rank, (f, c) in enumerate(zip(table, published, strict=True)):
                one = w / seen.count(c)
                if rank == 0:
                    first[c] = first.get(c, Fraction(0)) + one
                if f * l > n:
                    broken[c] = broken.get(c, Fraction(0)) + one
                withheld[c] = withheld.get(c, Fraction(0)) + one * (f - c) / (n - sum(seen))
    return {seen: (mass[seen], *by[seen]) for seen in mass}  # type: ignore[misc]


def posteriors(algorithm: str, n: int, parts: int, l: int, prior: str) -> dict[Counts, list[list[Fraction]]]:
    """Sorted published counts -> posteriors of each value to be S1, to violate, to be a withheld person's."""
    result = {}
    for seen, (mass, *kinds) in outcomes(algorithm, n, parts, l, prior).items():
        result[seen] = [[kind.get(c, Fraction(0)) / mass for c in seen] for kind in kinds]
    return result


def worst_after(table: Counts, l: int, releases: int) -> Fraction:
    """Largest posterior of being S1 after several Shifts of the same table with a fresh draw each.

    The adversary knows the multiset of frequencies, not which value has which: all labellings, all draws.
    """
    shift = law("shift", table, l)
    assert shift is not None
    joint: dict[tuple[Counts, ...], dict[int, Fraction]] = {}
    for ranks in permutations(range(len(table))):  # ranks[label] = rank
        for series in product(shift, repeat=releases):
            seen = tuple(tuple(counts[rank] for rank in ranks) for _, counts in series)
            p = prod((q for q, _ in series), start=Fraction(1))
            named = joint.setdefault(seen, {})
            named[ranks.index(0)] = named.get(ranks.index(0), Fraction(0)) + p
    return max(max(named.values()) / sum(named.values()) for named in joint.values())


def withheld_formula(table: Counts, l: int, k: int) -> dict[int, Fraction]:
    """The page's formula for Shift: published count -> probability that a withheld person has one value with it.

    With F1 the frequency of the hidden value of a block, the value at place i of the block lost on average (F1 + (l-i)
    F(i+1) + (i-1) F(i) - l c(i)) / l of the withheld records; the hidden value is there for one draw of l, the value
    that belongs there for l - i draws, the one before it for i - 1 draws.
    """
    u = list(table[k:])
    blocks = [u[b * (l - 1) : (b + 1) * (l - 1)] for b in range(k)]
    g = [x for own in blocks for x in (*own, own[-1])] + u[k * (l - 1) :]
    level = cut_level(tuple(g), l)
    cut = [min(x, level) for x in g]
    lost = [Fraction(x - c) for x, c in zip(g, cut, strict=True)]
    for b, own in enumerate(blocks):
        for i in range(1, l + 1):
            after, before = (own[i - 1] if i < l else 0), (own[i - 2] if i > 1 else 0)
            lost[b * l + i - 1] = Fraction(table[b] + (l - i) * after + (i - 1) * before, l) - cut[b * l + i - 1]
    withheld = sum(table) - sum(cut)
    shares: dict[int, Fraction] = {}
    for c, x in zip(cut, lost, strict=True):
        shares[c] = shares.get(c, Fraction(0)) + x / (withheld * cut.count(c))
    return shares
