"""Which values a cell may stand for: the vectorised reading against the reading of one cell at a time."""

import datetime as dt
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.cells import Column, may_be, written

from tacit.hierarchies import Calendar, Intervals, Prefix, TreeHierarchy
from tacit.shapes import among, cover, quote
from tacit.shapes.columns import PublishedColumn
from tacit.table import Kind, Role

NAN = float("nan")
WORDS = ["flu", "cold", "a, b", "*", "null", "", "130", "1305", "13", "[1, 2]", '"q"', "{x}", "asthma", "gout"]
TREE = TreeHierarchy([[w, "lung" if w in {"flu", "cold", "asthma"} else "other"] for w in WORDS if w != "*"])


def published(kind, *, blurred=True, suppressed=False, hierarchy=None):
    return PublishedColumn("a", Role.QUASI_IDENTIFIER, kind, hierarchy, blurred, suppressed)


def agree(labels, values, column, oracle):
    found = cover(labels, column, values).matches()
    expected = [[may_be(cell, value, oracle) for value in values] for cell in labels]
    assert found.tolist() == expected, [
        (cell, value)
        for i, cell in enumerate(labels)
        for j, value in enumerate(values)
        if found[i, j] != expected[i][j]
    ]


def shuffled(draw, values):
    return draw(st.permutations(values)) if values else values


@st.composite
def worded(draw):
    values = shuffled(draw, draw(st.lists(st.none() | st.sampled_from(WORDS), max_size=8, unique=True)))
    exact = st.sampled_from(WORDS).map(lambda word: quote(pl.Series([word]))[0])
    sets = st.lists(st.none() | st.sampled_from(WORDS), min_size=1, max_size=4, unique=True).map(among)
    others = st.sampled_from(["*", None, "lung", "other", "13*", "13**", "*****", "nobody", "{flu,cold}", ""])
    return values, draw(st.lists(exact | sets | others, min_size=1, max_size=10, unique=True))


@settings(max_examples=70, deadline=None)
@given(worded(), st.booleans(), st.booleans())
def test_text(drawn, suppressed, with_tree):
    values, labels = drawn
    nodes = (
        {"lung": {"flu", "cold", "asthma"}, "other": set(WORDS) - {"flu", "cold", "asthma", "*"}} if with_tree else {}
    )
    column = published(Kind.CATEGORICAL, suppressed=suppressed, hierarchy=TREE if with_tree else None)
    oracle = Column("categorical", True, suppressed, {name: frozenset(under) for name, under in nodes.items()})
    agree(pl.Series(labels, dtype=pl.String), pl.Series("a", values, dtype=pl.String), column, oracle)


def _numeric_cells(values):
    edges = st.sampled_from([-1, 0, 1, 2, 2.5, 3, 7.0])
    brackets = st.tuples(st.sampled_from("[(]"), st.sampled_from("])["))
    ranges = st.tuples(edges, edges, brackets).map(lambda d: f"{d[2][0]}{d[0]}, {d[1]}{d[2][1]}")
    bounds = st.tuples(st.sampled_from(["<", "<=", ">", ">=", "< "]), edges).map(lambda d: f"{d[0]}{d[1]}")
    dashes = st.sampled_from(["1-3", "0 - 2", "2-1", "0-2.5"])
    sets = st.lists(st.none() | st.sampled_from(["1", "2", "2.5", "7.0"]), min_size=2, max_size=3, unique=True).map(
        among
    )
    return (
        ranges
        | bounds
        | dashes
        | sets
        | edges.map(str)
        | st.sampled_from(["*", None, "null", "NaN", "x", "[a, b]", ""])
    )


@st.composite
def numbered(draw):
    whole = draw(st.booleans())
    pool = (
        st.integers(-2, 8) if whole else st.sampled_from([-1.0, 0.0, 1.0, 2.0, 2.5, 3.0, 7.0, NAN, math.inf, -math.inf])
    )
    values = draw(st.lists(st.none() | pool, max_size=8, unique_by=str))
    labels = draw(st.lists(_numeric_cells(values), min_size=1, max_size=10, unique=True))
    return pl.Series("a", values, dtype=pl.Int64 if whole else pl.Float64), labels


