"""Verdicts on group guarantees by the book: rows in lists, groups in dictionaries, shares in fractions.

A promise is written as a name and its parameters. Nothing here knows codes, kernels, shapes or evidence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import exp, log
from typing import Any

Row = Mapping[str, Any]


def group_of(rows: Sequence[Row], quasi_identifiers: Sequence[str]) -> list[list[Row]]:
    """Put rows with equal cells together."""
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in quasi_identifiers)].append(row)
    return list(groups.values())


def sound(
    promise: str,
    given: Mapping[str, Any],
    group: Sequence[Row],
    reference: Sequence[Row],
    domains: Mapping[str, list[Any]],
) -> bool:
    """Whether a promise holds in one group, compared with the reference rows; `domains` lists the values."""
    if promise == "k-anonymity":
        return len(group) >= given["k"]
    return all(
        _sound_in(promise, given, [row[name] for row in group], [row[name] for row in reference], domain)
        for name, domain in domains.items()
    )


def _sound_in(
    promise: str, given: Mapping[str, Any], group: list[Any], reference: list[Any], domain: list[Any]
) -> bool:
    counts, total = Counter(group), len(group)
    ranked = sorted(counts.values(), reverse=True)
    p = {value: Fraction(counts[value], total) for value in domain}
    q = {value: Fraction(reference.count(value), max(1, len(reference))) for value in domain}
    if promise == "l-diversity":
        l, kind = given["l"], given["kind"]
        if kind == "distinct":
            return len(counts) >= l
        if kind == "frequency":
            return ranked[0] * l <= total
        if kind == "entropy":
            return -sum(float(x) * log(x) for x in p.values() if x) >= log(l) - 1e-12
        return ranked[0] < Fraction(str(given["c"])) * sum(ranked[l - 1 :])
    if promise == "eligibility":
        return ranked[0] * given["l"] <= total
    if promise == "alpha-k":
        return total >= given["k"] and Fraction(ranked[0], total) <= Fraction(str(given["alpha"]))
    if promise == "t-closeness":
        return _distance(given["distance"], p, q, domain) <= Fraction(str(given["t"]))
    if promise == "beta-likeness":
        return all(_little_gain(p[value], q[value], given) for value in domain)
    assert promise == "delta-disclosure", promise
    for value in domain:
        if (p[value] or q[value]) and (not p[value] or not q[value]):
            return False
        if p[value] and not exp(-given["delta"]) < p[value] / q[value] < exp(given["delta"]):
            return False
    return True


def _distance(kind: str, p: Mapping[Any, Fraction], q: Mapping[Any, Fraction], domain: list[Any]) -> Fraction:
    if kind == "equal":
        return sum((abs(p[value] - q[value]) for value in domain), Fraction(0)) / 2
    carried, moved = Fraction(0), Fraction(0)
    for value in sorted(domain)[:-1]:
        carried += p[value] - q[value]
        moved += abs(carried)
    return moved / max(1, len(domain) - 1)


def _little_gain(p: Fraction, q: Fraction, given: Mapping[str, Any]) -> bool:
    if p <= q:
        return True
    if not q or (p - q) / q > Fraction(str(given["beta"])):
        return False
    return given["kind"] == "basic" or float((p - q) / q) <= -log(q) - 1e-9


def verdict(
    promise: str,
    given: Mapping[str, Any],
    groups: Sequence[Sequence[Row]],
    withheld: Sequence[Sequence[Row]],
    domains: Mapping[str, list[Any]],
) -> tuple[str, str]:
    """Judge the published groups, and each lot of withheld rows as one more group: two words."""
    everybody = [row for group in groups for row in group]
    asked = [everybody] if promise == "eligibility" else groups
    published = all(sound(promise, given, group, everybody, domains) for group in asked if group)
    lots = [lot for lot in withheld if lot]
    hidden = all(sound(promise, given, lot, everybody, domains) for lot in lots)
    return "holds" if published else "fails", "none" if not lots else "holds" if hidden else "fails"


def some_groups_can_be_published(
    promise: str, given: Mapping[str, Any], groups: Sequence[Sequence[Row]], domains: Mapping[str, list[Any]]
) -> bool:
    """Try every way to publish some whole groups and withhold the others."""
    for many in range(1, len(groups) + 1):
        for chosen in combinations(range(len(groups)), many):
            shown = [groups[i] for i in chosen]
            hidden = [row for i, group in enumerate(groups) if i not in chosen for row in group]
            everybody = [row for group in shown for row in group]
            every_group = all(sound(promise, given, group, everybody, domains) for group in shown)
            if every_group and (not hidden or sound(promise, given, hidden, everybody, domains)):
                return True
    return False
