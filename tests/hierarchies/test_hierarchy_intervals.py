"""Intervals: worked names, exact edges, types, refusals."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hierarchies.tree_laws import check_laws

from tacit.errors import HierarchyError
from tacit.hierarchies import Intervals, Tree, make


def way(tree: Tree, value: int = 0) -> list[str]:
    return [tree.names[node] for node in tree.levels[:, value]]


def test_worked_integers() -> None:
    tree = Intervals(width=5).bind(pl.Series("age", [0, 4, 5, 22, 39]))
    assert [tree.names[node] for node in tree.levels[1]] == ["[0, 4]", "[0, 4]", "[5, 9]", "[20, 24]", "[35, 39]"]
    assert way(tree, 3) == ["22", "[20, 24]", "[20, 29]", "[20, 39]", "[0, 39]", "*"]
    assert tree.low is not None
    assert tree.high is not None
    node = tree.node("[20, 24]")
    assert (tree.low[node], tree.high[node], tree.leaves[node]) == (20, 24, 1)
    assert (tree.low[0], tree.high[0], tree.domain_size) == (0, 39, 5)
    check_laws(tree, whole_domain=True)


def test_worked_floats_with_origin_and_factor() -> None:
    tree = Intervals(width=2.5, origin=1, factor=10).bind(pl.Series("x", [0.9, 1.0, 3.5, 26.0]))
    assert [tree.names[node] for node in tree.levels[1]] == ["[-1.5, 1)", "[1, 3.5)", "[3.5, 6)", "[26, 28.5)"]
    assert [tree.names[node] for node in tree.levels[2]] == ["[-24, 1)", "[1, 26)", "[1, 26)", "[26, 51)"]
    assert tree.names[tree.levels[3, 3]] == "[1, 251)"
    assert tree.height == 4
    check_laws(tree, whole_domain=True)


def test_one_interval_is_enough() -> None:
    assert way(Intervals(width=10).bind(pl.Series("x", [11, 13]))) == ["11", "[10, 19]", "*"]


def test_values_on_both_sides_of_the_origin_never_share_an_interval() -> None:
    tree = Intervals(width=2).bind(pl.Series("x", [-3, -1, 3]))
    assert way(tree) == ["-3", "[-4, -3]", "[-4, -1]", "*"]
    assert way(tree, 2) == ["3", "[2, 3]", "[0, 3]", "*"]


def test_fractional_width_over_whole_numbers() -> None:
    tree = Intervals(width=2.5).bind(pl.Series("x", [0, 2, 3, 4, 5]))
    assert [tree.names[node] for node in tree.levels[1]] == ["[0, 2]", "[0, 2]", "[3, 4]", "[3, 4]", "[5, 7]"]
    check_laws(tree, whole_domain=True)


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_tenths_do_not_drift(dtype: type[pl.DataType]) -> None:
    tenths = [i / 10 for i in range(-500, 501)]
    tree = Intervals(width=0.1).bind(pl.Series("x", tenths, dtype=dtype))
    for value, node in zip(range(-500, 501), tree.levels[1], strict=True):
        low, high = Fraction(value, 10), Fraction(value + 1, 10)
        assert tree.names[node] == f"[{float(low):g}, {float(high):g})"


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12, unique=True),
    st.sampled_from([0.1, 0.3, 1, 2.5, 7, Decimal("0.05"), 1e-3]),
    st.sampled_from([0, 0.1, -3, 17.7]),
    st.integers(2, 5),
)
def test_floats_lie_between_the_published_edges(
    values: list[float], width: float | Decimal, origin: float, factor: int
) -> None:
    series = pl.Series("x", values).sort()
    tree = Intervals(width=width, origin=origin, factor=factor).bind(series)
    check_laws(tree, whole_domain=True)
    for level in tree.levels[1:-1]:
        for value, node in zip(series, level, strict=True):
            low, high = tree.names[node][1:-1].split(", ")
            assert float(Fraction(low)) <= value < float(Fraction(high))


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8, unique=True),
    st.one_of(st.integers(2, 10**6), st.sampled_from([1, 1.5, 2.2, 10**30])),
    st.integers(-(10**6), 10**6),
    st.sampled_from([2, 3, 10, 10**30]),
)
def test_integers_lie_between_the_published_ends(values: list[int], width: float, origin: int, factor: int) -> None:
    series = pl.Series("x", values).sort()
    hierarchy = Intervals(width=width, origin=origin, factor=factor)
    if max(abs((value - origin) // Fraction(str(width))) for value in values) >= 2**62:
        with pytest.raises(HierarchyError, match="too narrow"):
            hierarchy.bind(series)
        return
    tree = hierarchy.bind(series)
    assert len(set(tree.names)) == tree.nodes
    for level in tree.levels[1:-1]:
        for value, node in zip(series, level, strict=True):
            low, high = map(int, tree.names[node][1:-1].split(", "))
            assert low <= value <= high


def test_decimal_columns_are_exact() -> None:
    tree = Intervals(width=0.5).bind(pl.Series("x", [Decimal("-0.01"), Decimal("0.50"), Decimal("0.99")]))
    assert [tree.names[node] for node in tree.levels[1]] == ["[-0.5, 0)", "[0.5, 1)", "[0.5, 1)"]


def test_a_column_of_nulls() -> None:
    assert Intervals(width=5).bind(pl.Series("x", [], dtype=pl.Int64)).names == ("*",)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (pl.Series("x", [1.0, float("nan"), float("inf"), -float("inf")]), r"Column 'x' .*: nan, inf, -inf\."),
        (pl.Series("x", ["1", "2"]), "needs numbers"),
        (pl.Series("x", [True]), "needs numbers"),
        (pl.Series("x", np.array(["2024-01-01"], dtype="datetime64[D]")), "Use a calendar"),
        (pl.Series("x", [1e300]), "too narrow for column 'x', which reaches from 1e"),
        (pl.Series("x", [2**100], dtype=pl.Int128), "too narrow"),
    ],
)
def test_columns_that_do_not_fit(values: pl.Series, message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        Intervals(width=5).bind(values)


def test_width_below_one_over_whole_numbers() -> None:
    with pytest.raises(HierarchyError, match="whole numbers"):
        Intervals(width=0.5).bind(pl.Series("x", [1, 2]))


@pytest.mark.parametrize(
    "given",
    [
        {"width": 0},
        {"width": -1},
        {"width": float("nan")},
        {"width": float("inf")},
        {"width": "5"},
        {"width": True},
        {"width": Fraction(1, 3)},
        {"width": 5, "origin": float("inf")},
        {"width": 5, "factor": 1},
        {"width": 5, "factor": 2.5},
        {"width": 5, "factor": True},
    ],
)
def test_parameters_out_of_range(given: dict[str, object]) -> None:
    with pytest.raises(HierarchyError):
        Intervals(**given)  # type: ignore[arg-type]


def test_spec_makes_the_same_again() -> None:
    for hierarchy in (
        Intervals(width=5),
        Intervals(width=0.1, origin=-2.5, factor=3),
        Intervals(width=Decimal("0.25")),
    ):
        assert make(hierarchy.spec()) == hierarchy
    assert Intervals(width=5).spec() == {"interval": 5}
