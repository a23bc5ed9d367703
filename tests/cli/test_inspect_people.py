"""What `inspect` says of a table in which people have several rows."""

import json

import polars as pl
import pytest
from typer.testing import CliRunner

from tacit.cli import app
from tacit.jobs.inspect import inspect
from tacit.table import Role


def visits(people: int = 60, times: int = 6) -> pl.DataFrame:
    rows = range(people * times)
    return pl.DataFrame(
        {
            "pid": [f"p{i // times}" for i in rows],
            "age": [20 + i // times for i in rows],
            "diagnosis": [f"d{i * 7 % 9}" for i in rows],
        }
    )


def roles(frame: pl.DataFrame) -> dict[str, Role]:
    return {g.name: g.role for g in inspect(frame).guesses}


@pytest.mark.parametrize("name", ["pid", "patient_id", "customer_no", "email", "mrn", "Person_ID"])
def test_keys_that_repeat_are_persons(name):
    assert roles(visits().rename({"pid": name}))[name] is Role.PERSON


def test_keys_of_something_else_are_not():
    few = visits().with_columns(pl.Series("hospital_id", [i % 5 for i in range(360)]))
    assert roles(few)["hospital_id"] is not Role.PERSON
    assert roles(few)["pid"] is Role.PERSON
    single = visits(people=40, times=1)
    assert roles(single)["pid"] is Role.IDENTIFIER


def test_one_column_is_the_person_and_other_keys_that_repeat_are_identifiers():
    both = visits().with_columns(pl.Series("account_id", [1000 + i // 6 for i in range(360)]))
    assert roles(both)["pid"] is Role.PERSON
    assert roles(both)["account_id"] is Role.IDENTIFIER


def test_names_that_repeat_are_withheld_and_never_refused():
    names = visits(people=40, times=1).rename({"pid": "name"}).with_columns(pl.lit("Ann").alias("surname"))
    twice = pl.concat([names, names.head(2)])
    assert roles(twice)["name"] is Role.OTHER


def test_the_recipe_names_the_person_and_runs(tmp_path):
    visits().write_csv(tmp_path / "visits.csv")
    recipe = tmp_path / "visits.toml"
    done = CliRunner().invoke(app, ["inspect", str(tmp_path / "visits.csv"), "--recipe", str(recipe)])
    assert done.exit_code == 0, done.output
    assert 'person = "pid"' in recipe.read_text()


def test_the_command_line_names_the_person(tmp_path):
    visits().rename({"pid": "who"}).write_csv(tmp_path / "visits.csv")
    done = CliRunner().invoke(app, ["inspect", str(tmp_path / "visits.csv"), "--person", "who", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)["columns"]
    assert next(c["role"] for c in found if c["name"] == "who") == "person"


def unnamed(rows_each: int = 4, people: int = 300) -> pl.DataFrame:
    """Return visits whose key has a name that says nothing; three columns are each person's own."""
    rows = range(rows_each * people)
    own = {f"v{prime}": [(i // rows_each) * prime % 5 for i in rows] for prime in (7, 11, 13)}
    return pl.DataFrame({"zper": [125_000 + 3 * (i // rows_each) for i in rows], **own, "cost": [i % 9 for i in rows]})


def test_a_key_whose_name_says_nothing_is_known_by_what_its_rows_agree_in():
    found = {g.name: g for g in inspect(unnamed()).guesses}
    assert found["zper"].role is Role.PERSON
    assert found["zper"].reason == "its values repeat, and rows with the same one agree in v7, v11, v13"


def test_a_key_whose_rows_differ_is_not_taken_for_persons():
    frame = unnamed()
    assert roles(frame.with_columns(pl.col("v7").shuffle(seed=1)))["zper"] is not Role.PERSON
    assert roles(frame.with_columns(pl.Series("id", [i // 2 for i in range(frame.height)])))["id"] is Role.PERSON


def test_a_recipe_says_what_it_cannot_promise_for_want_of_roles():
    nothing_sensitive = inspect(pl.DataFrame({"age": [20 + i % 40 for i in range(200)], "sex": ["f", "m"] * 100}))
    assert any("--sensitive COLUMN" in caveat for caveat in nothing_sensitive.caveats)
    nothing_known = inspect(pl.DataFrame({"income": [1000.25 * i for i in range(300)]}))
    assert any("--qi COLUMN" in caveat for caveat in nothing_known.caveats)
    assert not inspect(visits()).caveats
