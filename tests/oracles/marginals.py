"""Slow and obvious twins for m-invariance: the slides' literal steps, brute force, and worlds by enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np


def is_eligible(values: Sequence[Any], m: int) -> bool:
    return not len(values) or m * max(Counter(values).values()) <= len(values)


def assign(values: Sequence[Any], m: int) -> list[list[int]]:
    """Step 2, word for word, on one sub-table; return the members of each bucket."""
    left: dict[Any, list[int]] = {}
    for row, value in enumerate(values):
        left.setdefault(value, []).append(row)
    buckets = []
    while any(left.values()):
        ranked = sorted((v for v in left if left[v]), key=lambda v: -len(left[v]))
        n = [len(left[v]) for v in ranked]
        g = sum(n)
        for b in range(m, len(n) + 1):
            following = n[b] if b < len(n) else 0
            fitting = [a for a in range(1, n[b - 1] + 1) if m * (n[0] - a) <= g - a * b and m * following <= g - a * b]
            if fitting:
                a = max(fitting)
                buckets.append([left[v].pop(0) for v in ranked[:b] for _ in range(a)])
                break
        else:
            raise AssertionError("what remains is not eligible")
    return buckets


def literal_partition(
    points: np.ndarray, values: np.ndarray, spans: Sequence[float], m: int, rounds: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Step 1 of the slides on numbers (a span) and nominal codes (span 0: one over the domain less one); seeds stay."""
    units = [1.0 / max(1, len(np.unique(points[:, a])) - 1) for a in range(points.shape[1])]
    done, todo = [], [np.arange(len(points))]
    while todo:
        whole = todo.pop()
        for _ in range(rounds):
            if len(whole) < 2 * m:
                continue
            order = rng.permutation(whole)
            sides = _sides(points, order, spans, units)
            if all(len(s) and is_eligible(values[s].tolist(), m) for s in sides):
                todo += sides
                break
        else:
            done.append(whole)
    return done


def _sides(points: np.ndarray, order: np.ndarray, spans: Sequence[float], units: Sequence[float]) -> list[np.ndarray]:
    numeric = [a for a, span in enumerate(spans) if span > 0]
    key = points[order][:, numeric].sum(axis=1) if numeric else np.arange(len(order))
    seeds = [int(np.argmax(key)), int(np.argmin(key))]
    if seeds[0] == seeds[1]:
        seeds[1] = (seeds[0] + 1) % len(order)
    boxes = [
        [[points[order[s], a]] * 2 if spans[a] > 0 else {points[order[s], a]} for a in range(len(spans))] for s in seeds
    ]
    sides: list[list[int]] = [[int(order[seeds[0]])], [int(order[seeds[1]])]]
    for i, row in enumerate(order):
        if i in seeds:
            continue
        growth = []
        for box in boxes:
            total = 0.0
            for a, part in enumerate(box):
                p = points[row, a]
                if spans[a] > 0:
                    total += (max(part[1], p) - min(part[0], p) - (part[1] - part[0])) / spans[a]
                else:
                    total += (p not in part) * units[a]
            growth.append(total)
        tied = growth[0] == growth[1]
        side = int(len(sides[1]) < len(sides[0]) if tied else growth[1] < growth[0])
        sides[side].append(int(row))
        for a, part in enumerate(boxes[side]):
            p = points[row, a]
            if spans[a] > 0:
                part[0], part[1] = min(part[0], p), max(part[1], p)
            else:
                part.add(p)
    return [np.array(side) for side in sides]


def best_groups(lists: Sequence[Sequence[int]], cost: Callable[[tuple[int, ...]], float]) -> float:
    """The least total cost of groups of one tuple per list, by trying everything."""
    first, rest = lists[0], lists[1:]
    least = float("inf")
    for chosen in product(*(permutations(each) for each in rest)):
        total = 0.0
        for i, row in enumerate(first):
            total += cost((row, *(each[i] for each in chosen)))
            if total >= least:
                break
        least = min(least, total)
    return least


def worlds(groups: Sequence[Sequence[int]], values: Sequence[Any]) -> tuple[int, list[Counter]]:
    """Enumerate all assignments that give every group of every marginal its multiset of values."""
    wanted = [
        {g: Counter(v for h, v in zip(mine, values, strict=True) if h == g) for g in set(mine)} for mine in groups
    ]
    people = range(len(values))
    found: list[Counter] = [Counter() for _ in people]
    count = 0

    def deal(person: int, given: list[Any]) -> None:
        nonlocal count
        if person == len(values):
            count += 1
            for p, value in enumerate(given):
                found[p][value] += 1
            return
        for value in sorted(set(values), key=str):
            if all(left[mine[person]][value] > 0 for mine, left in zip(groups, wanted, strict=True)):
                for mine, left in zip(groups, wanted, strict=True):
                    left[mine[person]][value] -= 1
                deal(person + 1, [*given, value])
                for mine, left in zip(groups, wanted, strict=True):
                    left[mine[person]][value] += 1

    deal(0, [])
    return count, found


def posteriors(groups: Sequence[Sequence[int]], values: Sequence[Any]) -> list[dict[Any, Fraction]]:
    count, found = worlds(groups, values)
    return [{value: Fraction(n, count) for value, n in each.items()} for each in found]


def is_invariant(groups: Sequence[Sequence[int]], values: Sequence[Any], m: int) -> bool:
    """m-unique in every marginal, and the same signature in all, person by person."""
    signatures = []
    for mine in groups:
        members: dict[int, list[Any]] = {}
        for group, value in zip(mine, values, strict=True):
            members.setdefault(group, []).append(value)
        if any(len(each) < m or len(set(each)) < len(each) for each in members.values()):
            return False
        signatures.append([frozenset(members[group]) for group in mine])
    return all(each == signatures[0] for each in signatures)


def bucket_verdicts(groups: Sequence[Counter], l: int, c: Fraction, alpha: Fraction, k: int) -> dict[str, bool]:
    """Judge groups of counted values by the definitions, in whole numbers."""

    def entropy(group: Counter) -> bool:  # sum -p log p >= log l, raised to the power n
        n = sum(group.values())
        product = 1
        for count in group.values():
            product *= count**count
        return n**n >= l**n * product

    def recursive(group: Counter) -> bool:
        ranked = sorted(group.values(), reverse=True)
        return ranked[0] < c * sum(ranked[l - 1 :])

    return {
        "distinct": all(len(group) >= l for group in groups),
        "frequency": all(l * max(group.values()) <= sum(group.values()) for group in groups),
        "entropy": all(entropy(group) for group in groups),
        "recursive": all(recursive(group) for group in groups),
        "alpha-k": all(
            sum(group.values()) >= k and max(group.values()) <= alpha * sum(group.values()) for group in groups
        ),
        "m-invariance": all(len(group) >= l and max(group.values()) == 1 for group in groups),
        "k-anonymity": all(sum(group.values()) >= k for group in groups),
    }
