"""Value suppression, judged by what was written: the oracle reads the files and shares no code with the package."""

from __future__ import annotations

import csv
import json
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.risk import BLANK, as_written, risks
from tests.oracles.risk_blanks import is_covered

import tacit as tc
from tacit.datasets import hospital, student_risk, students
from tacit.errors import ParameterError
from tacit.methods.risk import risk_summaries

READINGS = ["own", "wildcard", "adversary"]
FLAGS = {"Y": 1.0, "N": 0.0}


def people(seed: int, rows: int = 30) -> tc.Table:
    rng = np.random.default_rng(seed)
    frame = {
        "age": rng.integers(15, 19, rows).astype(str),
        "town": rng.choice(["Aberdeen", "Bath", "Cork"], rows, p=[0.6, 0.3, 0.1]),
        "held": rng.choice(["Y", "N"], rows, p=[0.25, 0.75]),
        "ill": rng.choice(["Y", "N"], rows, p=[0.2, 0.8]),
    }
    return tc.Table(frame, quasi_identifiers=["age", "town"], sensitive=["held", "ill"])


KNOWN = {"age": 0.5, "town": 0.8, "held": 0.05, "ill": 0.0}
WEIGHT = {"held": FLAGS, "ill": FLAGS}


def risk(missing: str) -> tc.DisclosureRisk:
    return tc.DisclosureRisk(known=KNOWN, value_weights=WEIGHT, missing=missing)


