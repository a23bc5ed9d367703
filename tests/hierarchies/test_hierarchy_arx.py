"""Listed hierarchies: files, roots, clashes, matching of values, each error by name."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hierarchies.tree_laws import check_laws

from tacit.errors import HierarchyError, SourceError
from tacit.hierarchies import TreeHierarchy

PETS = [("cat", "mammal", "*"), ("dog", "mammal", "*"), ("trout", "fish", "*")]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        "cat;mammal;*\ndog;mammal;*\ntrout;fish;*\n",
        "cat,mammal,*\r\ndog,mammal,*\r\ntrout,fish,*\r\n",
        "cat\tmammal\t*\ndog\tmammal\t*\ntrout\tfish\t*",
        "\ufeffcat;mammal;*\n\ndog;mammal;*\n\n\ntrout;fish;*\n",
        '"cat";"mammal";"*"\n"dog";mammal;*\ntrout;"fish";*\n',
        "cat;mammal;*;\ndog;mammal;*;\ntrout;fish;*;\n",
        "cat;mammal;Any pet\ndog;mammal;Any pet\ntrout;fish;Any pet\n",
        "cat;mammal\ndog;mammal\ntrout;fish\n",
        "cat;mammal;*\ndog;mammal;*\ncat;mammal;*\ntrout;fish;*\n",
    ],
    ids=["plain", "comma", "tab", "bom", "quoted", "trailing", "named-root", "no-root", "repeated-row"],
)
def test_files_of_many_makes_say_the_same(tmp_path: Path, content: str) -> None:
    assert TreeHierarchy.read(write(tmp_path / "pets.csv", content)).rows == PETS


def test_a_separator_inside_a_quoted_cell(tmp_path: Path) -> None:
    hierarchy = TreeHierarchy.read(write(tmp_path / "h.csv", '"a;b";x,y;*\n"c ""d""";x,y;*\n'))
    assert hierarchy.rows == [("a;b", "x,y", "*"), ('c "d"', "x,y", "*")]


def test_one_column_is_flat(tmp_path: Path) -> None:
    assert TreeHierarchy.read(write(tmp_path / "h.csv", "Male\nFemale\n")).rows == [("Male", "*"), ("Female", "*")]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NAMES = TEXT.filter(lambda name: name not in ("", "*"))


@given(
    leaves=st.lists(TEXT, min_size=1, max_size=6, unique=True),
    groups=st.lists(NAMES, min_size=6, max_size=6),
)
def test_a_written_file_is_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, leaves: list[str], groups: list[str]
) -> None:
    hierarchy = TreeHierarchy([[leaf, group] for leaf, group in zip(leaves, groups, strict=False)])
    path = tmp_path_factory.getbasetemp() / "round_trip.csv"
    hierarchy.write(path)
    assert TreeHierarchy.read(path).rows == hierarchy.rows


def test_writing_where_there_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be written"):
        TreeHierarchy(PETS).write(tmp_path / "none" / "h.csv")


def test_values_that_nobody_has_count_as_leaves() -> None:
    tree = TreeHierarchy(PETS).bind(pl.Series("pet", ["dog"]))
    assert tree.domain_size == 3
    assert tree.leaves[tree.node("mammal")] == 2
    assert tree.contains(tree.node("fish") or 0).tolist() == [False]
    check_laws(tree, whole_domain=False)


def test_repeated_label_for_the_same_values_is_one_node() -> None:
    tree = TreeHierarchy([["a", "a", "a", "*"], ["b", "g", "h", "*"], ["c", "g", "h", "*"]]).bind(
        pl.Series("x", ["a", "b", "c"])
    )
    assert [tree.names[node] for node in tree.levels[:, 0]] == ["a", "a", "a", "*"]
    assert sorted(tree.names) == ["*", "a", "b", "c", "g", "h"]


