"""The definitions of group guarantees where a person may have several rows, as plain loops over rows.

A row is a person, a group and a value. A promise holds in a group if it holds for its people and for its rows, nobody
in it is in another group, and, for promises about values, nobody must have some value by the number of her rows.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, exp, log
from typing import Any

Row = tuple[Any, Any, Any]  # person, group, value


def belief_in_some_row(rows: int, with_value: int, hers: int) -> Fraction:
    """How sure somebody is that one of a person's rows has a value, who knows how many are hers."""
    return 1 - Fraction(comb(rows - with_value, hers), comb(rows, hers))


def largest_belief(group: Sequence[Row]) -> Fraction:
    """The largest belief over all people and values of a group."""
    hers, values = Counter(p for p, _, _ in group), Counter(v for _, _, v in group)
    return max(belief_in_some_row(len(group), n, r) for n in values.values() for r in hers.values())


def people_who_have(rows: Iterable[Row]) -> Counter:
    """How many different people have each value in at least one row."""
    return Counter(value for _, value in {(person, value) for person, _, value in rows})


def holds_in_group(
    kind: str, p: dict[str, Any], group: Sequence[Row], reference: Sequence[Row], several: bool = True
) -> bool:
    """Whether a promise holds in one group, given all rows that are published; `several`: somebody has several rows."""
    if not group:
        return True
    people = {person for person, _, _ in group}
    if kind == "k-anonymity":
        return len(people) >= p["k"]
    rows, pairs = Counter(v for _, _, v in group), people_who_have(group)
    all_rows, all_pairs = Counter(v for _, _, v in reference), people_who_have(reference)
    everybody = len({person for person, _, _ in reference})
    if several and largest_belief(group) == 1:
        return False
    if kind in {"alpha-k", "frequency", "distinct", "beta", "delta"}:
        views = [(rows, len(group), all_rows, len(reference)), (pairs, len(people), all_pairs, everybody)]
    else:
        views = [(c, sum(c.values()), a, sum(a.values())) for c, a in ((rows, all_rows), (pairs, all_pairs))]
    if kind == "alpha-k" and len(people) < p["k"]:
        return False
    return all(_holds(kind, p, *view) for view in views)


def _holds(kind: str, p: dict[str, Any], counts: Counter, size: int, reference: Counter, whole: int) -> bool:
    shares = {v: Fraction(n, size) for v, n in counts.items()}
    q = {v: Fraction(n, whole) for v, n in reference.items()}
    every = sorted(set(shares) | set(q))
    if kind == "frequency":
        return all(share <= Fraction(1, p["l"]) for share in shares.values())
    if kind == "alpha-k":
        return all(share <= Fraction(str(p["alpha"])) for share in shares.values())
    if kind == "distinct":
        return len(counts) >= p["l"]
    if kind == "beta":
        return all(v in q and share <= q[v] * (1 + Fraction(str(p["beta"]))) for v, share in shares.items())
    if kind == "delta":
        zero = Fraction(0)
        return all(
            float(q.get(v, zero)) * exp(-p["delta"]) <= float(shares.get(v, zero)) + 1e-12
            and float(shares.get(v, zero)) <= float(q.get(v, zero)) * exp(p["delta"]) + 1e-12
            for v in every
        )
    if kind == "entropy":
        return -sum(float(s) * log(s) for s in shares.values()) >= log(p["l"]) - 1e-12
    if kind == "recursive":
        ranked = sorted(counts.values(), reverse=True)
        return ranked[0] < Fraction(str(p["c"])) * sum(ranked[p["l"] - 1 :])
    moved = sum(abs(shares.get(v, Fraction(0)) - q.get(v, Fraction(0))) for v in every) / 2
    return moved <= Fraction(str(p["t"]))


def holds(kind: str, p: dict[str, Any], rows: Sequence[Row], withheld: Sequence[Row] = ()) -> bool:
    """Whether a promise holds in all groups, and in the withheld rows as one more; nobody may be in two of them."""
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[1], []).append(row)
    where: dict[Any, set[Any]] = {}
    for person, group, _ in [*rows, *((person, "withheld", value) for person, _, value in withheld)]:
        where.setdefault(person, set()).add(group)
    if any(len(each) > 1 for each in where.values()):
        return False
    several = max(Counter(person for person, _, _ in [*rows, *withheld]).values()) > 1
    return all(holds_in_group(kind, p, each, rows, several) for each in [*groups.values(), list(withheld)])
