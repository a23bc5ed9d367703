"""Releases in a database, a real PostgreSQL and SQLite: whole or not at all, and nothing else replaced."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from pathlib import Path

import polars as pl
import pytest
from tests.postgresql import PASSWORD, port, url

import tacit as tc
from tacit.errors import LedgerConflict, ParameterError, SourceError
from tacit.releases import Destination
from tacit.sources import read

__all__ = ["port", "url"]  # fixtures
ROWS = 12
TABLE = tc.Table(
    {
        "age": [30 + i // 4 for i in range(ROWS)],
        "seen": [dt.date(2024, 1, 1 + i // 6) for i in range(ROWS)],
        "smokes": [i % 2 == 0 for i in range(ROWS)],
        "it's": [f"o'{i // 6}" for i in range(ROWS)],
        "ill": [("flu", "cold", "hiv")[i % 3] for i in range(ROWS)],
    },
    quasi_identifiers=["age", "seen", "smokes", "it's"],
    sensitive="ill",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'out.db'}"
    address: str = request.getfixturevalue("url")
    import adbc_driver_postgresql.dbapi as driver

    with driver.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute("drop schema public cascade")
        cursor.execute("create schema public")
        connection.commit()
    return address


def names(place: str) -> set[str]:
    path = Path(place.removeprefix("sqlite:///"))
    if place.startswith("sqlite") and not (path.exists() and path.stat().st_size):
        return set()
    query = (
        "select name from sqlite_master where type = 'table'"
        if place.startswith("sqlite")
        else "select table_name as name from information_schema.tables where table_schema = 'public'"
    )
    return set(read(place, query=query)["name"])


def execute(place: str, statement: str) -> None:
    import importlib

    module = importlib.import_module(f"adbc_driver_{place.partition(':')[0]}.dbapi")
    with module.connect(place.removeprefix("sqlite:///")) as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        connection.commit()


def test_frames_become_tables(place: str, tmp_path: Path) -> None:
    release = tc.Anatomy(3).protect(TABLE)
    there = Destination(place, {"quasi_identifiers": "people", "sensitive": "illnesses"})
    release.write(tmp_path / "out", database=there)
    assert names(place) == {"people", "illnesses", "tacit_releases"}
    for frame, name in there.tables.items():
        again = read(place, query=f'select * from "{name}"')  # noqa: S608
        want = release.frames()[frame]
        assert again.columns == want.columns
        assert again["group"].to_list() == want["group"].to_list()
    people = read(place, query="select * from people")
    assert people["seen"].to_list() == release.frames()["quasi_identifiers"]["seen"].to_list()
    assert people["it's"].to_list() == release.frames()["quasi_identifiers"]["it's"].to_list()
    kept = read(place, query="select release from tacit_releases where name = 'people'")["release"][0]
    assert json.loads(kept) == json.loads((tmp_path / "out" / "release.json").read_text())
    assert (tmp_path / "out.private").is_dir()
    assert tc.audit(tc.Release.read(tmp_path / "out")).holds


def test_a_release_is_replaced_only_if_asked_and_other_tables_never(place: str, tmp_path: Path) -> None:
    there = Destination(place, {"quasi_identifiers": "people", "sensitive": "illnesses"})
    tc.Anatomy(3).protect(TABLE).write(tmp_path / "a", database=there)
    with pytest.raises(SourceError, match=r"There is a release in the table 'people' already\. .* say --overwrite"):
        tc.Anatomy(2).protect(TABLE).write(tmp_path / "b", database=there)
    assert not (tmp_path / "b").exists()
    release = tc.Mondrian([tc.KAnonymity(2)]).protect(TABLE)
    release.write(tmp_path / "c", database=Destination(place, {"table": "people"}), overwrite=True)
    assert names(place) == {"people", "tacit_releases"}  # the whole earlier release is gone
    execute(place, "create table mine (a int)")
    with pytest.raises(SourceError, match=r"There is a table 'mine' that holds no release; it is not overwritten"):
        release.write(tmp_path / "d", database=Destination(place, {"table": "mine"}), overwrite=True)
    assert not (tmp_path / "d").exists()


def test_whole_or_not_at_all(place: str, tmp_path: Path) -> None:
    """The second table is refused: the first is not there either, and no folder."""
    execute(place, "create table illnesses (a int)")
    there = Destination(place, {"quasi_identifiers": "people", "sensitive": "illnesses"})
    with pytest.raises(SourceError, match="'illnesses' that holds no release"):
        tc.Anatomy(3).protect(TABLE).write(tmp_path / "out", database=there)
    assert names(place) == {"illnesses"}
    assert list(tmp_path.glob("out*")) == ([tmp_path / "out.db"] if place.startswith("sqlite") else [])


def test_what_refuses_at_the_last_moment_leaves_no_table(place: str, tmp_path: Path) -> None:
    def refuse() -> None:
        raise LedgerConflict("no")

    with pytest.raises(LedgerConflict):
        tc.Anatomy(3).protect(TABLE).write(tmp_path / "out", database=Destination(place), before=refuse)
    assert not names(place)
    assert not (tmp_path / "out").exists()


def test_suppressed_cells_are_null_and_sets_are_joined(place: str, tmp_path: Path) -> None:
    method = tc.ValueSuppression(tc.DisclosureRisk(known={"age": 1.0}, weights={"ill": 1.0}), delta=0.1)
    release = method.protect(TABLE)
    release.write(tmp_path / "out", database=Destination(place, {"table": "people"}))
    again = read(place, query="select * from people")
    frame = release.frames()["table"]
    assert again["ill"].null_count() == frame["ill"].null_count() > 0


def test_through_a_recipe(place: str, tmp_path: Path, monkeypatch) -> None:
    from tacit.jobs.publish import publish
    from tacit.recipes import Recipe, RecipeError

    TABLE.frame.write_csv(tmp_path / "t.csv")
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        """
        [table]
        source = "t.csv"
        [roles]
        quasi_identifiers = ["age", "seen"]
        sensitive = ["ill"]
        [[steps]]
        method = "mondrian"
        guarantees = [{ name = "k-anonymity", k = 2 }]
        [output]
        folder = "public"
        url_env = "TACIT_TEST_OUT"
        tables = { table = "patients" }
        """
    )
    monkeypatch.delenv("TACIT_TEST_OUT", raising=False)
    with pytest.raises(RecipeError, match=r"\[output\] url_env: the environment variable 'TACIT_TEST_OUT' is not set"):
        publish(Recipe.read(recipe))
    monkeypatch.setenv("TACIT_TEST_OUT", place)
    publish(Recipe.read(recipe))
    assert read(place, query="select * from patients").height == ROWS
    with pytest.raises(SourceError, match=r"is not empty|release in the table 'patients'"):
        publish(Recipe.read(recipe))
    publish(Recipe.read(recipe), overwrite=True)


def test_bad_destinations(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"The table of 'table' cannot be called 'a;drop'"):
        Destination("sqlite:///x.db", {"table": "a;drop"})
    with pytest.raises(SourceError, match="cannot be written to this kind of database"):
        Destination("mysql://x")
    with pytest.raises(SourceError, match="names no SQLite file"):
        tc.Anatomy(3).protect(TABLE).write(tmp_path / "out", database=Destination("sqlite://"))
    with pytest.raises(ParameterError, match=r"There is no frame 'tabel' in this release\. The frames are: "):
        tc.Anatomy(3).protect(TABLE).write(tmp_path / "out", database=Destination("sqlite:///x.db", {"tabel": "a"}))
    assert not (tmp_path / "out").exists()


def test_no_password_is_repeated(url: str, tmp_path: Path) -> None:
    wrong = url.replace("/postgres", "/nowhere")
    with pytest.raises(SourceError) as caught:
        Destination(wrong).check(overwrite=False)
    assert PASSWORD not in str(caught.value)
    assert "did not take the release" in str(caught.value)
    assert caught.value.__cause__ is None
    assert PASSWORD not in repr(Destination(url))


def test_an_sqlite_file_is_made(tmp_path: Path) -> None:
    tc.Anatomy(3).protect(TABLE).write(tmp_path / "out", database=Destination(f"sqlite:///{tmp_path / 'new.db'}"))
    with sqlite3.connect(tmp_path / "new.db") as connection:
        assert connection.execute("select count(*) from quasi_identifiers").fetchone() == (ROWS,)
    assert isinstance(read(f"sqlite:///{tmp_path / 'new.db'}", query="select * from sensitive"), pl.DataFrame)