def test_a_label_that_returns_for_other_values_is_published_with_its_level() -> None:
    rows = [["a", "Other", "Other"], ["b", "Other", "Other"], ["c", "c", "Other"], ["Other", "d", "e"]]
    tree = TreeHierarchy(rows).bind(pl.Series("x", ["Other", "a", "b", "c"]))
    shown = [[tree.names[node] for node in level] for level in tree.levels]
    assert shown[0] == ["Other", "a", "b", "c"]
    assert shown[1] == ["d", "Other (level 1)", "Other (level 1)", "c"]
    assert shown[2] == ["e", "Other (level 2)", "Other (level 2)", "Other (level 2)"]
    check_laws(tree, whole_domain=True)


def test_a_star_before_the_last_column_is_the_root() -> None:
    tree = TreeHierarchy([["a", "g", "*"], ["b", "g", "*"], ["c", "*", "*"]]).bind(pl.Series("x", ["a", "b", "c"]))
    assert [tree.names[node] for node in tree.levels[:, 2]] == ["c", "*", "*"]
    assert tree.lca(np.array([0, 2])) == 0
    assert tree.parent[tree.levels[0, 2]] == 0
    check_laws(tree, whole_domain=True)


def test_a_leaf_named_like_the_root_matters_only_if_the_table_has_it() -> None:
    hierarchy = TreeHierarchy([["a", "g", "*"], ["*", "*", "*"]])
    check_laws(hierarchy.bind(pl.Series("x", ["a"])), whole_domain=False)
    with pytest.raises(HierarchyError, match=r"the value '\*'"):
        hierarchy.bind(pl.Series("x", ["*", "a"]))


@pytest.mark.parametrize(
    ("leaves", "values"),
    [
        (["39", "40"], pl.Series([39, 40], dtype=pl.Int8)),
        (["39", "40"], pl.Series([39, 40], dtype=pl.UInt64)),
        (["39", "40.0"], pl.Series([39.0, 40.0])),
        (["0.1", "0.70"], pl.Series([0.1, 0.7], dtype=pl.Float32)),
        (["1.5", "2"], pl.Series([Decimal("1.50"), Decimal("2.00")])),
        (["1.500", "20"], pl.Series([Decimal("1.50"), Decimal("20.00")])),
        (["2024-01-05", "2024-02-01"], pl.Series([date(2024, 1, 5), date(2024, 2, 1)])),
        (["2024-01-05", "2024-02-01T10:30"], pl.Series([datetime(2024, 1, 5), datetime(2024, 2, 1, 10, 30)])),
        (
            ["2024-01-05 00:00:00", "2024-02-01T10:30:00.5"],
            pl.Series([datetime(2024, 1, 5), datetime(2024, 2, 1, 10, 30, 0, 500_000)]).dt.replace_time_zone("UTC"),
        ),
        (["false", "true"], pl.Series([False, True])),
        (["False", "TRUE"], pl.Series([False, True])),
        (["a", "b"], pl.Series(["a", "b"], dtype=pl.Categorical)),
        (["a", "b"], pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))),
    ],
    ids=lambda given: str(given.dtype) if isinstance(given, pl.Series) else "",
)
def test_leaves_match_by_text_and_by_what_the_text_says(leaves: list[str], values: pl.Series) -> None:
    tree = TreeHierarchy([[leaves[1], "two"], [leaves[0], "one"], ["?", "one"]]).bind(values)
    assert [tree.names[node] for node in tree.levels[0]] == leaves
    assert [tree.names[node] for node in tree.levels[1]] == ["one", "two"]


def test_numbers_have_an_extent_from_the_whole_domain_and_names_have_none() -> None:
    rows = [["1", "low"], ["2", "low"], ["300", "high"], ["?", "unknown"]]
    tree = TreeHierarchy(rows).bind(pl.Series("x", [1], dtype=pl.Int8))
    assert tree.low is not None
    assert tree.high is not None
    assert (tree.low[0], tree.high[0]) == (1, 300)
    assert (tree.low[tree.node("low")], tree.high[tree.node("low")]) == (1, 2)
    assert np.isnan(tree.low[tree.node("unknown")])
    assert TreeHierarchy(rows).bind(pl.Series("x", ["1"])).low is None


