"""Items: sets as codes."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import RoleError
from tacit.table import Table
from tacit.table.items import split


def sets_of(items):
    return [
        [items.vocabulary[int(code)] for code in items.codes[items.offsets[i] : items.offsets[i + 1]]]
        for i in range(len(items))
    ]


WORDS = st.sampled_from(["tea", "rye", " rye ", "", "Ä", "x;y", "a\x1fb"])


@settings(deadline=None)
@given(st.lists(st.none() | st.lists(st.none() | WORDS, max_size=5), min_size=1, max_size=8))
def test_a_set_holds_every_item_once_and_ascending(lists):
    items = Table(pl.DataFrame({"fav": pl.Series(lists, dtype=pl.List(pl.String))}), items="fav").item_sets("fav")
    expected = [sorted({word.strip() for word in row or [] if word and word.strip()}) for row in lists]
    assert sets_of(items) == expected
    assert items.vocabulary.to_list() == sorted({word for row in expected for word in row})
    assert items.lists().to_list() == expected
    kept = np.arange(len(lists)) % 2 == 0
    assert sets_of(items.take(kept)) == expected[::2]
    assert sets_of(items.take(np.flatnonzero(kept))) == expected[::2]
    assert items.take(kept).vocabulary.equals(items.vocabulary)


def test_items_of_numbers():
    assert sets_of(Table({"fav": [[2, 10], [2]]}, items="fav").item_sets("fav")) == [["10", "2"], ["2"]]


def test_python_sets_and_no_items_at_all():
    assert sets_of(Table({"fav": [{"b", "a"}, set()]}, items="fav").item_sets("fav")) == [["a", "b"], []]
    nothing = Table({"fav": [[], None]}, items="fav").item_sets("fav")
    assert (sets_of(nothing), nothing.lists().to_list(), len(nothing)) == ([[], []], [[], []], 2)


@pytest.mark.parametrize("yes", [1, 1.0, True, "1", "yes", "Y", " TRUE ", "t"])
def test_binary_columns(yes):
    no = {str: "no", bool: False, float: 0.0, int: 0}[type(yes)]
    frame = {"tea": [yes, no, yes], "rye": [no, no, yes], "age": [1, 2, 3]}
    table = Table(frame, items={"fav": ["tea", "rye"]}, quasi_identifiers="age")
    items = table.item_sets("fav")
    assert sets_of(items) == [["tea"], [], ["rye", "tea"]]
    assert items.binary == ("tea", "rye")
    assert table.frame.columns == ["age", "fav"]
    assert table.frame["fav"].to_list() == [["tea"], [], ["rye", "tea"]]
    assert table.filter(np.array([False, True, True])).frame["fav"].to_list() == [[], ["rye", "tea"]]


def test_a_null_in_a_binary_column_is_not_a_no():
    frame = {"tea": [1, None, 0], "rye": [0, 1, 1]}
    with pytest.raises(RoleError, match=r"'tea', an item of 'fav', has 1 nulls, the first in row 2, and a null is not"):
        Table(frame, items={"fav": ["tea", "rye"]})
    table = Table(frame, items={"fav": ["tea", "rye"]}, missing={"fav": "value"})
    assert sets_of(table.item_sets("fav")) == [["tea"], ["rye", "tea (missing)"], ["rye"]]
    written = {column.name: column.to_list() for column in table.item_sets("fav").written()}
    assert written == frame


@pytest.mark.parametrize("odd", [2, 0.5, "maybe", float("nan"), -1])
def test_odd_values_in_a_binary_column(odd):
    with pytest.raises(RoleError, match=r"Column 'tea', an item of 'fav', holds .*\. An item's column holds 0 and 1"):
        Table({"tea": [odd]}, items={"fav": ["tea"]})


def test_several_sets_of_binary_columns():
    frame = {"tea": [1, 0], "rye": [0, 1], "flu": [1, 1]}
    table = Table(frame, items={"fav": ["tea", "rye"], "had": ["flu"]})
    assert table.items == ("fav", "had")
    assert sets_of(table.item_sets("had")) == [["flu"], ["flu"]]


def test_splitting_text():
    assert split(pl.Series("a", ["x; y", None, ""]), ";").to_list() == [["x", " y"], [""], [""]]
    assert split(pl.Series("a", [1]), ";").to_list() == [1]
