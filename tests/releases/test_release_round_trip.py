"""What is written comes back: every type, every shape, every format."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.published_bytes import csv_rows
from tests.releases.releases_made import (
    FORMATS,
    STRANGE,
    assert_same,
    blanked,
    every_type,
    inside_of,
    protected,
    shapes_of,
    table_of,
)

from tacit import Eligibility, KAnonymity, Release, RoleError, Table
from tacit.methods import Pipeline, SmallGroups
from tacit.releases.delimited import read_csv, type_name, write_csv
from tacit.releases.writing import file_names
from tacit.shapes import Bucketized, Generalized, Marginals, Microdata, PublishedColumn
from tacit.shapes.erasing import without_hidden_values
from tacit.table import Kind, Role


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("shape", ["microdata", "generalized", "bucketized", "marginals"])
def test_every_type_comes_back_in_every_shape(tmp_path: Path, kind: str, shape: str) -> None:
    table = table_of(every_type(50))
    release = Release(shape=shapes_of(table)[shape], size=len(table))
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("seed", range(3))
def test_suppressed_cells_come_back_beside_original_nulls(tmp_path: Path, kind: str, seed: int) -> None:
    release = blanked(table_of(every_type(50)), seed)
    assert any(column.suppressed and column.blurred for column in release.shape.columns)
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
def test_suppressed_cells_come_back_without_original_nulls(tmp_path: Path, kind: str) -> None:
    frame = every_type(300)
    dense = pl.DataFrame([column.drop_nulls().gather(np.arange(40)) for column in frame])
    release = blanked(table_of(dense))
    assert all(column.suppressed and not column.blurred for column in release.shape.columns[:-1])
    assert release.frames()["table"].schema["Int8"] == pl.Int8
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
def test_two_sensitive_columns_are_two_frames(tmp_path: Path, kind: str) -> None:
    table = table_of(every_type(16), sensitive=2)
    shape = Bucketized.publish(table, np.ones(16, bool), np.arange(16), np.arange(16) % 3)
    release = Release(shape=shape, size=16)
    assert list(release.frames()) == ["quasi_identifiers", "sensitive_ill0", "sensitive_ill1"]
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("shape", ["microdata", "bucketized"])
def test_strange_names_of_columns_come_back(tmp_path: Path, kind: str, shape: str) -> None:
    frame = {name: [f"{name}{i % 2}" for i in range(6)] for name in STRANGE}
    table = Table(frame, quasi_identifiers=STRANGE[2:], sensitive=STRANGE[:2])
    kept, order = np.array([True] * 5 + [False]), np.array([4, 2, 0, 1, 3])
    made = {
        "microdata": Microdata.publish(table, kept, order),
        "bucketized": Bucketized.publish(table, kept, order, np.arange(6)),
    }
    release = Release(shape=made[shape], inside=inside_of(table, kept, np.where(kept, np.arange(6), -1)), size=6)
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
def test_the_inside_of_marginals_comes_back(tmp_path: Path, kind: str) -> None:
    table = table_of(every_type(12).select("text", "Int8"))
    kept = np.arange(12) % 4 > 0
    flat = Generalized.publish(table, kept, np.arange(9))
    names = ["age:sex", "frame-1", "ü", "", "group:", "x/../y"]
    group = {name: np.where(kept, (np.arange(12) + i) % 12, -1) for i, name in enumerate(names)}
    release = Release(shape=Marginals(dict.fromkeys(names, flat)), inside=inside_of(table, kept, group), size=12)
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
def test_what_methods_make_comes_back(tmp_path: Path, kind: str) -> None:
    steps = [SmallGroups(guarantee=KAnonymity(k=2)), SmallGroups(guarantee=Eligibility(l=2))]
    ages = [1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7]
    table = Table({"age": ages, "ill": list("ababcdabaabb")}, quasi_identifiers="age", sensitive="ill")
    piped = Pipeline(steps).protect(table)
    assert [int(hidden.rows.sum()) for hidden in piped.inside.withheld] == [2, 4]
    for release in (piped, protected(), replace(protected(), warnings=("mind the gap",))):
        release.write(tmp_path / "out", format=kind, overwrite=True)
        again = Release.read(tmp_path / "out")
        assert_same(release, again)
        assert again.method == release.method
    assert Release.read(tmp_path / "out").guarantees == (KAnonymity(k=2),)


def test_a_release_that_was_read_is_written_again(tmp_path: Path) -> None:
    first = protected()
    first.write(tmp_path / "a", format="csv")
    Release.read(tmp_path / "a").write(tmp_path / "b", format="arrow")
    assert_same(first, Release.read(tmp_path / "b"))


def test_a_suppressed_cell_is_a_star_in_csv_and_a_marked_null_in_parquet(tmp_path: Path) -> None:
    frame = {"age": [30, 41, None, 52], "zip": ["01", "*", "02", "03"], "sex": ["f", "m", "f", "m"]}
    table = Table(frame, quasi_identifiers=["age", "zip", "sex"])
    cells = np.zeros((4, 3), bool)
    cells[0, :2] = True
    release = Release(shape=Microdata.publish(table, np.ones(4, bool), np.arange(4), cells))
    release.write(tmp_path / "csv", format="csv")
    assert csv_rows(tmp_path / "csv" / "table.csv") == [
        ["age", "zip", "sex"],
        ["*", "*", "f"],
        ["41", '"*"', "m"],
        ["", "02", "f"],
        ["52", "03", "m"],
    ]
    release.write(tmp_path / "pq")
    written = pq.read_table(tmp_path / "pq" / "table.parquet")
    assert written["zip"].to_pylist() == [None, "*", "02", "03"]
    assert written["age"].to_pylist() == [None, "41", "", "52"]  # the null that was there is a value of its own
    marks = {field.name: (field.metadata or {}).get(b"tacit.suppressed") for field in written.schema}
    assert marks == {"age": b"true", "zip": b"true", "sex": None}
    assert written.schema.metadata[b"tacit"] == b'{"suppressed": ["age", "zip"]}'


@pytest.mark.parametrize("kind", FORMATS)
def test_a_column_without_a_name_stays_without(tmp_path: Path, kind: str) -> None:
    known = tuple(PublishedColumn(name, Role.QUASI_IDENTIFIER, Kind.NUMERIC) for name in ("", "x"))
    release = Release(shape=Microdata(pl.DataFrame({"": [1, None], "x": [2, 3]}), known))
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


def test_a_column_of_nothing_but_nulls_and_blanks_comes_back(tmp_path: Path) -> None:
    table = Table({"a": pl.Series([None, None, None], dtype=pl.Int64), "b": [1, 2, 3]}, quasi_identifiers=["a", "b"])
    for cells in (None, np.ones((3, 2), bool), np.array([[True, True], [False, True], [False, False]])):
        release = Release(shape=Microdata.publish(table, np.ones(3, bool), np.arange(3), cells))
        for kind in FORMATS:
            release.write(tmp_path / "out", format=kind, overwrite=True)
            assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
def test_one_column_with_nulls_keeps_its_rows(tmp_path: Path, kind: str) -> None:
    table = Table({"only": ["", None, "x", None]}, quasi_identifiers="only")
    release = Release(shape=Microdata.publish(table, np.ones(4, bool), np.arange(4)))
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))


@pytest.mark.parametrize("kind", FORMATS)
def test_sets_of_items_come_back(tmp_path: Path, kind: str) -> None:
    sets = [["cough", "fever"], [], None, ["a;b", 'q"q', "*"], ["*"], ["=1+1", " x "], ["back\\slash;"], [""]]
    frame = {"age": [1] * len(sets), "signs": pl.Series(sets, dtype=pl.List(pl.String)), "n": [[1, 2]] * len(sets)}
    release = Release.foreign(frame, quasi_identifiers="age", sensitive=(), items=["signs", "n"])
    release.write(tmp_path / "out", format=kind)
    assert_same(release, Release.read(tmp_path / "out"))
    marked = (PublishedColumn("signs", Role.ITEMS, Kind.ITEMS, None, False, True),)
    release = Release(shape=Microdata(pl.DataFrame({"signs": frame["signs"]}), marked))
    release.write(tmp_path / "out", format=kind, overwrite=True)
    assert_same(release, Release.read(tmp_path / "out"))


def test_many_rows_of_many_lines_come_back(tmp_path: Path) -> None:
    texts = pl.Series("t", [f'{i}\n"{i}",\r\n' + "x" * (i % 50) for i in range(60_000)])
    write_csv(texts.to_frame(), tmp_path / "t.csv", {})
    assert read_csv(tmp_path / "t.csv", {}, [["t", "String"]])["t"].equals(texts)


@settings(max_examples=150, deadline=None)
@given(
    columns=st.lists(
        st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=6), min_size=3, max_size=3),
        min_size=1,
        max_size=3,
    ),
    blank=st.booleans(),
    names=st.lists(st.text(st.characters(codec="utf-8"), max_size=4), min_size=3, max_size=3, unique=True),
)
def test_any_text_comes_back_from_csv(
    tmp_path_factory: pytest.TempPathFactory, columns: list[list[str | None]], blank: bool, names: list[str]
) -> None:
    frame = pl.DataFrame({n: pl.Series(v, dtype=pl.String) for n, v in zip(names, columns, strict=False)})
    marks = {n: PublishedColumn(n, Role.OTHER, Kind.CATEGORICAL, None, False, blank) for n in frame.columns}
    path = tmp_path_factory.getbasetemp() / "any.csv"
    write_csv(frame, path, marks)
    again = read_csv(path, marks, [[n, type_name(d)] for n, d in frame.schema.items()])
    assert again.equals(frame)
    assert again.schema == frame.schema


@settings(max_examples=60, deadline=None)
@given(st.lists(st.none() | st.datetimes(min_value=dt.datetime(1, 1, 2), max_value=dt.datetime(9999, 12, 30))))
def test_any_time_comes_back_from_csv(
    tmp_path_factory: pytest.TempPathFactory, times: list[dt.datetime | None]
) -> None:
    path = tmp_path_factory.getbasetemp() / "times.csv"
    plain = pl.Series("plain", times, dtype=pl.Datetime("us"))
    zoned = plain.dt.replace_time_zone("UTC").dt.convert_time_zone("America/New_York").alias("zoned")
    frame = pl.DataFrame([plain, zoned, plain.cast(pl.Date).alias("day")])
    write_csv(frame, path, {})
    again = read_csv(path, {}, [[n, type_name(d)] for n, d in frame.schema.items()])
    assert again.schema == frame.schema
    assert again.equals(frame)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.none() | st.integers(-3, 3), max_size=8))
def test_nothing_is_changed_by_laying_nulls_bare(values: list[int | None]) -> None:
    for dtype in (pl.Int8, pl.Float64, pl.String, pl.Boolean, pl.Date, pl.Datetime("ms", "UTC"), pl.List(pl.String)):
        series = pl.Series("x", values, dtype=pl.Int64).cast(pl.Int32)
        series = series.cast(pl.String).str.split("") if isinstance(dtype, pl.List) else series.cast(dtype)
        again = without_hidden_values(series)
        assert again.equals(series, null_equal=True, check_dtypes=True, check_names=True)


def test_names_of_files_do_not_meet() -> None:
    names = ["frame-1", "ü", "a", "A", "../x", "con", "table", "x" * 200, "frame-8"]
    files = file_names(names, "csv")
    assert list(files) == names
    assert len({file.lower() for file in files.values()}) == len(names)
    assert all("/" not in file and not file.startswith(".") for file in files.values())
    assert files["table"] == "table.csv"


def test_a_frame_without_columns_is_not_published(tmp_path: Path) -> None:
    table = Table({"id": ["a", "b"]}, identifiers="id")
    release = Release(shape=Microdata.publish(table, np.ones(2, bool), np.arange(2)))
    with pytest.raises(RoleError, match="no column to publish"):
        release.write(tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_a_folder_is_read_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    protected().write(tmp_path / "out")
    monkeypatch.chdir(tmp_path / "out")
    assert Release.read(".").inside is not None
    (tmp_path / "out" / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "out" / "sub")
    assert Release.read("..").inside is not None


def test_a_folder_named_like_a_partition_adds_no_column(tmp_path: Path) -> None:
    release = protected()
    release.write(tmp_path / "year=2024" / "out")
    assert_same(release, Release.read(tmp_path / "year=2024" / "out"))


def test_hierarchies_are_given_again(tmp_path: Path) -> None:
    table = Table(
        {"age": [30, 31], "zip": ["a", "b"]}, quasi_identifiers=["age", "zip"], hierarchies={"age": {"interval": 5}}
    )
    Release(shape=Microdata.publish(table, np.ones(2, bool), np.arange(2))).write(tmp_path / "out")
    again = Release.read(tmp_path / "out", hierarchies={"zip": {"prefix": 1}})
    assert [column.hierarchy is None for column in again.shape.columns] == [False, False]
    with pytest.raises(RoleError, match="no column 'zipp' in the release"):
        Release.read(tmp_path / "out", hierarchies={"zipp": {"prefix": 1}})
