"""Exposure: how many people are alone with few attributes, and how far sensitive values spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np

from tacit.arrays import Flags
from tacit.progress import Progress, silent
from tacit.table import Histogram, Table

_GROUPINGS = 400
"""Groupings of the whole table that an inspection may take. More of them count larger choices of quasi-identifiers and
take longer; chosen by hand."""

_ROW_GROUPINGS = 200_000_000
"""The same limit in groupings times rows, for large tables; choices of one or two quasi-identifiers are always counted.
Chosen by hand."""

_COUNTED = 1 << 21
"""Combinations of values that are counted in a table of all of them, eight bytes each: 16 MB. More would leave the
cache of the processor and be slower than grouping."""

_SUPPORT = 30
"""Rows that a value of a quasi-identifier needs for its shares to count as an association rather than as chance. Fewer
warn of more tables. Chosen by hand."""


@dataclass(frozen=True)
class Alone:
    """People, or rows where nothing tells whose they are, that are alone with some choice of this many attributes."""

    attributes: int
    people: int
    choices: int


@dataclass(frozen=True)
class Spreading:
    """How many rows have the most frequent value of a sensitive column, and the largest l that this allows."""

    column: str
    value: str
    count: int
    largest_l: int
    distinct: int


@dataclass(frozen=True)
class Association:
    """Of two people, one of each group, one has the value: how sure a reader is which of them it is."""

    column: str
    value: str
    attribute: str
    high: str
    low: str
    posterior: float


def alone(table: Table, progress: Progress = silent) -> list[Alone]:
    """Count, for 1, 2, 3 ... attributes, who is alone with some choice of that many quasi-identifiers.

    Who is alone with two attributes is alone with three, so the numbers grow. As many sizes are counted as fit a
    budget.
    """
    names, n = table.quasi_identifiers, len(table)
    unique = np.zeros(n, dtype=bool)
    by_size, spent = [], 0
    for size in range(1, len(names) + 1):
        spent += comb(len(names), size)
        if spent > _GROUPINGS or (spent * n > _ROW_GROUPINGS and size > 2):
            break
        for choice in combinations(names, size):
            unique |= _are_alone(table, choice)
        progress("who is alone", size / len(names))
        by_size.append(Alone(size, _units(table, unique), comb(len(names), size)))
    return by_size


def alone_with(table: Table, names: Sequence[str]) -> int:
    """Count who is alone with exactly these attributes: people where they are known, else rows."""
    return _units(table, _are_alone(table, names)) if names else 0


def _units(table: Table, rows: Flags) -> int:
    """Count the people of some rows, or the rows where nothing tells whose they are."""
    return int((rows if table.people is None else np.bincount(table.people.ids[rows], minlength=1) > 0).sum())


def _are_alone(table: Table, choice: Sequence[str]) -> Flags:
    """Tell which rows share their values of some columns with no other row or, where people are known, person."""
    if table.people is not None:
        groups, whose = table.groups(choice), table.people.ids
        others = whose != whose[groups.first()][groups.ids]
        return np.asarray(np.bincount(groups.ids[others], minlength=groups.count)[groups.ids] == 0, dtype=np.bool_)
    encoded = [table.codes(name) for name in choice]
    if prod(codes.cardinality for codes in encoded) > _COUNTED:
        groups = table.groups(choice)
        return np.asarray(groups.sizes()[groups.ids] == 1, dtype=np.bool_)
    keys = np.zeros(len(table), dtype=np.int64)
    for codes in encoded:
        keys = keys * codes.cardinality + codes.codes
    return np.asarray(np.bincount(keys)[keys] == 1, dtype=np.bool_)


def spreading(table: Table) -> list[Spreading]:
    """Tell of every sensitive column how far it allows l-diversity."""
    columns = []
    for name in table.sensitive:
        codes = table.codes(name)
        counts = codes.counts()
        top = int(np.argmax(counts))
        present = int((counts > 0).sum())
        largest = min(len(table) // int(counts[top]), present)
        columns.append(Spreading(name, str(codes.texts[top]), int(counts[top]), largest, present))
    return columns


def association(table: Table) -> Association | None:
    """Find the value whose share differs most between two values of one attribute, both in many rows."""
    best: Association | None = None
    for name in table.sensitive:
        sensitive = table.codes(name)
        for attribute in table.quasi_identifiers:
            known = table.codes(attribute)
            if known.cardinality * sensitive.cardinality > 10 * len(table) + 100_000:
                continue
            histogram = Histogram.of(
                known.codes.astype(np.int64), known.cardinality, sensitive.codes, sensitive.cardinality
            )
            sizes = histogram.sizes()
            shares = np.zeros((known.cardinality, sensitive.cardinality))
            shares[histogram.entry_groups(), histogram.values] = histogram.counts
            enough = np.flatnonzero(sizes >= _SUPPORT)
            if len(enough) < 2:
                continue
            shares = shares[enough] / sizes[enough, None]
            high, low = shares.argmax(axis=0), shares.argmin(axis=0)
            p, q = shares.max(axis=0), shares.min(axis=0)
            with np.errstate(invalid="ignore", divide="ignore"):
                odds = np.nan_to_num(p * (1 - q) / (p * (1 - q) + q * (1 - p)))
            x = int(np.argmax(odds))
            if best is None or odds[x] > best.posterior:
                texts = known.texts
                best = Association(
                    name,
                    str(sensitive.texts[x]),
                    attribute,
                    str(texts[int(enough[high[x]])]),
                    str(texts[int(enough[low[x]])]),
                    float(odds[x]),
                )
    return best
