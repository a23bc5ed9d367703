"""`tacit audit FILE --items`: a file with sets of items that anyone published is judged with a label table."""

import json
from pathlib import Path

import pytest

LABELS = {"flu": ["cough", "fever"], "cold": ["cough", "sneezing"], "gout": ["joint pain"]}
ROWS = "age,symptoms\n30,cough;fever\n30,cough\n41,joint pain\n41,sneezing\n"
RECIPE = """
[table]
source = "published.csv"
[read]
items_separator = "|"
[roles]
quasi_identifiers = ["age"]
items = {items}
[[steps]]
method = "quasi-sensitive"
guarantee = {{ name = "qs-diversity", c = 1, l = 2, knowledge = "labels.json" }}
"""
CLAIM = ("--claim", "qs-diversity:c=1,l=2", "--knowledge", "labels.json", "--json")


@pytest.fixture(autouse=True)
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("published.csv").write_text(ROWS, encoding="utf-8")
    Path("labels.json").write_text(json.dumps(LABELS), encoding="utf-8")


def posterior(done) -> float:
    assert done.code == 1, done.err
    return done.json["audit"]["findings"][0]["posterior"]


def test_a_file_with_items_is_judged(tacit) -> None:
    # Of the two people of 30, one has the flu for sure and the other the flu or a cold: (1 + 1/2) / 2.
    assert posterior(tacit("audit", "published.csv", "--qi", "age", "--items", "symptoms", *CLAIM)) == 0.75


def test_without_the_option_the_claim_is_refused_with_a_way_out(tacit) -> None:
    done = tacit("audit", "published.csv", "--qi", "age", *CLAIM)
    assert done.code == 2
    assert "is about an items column; the release has none" in done.err


@pytest.mark.parametrize("items", ["symptoms", "symptoms,nothing"])
def test_a_column_that_is_not_there_or_holds_no_sets_is_named(tacit, items: str) -> None:
    done = tacit("audit", "published.csv", "--qi", "age", "--items", items.replace("symptoms", "symptms"), *CLAIM)
    assert done.code == 2
    assert "symptms" in done.err


def test_a_recipe_names_the_items_and_their_separator(tacit) -> None:
    Path("published.csv").write_text(ROWS.replace(";", "|"), encoding="utf-8")
    Path("job.toml").write_text(RECIPE.format(items='["symptoms"]'), encoding="utf-8")
    assert posterior(tacit("audit", "published.csv", "--recipe", "job.toml", *CLAIM)) == 0.75


def test_a_recipe_may_name_a_binary_column_per_item(tacit) -> None:
    rows = "age,cough,fever,sneezing,joint pain\n30,1,1,0,0\n30,1,0,0,0\n41,0,0,0,1\n41,0,0,1,0\n"
    Path("published.csv").write_text(rows, encoding="utf-8")
    items = '{ symptoms = ["cough", "fever", "sneezing", "joint pain"] }'
    Path("job.toml").write_text(RECIPE.format(items=items), encoding="utf-8")
    assert posterior(tacit("audit", "published.csv", "--recipe", "job.toml", *CLAIM)) == 0.75
