"""A missing value beside numbers: the cell says the range of the numbers, and that one may be missing."""

from __future__ import annotations

import datetime as dt
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.shapes import PublishedColumn, cover
from tacit.table import Kind, Role

CELL = re.compile(r"(?:\[(?P<low>[^,]+), (?P<high>[^\]]+)\]|(?P<one>[^\[]+?))(?P<missing> or missing)?")


def read(cell: str | None) -> tuple[str | None, str | None, bool]:
    """Read a cell as a person does: lowest, highest, may it be missing."""
    if cell is None:
        return None, None, True
    match = CELL.fullmatch(cell)
    assert match is not None, cell
    low, high = (match["one"], match["one"]) if match["one"] else (match["low"], match["high"])
    return low, high, match["missing"] is not None


@settings(max_examples=40)
@given(
    ages=st.lists(st.one_of(st.none(), st.integers(20, 60)), min_size=6, max_size=40),
    kind=st.sampled_from(["int", "float", "date", "moment", "interval"]),
    k=st.integers(2, 4),
)
@example(ages=[None, None, None, None, 20, 20], kind="moment", k=2)
def test_every_group_says_its_range_and_whether_a_value_is_missing(ages, kind, k):
    make = {
        "int": lambda a: a,
        "float": float,
        "interval": lambda a: a,
        "date": lambda a: dt.date(2000, 1, 1) + dt.timedelta(days=a),
        "moment": lambda a: dt.datetime(2000, 1, 1) + dt.timedelta(days=a),
    }[kind]
    values = [None if age is None else make(age) for age in ages]
    if all(value is None for value in values):
        return
    table = tc.Table(
        {"age": pl.Series(values), "ill": ["flu"] * len(values)},
        quasi_identifiers="age",
        sensitive="ill",
        hierarchies={"age": {"interval": 10}} if kind == "interval" else None,
    )
    release = tc.Mondrian([tc.KAnonymity(k)]).protect(table, seed=1)
    assert tc.audit(release, table).holds
    groups = release.inside.group
    cells = release.frames()["table"]["age"]
    expected = []
    for group in np.unique(groups):
        members = [value for value, number in zip(values, groups, strict=True) if number == group]
        known = [value for value in members if value is not None]
        missing = len(known) < len(members)
        if kind == "interval":
            continue
        shown = [str(int(v)) if kind == "float" else str(v.date()) if kind == "moment" else str(v) for v in known]
        ends = (min(shown), max(shown)) if known else (None, None)
        expected += [(*ends, missing)] * len(members)
    if kind != "interval":
        # A column without a blurred cell stays numbers or moments.
        written = cells.cast(pl.Int64) if cells.dtype.is_float() else cells
        written = written.cast(pl.Date) if written.dtype == pl.Datetime else written
        assert sorted(map(str, map(read, written.cast(pl.String)))) == sorted(map(str, expected))
    # What is published covers every person.
    column = release.shape.column("age")
    labels = cells.unique()
    matches = cover(labels, column, pl.Series("age", values).unique()).matches()
    assert matches.any(axis=0).all()


def test_worked_example():
    table = tc.Table(
        {"age": [44, 52, None, 20, 21, 22], "ill": ["a", "b", "c", "a", "b", "c"]},
        quasi_identifiers="age",
        sensitive="ill",
    )
    release = tc.Mondrian([tc.KAnonymity(3)]).protect(table, seed=1)
    assert set(release.frames()["table"]["age"]) == {"[44, 52] or missing", "[20, 22]"}
    # The width of [44, 52] is 8 of 32, and missing is one of five other values; the width of [20, 22] is 2 of 32.
    assert tc.utility(release, table).ncp == pytest.approx((3 * (8 / 32 + 1 / 5) + 3 * 2 / 32) / 6)


def test_one_number_beside_a_missing_one():
    table = tc.Table({"age": [44, None, 20, 20], "ill": list("abab")}, quasi_identifiers="age", sensitive="ill")
    release = tc.Mondrian([tc.KAnonymity(2)]).protect(table, seed=1)
    assert set(release.frames()["table"]["age"]) == {"44 or missing", "20"}


def test_an_order_names_null_in_its_set():
    table = tc.Table(
        {"pain": ["low", "mid", None, "low"], "ill": list("abab")},
        quasi_identifiers="pain",
        sensitive="ill",
        kinds={"pain": ["low", "mid", "high"]},
    )
    release = tc.Mondrian([tc.KAnonymity(4)]).protect(table, seed=1)
    assert set(release.frames()["table"]["pain"]) == {"{low, mid, null}"}


def test_a_value_that_reads_like_it_is_quoted():
    table = tc.Table({"town": ["a or missing", "b"], "ill": ["a", "b"]}, quasi_identifiers="town", sensitive="ill")
    release = tc.Mondrian([tc.KAnonymity(2)]).protect(table, seed=1)
    assert set(release.frames()["table"]["town"]) == {'{"a or missing", b}'}


def test_what_a_cell_covers():
    column = PublishedColumn("age", Role.QUASI_IDENTIFIER, Kind.NUMERIC, None, True)
    values = pl.Series([20.0, 44.0, 50.0, 53.0, float("nan"), None])
    matches = cover(pl.Series(["[44, 52] or missing", "44 or missing", "[44, 52]"]), column, values).matches()
    assert matches.tolist() == [
        [False, True, True, False, True, True],
        [False, True, False, False, True, True],
        [False, True, True, False, False, False],
    ]


def test_a_node_of_that_name_is_a_node():
    from tacit.hierarchies import TreeHierarchy

    tree = TreeHierarchy([["a", "x or missing", "*"], ["b", "x or missing", "*"], ["c", "y", "*"]])
    column = PublishedColumn("town", Role.QUASI_IDENTIFIER, Kind.CATEGORICAL, tree, True)
    matches = cover(pl.Series(["x or missing", "y or missing"]), column, pl.Series(["a", "b", "c", None])).matches()
    assert matches.tolist() == [[True, True, False, False], [False, False, True, True]]
