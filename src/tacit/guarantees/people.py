"""People: how a promise about groups is judged where a person may have several rows.

A bound holds for people and for rows: nobody is safe by having many rows, and nobody is exposed by it. What is counted
in people is who has a value in at least one row; distributions are those of the different pairs of person and value.
The definitions, with examples, and what they do not promise: docs/threats/linkage.md#people-and-rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import Flags, Floats, Ints
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule


def rows_only(stats: GroupStats) -> GroupStats:
    """Return the groups as they are counted in rows."""
    return stats if stats.people is None else replace(stats, people=None, unit="rows")


def in_people(stats: GroupStats) -> GroupStats:
    """Return the groups as they are counted in people; where nobody has several rows, rows are people."""
    return stats.of_people or stats


def counted(number: int, unit: str) -> str:
    """Write a number of people or of rows.

    Examples
    --------
    >>> counted(1, "people"), counted(6, "rows")
    ('1 person', '6 rows')
    """
    one = {"people": "person"}.get(unit, unit.removesuffix("s"))
    return f"1 {one}" if number == 1 else f"{number:,} {unit}"


def judged(
    rule: Callable[[GroupStats, GroupStats], Flags], stats: GroupStats, reference: GroupStats | None = None
) -> Flags:
    """Judge every group by a rule: in rows and, where people are known, in people, none of whom may be torn or known.

    `rule` judges groups against a reference, both counted in the same way.
    """
    against = stats if reference is None else reference
    held = rule(rows_only(stats), rows_only(against))
    if stats.people is None and against.people is None:
        return held
    held = held & rule(in_people(stats), in_people(against)) & ~certain(stats)
    return held if stats.people is None else held & (stats.people.torn == 0)


def certain(stats: GroupStats) -> Flags:
    """Say of every group whether somebody in it must have some value, for a reader who knows how many rows she has.

    A person with r of the N rows of a group, n of them with the value, has it for certain if N - n < r.
    """
    most = np.minimum(stats.sizes, 1) if stats.people is None else stats.people.most
    known = np.zeros(stats.count, dtype=bool)
    for histogram in stats.histograms.values():
        sizes = histogram.sizes()
        known |= (sizes > 0) & (sizes - histogram.largest() < most)
    return known


def belief_in_some_row(rows: int, with_value: int, hers: int) -> float:
    """Return how sure a reader is who matches rows at random that one of a person's rows has a value.

    Of N rows of a group n have the value and r are hers: 1 - C(N - n, r) / C(N, r).

    Examples
    --------
    >>> round(belief_in_some_row(30, 6, 6), 2), belief_in_some_row(4, 2, 3)
    (0.77, 1.0)
    """
    return 1.0 - comb(rows - with_value, hers) / comb(rows, hers)


def beliefs_in_some_row(stats: GroupStats, name: str) -> Floats:
    """Return, per group, the belief in its most frequent value for the person who has most rows of it."""
    from scipy.special import gammaln

    if stats.people is None:
        return np.zeros(stats.count)
    histogram = stats.histograms[name]
    rows, most = histogram.sizes().astype(np.float64), stats.people.most.astype(np.float64)
    without = rows - histogram.largest()
    sure = without < most
    left = np.where(sure, most, without)
    # The logarithm of C(N - n, r) / C(N, r); where nothing is left without the value, the belief is 1 by counting.
    missed = gammaln(left + 1) - gammaln(left - most + 1) - gammaln(rows + 1) + gammaln(rows - most + 1)
    return np.where(most == 0, 0.0, np.where(sure, 1.0, np.minimum(-np.expm1(missed), _BELOW_ONE)))


_BELOW_ONE = float(np.nextafter(1.0, 0.0))  # 1 is said only where it is certain


def rules_in_people(rules: Callable[[GroupStats, int], list[Rule]], stats: GroupStats, at: int) -> list[Rule]:
    """Return the rules about one sensitive column for units that are people.

    `rules` makes them for a reference and a column. The columns of a person are those of her rows, `2 * at`, and of her
    different values, `2 * at + 1`, and after all of these the number of her rows.
    """
    from tacit.kernels.mondrian.rules import DISTINCT, SIZE, SURE, Rule

    assert stats.people is not None  # noqa: S101 - it is asked only where people have several rows
    visits: Ints = stats.people.lengths
    of_rows = [rule._replace(entries=True) for rule in rules(rows_only(stats), 2 * at) if rule.kind != SIZE]
    of_people = [
        rule._replace(entries=rule.entries or rule.kind == DISTINCT) for rule in rules(in_people(stats), 2 * at + 1)
    ]
    sure = Rule(SURE, 2 * at, count=2 * len(stats.histograms), reference=visits, entries=True)
    return [*of_rows, *of_people, sure]
