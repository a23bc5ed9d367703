"""What a board asks, from the command line: profiles, people left out, an outside table, a population, weights."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest

SMALLEST = 11


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make people of whom a few are in small groups."""
    draw = np.random.default_rng(3)
    rows = 400
    age = np.where(draw.random(rows) < 0.98, draw.integers(0, 4, rows), draw.integers(0, 60, rows))
    frame = pl.DataFrame(
        {
            "age": age,
            "sex": draw.choice(["f", "m"], rows),
            "ill": draw.choice(list("aaaabc"), rows),
            "w": draw.integers(1, 9, rows),
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "r.toml").write_text(RECIPE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


RECIPE = """
[table]
source = "people.csv"
[roles]
quasi_identifiers = ["age", "sex"]
sensitive = ["ill"]
[[steps]]
method = "small-groups"
guarantee = { name = "k-anonymity", k = 3, of = "published" }
[report]
profile = "cms"
certificate = false
[output]
folder = "out"
format = "csv"
"""


def test_every_public_file_keeps_to_it(folder, tacit):
    """So few rows are withheld that their number is hidden, and so is how many there were."""
    done = tacit("publish", "r.toml", "--json")
    assert done.code == 0, done.err
    published, withheld = done.json["published"], done.json["withheld"]
    about = json.loads((folder / "out" / "release.json").read_text())
    small = {n for n in (withheld,) if 0 < n < SMALLEST}
    assert small, "the table was made so that few rows are withheld"
    assert about["counts"]["rows"] is None
    assert about["counts"]["withheld"] is None
    assert about["counts"]["published"] == published
    for path in (folder / "out").iterdir():
        if path.suffix in {".html", ".md", ".json", ".jsonld"}:
            text = re.sub(r"<style>.*?</style>|[0-9a-f]{40,}", "", path.read_text(), flags=re.S)
            said = f"{published + withheld:,}"
            assert not re.search(rf"\b{said}\b", text), path.name  # the size would tell how many were withheld
            assert not re.search(r"\b([1-9]|10) (rows|people|row|person)\b", text), path.name
    again = tacit("audit", "out")
    assert again.code in {0, 1}, again.err


def test_a_baseline_compares_with_people_left_out(folder, tacit):
    done = tacit("publish", "r.toml", "--profile", "wp216", "--outside", "people.csv", "--weights", "w", "--json")
    assert done.code == 0, done.err
    evidence = done.json["evidence"]
    headings = {heading["name"]: heading["figures"] for heading in evidence["headings"]}
    assert set(headings) == {"singling out", "linkability", "inference"}
    assert headings["singling out"][0]["baseline"]["outside"]["people"] == 200
    assert any("people.csv" in figure["name"] for figure in headings["linkability"])
    assert evidence["population"]["basis"] == "weights"
    assert evidence["special_uniques"]["fraction"] == pytest.approx(evidence["population"]["fraction"])
    internal = (folder / "out.private" / "report.md").read_text()
    public = (folder / "out" / "report.md").read_text()
    assert "in a second release" in internal
    assert "in a second release" not in public
    assert "The table as a sample" not in public
    assert not re.search(r"\banonymous\b", public + internal)


def test_without_a_baseline_none_is_made(folder, tacit):
    done = tacit("publish", "r.toml", "--profile", "wp216", "--no-baseline", "--json")
    figures = done.json["evidence"]["headings"][0]["figures"]
    assert all(figure["baseline"] is None for figure in figures)


def test_inspect_and_audit_answer_too(folder, tacit):
    found = tacit("inspect", "people.csv", "--qi", "age,sex", "--sensitive", "ill", "--weights", "w")
    assert found.code == 0, found.err
    for told in ("special uniques (SUDA)", "population risk", "k-map", "DIS"):
        assert told in found.out
    assert tacit("publish", "r.toml").code == 0
    judged = tacit("audit", "out", "--profile", "eurostat-puf", "--json")
    assert judged.code == 0, judged.err
    assert judged.json["evidence"]["profile"]["profile"] == "eurostat-puf"
    assert tacit("audit", "out", "--profile", "cms", "--report", "theirs.md").code == 0
    assert "Profile cms" in (folder / "theirs.md").read_text()
    with_table = tacit("audit", "out", "--table", "people.csv", "--population", "people.csv", "--json")
    assert with_table.json["evidence"]["population"]["k_map"] >= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("publish", "r.toml", "--profile", "csm"), "Did you mean 'cms'?"),
        (("publish", "r.toml", "--weights", "nope"), "'nope'"),
        (("publish", "r.toml", "--weights", "sex"), "not numbers"),
        (("publish", "r.toml", "--population", "nobody.csv"), "nobody.csv"),
        (("publish", "r.toml", "--outside", "nobody.csv"), "nobody.csv"),
        (("publish", "r.toml", "--population", "people.csv", "--weights", "w"), "one of the two"),
        (("inspect", "people.csv", "--population", "people.csv", "--weights", "w"), "one of the two"),
        (("audit", "people.csv", "--qi", "age", "--population", "people.csv"), "--table"),
    ],
)
def test_bad_questions_are_one_sentence(folder, tacit, arguments, said):
    done = tacit(*arguments)
    assert done.code == 2
    assert said in done.err
    assert not (folder / "out").exists()


def test_another_engine_refuses_what_it_would_leave_out(folder, tacit):
    """It would write counts that the profile does not allow."""
    done = tacit("publish", "r.toml", "--engine", "streaming")
    assert done.code == 2
    assert "streaming engine answers no profile" in done.err
    assert not (folder / "out").exists()


def test_a_recipe_names_the_profile(folder, tacit):
    (folder / "bad.toml").write_text(RECIPE.replace('"cms"', '"csm"'))
    done = tacit("publish", "bad.toml")
    assert done.code == 2
    assert "[report] profile" in done.err
