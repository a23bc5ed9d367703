"""Kinds: inferred from the type, or declared."""

import datetime as dt

import polars as pl
import pytest

from tacit.errors import RoleError
from tacit.table import Kind, Table


def only(values, kind=None, **more):
    table = Table({"a": values}, quasi_identifiers="a", kinds=None if kind is None else {"a": kind}, **more)
    return table.frame["a"], table.column("a").kind, table.codes("a")


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], Kind.NUMERIC),
        (pl.Series([1, 2], dtype=pl.UInt8), Kind.NUMERIC),
        ([1.5, None], Kind.NUMERIC),
        (pl.Series(["1.5"]).cast(pl.Decimal(10, 2)), Kind.NUMERIC),
        (["1", "2"], Kind.CATEGORICAL),
        ([True, None], Kind.CATEGORICAL),
        ([None, None], Kind.CATEGORICAL),
        ([dt.date(2024, 1, 1)], Kind.DATE),
        ([dt.datetime(2024, 1, 1, 12)], Kind.DATE),
    ],
)
def test_inference(values, kind):
    assert only(values)[1] is kind


def test_text_declared_as_numbers():
    values, kind, codes = only([" 10", "9", None, "1e1", "nan"], "numeric")
    assert kind is Kind.NUMERIC
    assert values.dtype == pl.Float64
    assert codes.codes.tolist() == [1, 0, 3, 1, 2]
    with pytest.raises(RoleError, match=r"Column 'a' holds 'ten', which is not a number\. Correct the value, list it"):
        only(["1", "ten"], "numeric")


def test_text_declared_as_dates():
    values, kind, _ = only(["2024-01-31 ", None], "date")
    assert (values.to_list(), kind) == ([dt.date(2024, 1, 31), None], Kind.DATE)
    with pytest.raises(RoleError, match=r"holds '31.01.2024', which is not a date such as 2024-01-31"):
        only(["31.01.2024"], "date")


def test_numbers_declared_as_categories_stay_what_they_are():
    values, kind, codes = only([10, 9], "categorical")
    assert (values.to_list(), kind, codes.values.to_list()) == ([10, 9], Kind.CATEGORICAL, [9, 10])


def test_a_declared_order_is_the_domain_whether_or_not_its_values_occur():
    values, kind, codes = only(["severe", None, "mild"], ["mild", "moderate", "severe"])
    assert (values.to_list(), kind) == (["severe", None, "mild"], Kind.ORDERED)
    assert codes.values.to_list() == ["mild", "moderate", "severe", None]
    assert codes.codes.tolist() == [2, 3, 0]
    assert codes.counts().tolist() == [1, 0, 1, 1]
    assert codes.null == 3
    assert only([None, None], ["x", "y"])[2].codes.tolist() == [2, 2]


def test_an_order_of_numbers_and_of_texts_of_numbers():
    assert only([3, 1], [3, 2, 1])[2].codes.tolist() == [0, 2]
    assert only(["3", "1"], [3, 2, 1])[2].codes.tolist() == [0, 2]
    assert only(["c", "a"], ("c", "b", "a"))[2].codes.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("values", "kind", "message"),
    [
        (
            ["a"],
            "number",
            "Column 'a' is given the kind 'number'. Did you mean 'numeric'? Kinds: numeric, categorical, date.",
        ),
        (["a"], "ordered", "A list of values is the order of an ordered column."),
        (["a"], "items", "is given the kind 'items'"),
        (["a"], 5, "Column 'a' is given the kind 5. Name a kind, or give a list of values"),
        (["b"], ["a", "a"], "The order given for column 'a' names a value twice, or null."),
        (["b"], ["a", None], "names a value twice, or null."),
        ([1.0], [1.0, float("nan")], "names a value twice, or null."),
        (
            ["mold"],
            ["mild", "severe"],
            "Column 'a' holds 'mold', which its declared order does not name. Did you mean 'mild'?",
        ),
        ([1], ["x", "y"], "The order given for column 'a' holds String values, the column Int64 values."),
        (["a"], [], "Column 'a' holds 'a', which its declared order does not name."),
    ],
)
def test_mistakes(values, kind, message):
    with pytest.raises(RoleError) as error:
        only(values, kind)
    assert message in str(error.value)


def test_which_kinds_have_intervals():
    assert [kind for kind in Kind if kind.is_ordered] == [Kind.NUMERIC, Kind.ORDERED, Kind.DATE]
