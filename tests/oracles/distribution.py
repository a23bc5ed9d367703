"""Possible worlds, the slow and obvious way: dictionaries, fractions, and one world after another."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

Chances = Sequence[Mapping[Hashable, Fraction]]  # per tuple: value -> probability


def worlds(values: Sequence[Hashable]) -> Iterator[tuple[Hashable, ...]]:
    """Every different assignment of a multiset of values to as many tuples."""

    def place(left: Counter[Hashable], done: tuple[Hashable, ...]) -> Iterator[tuple[Hashable, ...]]:
        if len(done) == len(values):
            yield done
        for value in [v for v, count in left.items() if count]:
            left[value] -= 1
            yield from place(left, (*done, value))
            left[value] += 1

    yield from place(Counter(values), ())


def enumerated(chances: Chances, values: Sequence[Hashable]) -> list[dict[Hashable, Fraction]] | None:
    """Equation 3: sum over the worlds where t_j has x, over the sum of all; None if no world is possible."""
    total, sums = Fraction(0), [defaultdict(Fraction) for _ in chances]
    for world in worlds(values):
        weight = Fraction(1)
        for tuple_, value in zip(chances, world, strict=True):
            weight *= tuple_.get(value, Fraction(0))
        total += weight
        for j, value in enumerate(world):
            sums[j][value] += weight
    return None if total == 0 else [{v: s / total for v, s in each.items()} for each in sums]


def remembered(chances: Chances, values: Sequence[Hashable]) -> list[dict[Hashable, Fraction]] | None:
    """The same for groups too large to enumerate: the sum over the rest depends only on which values are left."""
    kinds = sorted(set(values), key=repr)

    @cache
    def rest(skipped: int, j: int, left: tuple[int, ...]) -> Fraction:
        if j == len(chances):
            return Fraction(1)
        if j == skipped:
            return rest(skipped, j + 1, left)
        total = Fraction(0)
        for k, value in enumerate(kinds):
            chance = chances[j].get(value, Fraction(0))
            if left[k] and chance:
                total += chance * rest(skipped, j + 1, (*left[:k], left[k] - 1, *left[k + 1 :]))
        return total

    counts = tuple(Counter(values)[value] for value in kinds)
    whole = rest(-1, 0, counts)
    if whole == 0:
        return None
    out = []
    for j, tuple_ in enumerate(chances):
        mine = {}
        for k, value in enumerate(kinds):
            without = (*counts[:k], counts[k] - 1, *counts[k + 1 :])
            mine[value] = tuple_.get(value, Fraction(0)) * rest(j, 0, without) / whole
        out.append(mine)
    return out


def distribution(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], sensitive: str, least: int) -> Callable:
    """Count p(s : x); a signature of fewer than `least` rows has the whole table's."""
    tables: dict[tuple[str, ...], dict[Any, Counter[Any]]] = {}
    whole = Counter(row[sensitive] for row in rows)
    for size in range(1, len(columns) + 1):
        for chosen in combinations(columns, size):
            table: dict[Any, Counter[Any]] = defaultdict(Counter)
            for row in rows:
                table[tuple(row[c] for c in chosen)][row[sensitive]] += 1
            tables[chosen] = table

    def chances(row: Mapping[str, Any], chosen: tuple[str, ...]) -> dict[Hashable, Fraction]:
        counted = tables[chosen][tuple(row[c] for c in chosen)]
        counted = counted if counted.total() >= least else whole
        return {value: Fraction(count, counted.total()) for value, count in counted.items()}

    chances.sets = list(tables)  # type: ignore[attr-defined]
    return chances


def worst(
    people: Sequence[Mapping[str, Any]],
    values: Sequence[Hashable],
    known: Callable,
    entries: Sequence[frozenset[Hashable]],
    *,
    view: str,
) -> Fraction:
    """The largest posterior of an entry for anybody in a group, over attribute sets; 1 if no world is possible."""
    largest = Fraction(0)
    for entry in entries:
        held = sum(value in entry for value in values)
        if not held:
            continue
        for chosen in known.sets:
            rows = [known(person, chosen) for person in people]
            if view == "paper":
                shares = [sum((p for v, p in row.items() if v in entry), Fraction(0)) for row in rows]
                rows = [{True: f, False: 1 - f} for f in shares]
                posterior = remembered(rows, [value in entry for value in values])
                asked: frozenset[Hashable] = frozenset({True})
            else:
                posterior, asked = remembered(rows, values), entry
            if posterior is None:
                return Fraction(1)
            for mine in posterior:
                largest = max(largest, sum((p for v, p in mine.items() if v in asked), Fraction(0)))
    return largest


def delta_max(size: int, r: float, highest: float) -> float:
    """Return how far probabilities may lie apart in a group of `size` tuples whose highest is `highest`."""
    if highest >= 1.0:
        return 0.0
    return (size - r) * highest / (highest * (r - 1) / (1.0 - highest) + size - 1)


def expected_size(delta: float, r: float, highest: float) -> float:
    """Return the least size at which a spread of `delta` is allowed; infinite where no size allows it."""
    if delta <= 0.0:
        return math.ceil(r)
    if delta >= highest or highest >= 1.0:
        return math.inf
    odds_high = highest / (1.0 - highest)
    odds_low = (highest - delta) / (1.0 - highest + delta)
    # Inequality 5 in odds: max / min <= (N - 1) / (r - 1); a hair of rounding must not ask for one tuple more.
    return math.ceil(1.0 + (r - 1.0) * odds_high / odds_low - 1e-9)
