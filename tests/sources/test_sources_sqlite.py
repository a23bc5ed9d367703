"""SQLite: a real file, its loose types, and that reading neither makes nor changes a file."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
import sys
from pathlib import Path

import polars as pl
import pytest

from tacit.errors import SourceError
from tacit.sources import read

pytest.importorskip("adbc_driver_sqlite")


@pytest.fixture
def make(tmp_path):
    def make(script: str, *many: tuple[str, list[tuple[object, ...]]], name: str = "clinic.db") -> Path:
        path = tmp_path / name
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.executescript(script)
            for statement, rows in many:
                connection.executemany(statement, rows)
            connection.commit()
        return path

    return make


@pytest.fixture
def clinic(make):
    return make(
        "create table p(id integer, weight real, name text, zip text, born date, seen text, photo blob)",
        (
            "insert into p values(?,?,?,?,?,?,?)",
            [
                (1, 60.5, "Ada", "01234", "1988-01-02", "2024-01-05 10:30:00", b"\x00\xff"),
                (2, 70, None, "99501", None, "2024-01-06 11:00:00", None),
                (None, None, "Çem", "", "1973-05-06", "2024-01-07 00:00:00", b"x"),
            ],
        ),
    )


def test_values_and_types(clinic):
    frame = read(f"sqlite:///{clinic}", query="select * from p order by rowid -- all of them")
    assert dict(frame.schema) == {
        "id": pl.Int64,
        "weight": pl.Float64,
        "name": pl.String,
        "zip": pl.String,
        "born": pl.Date,
        "seen": pl.Datetime("us"),
        "photo": pl.Binary,
    }
    assert frame["weight"].to_list() == [60.5, 70.0, None]
    assert frame["zip"].to_list() == ["01234", "99501", ""]
    assert frame["born"].to_list() == [dt.date(1988, 1, 2), None, dt.date(1973, 5, 6)]
    assert frame["name"][2] == "Çem"


def test_text_keeps_dates_as_written(clinic):
    frame = read(f"sqlite:///{clinic}", query="select born, seen from p", text=["born"])
    assert frame.schema == {"born": pl.String, "seen": pl.Datetime("us")}


def test_relative_and_absolute(clinic, monkeypatch):
    monkeypatch.chdir(clinic.parent)
    assert read("sqlite:///clinic.db", query="select id from p").height == 3
    assert str(clinic).startswith("/")
    assert read(f"sqlite:///{clinic}", query="select id from p").height == 3
    assert read(f"SQLite:///{clinic}", query="select id from p").height == 3


def test_odd_file_name(make):
    path = make("create table t(a); insert into t values (5)", name="a b?mode=rwc#%20.db")
    assert read(f"sqlite:///{path}", query="select a from t").rows() == [(5,)]


def test_types_are_those_of_all_values(make):
    """The driver alone would decide after 1,024 rows, and fail."""
    path = make(
        "create table t(a, b, c)",
        ("insert into t values(?,?,?)", [(None, 1, "x")] * 3000 + [("late", 2.5, "2024-01-01")]),
    )
    frame = read(f"sqlite:///{path}", query="select * from t")
    assert frame.schema == {"a": pl.String, "b": pl.Float64, "c": pl.String}
    assert frame.row(-1) == ("late", 2.5, "2024-01-01")


def test_integers_beside_text_are_text(make):
    path = make("create table t(a)", ("insert into t values(?)", [(1,), ("two",), (None,)]))
    assert read(f"sqlite:///{path}", query="select * from t").to_series().to_list() == ["1", "two", None]


@pytest.mark.parametrize("values", [[3.14159265, "text"], [b"\xff", 1], [b"x", "text"]])
def test_types_that_do_not_mix(make, values):
    path = make("create table t(ok, bad)", ("insert into t values(1, ?)", [(value,) for value in values]))
    with pytest.raises(SourceError, match=r"'bad' holds values of several types.*cast\(bad as text\)"):
        read(f"sqlite:///{path}", query="select * from t")


def test_text_that_looks_rounded_is_fine(make):
    path = make("create table t(a); insert into t values ('3.141593e+00'), ('x')")
    assert read(f"sqlite:///{path}", query="select * from t").to_series().to_list() == ["3.141593e+00", "x"]


def test_no_rows(clinic):
    frame = read(f"sqlite:///{clinic}", query="select name from p where false")
    assert frame.shape == (0, 1)


class TestBad:
    def fails(self, url: str, query: str | None, *parts: str) -> None:
        with pytest.raises(SourceError) as caught:
            read(url, query=query)
        for part in parts:
            assert part in str(caught.value)
        assert caught.value.hint
        assert "\n" not in str(caught.value)
        assert caught.value.__context__ is None

    def test_a_file_that_is_not_there_is_not_made(self, tmp_path):
        with pytest.raises(SourceError, match="no file"):
            read(f"sqlite:///{tmp_path}/new.db", query="select 1")
        assert list(tmp_path.iterdir()) == []

    def test_nothing_is_written(self, clinic):
        before = clinic.read_bytes()
        self.fails(f"sqlite:///{clinic}", "delete from p", "readonly")
        assert clinic.read_bytes() == before
        assert [path.name for path in clinic.parent.iterdir()] == ["clinic.db"]

    def test_not_a_database(self, tmp_path):
        (tmp_path / "t.db").write_text("hello " * 1000)
        self.fails(f"sqlite:///{tmp_path}/t.db", "select * from t", "not a database")

    @pytest.mark.parametrize("query", [None, "", "  \n"])
    def test_no_query(self, clinic, query):
        self.fails(f"sqlite:///{clinic}", query, "no query")

    def test_bad_query(self, clinic):
        self.fails(f"sqlite:///{clinic}", "select * from nobody", "no such table: nobody")
        self.fails(f"sqlite:///{clinic}", "selec 1", "syntax error")
        self.fails(f"sqlite:///{clinic}", "-- nothing", "")

    def test_two_columns_of_one_name(self, clinic):
        self.fails(f"sqlite:///{clinic}", "select id, id from p", "two columns 'id'")

    def test_not_utf8(self, make):
        path = make("create table t(a); insert into t values (cast(x'ff' as text))")
        self.fails(f"sqlite:///{path}", "select a from t", "UTF8")

    @pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite://clinic.db"])
    def test_no_file_named(self, url):
        self.fails(url, "select 1", "names no SQLite file", "sqlite:///")

    def test_driver_missing(self, clinic, monkeypatch):
        monkeypatch.setitem(sys.modules, "adbc_driver_sqlite.dbapi", None)
        with pytest.raises(SourceError, match=r"pip install 'tacit\[database\]'"):
            read(f"sqlite:///{clinic}", query="select 1")
