"""What a user may write for a hierarchy, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from tacit.errors import HierarchyError
from tacit.hierarchies import Calendar, Flat, Intervals, Prefix, TreeHierarchy, make

ROWS = [("1", "low", "*"), ("9", "high", "*")]


def test_rules() -> None:
    assert make({"interval": 5}) == Intervals(width=5)
    assert make({"interval": 0.1, "origin": 1, "factor": 3}) == Intervals(width=0.1, origin=1, factor=3)
    assert make({"prefix": 5}) == Prefix(length=5)
    assert make({"calendar": True}) == make("calendar") == Calendar()
    assert make({"calendar": ["month", "decade"]}) == Calendar(levels=("month", "decade"))
    assert make({"flat": True}) == make("flat") == Flat()


def test_a_hierarchy_is_itself() -> None:
    hierarchy = TreeHierarchy(ROWS)
    assert make(hierarchy) is hierarchy


def test_lists(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    TreeHierarchy(ROWS).write(path)
    table = {"value": [1, 9], "group": ["low", "high"]}
    specs: list[object] = [
        path,
        str(path),
        {"tree": path},
        {"tree": str(path)},
        {"tree": {"1": ["low"], "9": ["high"]}},
        {"tree": {1: "low", 9: "high"}},
        {"tree": [[1, "low"], [9, "high"]]},
        [[1, "low"], [9, "high"]],
        ((1, "low"), (9, "high")),
        pl.DataFrame(table),
        pd.DataFrame(table),
    ]
    for spec in specs:
        made = make(spec)
        assert isinstance(made, TreeHierarchy)
        assert made.rows == ROWS


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"intervall": 5}, r"no hierarchy 'intervall'\. Did you mean 'interval'\? Keys: interval, prefix"),
        ({"interval": 5, "orgin": 1}, "Did you mean 'origin'"),
        ({"interval": 5, "prefix": 3}, "one kind, not of 2"),
        ({"origin": 5}, "one kind, not of 0"),
        ({}, "one kind, not of 0"),
        ({"prefix": 5, "factor": 2}, "factor cannot stand beside prefix"),
        ({"flat": False}, "flat = False"),
        ({"calendar": False}, "calendar = False"),
        ({"calendar": "month"}, "calendar = 'month'"),
        ({"tree": 5}, "tree = 5"),
        ({"male": ["*"]}, "goes under tree"),
        ("flatt", r"Did you mean 'flat'\?"),
        ("nothing.csv", r"no hierarchy file 'nothing\.csv'\. Check the path"),
        (Path("nothing.csv"), "no hierarchy file"),
        (5, "cannot be made from 5. Allowed are"),
        (None, "Allowed are"),
        (b"flat", "Allowed are"),
        (["a", "b"], "list of cells, not 'a'"),
        (pl.DataFrame({"a": [[1]]}), "cannot be written as text"),
        (pl.DataFrame({"a": ["x"], "b": [None]}), "empty cell"),
    ],
)
def test_what_is_not_allowed(spec: object, message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        make(spec)
