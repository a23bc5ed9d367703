"""Trying, confronting and the interview without a browser: each threat leads to a release that holds."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tacit.datasets import hospital, knowledge, students
from tacit.errors import ParameterError, TacitError
from tacit.jobs.armed import known_adversaries
from tacit.jobs.at_hand import TableAtHand
from tacit.jobs.confront import confront
from tacit.jobs.rehearse import made, rehearse
from tacit.recipes import Recipe
from tacit.recipes.writing import as_toml
from tacit.studio.interview import proposals
from tacit.table import Role

_ROLES = {"identifiers": ["name"], "quasi_identifiers": ["age", "sex"], "sensitive": ["diagnosis"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rehearse")
    hospital(400, seed=1).frame.write_parquet(made / "hospital.parquet")
    students(400, seed=1).frame.write_parquet(made / "students.parquet")
    (made / "diseases.json").write_text(json.dumps(knowledge()))
    return made


def _text(threat: str) -> str:
    columns = {Role.QUASI_IDENTIFIER: _ROLES["quasi_identifiers"]}
    steps = list(proposals(threat, None, columns)[0].steps)
    roles = (
        _ROLES
        if threat != "quasi_sensitive"
        else {k: v for k, v in _ROLES.items() if k != "sensitive"} | {"items": ["symptoms"]}
    )
    source = "hospital.parquet"
    if threat == "risk":
        source, roles = "students.parquet", {"quasi_identifiers": ["gender", "race"], "sensitive": ["dropout"]}
    return as_toml({"table": {"source": source}, "roles": roles, "steps": steps})


@pytest.mark.parametrize(
    "threat", ["linkage", "skew", "learning", "distribution", "risk", "marginals", "quasi_sensitive"]
)
def test_what_the_interview_leads_to_holds(folder: Path, threat: str) -> None:
    stages: list[str] = []
    found = rehearse(_text(threat), str(folder / "a.toml"), 7, progress=lambda stage, done: stages.append(stage))
    if found.refused is None:
        assert found.passes, found.verdicts
        assert found.view is not None
        assert found.view.sections
    else:
        assert threat == "distribution"  # strict ART may have no release of so few people
    assert "reading" in stages
    assert not (folder / "out").exists()
    if threat in {"linkage", "skew"}:
        again = rehearse(_text(threat), str(folder / "a.toml"), 7)
        assert again.samples == found.samples  # the same seed makes the same release again


def test_an_adversary_is_confronted_with_the_worst_and_with_somebody(folder: Path) -> None:
    text, path = _text("linkage"), str(folder / "a.toml")
    worst = confront(text, path, 7, "linkage-adversary", None)
    assert worst.row is not None
    assert worst.found_after >= 5  # type: ignore[operator]  (k-anonymity was promised)
    (belief,) = worst.beliefs
    assert abs(sum(after for *_, after in belief.rows)) <= 1 + 1e-9
    named = confront(text, path, 7, "linkage-adversary", 3)
    assert named.row == 3
    with pytest.raises(ParameterError, match="no row 401"):
        confront(text, path, 7, "linkage-adversary", 401)


@pytest.mark.parametrize("adversary", sorted(known_adversaries()))
def test_every_adversary_says_something_or_why_not(folder: Path, adversary: str) -> None:
    try:
        said = confront(_text("skew"), str(folder / "a.toml"), 7, adversary, None).sentence
    except TacitError as error:
        said = str(error)
    assert said.endswith(".")


_ABOUT_ONE = {
    "linkage": {"linkage-adversary", "distribution-adversary", "learning-adversary"},
    "learning": {"distribution-adversary", "learning-adversary"},
    "risk": {"known-set-adversary"},
    "marginals": {"intersection-adversary", "world-adversary"},
    "quasi_sensitive": {"label-adversary"},
}
"""Adversaries who believe something of a person whom one can name, by the release that they are confronted with."""


@pytest.mark.parametrize(("threat", "adversary"), [(t, a) for t, known in _ABOUT_ONE.items() for a in sorted(known)])
def test_a_person_is_chosen_for_every_adversary_who_is_after_people(folder: Path, threat: str, adversary: str) -> None:
    found = confront(_text(threat), str(folder / "a.toml"), 7, adversary, 3)
    assert (found.adversary, found.row) == (adversary, 3)
    assert found.beliefs
    for belief in found.beliefs:
        assert all(0.0 <= after <= 1.0 + 1e-9 for *_, after in belief.rows)
        assert belief.sentence.endswith(".")
    with pytest.raises(ParameterError, match="no row 401"):
        confront(_text(threat), str(folder / "a.toml"), 7, adversary, 401)


def test_an_adversary_who_is_after_nobody_says_so(folder: Path) -> None:
    found = confront(_text("skew"), str(folder / "a.toml"), 7, "eligibility-adversary", _kept(folder))
    assert found.row is None
    assert "after nobody in particular" in found.sentence


def test_what_is_believed_of_somebody_is_what_the_worlds_say(folder: Path) -> None:
    table, release = made(Recipe.parse(_text("marginals"), folder / "a.toml"), 7)
    found = confront(_text("marginals"), str(folder / "a.toml"), 7, "intersection-adversary", 3)
    ((_, _, _, after),) = found.beliefs[0].rows
    assert release.inside is not None
    left = None  # the values that all of her groups have in common, counted here from the input itself
    for groups in release.inside.group.values():
        mine = table.frame["diagnosis"].filter(pl.Series(groups == groups[2]))
        left = set(mine) if left is None else left & set(mine)
    assert left is not None
    assert after == pytest.approx(1 / len(left))


def _kept(folder: Path) -> int:
    """Return the row of somebody who is published, from 1."""
    _, release = made(Recipe.parse(_text("skew"), folder / "a.toml"), 7)
    assert release.inside is not None
    return int(release.inside.kept.argmax()) + 1


def test_a_table_at_hand_answers(folder: Path) -> None:
    table = TableAtHand()
    look = table.open(str(folder / "hospital.parquet"), None, {})
    assert (look.rows, len(look.head)) == (400, 200)
    alone = table.alone(_ROLES | {"kinds": {}})
    assert 0 < alone.alone <= 400
    assert {name for name, _ in alone.without} == {"age", "sex"}
    view = table.hierarchy("sex", {"tree": {"female": ["any"]}}, {})
    assert view.lacking == ("male",)
    assert view.error is not None
    assert table.person(1, ["sex"])["sex"] in {"female", "male"}
