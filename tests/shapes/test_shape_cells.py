"""Writing and reading single cells."""

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles.cells import set_members

from tacit.shapes import among, cover, extents, interval, members, quote, unquote
from tacit.shapes.columns import PublishedColumn
from tacit.table import Kind, Role

TRICKY = [
    "", " ", "*", "**", "a*", "130**", "null", "NULL", '"', '""', '"a"', "a,b", "a, b", "{a, b}", "[1, 2]", "(1, 2)",
    "]1, 2[", "{", "}", "\\", '\\"', "a\\", "\n", "a\n", "\x1f", "\x1fa\x1f", "\t", " a", "a ", "\u00a0a", "é", "☃",
    "<18", "20-29", "=1+1", "\u2028", "\x00",
]  # fmt: skip
texts = st.sampled_from(TRICKY) | st.text(max_size=8)


@settings(deadline=None)
@given(st.lists(texts, min_size=1, max_size=8))
@example(TRICKY)
def test_a_quoted_value_is_read_back(values):
    assert [unquote(text) for text in quote(pl.Series(values, dtype=pl.String))] == values


@settings(deadline=None)
@given(texts)
def test_nothing_is_quoted_without_need(value):
    (cell,) = quote(pl.Series([value]))
    assert cell == value or cell.startswith('"')
    if value.isalnum() and value != "null":
        assert cell == value


def test_quote_keeps_nulls_and_its_input():
    given_ = pl.Series("a", ["*", None, "b"])
    assert quote(given_).to_list() == ['"*"', None, "b"]
    assert given_.to_list() == ["*", None, "b"]
    assert quote(pl.Series("a", [], dtype=pl.String)).to_list() == []


@settings(deadline=None)
@given(st.lists(st.none() | texts, min_size=2, max_size=6, unique=True))
@example(['a"b', 'c"d'])
@example(["cold", "a, b"])
@example([None, "null"])
def test_a_set_is_read_back(values):
    cell = among(values)
    assert members(cell) == values
    assert set_members(cell) == values


@settings(deadline=None)
@given(texts)
def test_a_set_of_one_is_the_value_itself(value):
    assert unquote(among([value])) == value


def test_a_set_of_null_is_a_bare_null():
    assert among([None]) == "null"
    assert among(["null"]) == '"null"'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("{a,b}", ["a", "b"]),
        ("{ a , b }", ["a", "b"]),
        ("{a}", ["a"]),
        ("{}", []),
        ('{"a","b"}', ["a", "b"]),
        ("{a, null}", ["a", None]),
    ],
)
def test_sets_as_others_write_them(cell, expected):
    assert members(cell) == expected


def test_interval():
    assert interval(1, 2) == "[1, 2]"
    assert interval(3, 3) == "3"


NUMERIC = {
    "35": (35, 35, True, True),
    "-3.5": (-3.5, -3.5, True, True),
    "1e3": (1000, 1000, True, True),
    "[20, 29]": (20, 29, True, True),
    "[20,29]": (20, 29, True, True),
    "[20, 30)": (20, 30, True, False),
    "[20, 30[": (20, 30, True, False),
    "(20, 30]": (20, 30, False, True),
    "]20, 30]": (20, 30, False, True),
    "]20, 30[": (20, 30, False, False),
    "(20, 30)": (20, 30, False, False),
    "[-5, -1]": (-5, -1, True, True),
    "[-1.5, +2.5e1]": (-1.5, 25, True, True),
    "[.5, 1.]": (0.5, 1, True, True),
    "[-inf, 3]": (-np.inf, 3, True, True),
    "[3, inf]": (3, np.inf, True, True),
    "(3, +inf)": (3, np.inf, False, False),
    "20-29": (20, 29, True, True),
    "20 - 29": (20, 29, True, True),
    "1.5-2.5": (1.5, 2.5, True, True),
    "<18": (-np.inf, 18, True, False),
    "<=18": (-np.inf, 18, True, True),
    "> 65": (65, np.inf, False, True),
    ">=65": (65, np.inf, True, True),
    ">=-1.5": (-1.5, np.inf, True, True),
}


@pytest.mark.parametrize("cell", NUMERIC)
def test_notations_of_numbers(cell):
    found = extents(pl.Series([cell]), Kind.NUMERIC)
    assert (found.low[0], found.high[0], found.left[0], found.right[0]) == NUMERIC[cell]


def test_many_notations_in_one_column():
    found = extents(pl.Series([*NUMERIC, None, "flu", "[a, b]", "{1, 2}", "*", ""]), Kind.NUMERIC)
    expected = list(NUMERIC.values())
    assert list(zip(found.low, found.high, found.left, found.right, strict=True))[: len(NUMERIC)] == expected
    assert np.isnan(found.low[len(NUMERIC) :]).all()


@pytest.mark.parametrize(
    ("cell", "low", "high"),
    [
        ("1970-01-02", 1, 1),
        ("[1970-01-01, 1970-01-31]", 0, 30),
        ("[1970-01-01, 1970-02-01[", 0, 31),
        ("1970-01-02 12:00:00.000000", 1.5, 1.5),
        ("1970-01-02T12:00", 1.5, 1.5),
        ("1970-01-02 12:00:00+01:00", 1.5, 1.5),
        ("[1970-01-01 06:00:00, 1970-01-02 18:00:00]", 0.25, 1.75),
        ("[-inf, 1970-01-02]", -np.inf, 1),
        ("[1970-01-02, inf]", 1, np.inf),
    ],
)
def test_notations_of_dates(cell, low, high):
    found = extents(pl.Series([cell]), Kind.DATE)
    assert (found.low[0], found.high[0]) == (low, high)


@pytest.mark.parametrize("cell", ["1970", "1970-13-01", "01.02.1970", "1970-01", "flu", "<1970", "20-29"])
def test_what_is_not_a_date(cell):
    assert np.isnan(extents(pl.Series([cell]), Kind.DATE).low[0])


@settings(deadline=None)
@given(st.lists(texts, min_size=1, max_size=6, unique=True))
@example(TRICKY)
def test_a_quoted_value_stands_for_itself_alone(values):
    column = PublishedColumn("a", Role.QUASI_IDENTIFIER, Kind.CATEGORICAL, None, True)
    cells = quote(pl.Series(values, dtype=pl.String))
    found = cover(cells, column, pl.Series(values, dtype=pl.String))
    assert (found.matches() == np.eye(len(values), dtype=bool)).all()