def written(release: tc.Release, folder: Path) -> list[dict[str, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        release.write(folder, format="csv")
    with (folder / "table.csv").open(newline="") as file:
        return [{name: BLANK if cell == "*" else cell for name, cell in row.items()} for row in csv.DictReader(file)]


@pytest.mark.parametrize("missing", READINGS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("delta", [0.05, 0.2, 0.45])
def test_nobody_is_above_delta_in_the_written_files(missing: str, seed: int, delta: float, tmp_path: Path) -> None:
    table = people(seed)
    release = tc.ValueSuppression(risk=risk(missing), delta=delta).protect(table, seed=seed)
    shown = written(release, tmp_path / "out")
    assert len(shown) == len(table)
    true = table.frame.rows(named=True)
    mine = [
        {n: BLANK if blank else row[n] for n, blank in zip(row, blanks, strict=True)}
        for row, blanks in zip(true, release.inside.cells, strict=True)
    ]
    key = lambda row: tuple(row.values())  # noqa: E731
    assert sorted(map(key, shown)) == sorted(map(key, mine))  # what is inside is what was written
    if missing == "adversary":
        assert max(risks(true, mine, KNOWN, WEIGHT, 1, missing)) <= as_written(delta)
    else:  # from the public file alone
        assert max(risks(shown, shown, KNOWN, WEIGHT, 1, missing)) <= as_written(delta)
    blank = [{n: cell == BLANK for n, cell in row.items()} for row in mine]
    for column in WEIGHT:
        assert is_covered(true, blank, column, KNOWN, WEIGHT, 1, delta, 2)


@pytest.mark.parametrize("missing", ["adversary", "wildcard"])
def test_nobody_s_risk_rises(missing: str) -> None:
    table = people(9)
    release = tc.ValueSuppression(risk=risk(missing), delta=0.2).protect(table, seed=1)
    true = table.frame.rows(named=True)
    mine = [
        {n: BLANK if blank else row[n] for n, blank in zip(row, blanks, strict=True)}
        for row, blanks in zip(true, release.inside.cells, strict=True)
    ]
    before, after = (risks(true, each, KNOWN, WEIGHT, 1, missing) for each in (true, mine))
    assert all(b >= a for b, a in zip(before, after, strict=True))


@pytest.mark.parametrize("cover", [1, 2, 4])
def test_the_blank_reader_stays_below_one_in_cover(cover: int) -> None:
    table = people(3, rows=400)
    release = tc.ValueSuppression(risk=risk("adversary"), delta=0.012, cover=cover).protect(table, seed=1)
    found = tc.BlankAdversary(table=table, risk=risk("adversary")).attack(release)
    assert found
    assert all(reading.posterior <= 1 / cover for _, reading in found.items())
    finding = tc.audit(release).findings[0]
    assert finding.posterior == max(reading.posterior for _, reading in found.items())
    assert finding.bound == 1 / cover


def test_blanks_that_tell_are_caught() -> None:
    """A release in which only what weighs is blank: the risk is below delta, and still it must not be published."""
    table = people(3, rows=60)
    honest = tc.ValueSuppression(risk=risk("adversary"), delta=0.2).protect(table, seed=1)
    naive = tc.ValueSuppression(risk=risk("adversary"), delta=0.2, cover=1).protect(table, seed=1)
    assert tc.audit(honest).holds is True
    verdict = tc.audit(naive, claims=[tc.RiskBelow(delta=0.2, risk=risk("adversary"), cover=2)])
    assert verdict.findings[0].holds is True
    assert verdict.findings[1].holds is False
    assert "a blank tells what it hides" in verdict.findings[1].sentence


def test_one_pass_leaves_what_it_leaves() -> None:
    table = people(5, rows=60)
    release = tc.ValueSuppression(risk=risk("own"), delta=0.2, mode="one-pass").protect(table, seed=1)
    assert release.guarantees == ()
    assert "nothing is claimed" in release.warnings[0]
    verdict = tc.audit(release, claims=[tc.RiskBelow(delta=0.2, risk=risk("own"), cover=1)])
    assert verdict.findings[0].holds is False
    shown = [
        {n: BLANK if cell is None else cell for n, cell in row.items()}
        for row in release.frames()["table"].rows(named=True)
    ]
    left = sum(value > Fraction(1, 5) for value in risks(shown, shown, KNOWN, WEIGHT, 1, "own"))
    assert verdict.findings[0].sentence.startswith(f"{left:,} of 60 records")
    before, paper = risk_summaries(release, table)
    assert (before.when, paper.when, paper.above) == ("before", "the paper's one pass", left)


def test_read_back_without_the_table(tmp_path: Path) -> None:
    """Weights of values are not published; with them, and without the true values, the risk is judged from above."""
    table = people(5, rows=60)
    claim = tc.RiskBelow(delta=0.2, risk=risk("adversary"))
    release = tc.ValueSuppression(risk=risk("adversary"), delta=0.2).protect(table)
    release.write(tmp_path / "out", private=tmp_path / "elsewhere")
    told = json.loads((tmp_path / "out" / "release.json").read_text())
    assert told["guarantees"][0]["risk"]["value_weights"] == "not published"
    read = tc.Release.read(tmp_path / "out")
    assert read.inside is None
    assert tc.audit(read).holds is None
    assert tc.audit(read, claims=[claim]).findings[1].holds in {True, None}
    plain = tc.Release.foreign(table.frame, quasi_identifiers=["age", "town"], sensitive=["held", "ill"])
    assert tc.audit(plain, claims=[claim]).holds is False
    again = tc.Release.read(tmp_path / "out", private=tmp_path / "elsewhere")
    assert tc.audit(again, table, claims=[claim]).findings[1].holds is True


def test_costs_less_than_half_of_withholding_rows() -> None:
    """Every risky row withheld whole, and for each another one, so that to be missing does not mean yes."""
    for table, given, delta in (
        (students(20_000), tc.DisclosureRisk(**student_risk()), 0.5),
        (hospital(2_000), tc.DisclosureRisk(value_weights={"diagnosis": {"HIV infection": 1, "depression": 0.5}}), 0.5),
    ):
        release = tc.ValueSuppression(risk=given, delta=delta).protect(table, seed=1)
        risky = int(given.score(table, delta=delta).above.sum())
        columns = len(given.resolved(table).known or {})
        assert risky > 0
        assert release.inside.cells.sum() <= 0.5 * 2 * risky * columns
        assert tc.audit(release).holds is True


def test_nulls_are_values_and_blanks_are_not_nulls(tmp_path: Path) -> None:
    frame = {"town": ["Bath", None, "", "*"] * 6 + ["Cork"], "held": ["N", "N", "Y", "N"] * 6 + ["Y"]}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="held")
    given = tc.DisclosureRisk(known={"town": 0.8}, value_weights={"held": FLAGS})
    release = tc.ValueSuppression(risk=given, delta=0.2).protect(table)
    for kind in ("csv", "parquet"):
        release.write(tmp_path / kind, format=kind)
        read = tc.Release.read(tmp_path / kind)
        claim = tc.RiskBelow(delta=0.2, risk=given)
        assert tc.audit(read, table, claims=[claim]).findings[1].holds is True


def test_progress_moves() -> None:
    seen: list[float] = []
    tc.ValueSuppression(risk=risk("adversary"), delta=0.05).protect(
        people(1, rows=300), progress=lambda stage, done: seen.append(done)
    )
    assert len(set(seen)) > 5
    assert all(0 <= done <= 1 for done in seen)


def test_bad_parameters() -> None:
    with pytest.raises(ParameterError, match="delta"):
        tc.ValueSuppression(risk=risk("own"))
    with pytest.raises(ParameterError, match="cover = 0"):
        tc.ValueSuppression(delta=0.1, cover=0)
    with pytest.raises(ParameterError, match="mode"):
        tc.ValueSuppression(delta=0.1, mode="two-pass")
    with pytest.raises(ParameterError, match="known"):
        tc.ValueSuppression(delta=0.1, risk={"known": {"age": 2}})


def test_recipe(tmp_path: Path) -> None:
    table = people(2, rows=60)
    table.frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "people.toml").write_text(
        """
[table]
source = "people.csv"
[roles]
quasi_identifiers = ["age", "town"]
sensitive = ["held", "ill"]
[kinds]
age = "categorical"
[[steps]]
method = "value-suppression"
delta = 0.2
risk = { known = { age = 0.5, town = 0.8 }, value_weights = { held = { Y = 1 }, ill = { Y = 1 } } }
[output]
folder = "out"
"""
    )
    from tacit.jobs.publish import publish
    from tacit.recipes import Recipe

    result = publish(Recipe.read(tmp_path / "people.toml"))
    assert result.parts[0].audit is not None
    assert result.parts[0].audit.holds is True


def test_known_set_adversary() -> None:
    frame = {"age": [15, 15, 16], "sex": ["F", "M", "F"], "held": ["N", "Y", "N"]}
    table = tc.Table(frame, quasi_identifiers=["age", "sex"], sensitive="held")
    given = tc.DisclosureRisk(known={"age": 0.05, "sex": 0.8}, value_weights={"held": FLAGS})
    release = tc.Release.foreign(table.frame, quasi_identifiers=["age", "sex"], sensitive="held")
    found = tc.KnownSetAdversary(known_set=("sex",)).attack(release)
    assert found.candidates.tolist() == [2, 1, 2]
    assert found.posterior.tolist() == [0.5, 1.0, 0.5]
    assert found.rows(0).tolist() == [0, 2]
    worst = tc.KnownSetAdversary(risk=given).attack(release)
    assert worst.known_sets[1] == ("sex",)
    people_known = {"sex": ["M", "X"], "age": [15, 15]}
    asked = tc.KnownSetAdversary(known_set=("sex", "age"), victims=people_known).attack(release)
    assert asked.candidates.tolist() == [1, 0]
    assert asked.posterior.tolist() == [1.0, 0.0]
    blanked = tc.ValueSuppression(risk=given, delta=0.3).protect(table, seed=1)
    assert (tc.KnownSetAdversary(known_set=("sex",), risk=given).attack(blanked).candidates >= 1).all()
