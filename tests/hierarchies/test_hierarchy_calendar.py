"""Calendars: worked dates, extents against the standard library, levels that nest."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hierarchies.tree_laws import check_laws

from tacit.errors import HierarchyError
from tacit.hierarchies import Calendar, Tree, make

EPOCH = date(1970, 1, 1)


def way(tree: Tree, value: int = 0) -> list[str]:
    return [tree.names[node] for node in tree.levels[:, value]]


def extent(tree: Tree, name: str) -> tuple[date, date]:
    node = tree.node(name)
    assert node is not None
    assert tree.low is not None
    assert tree.high is not None
    return EPOCH + timedelta(days=tree.low[node]), EPOCH + timedelta(days=tree.high[node])


def test_worked_date() -> None:
    tree = Calendar().bind(pl.Series("born", [date(2024, 2, 29), date(2024, 3, 1)]))
    assert way(tree) == ["2024-02-29", "2024-02", "2024-Q1", "2024", "*"]
    assert extent(tree, "2024-02") == (date(2024, 2, 1), date(2024, 2, 29))
    assert extent(tree, "2024-Q1") == (date(2024, 1, 1), date(2024, 3, 31))
    assert extent(tree, "*") == extent(tree, "2024") == (date(2024, 1, 1), date(2024, 12, 31))
    check_laws(tree, whole_domain=True)


def test_before_1970() -> None:
    tree = Calendar(levels=("year", "decade")).bind(pl.Series("born", [date(1899, 12, 31), date(1969, 12, 31)]))
    assert way(tree) == ["1899-12-31", "1899", "1890s", "*"]
    assert way(tree, 1) == ["1969-12-31", "1969", "1960s", "*"]
    assert extent(tree, "1890s") == (date(1890, 1, 1), date(1899, 12, 31))
    assert extent(tree, "*") == (date(1890, 1, 1), date(1969, 12, 31))


def test_a_time_of_day_first_blurs_into_the_day() -> None:
    tree = Calendar(levels=("month",)).bind(pl.Series("at", [datetime(2024, 3, 5, 18), datetime(2024, 3, 5, 23, 59)]))
    assert way(tree)[1:] == ["2024-03-05", "2024-03", "*"]
    assert extent(tree, "2024-03-05") == (date(2024, 3, 5), date(2024, 3, 6))
    assert tree.low is not None
    assert tree.low[tree.levels[0, 0]] == (date(2024, 3, 5) - EPOCH).days + 0.75
    check_laws(tree, whole_domain=True)


def test_a_time_zone_counts_by_local_days() -> None:
    at = pl.Series("at", [datetime(2024, 1, 1, 23, 30)]).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
    assert way(Calendar().bind(at))[1] == "2024-01-02"


@given(st.lists(st.dates(date(1, 1, 1), date(9999, 12, 31)), min_size=1, max_size=10, unique=True))
def test_weeks_are_those_of_the_standard(days: list[date]) -> None:
    days.sort()
    tree = Calendar(levels=("week",)).bind(pl.Series("day", days))
    check_laws(tree, whole_domain=True)
    for i, day in enumerate(days):
        year, week, weekday = day.isocalendar()
        assert way(tree, i)[1] == f"{year:04d}-W{week:02d}"
        assert tree.low is not None
        assert tree.low[tree.levels[1, i]] == (day - EPOCH).days - (weekday - 1)


@given(
    st.lists(st.dates(date(1000, 1, 1)), min_size=1, max_size=10, unique=True),
    st.sets(st.sampled_from(["month", "quarter", "year", "decade"]), min_size=1),
)
def test_periods_are_those_of_the_standard(days: list[date], chosen: set[str]) -> None:
    levels = tuple(level for level in ("month", "quarter", "year", "decade") if level in chosen)
    days.sort()
    tree = Calendar(levels=levels).bind(pl.Series("day", days))
    check_laws(tree, whole_domain=True)
    for i, day in enumerate(days):
        names = {
            "month": day.isoformat()[:7],
            "quarter": f"{day.year}-Q{(day.month + 2) // 3}",
            "year": str(day.year),
            "decade": f"{day.year // 10}0s",
        }
        assert way(tree, i) == [day.isoformat(), *(names[level] for level in levels), "*"]


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (("week", "month"), "week, month do not nest"),
        (("week", "year"), "do not nest"),
        (("year", "month"), "do not nest"),
        (("month", "month"), "do not nest"),
        (("moth",), "Did you mean 'month'"),
        (("day", "month"), "no level 'day'"),
        ((), "no levels"),
        ("month", "Give a list"),
        ((1,), "Give a list"),
    ],
)
def test_levels_that_do_not_nest(levels: tuple[str, ...], message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        Calendar(levels=levels)


def test_only_dates() -> None:
    with pytest.raises(HierarchyError, match="Column 'born' has type String; a calendar hierarchy needs dates"):
        Calendar().bind(pl.Series("born", ["2024-01-01"]))


def test_spec_makes_the_same_again() -> None:
    assert make(Calendar().spec()) == Calendar()
    assert make(Calendar(levels=("week",)).spec()) == Calendar(levels=("week",))