@settings(max_examples=80, deadline=None)
@given(numbered(), st.booleans())
def test_numbers(drawn, suppressed):
    values, labels = drawn
    column, oracle = published(Kind.NUMERIC, suppressed=suppressed), Column("numeric", True, suppressed)
    agree(pl.Series(labels, dtype=pl.String), values, column, oracle)


DAYS = [dt.date(2024, 1, 1), dt.date(2024, 1, 31), dt.date(2024, 2, 1), dt.date(2024, 5, 5), dt.date(2025, 1, 1)]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.none() | st.sampled_from(DAYS), max_size=6, unique=True),
    st.lists(
        st.sampled_from([d.isoformat() for d in DAYS])
        | st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS)).map(lambda d: f"[{d[0]}, {d[1]}]")
        | st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS)).map(lambda d: f"[{d[0]}, {d[1]})")
        | st.lists(st.none() | st.sampled_from([d.isoformat() for d in DAYS]), min_size=2, max_size=3, unique=True).map(
            among
        )
        | st.sampled_from(["2024-01", "2024-Q1", "2024", "*", None, "null", "2024-13"]),
        min_size=1,
        max_size=8,
        unique=True,
    ),
)
def test_dates(values, labels):
    nodes = {
        "2024-01": {d for d in DAYS if d.isoformat().startswith("2024-01")},
        "2024-Q1": {d for d in DAYS if d < dt.date(2024, 4, 1)},
        "2024": {d for d in DAYS if d.year == 2024},
    }
    oracle = Column("date", nodes={name: frozenset(under) for name, under in nodes.items()})
    column = published(Kind.DATE, hierarchy=Calendar())
    agree(pl.Series(labels, dtype=pl.String), pl.Series("a", values, dtype=pl.Date), column, oracle)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.none() | st.sampled_from([1.0, 2.0, NAN, 3.5]), max_size=5, unique_by=str),
    st.lists(st.none() | st.sampled_from([1.0, 2.0, NAN, 9.0]), min_size=1, max_size=5, unique_by=str),
    st.booleans(),
)
def test_values_as_they_are(values, labels, suppressed):
    column, oracle = published(Kind.NUMERIC, blurred=False, suppressed=suppressed), Column("numeric", False, suppressed)
    agree(pl.Series(labels, dtype=pl.Float64), pl.Series("a", values, dtype=pl.Float64), column, oracle)


def matched(labels, values, column):
    return cover(labels, column, values).matches().astype(int).tolist()


def test_a_value_of_another_type_is_the_same_number():
    plain = published(Kind.NUMERIC, blurred=False)
    assert matched(pl.Series([1, 2]), pl.Series("a", [2.0, 1.5, None]), plain) == [[0, 0, 0], [1, 0, 0]]
    assert matched(pl.Series([1.0, NAN, None]), pl.Series("a", [1, None]), plain) == [[1, 0], [0, 0], [0, 1]]


def test_numbers_beyond_the_floats_are_told_apart():
    big = 2**53
    values = pl.Series("a", [big + 1, big, big + 2])
    assert matched(values, values, published(Kind.NUMERIC, blurred=False)) == np.eye(3, dtype=int).tolist()


