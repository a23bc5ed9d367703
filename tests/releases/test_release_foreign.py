"""What anyone published is taken as it is, or refused in one sentence."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.releases.releases_made import FORMATS, assert_same

from tacit import (
    AlphaK,
    BetaLikeness,
    Eligibility,
    KAnonymity,
    LDiversity,
    MInvariance,
    Release,
    RoleError,
    SourceError,
    TCloseness,
    audit,
)
from tacit.shapes import Bucketized, Generalized, Marginals
from tacit.table import Kind, Role

ROWS = {"age": ["[30, 39]", "[30, 39]", "41"], "zip": ["130**", "13053", "*"], "ill": ["flu", "cold", "flu"]}


def foreign(frame: Any, qi: Any = ("age", "zip"), sensitive: Any = "ill", **options: Any) -> Release:
    return Release.foreign(frame, quasi_identifiers=qi, sensitive=sensitive, **options)


@pytest.mark.parametrize(
    "make",
    [dict, pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table, lambda rows: duckdb.from_arrow(pa.table(rows))],
    ids=["mapping", "polars", "lazy", "pandas", "arrow", "duckdb"],
)
def test_one_frame_of_any_library(make: Any) -> None:
    release = foreign(make(ROWS))
    assert isinstance(release.shape, Generalized)
    assert release.frames()["table"].to_dict(as_series=False) == ROWS
    assert release.inside is None
    assert release.size is None
    assert release.method is None
    assert audit(release, claims=[KAnonymity(k=2)]).holds is False


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["[30, 39]", "41"], Kind.NUMERIC),
        (["30-39", "*", "<18", ">=65"], Kind.NUMERIC),
        (["[1.5, 2[", "-3"], Kind.NUMERIC),
        (["00-04", "05-09", "10-14"], Kind.NUMERIC),
        (["[2020-01-01, 2020-12-31]", "2021-05-05"], Kind.DATE),
        (["130**", "13053"], Kind.CATEGORICAL),
        (["01234", "94110"], Kind.CATEGORICAL),
        (["{a, b}", "c"], Kind.CATEGORICAL),
        (["*", "*"], Kind.CATEGORICAL),
        ([None, "30"], Kind.NUMERIC),
        ([30, 31], Kind.NUMERIC),
        ([dt.date(2020, 1, 1), None], Kind.DATE),
        ([True, False], Kind.CATEGORICAL),
    ],
)
def test_kinds_are_guessed_from_the_cells(cells: list[Any], kind: Kind) -> None:
    column = foreign({"x": cells}, "x", ()).shape.column("x")
    assert column.kind is kind
    assert column.blurred == any(isinstance(cell, str) for cell in cells)


def test_columns_without_a_role_are_left_out() -> None:
    release = foreign({**ROWS, "note": [1, 2, 3]})
    assert release.frames()["table"].columns == ["age", "zip", "ill"]


def test_buckets_are_known_by_name() -> None:
    people = pd.DataFrame({"group": [1, 1, 2, 2], "age": [30, 31, 40, 41]})
    values = pl.DataFrame({"group": [1, 1, 2], "ill": ["flu", "cold", "flu"], "count": [1, 1, 2]})
    release = foreign({"quasi_identifiers": people, "sensitive": values}, "age")
    assert isinstance(release.shape, Bucketized)
    assert list(release.frames()) == ["quasi_identifiers", "sensitive"]
    assert audit(release, claims=[KAnonymity(k=2)]).holds is True
    assert release.shape.statistics.sizes.tolist() == [2, 2]


def test_values_without_counts_count_once() -> None:
    values = {"group": [1, 1, 2, 2], "ill": ["flu", "cold", "flu", "flu"]}
    release = foreign({"quasi_identifiers": {"group": [1, 1, 2, 2], "age": [1, 2, 3, 4]}, "sensitive": values}, "age")
    counted = release.frames()["sensitive"].sort("group", "ill").rows()
    assert counted == [(1, "cold", 1), (1, "flu", 1), (2, "flu", 2)]


def test_two_sensitive_columns_have_two_frames() -> None:
    frames = {
        "quasi_identifiers": {"group": [1, 1], "age": [30, 31]},
        "sensitive_ill": {"group": [1, 1], "ill": ["flu", "cold"], "count": [1, 1]},
        "sensitive_pay": {"group": [1], "pay": [10], "count": [2.0]},
    }
    release = foreign(frames, "age", ["ill", "pay"])
    assert list(release.frames()) == ["quasi_identifiers", "sensitive_ill", "sensitive_pay"]
    assert release.shape.column("pay").role is Role.SENSITIVE


@pytest.mark.parametrize("numbers", [["1", "1", "2"], [1.0, 1.0, 2.0], pd.array([1, 1, 2], dtype="Int8")])
def test_group_numbers_match_whatever_read_them(numbers: Any) -> None:
    frames = {
        "quasi_identifiers": {"group": [1, 1, 2], "age": [30, 31, 40]},
        "sensitive": pd.DataFrame({"group": numbers, "ill": ["flu", "cold", "flu"]}),
    }
    release = foreign(frames, "age")
    assert release.shape.statistics.sizes.tolist() == [2, 1]
    assert release.shape.statistics.histograms["ill"].sizes().tolist() == [2, 1]


def test_items_are_taken_in_every_shape() -> None:
    signs = [["cough"], ["fever", "cough"]]
    release = foreign({"age": [1, 2], "signs": signs}, "age", (), items="signs")
    assert release.shape.column("signs").kind is Kind.ITEMS
    frames = {
        "quasi_identifiers": {"group": [1, 1], "age": [30, 31], "signs": signs},
        "sensitive": {"group": [1, 1], "ill": ["flu", "cold"]},
    }
    release = foreign(frames, "age", items="signs")
    assert release.frames()["quasi_identifiers"]["signs"].to_list() == signs
    assert release.shape.column("signs").role is Role.ITEMS


def test_other_names_are_marginals() -> None:
    frames = {
        "by age": {"age": [30, 31], "ill": ["a", "b"]},
        "by zip": pd.DataFrame({"zip": ["1*", "2*"], "ill": ["a", "b"]}),
    }
    release = foreign(frames)
    assert isinstance(release.shape, Marginals)
    assert {name: frame.columns for name, frame in release.frames().items()} == {
        "by age": ["age", "ill"],
        "by zip": ["zip", "ill"],
    }
    assert foreign({"only": pl.LazyFrame(ROWS)}).shape.name == "marginals"


@pytest.mark.parametrize("kind", FORMATS)
def test_what_others_published_is_written_and_read(tmp_path: Path, kind: str) -> None:
    release = foreign(ROWS)
    written = release.write(tmp_path / "out", format=kind)
    assert written.private is None
    assert_same(release, Release.read(tmp_path / "out"))


def test_hierarchies_say_what_nodes_stand_for() -> None:
    release = foreign({"zip": ["130**", "13053"], "ill": ["a", "b"]}, "zip", hierarchies={"zip": {"prefix": 5}})
    assert release.shape.column("zip").hierarchy is not None


BUCKETS = {
    "quasi_identifiers": {"group": [1, 1], "age": [30, 31]},
    "sensitive": {"group": [1, 1], "ill": ["flu", "cold"], "count": [1, 1]},
}


def buckets(frame: str, without: str = "", **columns: Any) -> Any:
    changed = {key: value for key, value in {**BUCKETS[frame], **columns}.items() if key != without}
    return {**BUCKETS, frame: changed}


@pytest.mark.parametrize(
    ("frame", "options", "told"),
    [
        (ROWS, {"qi": "agee"}, r"no column 'agee' in the published table\. Did you mean 'age'"),
        (ROWS, {"sensitive": "ILL"}, "no column 'ILL'"),
        (ROWS, {"items": "signs"}, "no column 'signs'"),
        (ROWS, {"qi": ["age", "ill"]}, "'ill' is named as quasi-identifier and as sensitive"),
        (ROWS, {"qi": ["age", "age"]}, "'age' is named twice"),
        (ROWS, {"items": "ill"}, "'ill' is named as sensitive and as items"),
        (ROWS, {"items": "zip"}, "'zip' is named as quasi-identifier and as items"),
        (ROWS, {"qi": "age", "items": "zip"}, "'zip' is named as items but holds String"),
        (ROWS, {"qi": 3}, "quasi_identifiers is 3"),
        (ROWS, {"hierarchies": {"zap": {"prefix": 2}}}, "no column 'zap'"),
        ({**ROWS, "zip": [["a"], ["b"], ["c"]]}, {}, "'zip' is named as quasi-identifier but holds List"),
        ({"age": [], "zip": [], "ill": []}, {}, "has no rows"),
        ({"a": ROWS, "b": {"other": [1]}}, {}, "'b' has none of the columns"),
        ({"a": {"age": [1]}, "b": {"zip": [1]}}, {}, r"no column 'ill' in the published tables"),
        (buckets("sensitive", without="group"), {"qi": "age"}, "no column 'group' in the frame 'sensitive'"),
        (buckets("quasi_identifiers", without="group"), {"qi": "age"}, "no column 'group' in the frame 'quasi_identif"),
        (buckets("sensitive", group=[1, None]), {"qi": "age"}, "'group' of 'sensitive' holds nulls"),
        (buckets("sensitive", count=[1, None]), {"qi": "age"}, "counts of 'ill' are not all whole numbers"),
        (buckets("sensitive", count=[3, -1]), {"qi": "age"}, "A count of 'ill' is -1"),
        (buckets("sensitive", count=["1", "few"]), {"qi": "age"}, "counts of 'ill' are not all whole numbers"),
        (buckets("sensitive", sex=["f", "m"]), {"qi": ["age", "sex"]}, "'sex' is missing in 'quasi_identifiers'"),
        (buckets("quasi_identifiers", ill=["flu", "cold"]), {"qi": "age"}, "'ill' shows whose it is"),
        (buckets("sensitive", count=[2, 0]), {"qi": "age"}, "A count of 'ill' is 0: every value that is listed"),
        (buckets("sensitive", count=[0.5, 1.5]), {"qi": "age"}, "counts of 'ill' are not all whole numbers"),
        (buckets("sensitive", count=[1, 2]), {"qi": "age"}, "Group 1 has 2 people and 3 values of 'ill'"),
        (
            buckets("quasi_identifiers", group=[1, 2]),
            {"qi": "age"},
            "Group 1 has 1 people and 2 values of 'ill'.*2 groups",
        ),
        (buckets("sensitive", group=[1, 2], count=[2, 1]), {"qi": "age"}, "Group 2 has values but no people"),
        (
            {"quasi_identifiers": {"group": [1, 2], "age": [3, 4]}, "sensitive": {"group": [1], "ill": ["flu"]}},
            {"qi": "age"},
            "Group 2 has people but no value of 'ill'",
        ),
        (BUCKETS, {"qi": ["age", "group"]}, "'group' is a bucketized release's own"),
        (BUCKETS, {"qi": "age", "sensitive": "count"}, "'count' is a bucketized release's own"),
    ],
)
def test_what_does_not_fit_is_refused(frame: Any, options: dict[str, Any], told: str) -> None:
    with pytest.raises(RoleError, match=told):
        foreign(frame, **options)


@pytest.mark.parametrize("given", [3, "a.csv", None, {}, {"age": 3}, [1, 2], {"a": {}, "b": ROWS}])
def test_what_is_not_a_table_is_refused(given: Any) -> None:
    with pytest.raises(SourceError):
        foreign(given, "age", ())


@pytest.mark.parametrize(
    "claim",
    [
        LDiversity(l=3, kind="frequency"),
        LDiversity(l=2, kind="entropy"),
        LDiversity(l=2, kind="recursive", c=1.0),
        LDiversity(l=2),
        AlphaK(alpha=0.4, k=2),
        MInvariance(m=2),
        Eligibility(l=3),
        BetaLikeness(beta=0.1),
        TCloseness(t=0.1),
    ],
    ids=str,
)
def test_repeated_values_of_a_group_are_added_up(claim: Any) -> None:
    """Three people with HIV in one group, listed once per drug: the natural joint table of two sensitive columns."""
    people = {"group": [1, 1, 1, 2, 2, 2], "age": [30, 31, 32, 40, 41, 42]}
    joint = {
        "group": [1, 1, 1, 2, 2, 2],
        "ill": ["HIV"] * 3 + ["flu", "cold", "gout"],
        "drug": list("abcabc"),
        "count": [1] * 6,
    }
    given = {"quasi_identifiers": people, "sensitive": joint}
    release = foreign(given, "age", ["ill", "drug"] if not isinstance(claim, MInvariance) else "ill")
    angel = foreign({"by_age": people, "sensitive": joint}, "age")
    assert release.shape.statistics.histograms["ill"].largest().tolist() == [3, 1]
    assert audit(release, claims=[claim]).holds is False
    assert audit(angel, claims=[claim]).holds is False


@pytest.mark.parametrize("mark", ["*", " * ", "", None])
def test_suppression_marks_are_not_values(mark: Any) -> None:
    rows = {"age": [30, 30], "ill": ["flu", mark]}
    boxes = {
        "quasi_identifiers": {"group": [1, 1], "age": [3, 4]},
        "sensitive": {"group": [1, 1], "ill": ["flu", mark]},
    }
    for release in (foreign(rows, "age"), foreign(boxes, "age"), foreign({"a": rows, "b": rows}, "age")):
        assert release.shape.column("ill").suppressed
        assert audit(release, claims=[LDiversity(l=2)]).holds is None
        assert audit(release, claims=[MInvariance(m=2)]).holds is None
        assert audit(release, claims=[KAnonymity(k=2)]).holds is True


def test_nan_is_a_suppression_mark() -> None:
    release = foreign({"age": [30, 30], "ill": [1.5, float("nan")]}, "age")
    assert release.frames()["table"]["ill"].to_list() == [1.5, None]
    assert release.shape.column("ill").suppressed
