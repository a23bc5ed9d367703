"""Values given as parameters stay private: no public file holds them, and no weaker or stronger claim is read back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles.published_bytes import everything_in, holds

import tacit as tc
from tacit.datasets import hospital
from tacit.guarantees import make, recall
from tacit.jobs.publish import publish
from tacit.recipes import Recipe
from tacit.shapes import Claim

SCALAR = (str, int, float, bool, type(None))


def table(*further: str) -> tc.Table:
    """Make a table of four illnesses; `further` ones are declared, and nobody has them."""
    rng = np.random.default_rng(3)
    frame = {"town": rng.choice(["a", "b"], 200), "ill": rng.choice(["flu", "cold", "gout", "HIV"], 200)}
    kinds = {"ill": ["flu", "cold", "gout", "HIV", *further]} if further else None
    return tc.Table(frame, quasi_identifiers="town", sensitive="ill", kinds=kinds)


METHODS = {
    "one value": tc.ART(r=2, protected=["HIV"]),
    "a set": tc.ART(r=2, protected=[["HIV", "gout"]], view="paper"),
    "a distribution": tc.ART(
        r=2, protected=["HIV"], distribution={"town": ["a", "b"], "ill": ["HIV"] * 2, "probability": [0.2, 0.3]}
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_only_scalars_are_published_of_a_claim(tmp_path: Path, name: str) -> None:
    METHODS[name].protect(table()).write(tmp_path / "out")
    about = json.loads((tmp_path / "out" / "release.json").read_text())
    for described in (about["method"], *about["guarantees"], *(f["parameters"] for f in about["audit"]["findings"])):
        shown = {key: value for key, value in described.items() if not (key == "tiers" and value == [])}
        assert all(isinstance(value, SCALAR) for value in shown.values()), described
    assert about["guarantees"][0]["protected"] == about["method"]["protected"] == "not published"
    told = json.dumps([about["method"], about["guarantees"], about["audit"]])
    assert "HIV" not in told
    assert "gout" not in told


@pytest.mark.parametrize("name", METHODS)
def test_the_claim_is_recalled_with_the_private_part_only(tmp_path: Path, name: str) -> None:
    method = METHODS[name]
    people = table()
    method.protect(people).write(tmp_path / "out")
    whole = tc.Release.read(tmp_path / "out")
    assert isinstance(whole.guarantees[0], tc.RRobustness)
    assert whole.guarantees[0].protected == method.protected
    assert tc.audit(whole, people, adversaries=[]).holds is True
    if method.distribution is None:
        assert whole.guarantees[0] == method.guarantee
    else:
        mine, again = method.distribution.plain(), whole.guarantees[0].distribution.plain()
        assert again == mine
    shutil.rmtree(tmp_path / "out.private")
    outsider = tc.Release.read(tmp_path / "out")
    found = tc.audit(outsider, people, adversaries=[]).findings[0]
    assert (found.guarantee, found.holds) == ("r-robustness", None), "another claim than was made"
    given = tc.audit(outsider, people, claims=[method.guarantee], adversaries=[]).findings[-1]
    assert given.holds is True


def test_every_value_protected_can_be_judged_by_outsiders(tmp_path: Path) -> None:
    people = table()
    tc.ART(r=2).protect(people).write(tmp_path / "out")
    shutil.rmtree(tmp_path / "out.private")
    outsider = tc.Release.read(tmp_path / "out")
    assert outsider.guarantees == (tc.RRobustness(r=2),)
    assert tc.audit(outsider, people, adversaries=[]).holds is True


def test_no_byte_of_a_protected_value_leaves(tmp_path: Path) -> None:
    """Values that no row has: wherever they stand in a public file, they came from the parameters."""
    canary = "CANARY-illness"
    people = table(canary, canary + "-2")
    masked = tc.Mask(k=4, l=2, protected=["HIV", canary, [canary + "-2", "gout"]]).protect(people)
    claimed = tc.RRobustness(r=2, protected=["HIV", canary])
    honest = tc.ART(r=2, protected=["HIV"]).protect(people)
    release = tc.Release(
        honest.shape,
        (Claim(claimed, 0, "table"),),
        inside=honest.inside,
        size=honest.size,
    )
    for number, each in enumerate((masked, release)):
        each.write(tmp_path / str(number))
        for path in (tmp_path / str(number)).iterdir():
            assert not holds(everything_in(path), canary), path.name
    assert canary in (tmp_path / "1.private" / "private.json").read_text()
    assert tc.Release.read(tmp_path / "1").guarantees == (claimed,)


def test_a_recipe_names_the_values_and_the_report_does_not(tmp_path: Path) -> None:
    frame = table().frame
    frame.write_csv(tmp_path / "people.csv")
    known = pl.DataFrame({"town": ["a", "b"], "ill": ["HIV"] * 2, "probability": [0.271828, 0.314159]})
    known.write_csv(tmp_path / "known.csv")
    recipe = tmp_path / "job.toml"
    recipe.write_text(
        '[table]\nsource = "people.csv"\n[roles]\nquasi_identifiers = ["town"]\nsensitive = ["ill"]\n'
        '[[steps]]\nmethod = "art"\nr = 2\nprotected = [["HIV", "gout"]]\ndistribution = "known.csv"\n'
        '[output]\nfolder = "out"\n'
    )
    publish(Recipe.read(recipe))
    assert (tmp_path / "out").is_dir()
    for path in (tmp_path / "out").iterdir():
        content = everything_in(path)
        assert not holds(content, "271828"), path.name
        assert not holds(content, "HIV, gout"), path.name
        if path.suffix in {".html", ".md", ".json"}:
            text = path.read_text()
            assert '"HIV", "gout"' not in " ".join(text.split()), path.name
            assert "known.csv" not in text, path.name
    again = tc.Release.read(tmp_path / "out").guarantees[0]
    assert again.protected == (("HIV", "gout"),)


def test_a_value_that_says_it_is_not_published_makes_nothing() -> None:
    described = tc.RRobustness(r=2, protected=["HIV"]).describe()
    with pytest.raises(tc.ParameterError, match="was not published"):
        make(described)
    assert recall(described).describe() == described
    assert tc.RRobustness(r=2, protected=["not published"]).protected == ("not published",)


def test_figures_that_rest_on_what_is_not_published_are_for_the_owner(tmp_path):
    table = hospital(900)
    some = {"diagnosis": {"influenza": 1.0}}
    risk = tc.DisclosureRisk(known={"nationality": 0.8, "sex": 0.8}, value_weights=some)
    releases = {
        "art": tc.ART(r=2, protected=["heart disease"]).protect(table),
        "risk": tc.ValueSuppression(delta=0.05, risk=risk, cover=3).protect(table),
    }
    for name, release in releases.items():
        found = tc.audit(release).findings[0]
        assert found.posterior is not None
        release.write(tmp_path / name)
        public = json.loads((tmp_path / name / "release.json").read_text())["audit"]["findings"][0]
        assert public["holds"] is True
        assert (public["posterior"], public["bound"], public["where"]) == (None, None, None)
        assert public["sentence"] != found.sentence
