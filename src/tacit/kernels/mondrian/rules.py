"""Guarantees as a table of rules that compiled loops can ask.

Each row is one condition on a group's size and on the histogram of one sensitive column. Thresholds are integers or
fractions of integers that come from the guarantee; nothing is rounded except where a logarithm is involved, and
there to the safe side. All conditions survive the union of two groups that satisfy them, so merging never breaks one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import offsets_of
from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.comparison import product_at_most, product_below
from tacit.kernels.mondrian.entropy import entropy_at_least

__all__ = [
    "CAPS",
    "DISTINCT",
    "ENTROPY",
    "EQUAL",
    "FLOORS",
    "FREQUENCY",
    "ORDERED",
    "RECURSIVE",
    "SIZE",
    "SURE",
    "TREE_DISTANCE",
    "Rule",
    "RuleTable",
    "accepts",
    "rules_of",
]

SIZE, DISTINCT, ENTROPY, RECURSIVE, FREQUENCY, EQUAL, ORDERED, TREE_DISTANCE, CAPS, FLOORS, SURE = range(11)
_DENOMINATOR = 2**60
"""The denominator of limits whose own is larger: products with a count still fit 128 bits, and rounding, always to the
safe side, moves a limit by less than 2**-60."""


class Rule(NamedTuple):
    """One condition: kind, sensitive column, a count and a fraction, and what it needs per value.

    `SIZE`: at least `count` rows. `DISTINCT`: at least `count` values. `ENTROPY`: at least log `real`. `RECURSIVE`:
    the largest count is below `fraction` times the sum from the `count`-th largest on. `FREQUENCY`: the largest count
    is at most `fraction` of the group (1/l, or alpha). `EQUAL`, `ORDERED`, `TREE_DISTANCE`: the earth mover's
    distance to `reference` (counts) is at most `fraction`; the last needs `parent` and `height` of the nodes, leaves
    first in the order of the codes, every node before its parent, the root its own parent. `CAPS` and `FLOORS`: the
    share of every value is at most, at least, `limits` (fractions; rounded to the safe side where their denominator
    exceeds 2**60): beta-likeness (cap q(1 + beta)), delta-disclosure (both).

    The size of a group is its number of units: of rows or, where a person may have several, of people. A unit may then
    have several entries in a column, one per row or value; with `entries`, shares are of the entries. `SURE` is about
    such units: the rows without the most frequent value are at least as many as the most rows of one person, so that
    nobody must have that value. Its `count` is the column of the numbers of rows, `reference` the numbers themselves.
    """

    kind: int
    column: int = 0
    count: int = 0
    fraction: Fraction = Fraction(0)
    real: float = 0.0
    reference: Sequence[int] | NDArray[np.integer[Any]] = ()
    limits: Sequence[Fraction] = ()
    parent: Sequence[int] | NDArray[np.integer[Any]] = ()
    height: Sequence[int] | NDArray[np.integer[Any]] = ()
    entries: bool = False


class RuleTable(NamedTuple):
    """The table of rules: column `c` has its histogram at `start[c] .. start[c + 1]`."""

    start: NDArray[np.int64]
    kind: NDArray[np.int64]
    column: NDArray[np.int64]
    count: NDArray[np.int64]
    top: NDArray[np.int64]  # numerator of the fraction
    bottom: NDArray[np.int64]  # and its denominator
    real: NDArray[np.float64]
    data_start: NDArray[np.int64]  # of a rule's reference, or of its limits, in first and second
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    nodes: NDArray[np.int64]  # where a rule's nodes begin in node_parent and node_height
    node_parent: NDArray[np.int64]
    node_height: NDArray[np.int64]
    smallest: int  # no group below this size is accepted
    scratch: int  # how many numbers `accepts` needs room for
    plain: bool  # only sizes and numbers of distinct values are asked for, and a unit has one value
    entries: NDArray[np.bool_]  # whether the shares of a rule are of entries, not of units


def _least_size(rule: Rule) -> int:
    if rule.entries:
        return 1
    if rule.kind in (SIZE, DISTINCT):
        return rule.count
    if rule.kind == ENTROPY:
        return math.ceil(rule.real - 1e-9)
    if rule.kind == RECURSIVE:
        return rule.count
    if rule.kind == FREQUENCY:
        return math.ceil(1 / rule.fraction) if rule.fraction > 0 else 1
    return 1


def _whole(limit: Fraction, up: bool) -> tuple[int, int]:
    if limit.denominator < _DENOMINATOR and limit.numerator < 2**62:
        return limit.numerator, limit.denominator
    scaled = limit * _DENOMINATOR
    return (math.ceil(scaled) if up else math.floor(scaled)), _DENOMINATOR


def rules_of(rules: Sequence[Rule], values: Sequence[int] = ()) -> RuleTable:
    """Lay the rules out as arrays; `values` is the number of values of each sensitive column.

    Examples
    --------
    >>> table = rules_of([Rule(SIZE, count=2), Rule(DISTINCT, count=2)], values=[3])
    >>> accepts(table, 2, np.array([1, 0, 1]), np.zeros(table.scratch, np.int64))
    True
    >>> accepts(table, 3, np.array([3, 0, 0]), np.zeros(table.scratch, np.int64))
    False
    """
    start = offsets_of(values)
    data_start = np.zeros(len(rules) + 1, dtype=np.int64)
    nodes = np.zeros(len(rules) + 1, dtype=np.int64)
    first: list[int] = []
    second: list[int] = []
    parent: list[int] = []
    height: list[int] = []
    for i, rule in enumerate(rules):
        if rule.kind in (CAPS, FLOORS):
            for limit in rule.limits:
                # A cap above everything is no cap; clipping it keeps the integers small.
                top, bottom = _whole(min(max(Fraction(limit), Fraction(0)), Fraction(2)), up=rule.kind == FLOORS)
                first.append(top)
                second.append(bottom)
        else:
            first.extend(int(x) for x in rule.reference)
            second.extend(0 for _ in rule.reference)
        parent.extend(int(x) for x in rule.parent)
        height.extend(int(x) for x in rule.height)
        data_start[i + 1] = len(first)
        nodes[i + 1] = len(parent)
    column = np.array([rule.column for rule in rules], dtype=np.int64)
    return RuleTable(
        start,
        np.array([rule.kind for rule in rules], dtype=np.int64),
        column,
        np.array([rule.count for rule in rules], dtype=np.int64),
        np.array([Fraction(rule.fraction).numerator for rule in rules], dtype=np.int64),
        np.array([Fraction(rule.fraction).denominator for rule in rules], dtype=np.int64),
        np.array([rule.real for rule in rules], dtype=np.float64),
        data_start,
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64),
        nodes,
        np.array(parent, dtype=np.int64),
        np.array(height, dtype=np.int64),
        max([1, *map(_least_size, rules)]),
        int(max([1, *np.diff(start), *(3 * np.diff(nodes))])),
        all(rule.kind in (SIZE, DISTINCT) and not rule.entries for rule in rules),
        np.array([rule.entries for rule in rules], dtype=np.bool_),
    )


@compiled(borrows=True)
def _recursive(
    histogram: NDArray[np.int64],
    begin: int,
    end: int,
    size: int,
    l: int,
    top: int,
    bottom: int,
    scratch: NDArray[np.int64],
) -> bool:
    values = end - begin
    for v in range(values):
        scratch[v] = histogram[begin + v]
    tail, largest = size, np.int64(0)
    for rank in range(min(l - 1, values)):
        at = rank
        for v in range(rank + 1, values):
            if scratch[v] > scratch[at]:
                at = v
        scratch[rank], scratch[at] = scratch[at], scratch[rank]
        if rank == 0:
            largest = scratch[0]
        tail -= scratch[rank]
    if l <= 1:
        for v in range(values):
            largest = max(largest, scratch[v])
    return product_below(largest, bottom, top, tail)


@compiled(borrows=True)
def _distance(rules: RuleTable, i: int, size: int, histogram: NDArray[np.int64], scratch: NDArray[np.int64]) -> bool:
    begin = rules.start[rules.column[i]]
    values = rules.start[rules.column[i] + 1] - begin
    at = rules.data_start[i]
    whole = np.int64(0)
    for v in range(values):
        whole += rules.first[at + v]
    moved, scale = np.int64(0), np.int64(1)
    if rules.kind[i] == EQUAL:
        for v in range(values):
            moved += abs(histogram[begin + v] * whole - rules.first[at + v] * size)
        scale = np.int64(2)
    elif rules.kind[i] == ORDERED:
        carried = np.int64(0)
        for v in range(values - 1):
            carried += histogram[begin + v] * whole - rules.first[at + v] * size
            moved += abs(carried)
        scale = np.int64(max(1, values - 1))
    else:
        node = rules.nodes[i]
        nodes = rules.nodes[i + 1] - node
        for j in range(3 * nodes):
            scratch[j] = 0  # surplus; and per node what its children have too much and too little
        for v in range(values):
            scratch[v] = histogram[begin + v] * whole - rules.first[at + v] * size
        for j in range(nodes):
            if j >= values:
                scratch[j] = scratch[nodes + j] - scratch[2 * nodes + j]
                moved += rules.node_height[node + j] * min(scratch[nodes + j], scratch[2 * nodes + j])
            up = rules.node_parent[node + j]
            if up != j:
                if scratch[j] > 0:
                    scratch[nodes + up] += scratch[j]
                else:
                    scratch[2 * nodes + up] -= scratch[j]
        scale = max(np.int64(1), rules.node_height[node + nodes - 1])
    return product_at_most(moved, rules.bottom[i], rules.top[i], scale * size * whole)


@compiled(borrows=True)
def _sure(rules: RuleTable, i: int, size: int, largest: int, histogram: NDArray[np.int64]) -> bool:
    """Say whether somebody has more rows than there are without the most frequent value."""
    begin, end = rules.start[rules.count[i]], rules.start[rules.count[i] + 1]
    at = end - 1
    while at >= begin and histogram[at] == 0:
        at -= 1
    return bool(at >= begin and size - largest < rules.first[rules.data_start[i] + at - begin])


@compiled(borrows=True)
def accepts(rules: RuleTable, units: int, histogram: NDArray[np.int64], scratch: NDArray[np.int64]) -> bool:
    """Say whether a group of `units` with this histogram (all columns in a row) satisfies every rule."""
    if units < rules.smallest:
        return False
    for i in range(len(rules.kind)):
        kind = rules.kind[i]
        if kind == SIZE:
            if units < rules.count[i]:
                return False
            continue
        begin, end = rules.start[rules.column[i]], rules.start[rules.column[i] + 1]
        size = units
        if rules.entries[i]:
            size = np.int64(0)
            for v in range(begin, end):
                size += histogram[v]
        if kind == DISTINCT:
            present = 0
            for v in range(begin, end):
                present += histogram[v] > 0
            if present < rules.count[i]:
                return False
        elif kind == ENTROPY:
            if not entropy_at_least(histogram, begin, end, size, rules.real[i]):
                return False
        elif kind == RECURSIVE:
            if not _recursive(histogram, begin, end, size, rules.count[i], rules.top[i], rules.bottom[i], scratch):
                return False
        elif kind == FREQUENCY:
            largest = np.int64(0)
            for v in range(begin, end):
                largest = max(largest, histogram[v])
            if not product_at_most(largest, rules.bottom[i], rules.top[i], size):
                return False
        elif kind == SURE:
            largest = np.int64(0)
            for v in range(begin, end):
                largest = max(largest, histogram[v])
            if _sure(rules, i, size, largest, histogram):
                return False
        elif kind in (CAPS, FLOORS):
            at = rules.data_start[i] - begin
            for v in range(begin, end):
                if kind == CAPS and not product_at_most(histogram[v], rules.second[at + v], rules.first[at + v], size):
                    return False
                if kind == FLOORS and not product_at_most(
                    rules.first[at + v], size, histogram[v], rules.second[at + v]
                ):
                    return False
        elif not _distance(rules, i, size, histogram, scratch):
            return False
    return True
