"""The tree itself: lowest common ancestors, losses, names, on random trees with labels that clash on purpose."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hierarchies.tree_laws import check_laws, slow_lca

from tacit.errors import HierarchyError
from tacit.hierarchies import Flat, Tree, TreeHierarchy


@st.composite
def paths(draw: st.DrawFn) -> list[list[str]]:
    """Rows of a random tree; labels are small numbers at every level, so they clash between levels."""
    leaves = draw(st.integers(1, 12))
    columns = [list(range(leaves))]
    for _ in range(draw(st.integers(0, 4))):
        below = sorted(set(columns[-1]))
        parent = dict(
            zip(below, draw(st.lists(st.integers(0, 5), min_size=len(below), max_size=len(below))), strict=True)
        )
        columns.append([parent[label] for label in columns[-1]])
    return [[str(cell) for cell in row] for row in zip(*columns, strict=True)]


@st.composite
def trees(draw: st.DrawFn) -> tuple[Tree, bool]:
    rows = draw(paths())
    some = draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    values = pl.Series("x", [rows[i][0] for i in some]).sort()
    return TreeHierarchy(rows).bind(values), len(some) == len(rows)


@given(trees())
def test_laws(case: tuple[Tree, bool]) -> None:
    tree, whole_domain = case
    check_laws(tree, whole_domain=whole_domain)


@given(trees(), st.data())
def test_lca_is_the_first_node_that_all_ways_up_share(case: tuple[Tree, bool], data: st.DataObject) -> None:
    tree, _ = case
    count = tree.levels.shape[1]
    codes = data.draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=8))
    assert tree.lca(np.array(codes)) == slow_lca(tree, codes)


@given(trees(), st.data())
def test_lcas_of_groups_are_the_lca_of_each(case: tuple[Tree, bool], data: st.DataObject) -> None:
    tree, _ = case
    codes = data.draw(st.lists(st.integers(0, tree.levels.shape[1] - 1), max_size=20))
    groups = data.draw(st.lists(st.integers(0, 4), min_size=len(codes), max_size=len(codes)))
    found = tree.lcas(np.array(codes, dtype=np.int64), np.array(groups, dtype=np.int64), 5)
    for group in range(5):
        members = [code for code, its in zip(codes, groups, strict=True) if its == group]
        assert found[group] == (slow_lca(tree, members) if members else -1)


@given(trees())
def test_values_under_a_node_are_neighbours_in_order(case: tuple[Tree, bool]) -> None:
    tree, _ = case
    assert tree.order[tree.position].tolist() == list(range(len(tree.order)))
    for node in range(tree.nodes):
        places = np.sort(tree.position[tree.contains(node)])
        assert (np.diff(places) == 1).all()


def test_worked_loss() -> None:
    rows = [["a", "ab"], ["b", "ab"], ["c", "cde"], ["d", "cde"], ["e", "cde"]]
    tree = TreeHierarchy(rows).bind(pl.Series("x", ["a", "c"]))
    loss = dict(zip(tree.names, tree.loss().tolist(), strict=True))
    assert loss == {"*": 1, "ab": 0.25, "cde": 0.5, "a": 0, "b": 0, "c": 0, "d": 0, "e": 0}


def test_a_domain_of_one_loses_nothing() -> None:
    tree = Flat().bind(pl.Series("x", ["only"]))
    assert tree.loss().tolist() == [0, 0]


def test_no_common_ancestor_of_nothing() -> None:
    with pytest.raises(HierarchyError, match="No value"):
        Flat().bind(pl.Series("x", ["a"])).lca(np.array([], dtype=np.int64))


def test_arrays_are_read_only() -> None:
    tree = Flat().bind(pl.Series("x", [1, 2]))
    for array in (tree.parent, tree.levels, tree.leaves, tree.low, tree.loss()):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_flat_measures_numbers_and_not_names() -> None:
    numbers = Flat().bind(pl.Series("x", [3, 8]))
    assert (numbers.low[0], numbers.high[0]) == (3, 8)  # type: ignore[index]
    assert Flat().bind(pl.Series("x", ["a"])).low is None


def test_a_value_that_looks_like_the_root_is_refused() -> None:
    with pytest.raises(HierarchyError, match=r"Column 'x' has the value '\*'"):
        Flat().bind(pl.Series("x", ["*", "a"]))


def test_a_column_of_nulls_has_a_tree_with_a_root() -> None:
    tree = Flat().bind(pl.Series("x", [], dtype=pl.String))
    assert tree.names == ("*",)
    assert tree.levels.shape == (2, 0)
    assert tree.loss().tolist() == [0]
