"""Linkage by brute force: every victim against every published row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import polars as pl
from tests.oracles.cells import Column, may_be
from tests.oracles.grouping import key


def candidates(people: pl.DataFrame, columns: Mapping[str, Column], victim: Mapping[str, Any]) -> list[int]:
    """Rows whose cells may all be the victim's."""
    known = [name for name in columns if name in victim]
    return [
        number
        for number, row in enumerate(people.iter_rows(named=True))
        if all(may_be(row[name], victim[name], columns[name]) for name in known)
    ]


def flat_posterior(frame: pl.DataFrame, rows: Sequence[int], sensitive: str) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for row in rows:
        found[key(frame[sensitive][row])] += Fraction(1, len(rows))
    return dict(found)


def bucketized_posterior(
    people: pl.DataFrame, values: pl.DataFrame, rows: Sequence[int], sensitive: str
) -> dict[Any, Fraction]:
    """Each candidate is equally likely; within her group every value has its share of the group's count."""
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for row in rows:
        bucket = values.filter(pl.col("group") == people["group"][row])
        for value, count in zip(bucket[sensitive], bucket["count"], strict=True):
            found[key(value)] += Fraction(count, int(bucket["count"].sum()) * len(rows))
    return dict(found)
