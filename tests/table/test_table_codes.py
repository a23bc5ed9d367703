"""Codes: the rank of a value among the distinct values, null last, whatever the order of rows."""

import datetime as dt
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.table import Table, as_text, encode

FLOATS = st.floats(allow_nan=False) | st.just(float("nan"))
INTEGERS = {
    pl.Int8: (-(2**7), 2**7 - 1),
    pl.Int16: (-(2**15), 2**15 - 1),
    pl.Int32: (-(2**31), 2**31 - 1),
    pl.Int64: (-(2**63), 2**63 - 1),
    pl.UInt8: (0, 2**8 - 1),
    pl.UInt16: (0, 2**16 - 1),
    pl.UInt64: (0, 2**64 - 1),
}


@st.composite
def columns(draw):
    dtype = draw(st.sampled_from([*INTEGERS, pl.String, pl.Float64, pl.Boolean, pl.Date, pl.Datetime("us")]))
    if dtype in INTEGERS:
        low, high = INTEGERS[dtype]
        near = st.integers(low, min(high, low + 5)) | st.integers(max(low, high - 5), high)
        cell = st.integers(low, high) | near | st.integers(0, 3)
    else:
        cell = {
            pl.String: st.text(max_size=3),
            pl.Float64: FLOATS,
            pl.Boolean: st.booleans(),
            pl.Date: st.dates(),
            pl.Datetime("us"): st.datetimes(min_value=dt.datetime(1700, 1, 1), max_value=dt.datetime(2200, 1, 1)),
        }[dtype]
    return pl.Series("a", draw(st.lists(st.none() | cell, min_size=1, max_size=12)), dtype=dtype)


def same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    return one == other


def rank(value):
    """Numbers and texts ascending, NaN after them, null last."""
    if value is None:
        return (2, 0)
    if isinstance(value, float) and math.isnan(value):
        return (1, 0)
    return (0, value.encode() if isinstance(value, str) else value)


@settings(max_examples=150, deadline=None)
@given(columns())
def test_a_code_is_the_rank_of_its_value(column):
    found = encode(column)
    assert found.codes.dtype == np.int32
    assert found.values.dtype == column.dtype
    assert all(same(a, b) for a, b in zip(found.values.gather(found.codes), column, strict=True))
    ranks = [rank(value) for value in found.values]
    assert ranks == sorted(set(ranks))
    assert found.cardinality == len({rank(value) for value in column})
    assert (found.null is not None) == (column.null_count() > 0)
    assert found.counts().tolist() == [sum(rank(v) == r for v in column) for r in ranks]
    assert not found.codes.flags.writeable


@settings(max_examples=100, deadline=None)
@given(columns(), st.randoms(use_true_random=False))
def test_codes_do_not_depend_on_the_order_of_rows(column, random):
    order = list(range(len(column)))
    random.shuffle(order)
    one, other = encode(column), encode(column.gather(order))
    assert one.codes[order].tolist() == other.codes.tolist()
    assert all(same(a, b) for a, b in zip(one.values, other.values, strict=True))


def test_narrow_integers_do_not_overflow():
    for dtype, values in {pl.Int8: [-100, 100, 0], pl.Int16: [-20_000, 20_000] * 6_000}.items():
        found = encode(pl.Series("a", values, dtype=dtype))
        assert found.values.gather(found.codes).to_list() == values


def test_the_largest_unsigned_numbers():
    values = [2**64 - 1, 2**63 + 5, 2**64 - 1]
    assert encode(pl.Series("a", values, dtype=pl.UInt64)).codes.tolist() == [1, 0, 1]


def test_zero_and_minus_zero_are_one_value():
    assert encode(pl.Series("a", [0.0, -0.0])).cardinality == 1


def test_a_time_zone_is_kept():
    column = pl.Series("a", [dt.datetime(2024, 1, 1)]).dt.replace_time_zone("Europe/Berlin")
    assert encode(column).values.dtype == column.dtype


def test_nothing_and_nothing_but_nulls():
    for dtype in (pl.String, pl.Int64, pl.Float64):
        assert encode(pl.Series("a", [], dtype=dtype)).cardinality == 0
        nulls = encode(pl.Series("a", [None, None], dtype=dtype))
        assert (nulls.codes.tolist(), nulls.null, nulls.cardinality) == ([0, 0], 0, 1)


def test_codes_are_made_once():
    table = Table({"a": [1, 2]}, quasi_identifiers="a")
    assert table.codes("a") is table.codes("a")


def test_a_part_keeps_the_dictionaries():
    table = Table(
        {
            "a": ["x", "y", "z", None],
            "n": [1.0, float("nan"), None, 4.0],
            "s": ["p", "q", "r", "p"],
            "o": ["b", "a", "a", "b"],
        },
        quasi_identifiers=["a", "n", "o"],
        sensitive="s",
        kinds={"o": ["b", "c", "a"]},
        hierarchies={"a": [["x", "xy"], ["y", "xy"], ["z", "z"]]},
    )
    kept = np.array([False, True, False, True])
    part = table.filter(kept)
    assert len(part) == 2
    for name in ("a", "n", "s", "o"):
        whole, some = table.codes(name), part.codes(name)
        assert some.values.equals(whole.values, null_equal=True)
        assert some.codes.tolist() == whole.codes[kept].tolist()
        assert some.hierarchy is whole.hierarchy
    assert part.frame["a"].to_list() == ["y", None]
    assert part.codes("a").tree.domain_size == 3
    assert part.filter(np.array([False, True])).codes("a").codes.tolist() == [3]
    assert part.quasi_identifiers == table.quasi_identifiers
    assert len(table) == 4


def test_a_part_of_a_part_counts_in_the_same_dictionary():
    table = Table({"a": [1, 1, 2], "s": ["p", "q", "p"]}, quasi_identifiers="a", sensitive="s")
    part = table.filter(np.array([True, True, False]))
    assert part.statistics(part.groups()).histograms["s"].cardinality == 2
    assert table.counts("s").tolist() == [2, 1]
    assert table.counts("s", np.array([True, False, False])).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1.0, 0.1, None], ["1.0", "0.1", None]),
        ([True], ["true"]),
        ([dt.date(2024, 1, 2)], ["2024-01-02"]),
        ([dt.datetime(2024, 1, 2, 3, 4)], ["2024-01-02 03:04:00.000000"]),
        (["a"], ["a"]),
    ],
)
def test_values_as_they_are_written(values, texts):
    assert as_text(pl.Series(values)).to_list() == texts