def test_moments():
    noon, night, next_day = (dt.datetime(2024, 1, 31, 12), dt.datetime(2024, 1, 31, 23, 59), dt.datetime(2024, 2, 1))
    values = pl.Series("a", [noon, night, next_day, None])
    labels = pl.Series(
        ["[2024-01-01, 2024-01-31]", "2024-01-31", "[2024-01-31 12:00:00, 2024-01-31 23:00:00]", written_moment(noon)]
    )
    expected = [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    assert matched(labels, values, published(Kind.DATE)) == expected
    for unit in ("ms", "ns"):
        assert matched(labels, values.cast(pl.Datetime(unit)), published(Kind.DATE)) == expected
    assert matched(values, values, published(Kind.DATE, blurred=False)) == np.eye(4, dtype=int).tolist()


def written_moment(moment):
    return pl.Series([moment]).dt.to_string("iso")[0]


def test_moments_of_a_time_zone_are_local():
    values = pl.Series("a", [dt.datetime(2024, 1, 31, 12)]).dt.replace_time_zone("Europe/Berlin")
    labels = pl.Series(["[2024-01-31 11:30:00, 2024-01-31 12:30:00]", "[2024-01-31 10:30:00, 2024-01-31 11:30:00]"])
    assert matched(labels, values, published(Kind.DATE)) == [[1], [0]]
    assert matched(values.dt.to_string("iso"), values, published(Kind.DATE)) == [[1]]


def test_intervals_of_a_hierarchy_also_for_those_outside_it():
    column = published(Kind.NUMERIC, hierarchy=Intervals(width=5))
    labels = pl.Series(["[20, 24]", "[20, 29]", "21", "*"])
    for values in (pl.Series("a", [21, 24, 25]), pl.Series("a", [21.0, 24.0, 25.0])):
        assert matched(labels, values, column) == [[1, 1, 0], [1, 1, 1], [1, 0, 0], [1, 1, 1]]
    assert matched(labels, pl.Series("a", [21.0, NAN, None]), column)[0] == [1, 0, 0]


def test_prefixes_with_and_without_a_hierarchy():
    labels, values = pl.Series(["13***", "130**", "13053", "*****", "*"]), pl.Series("a", ["13053", "13268", "1", None])
    for hierarchy in (None, Prefix(length=5)):
        column = published(Kind.CATEGORICAL, hierarchy=hierarchy)
        assert matched(labels, values, column) == [[1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]


def test_values_without_a_place_in_the_hierarchy_are_under_no_node():
    column = published(Kind.CATEGORICAL, hierarchy=TREE)
    assert matched(pl.Series(["lung", "*", "{flu, elf}"]), pl.Series("a", ["flu", "elf"]), column) == [
        [1, 0],
        [1, 1],
        [1, 1],
    ]
    long = published(Kind.CATEGORICAL, hierarchy=Prefix(length=2))
    assert matched(pl.Series(["1*"]), pl.Series("a", ["12", "123"]), long) == [[1, 0]]


def test_a_name_that_looks_like_a_range_means_what_its_node_means():
    tree = TreeHierarchy([["1", "1-2"], ["2", "1-2"], ["3", "[3, 9]"], ["4", "[3, 9]"]])
    column = published(Kind.NUMERIC, hierarchy=tree)
    assert matched(pl.Series(["1-2", "[3, 9]"]), pl.Series("a", [1, 3, 5]), column) == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("kind", [Kind.NUMERIC, Kind.CATEGORICAL, Kind.DATE])
def test_no_values_and_no_labels(kind):
    dtype = {Kind.NUMERIC: pl.Int64, Kind.CATEGORICAL: pl.String, Kind.DATE: pl.Date}[kind]
    labels, nothing = pl.Series(["*", "x", "{a, b}", None]), pl.Series("a", [], dtype=dtype)
    assert cover(labels, published(kind), nothing).matches().shape == (4, 0)
    assert cover(pl.Series([], dtype=pl.String), published(kind), nothing).matches().shape == (0, 0)


def test_truth_values():
    column = published(Kind.CATEGORICAL, blurred=False)
    assert matched(pl.Series([True, False]), pl.Series("a", ["true", "false"]), column) == [[1, 0], [0, 1]]
    assert matched(pl.Series([True, False]), pl.Series("a", [False, None]), column) == [[0, 0], [1, 0]]


def test_the_oracle_itself():
    numeric = Column("numeric")
    assert may_be("[1, 2)", 1.5, numeric)
    assert not may_be("[1, 2)", 2, numeric)
    assert may_be("<=3", 3, numeric)
    assert written(dt.date(2024, 1, 2)) == "2024-01-02"