def test_dates_have_an_extent_in_days() -> None:
    tree = TreeHierarchy([["1970-01-02", "g"], ["1970-01-11", "g"]]).bind(pl.Series("x", [date(1970, 1, 2)]))
    assert tree.low is not None
    assert tree.high is not None
    assert (tree.low[0], tree.high[0]) == (1, 10)


def test_missing_values_are_named_a_few_and_counted() -> None:
    with pytest.raises(
        HierarchyError,
        match=r"Column 'pet': 4 of 5 values are missing in the hierarchy: 'ape', 'bee', 'cow' and 1 more\.",
    ):
        TreeHierarchy(PETS).bind(pl.Series("pet", ["ape", "bee", "cat", "cow", "trouts"]))
    with pytest.raises(HierarchyError, match=r"Did you mean 'trout'\?"):
        TreeHierarchy(PETS).bind(pl.Series("pet", ["trouts"]))
    with pytest.raises(HierarchyError, match=r"2 of 2 values .*: '39', '40'\."):
        TreeHierarchy([["39.0", "g"]]).bind(pl.Series("age", [39, 40]))


def test_two_leaves_that_mean_one_value() -> None:
    hierarchy = TreeHierarchy([["39", "a"], ["39.0", "b"]])
    with pytest.raises(HierarchyError, match=r"'39', '39\.0' of the hierarchy mean the same value"):
        hierarchy.bind(pl.Series("age", [39.0]))
    assert hierarchy.bind(pl.Series("age", ["39", "39.0"])).domain_size == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a;x;*\nb;x\n", r"'.*h\.csv', line 2, has 2 cells \(b;x\), the first row has 3"),
        ("\n\na;x;*\nb;*\n", r"line 4, has 2 cells"),
        ("a;x;*\nb;y;*\na;y;*\n", r"line 3, gives 'a' another path than line 1: a;y;\* and a;x;\*"),
        ("a;x;p;*\nb;y;p;*\nc;x;q;*\n", r"line 3, puts 'x' \(level 1\) under 'q', line 1 under 'p'"),
        ("a;;*\nb;y;*\n", r"line 1, has an empty cell at level 1"),
        ("a;*;p;*\nb;y;p;*\n", r"line 1, puts '\*' under 'p'"),
        ("", r"h\.csv' is empty"),
        ("\n\n", r"h\.csv' is empty"),
        ('"a;x;*\n', r"broken quoted cell"),
        (b"caf\xe9;x;*\n", r"not UTF-8 text \(byte 3\)"),
    ],
)
def test_malformed_files_are_named_with_the_line(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        TreeHierarchy.read(write(tmp_path / "h.csv", content))


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError, match=r"There is no hierarchy file '.*nothing\.csv'"):
        TreeHierarchy.read(tmp_path / "nothing.csv")
    with pytest.raises(HierarchyError, match="cannot be read"):
        TreeHierarchy.read(tmp_path)


@pytest.mark.parametrize("rows", [[], [[]], [["a", None], ["b", "x"]], ["ab", "cd"]])
def test_rows_that_are_none(rows: list[list[str]]) -> None:
    with pytest.raises(HierarchyError):
        TreeHierarchy(rows)


def test_from_mapping() -> None:
    hierarchy = TreeHierarchy.from_mapping({1: ["low", "any"], 2: ["low", "any"], 9: ["high", "any"]})
    assert hierarchy.rows == [("1", "low", "*"), ("2", "low", "*"), ("9", "high", "*")]
    assert hierarchy.spec() is None
    with pytest.raises(HierarchyError, match=r"row 2, has 3 cells"):
        TreeHierarchy.from_mapping({"a": ["x"], "b": ["x", "y"]})
