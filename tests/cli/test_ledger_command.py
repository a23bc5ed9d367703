"""`[ledger]` in a recipe, and `tacit ledger`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.oracles import marginals as oracle

import tacit as tc
from tacit import cli

PEOPLE = "name,age,zip,sex,disease\n" + "".join(
    f"p{i},{20 + i * 7 % 31},{100 + i * 11 % 17},{'FM'[i * 5 % 2]},{('flu', 'cold', 'gout', 'mumps')[i * 3 % 4]}\n"
    for i in range(60)
)
RECIPE = """
[table]
source = "patients.csv"
[roles]
identifiers = ["name"]
quasi_identifiers = ["age", "zip", "sex"]
sensitive = ["disease"]
[[steps]]
method = "invariant-marginals"
m = {m}
marginals = {{ {name} = {columns} }}
[ledger]
path = "clinic.ledger"
[output]
folder = "{name}"
"""


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patients.csv").write_text(PEOPLE, encoding="utf-8")
    for name, columns, m in (("today", '["age", "sex"]', 2), ("later", '["zip"]', 2), ("more", '["sex"]', 5)):
        (tmp_path / f"{name}.toml").write_text(RECIPE.format(name=name, columns=columns, m=m), encoding="utf-8")
    return tmp_path


def test_two_recipes_one_ledger(clinic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["publish", "today.toml"]) == 0
    assert cli.run(["publish", "later.toml"]) == 0
    groups = [tc.Release.read(clinic / name).inside.group[name].tolist() for name in ("today", "later")]  # type: ignore[union-attr]
    values = [line.split(",")[4] for line in PEOPLE.splitlines()[1:]]
    assert oracle.is_invariant(groups, values, 2)
    capsys.readouterr()
    assert cli.run(["ledger", "clinic.ledger"]) == 0
    told = capsys.readouterr().out
    assert "60 rows, published 2 times" in told
    assert "today (group, age, sex, disease)" in told
    assert "safe: any marginals of age, zip, sex with disease, for m up to 2" in told


def test_it_says_what_it_refuses(clinic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["publish", "today.toml"]) == 0
    assert cli.run(["publish", "more.toml"]) == 2
    assert "m = 2 or less" in capsys.readouterr().err
    (clinic / "patients.csv").write_text(PEOPLE.replace("p3,41,", "p3,42,"), encoding="utf-8")
    assert cli.run(["publish", "later.toml"]) == 2
    assert "another table" in capsys.readouterr().err
    assert not (clinic / "later").exists()


def test_json_and_files_that_are_no_ledger(clinic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    assert cli.run(["ledger", "clinic.ledger"]) == 2
    assert "There is no ledger" in capsys.readouterr().err
    assert cli.run(["ledger", "patients.csv"]) == 2
    assert "damaged" in capsys.readouterr().err
    assert cli.run(["publish", "today.toml", "--quiet"]) == 0
    assert cli.run(["ledger", "clinic.ledger", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tables"][0]["m"] == 2
    assert told["tables"][0]["entries"][0]["in_place"] is True


def test_a_folder_that_went_away_still_counts(clinic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["publish", "today.toml", "--quiet"]) == 0
    (clinic / "today").rename(clinic / "elsewhere")
    assert cli.run(["ledger", "clinic.ledger"]) == 0
    assert "no longer there" in capsys.readouterr().out
