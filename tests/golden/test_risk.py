"""Worked values of the disclosure risk paper's definition (Orooji and Knapp, "Improving suppression ...", 001)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.oracles.risk import heaviest, risks

import tacit as tc
from tacit.datasets import student_risk, students

ROWS = ["15FNN", "15FNN", "15MYN", "16MNN", "16MNY", "16FYY"]
FRAME = {
    "age": [int(row[:2]) for row in ROWS],
    "gender": [row[2] for row in ROWS],
    "dropout": [row[3] for row in ROWS],
    "contact": [row[4] for row in ROWS],
}
KNOWN = {"age": 0.05, "gender": 0.8, "dropout": 0.005, "contact": 0.001}
VALUES = {"dropout": {"Y": 1, "N": 0}, "contact": {"Y": 1, "N": 0}}


@pytest.fixture
def table() -> tc.Table:
    return tc.Table(FRAME, quasi_identifiers=["age", "gender"], sensitive=["dropout", "contact"])


@pytest.fixture
def risk() -> tc.DisclosureRisk:
    return tc.DisclosureRisk(known=KNOWN, value_weights=VALUES, alpha=100)


def test_worked_values(table: tc.Table, risk: tc.DisclosureRisk) -> None:
    score = risk.score(table, tolerance=0)
    assert score.low.round(4).tolist() == [0, 0, 32.4040, 0, 30.6808, 65.4982]
    assert (score.low + score.empty_set).round(4).tolist() == [0, 0, 49.0707, 0, 47.3475, 98.8315]
    assert (score.high - score.low).max() < 1e-8


@pytest.mark.parametrize("missing", ["own", "wildcard", "adversary"])
def test_without_blanks_the_readings_agree(table: tc.Table, risk: tc.DisclosureRisk, missing: str) -> None:
    other = risk.model_copy(update={"missing": missing})
    assert (other.score(table, tolerance=0).low == risk.score(table, tolerance=0).low).all()


def test_a_risk_that_is_exactly_delta_is_not_above_it() -> None:
    table = tc.Table({"a": [1, 1, 2], "s": ["x", "y", "x"]}, quasi_identifiers="a", sensitive="s")
    risk = tc.DisclosureRisk(known={"a": 0.3}, weights={"s": 1})
    assert risk.score(table, delta=0.3).above.tolist() == [False, False, False]  # 0.3 / 2, 0.3 / 2, 0.3
    assert risk.score(table, delta=0.15).above.tolist() == [False, False, True]
    assert risk.score(table, delta=0.1499999).above.all()


def test_one_pass_suppresses_the_heaviest_known_set(table: tc.Table, risk: tc.DisclosureRisk) -> None:
    release = tc.ValueSuppression(risk=risk, delta=31, mode="one-pass").protect(table, seed=1)
    weight = {name: {k: float(v) for k, v in values.items()} for name, values in VALUES.items()}
    rows = table.frame.rows(named=True)
    for i, row in enumerate(release.inside.cells):
        wanted = heaviest(rows, i, KNOWN, weight, 100, "adversary") if i in {2, 5} else ()
        assert {name for name, blank in zip(rows[0], row, strict=True) if blank} == set(wanted)
    assert release.guarantees == ()
    assert release.inside.cells.any(axis=1).sum() == 2


def test_threshold_on_the_worked_table(table: tc.Table, risk: tc.DisclosureRisk, tmp_path: Path) -> None:
    release = tc.ValueSuppression(risk=risk, delta=5).protect(table)
    release.write(tmp_path / "out", format="csv")
    assert release.shape.rows == 6
    true = table.frame.rows(named=True)
    shown = [
        {name: "<suppressed>" if blank else row[name] for name, blank in zip(row, blanks, strict=True)}
        for row, blanks in zip(true, release.inside.cells, strict=True)
    ]
    weight = {name: {k: float(v) for k, v in values.items()} for name, values in VALUES.items()}
    assert max(risks(true, shown, KNOWN, weight, 100, "adversary")) <= 5


def test_students_are_made_for_it() -> None:
    """Between 1 and 3 in 100 of the full table are above .01; a tenth of it is sparser, so a little more are."""
    table = students(20_000)
    score = tc.DisclosureRisk(**student_risk()).score(table, delta=0.01)
    assert score.decided.all()
    assert 0.01 < score.above.mean() < 0.12
    assert not score.above[~np.any([table.frame[flag] == "Y" for flag in table.sensitive], axis=0)].any()
