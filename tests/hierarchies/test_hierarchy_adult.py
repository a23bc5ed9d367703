"""The hierarchies that ARX ships for the Adult table, over the Adult table."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.hierarchies.tree_laws import check_laws

from tacit.hierarchies import Tree, TreeHierarchy

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
COLUMNS = [
    "age",
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "salary-class",
    "sex",
    "workclass",
]


def bind(name: str) -> Tree:
    path = DATA / f"adult_hierarchy_{name}.csv"
    if not path.exists():
        pytest.skip("the Adult data is not beside the repository")
    table = pl.read_csv(DATA / "adult.csv.gz", null_values=["?"])
    return TreeHierarchy.read(path).bind(table[name].drop_nulls().unique().sort())


@pytest.mark.parametrize("name", COLUMNS)
def test_every_value_of_adult_has_a_place(name: str) -> None:
    tree = bind(name)
    assert tree.levels.shape[1] <= tree.domain_size
    check_laws(tree, whole_domain=False)


def test_age_reaches_from_1_to_100() -> None:
    tree = bind("age")
    assert tree.low is not None
    assert tree.high is not None
    assert (tree.low[0], tree.high[0], tree.domain_size, tree.height) == (1, 100, 100, 4)
    thirty = tree.node("30-34")
    # The file's labels are one off (31 to 35 are listed as 30-34): the extent is that of the values, not of the name.
    assert (tree.low[thirty], tree.high[thirty], tree.leaves[thirty]) == (31, 35, 5)
    assert tree.loss()[thirty] == 4 / 99


def test_education() -> None:
    tree = bind("education")
    assert tree.low is None
    assert tree.leaves[tree.node("Primary School")] == tree.leaves[tree.node("Primary education")] == 3
    assert tree.loss()[tree.node("Graduate")] == 1 / 15


def test_writing_keeps_the_file(tmp_path: Path) -> None:
    bind("education")
    source = DATA / "adult_hierarchy_education.csv"
    TreeHierarchy.read(source).write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == source.read_text()
