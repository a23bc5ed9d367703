"""Prefixes: worked codes, short and long values, clashes with stars in the data."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hierarchies.tree_laws import check_laws

from tacit.errors import HierarchyError
from tacit.hierarchies import Prefix, make


def test_worked_code() -> None:
    tree = Prefix(length=5).bind(pl.Series("zip", ["12345", "12399", "90210"]))
    assert [tree.names[node] for node in tree.levels[:, 0]] == ["12345", "1234*", "123**", "12***", "1****", "*"]
    assert tree.leaves[tree.node("123**")] == 2
    assert tree.low is None


def test_whole_numbers_are_padded_with_zeros() -> None:
    tree = Prefix(length=4).bind(pl.Series("zip", [7, 1234]))
    assert [tree.names[node] for node in tree.levels[:, 0]] == ["0007", "000*", "00**", "0***", "*"]


def test_a_short_value_stays_until_it_is_cut_and_then_hides_its_length() -> None:
    tree = Prefix(length=4).bind(pl.Series("code", ["", "ab", "abcd", "ax"]))
    assert [[tree.names[node] for node in level] for level in tree.levels] == [
        ["", "ab", "abcd", "ax"],
        ["", "ab", "abc*", "ax"],
        ["", "ab", "ab**", "ax"],
        ["", "a***", "a***", "a***"],
        ["*"] * 4,
    ]
    check_laws(tree, whole_domain=True)


def test_characters_not_bytes() -> None:
    tree = Prefix(length=3).bind(pl.Series("code", ["äöü", "äöx"]))
    assert tree.names[tree.levels[1, 0]] == "äö*"


@given(st.lists(st.text("12*", min_size=1, max_size=4).filter(lambda code: code != "*"), min_size=1, unique=True))
def test_stars_in_the_data_do_not_confuse_nodes(codes: list[str]) -> None:
    tree = Prefix(length=4).bind(pl.Series("code", codes).sort())
    check_laws(tree, whole_domain=True)
    assert [tree.names[node] for node in tree.levels[0]] == sorted(codes)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            ["123", "1234", "12345", "1235", "12346"],
            r"Column 'zip' has 4 values longer than 3 characters: '1234', '12345', '12346' and 1 more\. .* length 5",
        ),
        ([5, 1000], "'1000'"),
        ([-5, 10], "negative numbers, .*: -5"),
        ([1.5], "type Float64"),
        ([date(2024, 1, 1)], "type Date"),
        (["*", "1"], r"the value '\*'"),
    ],
)
def test_values_that_do_not_fit(values: list[object], message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        Prefix(length=3).bind(pl.Series("zip", values).sort())


@pytest.mark.parametrize("length", [0, -1, 2.0, "5", True, None])
def test_length_out_of_range(length: object) -> None:
    with pytest.raises(HierarchyError, match="length"):
        Prefix(length=length)  # type: ignore[arg-type]


def test_spec_makes_the_same_again() -> None:
    assert make(Prefix(length=5).spec()) == Prefix(length=5)
