"""A database larger than memory: its answer is written down batch by batch, and protected out of core."""

from __future__ import annotations

import traceback
from pathlib import Path

import polars as pl
import pytest
from tests.postgresql import PASSWORD, port, url

from tacit.errors import SourceError
from tacit.jobs.publish import publish
from tacit.recipes import Recipe
from tacit.sources.databases import database_batches

driver = pytest.importorskip("adbc_driver_postgresql.dbapi")
__all__ = ["port", "url"]  # fixtures

RECIPE = """
[table]
url_env = "CLINIC"
query = "{query}"
[roles]
quasi_identifiers = ["age", "born"]
sensitive = ["ill"]
[[steps]]
method = "mondrian"
guarantees = [{{ name = "k-anonymity", k = 5 }}]
[engine]
name = "streaming"
fragment_rows = 2000
scratch = "scratch"
[output]
folder = "out"
"""


@pytest.fixture(scope="module")
def clinic(url: str) -> str:
    with driver.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute(
            "create table visits as select 20 + i % 60 as age, date '1990-01-01' + (i % 500) as born, "
            "(array['flu', 'cold', 'gout'])[1 + i % 3] as ill, "
            "repeat('x', 2000) as note from generate_series(1, 20000) i"
        )
        connection.commit()
    return url


def job(folder: Path, query: str) -> Recipe:
    path = folder / "job.toml"
    path.write_text(RECIPE.format(query=query))
    return Recipe.read(path)


def test_an_answer_comes_in_batches_and_is_whole(clinic: str) -> None:
    batches = list(database_batches(clinic, query="select age, ill, note from visits"))
    assert len(batches) > 1
    assert sum(batch.height for batch in batches) == 20_000


def test_a_database_is_protected_out_of_core(clinic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLINIC", clinic)
    (done,) = publish(job(tmp_path, "select age, born, ill from visits")).parts
    assert done.audit.holds is True
    assert done.as_dict()["fragments"] > 1
    shown = pl.concat([pl.read_parquet(file) for file in sorted((tmp_path / "out").glob("table*.parquet"))])
    assert shown.height == 20_000
    assert shown.group_by("age", "born").len()["len"].min() >= 5
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("select age, born, ill from nowhere", "did not answer the query"),
        ("select age, born, ill, 1 / (age - 79) from visits", "division by zero"),
        ("select age, born, ill from visits where false", "no row"),
    ],
)
def test_what_goes_wrong_is_one_sentence_without_the_password(
    query: str, sentence: str, clinic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLINIC", clinic)
    with pytest.raises(Exception, match=sentence) as refused:
        publish(job(tmp_path, query))
    text = "".join(traceback.format_exception(refused.value))
    assert PASSWORD not in text
    assert "\n" not in str(refused.value.args[0])
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "scratch").iterdir()) == []


def test_sqlite_is_refused_in_one_sentence() -> None:
    with pytest.raises(SourceError, match="SQLite database is not read in batches"):
        database_batches("sqlite:///x.db", query="select 1")
