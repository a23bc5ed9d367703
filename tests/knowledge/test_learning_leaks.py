"""What intervals and groups give away, counted by plain loops over published text; and dates as a reader sees them."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.knowledge.learning import Features
from tacit.knowledge.learning.uncut import uncut, uncut_inside
from tacit.table import Kind, encode

_INTERVAL = re.compile(r"\[(-?[\d.]+), (-?[\d.]+)\]")


def members(release: tc.Release, table: tc.Table) -> dict[int, list[dict[str, object]]]:
    """List the true rows of every group."""
    found: dict[int, list[dict[str, object]]] = {}
    for kept, group, row in zip(
        release.inside.kept, np.asarray(release.inside.group), table.frame.iter_rows(named=True), strict=True
    ):
        if kept:
            found.setdefault(int(group), []).append(row)
    return found


def _interval(values: list[float], step: int) -> str:
    """Write the interval of a group as it is published: its ends are values, or the next multiples of a step."""
    low, high = min(values), max(values)
    return f"{low}" if low == high else f"[{low // step * step}, {-(-high // step) * step}]"


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(24, 150), st.integers(0, 10**6), st.booleans())
def test_what_uncut_groups_give_away_is_what_plain_loops_count(k: int, people: int, seed: int, tight: bool) -> None:
    """Groups with equal cells are one group to a reader; before, they were judged one by one, as nobody sees them."""
    rng = np.random.default_rng(seed)
    ages = [0, 60, *rng.integers(*((0, 7) if tight else (0, 61)), people - 2).tolist()]  # snapped to steps of five
    frame = {"age": ages, "zip": [f"z{each}" for each in rng.integers(0, 3, people)]}
    frame["ill"] = (["x", "y", "z"] * 50)[:people]
    table = tc.Table(frame, quasi_identifiers=["age", "zip"], sensitive="ill")
    release = tc.Mondrian([tc.KAnonymity(k=k)], bounds="tight" if tight else "snapped").protect(table, seed=1)
    seen: dict[object, list[dict[str, object]]] = {}
    for rows in members(release, table).values():
        cells = _interval([row["age"] for row in rows], 1 if tight else 5), frozenset(row["zip"] for row in rows)
        seen.setdefault(cells, []).extend(rows)
    expected = {}
    for name in ("age", "zip"):
        said, cells, ends, right = 0, 0, 0, 0
        for rows in seen.values():
            held = Counter(row[name] for row in rows)
            if len(held) == 1:
                continue
            ends += tight and name == "age"
            if len(rows) >= 2 * k:
                said += 1
                cells += len(rows) - 2 * k + 2
                right += max(held.values()) >= len(rows) - 2 * k + 2
        if said or ends:
            expected[name] = (said, cells, ends, right)
    known = uncut_inside(release.shape, release.inside, table, k, tight=tight)
    assert {each.column: (each.groups, each.cells, each.ends, each.right) for each in known} == expected
    public = uncut(release.shape, k, tight=tight)
    assert [(each.column, each.groups, each.cells, each.ends) for each in public] == [
        (each.column, each.groups, each.cells, each.ends) for each in known
    ]


def _ends_that_are_somebodys(release: tc.Release, table: tc.Table, name: str) -> tuple[int, int]:
    """Take both ends of every published interval for values of people whose cells are the same; count hits and tries.

    It reads the text of cells, and looks people up by it.
    """
    cells = release.frames()["table"]
    texts = set(zip(*(cells[each].cast(pl.String).to_list() for each in table.quasi_identifiers), strict=True))
    at = table.quasi_identifiers.index(name)
    hits = tries = 0
    for cell in texts:
        found = _INTERVAL.fullmatch(cell[at] or "")
        if found is None:
            continue
        inside = [
            row[name]
            for row in table.frame.iter_rows(named=True)
            if all(_fits(text, row[each]) for text, each in zip(cell, table.quasi_identifiers, strict=True))
        ]
        for end in found.groups():
            tries += 1
            hits += any(float(end) == value for value in inside)
    return hits, tries


def _fits(text: str, value: float) -> bool:
    found = _INTERVAL.fullmatch(text)
    return float(text) == value if found is None else float(found[1]) <= value <= float(found[2])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_ends_of_tight_intervals_are_values_and_those_of_snapped_ones_are_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = {"pay": rng.gamma(2.0, 1000.0, 300), "height": rng.normal(170.0, 9.0, 300), "ill": ["x", "y", "z"] * 100}
    table = tc.Table(frame, quasi_identifiers=["pay", "height"], sensitive="ill")
    tight = tc.Mondrian([tc.KAnonymity(k=5)]).protect(table, seed=seed)
    snapped = tc.Mondrian([tc.KAnonymity(k=5)], bounds="snapped").protect(table, seed=seed)
    for name in ("pay", "height"):
        hits, tries = _ends_that_are_somebodys(tight, table, name)
        assert hits == tries > 0
        hits, tries = _ends_that_are_somebodys(snapped, table, name)
        assert hits == 0 < tries


def test_snapped_ends_do_not_move_with_the_values_inside() -> None:
    rng = np.random.default_rng(7)
    ages = np.sort(rng.integers(20, 80, 90))
    moved = ages.copy()
    moved[0] += ages[0] < 24  # the youngest is a year older, in the same step of five years
    published = []
    for each in (ages, moved):
        table = tc.Table({"age": each, "ill": ["x", "y", "z"] * 30}, quasi_identifiers="age", sensitive="ill")
        release = tc.Mondrian([tc.KAnonymity(k=30)], bounds="snapped").protect(table, seed=1)
        published.append(sorted(release.frames()["table"]["age"].cast(pl.String).to_list()))
    assert moved[0] != ages[0]
    assert published[0] == published[1]


def test_dates_are_months_and_days_of_the_week_and_bins_over_many_years() -> None:
    days = [dt.date(2023, 1, 1) + dt.timedelta(days=each) for each in range(0, 700, 7)]
    few = Features.of({"day": (encode(pl.Series(days)), Kind.DATE)}, len(days))
    assert few.names == ("day", "day")
    assert few.codes[:, 0].tolist() == [(day.year - 2023) * 12 + day.month - 1 for day in days]
    assert few.codes[:, 1].tolist() == [day.weekday() for day in days]
    years = [dt.date(1950, 1, 1) + dt.timedelta(days=each * 200) for each in range(100)]
    many = Features.of({"day": (encode(pl.Series(years)), Kind.DATE)}, len(years))
    assert many.sizes[0] == 10
    assert many.codes[:, 0].tolist() == [each // 10 for each in range(100)]
    assert many.codes[:, 1].tolist() == [day.weekday() for day in years]
