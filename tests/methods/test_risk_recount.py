"""Twenty-seven attributes, recounted over all 2^27 known sets from the written file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles.risk import BLANK, risks
from tests.oracles.risk_known_sets import risk_of

import tacit as tc
from tacit.datasets import student_risk, students


@pytest.mark.parametrize("seed", range(3))
def test_the_oracles_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "s"]
    true = [{n: str(rng.integers(0, 3)) for n in names} for _ in range(12)]
    shown = [{n: BLANK if rng.random() < 0.2 else v for n, v in row.items()} for row in true]
    known, weight = {"a": 0.8, "b": 0.05, "c": 0.0, "s": 0.5}, {"c": {"1": 0.5}, "s": {"1": 1.0, "2": 0.25}}
    exact = risks(true, shown, known, weight, 10, "adversary")
    for i, row in enumerate(true):
        agrees = np.array([[other[n] in (BLANK, row[n]) for n in names] for other in shown])
        weights = [0.0 if shown[i][n] == BLANK else weight.get(n, {}).get(row[n], 0.0) for n in names]
        assert risk_of(agrees, list(known.values()), weights, 10) == pytest.approx(float(exact[i]), rel=1e-9)


def test_the_riskiest_student_is_at_most_at_delta(tmp_path: Path) -> None:
    table, given, delta = students(6_000), student_risk(), 1.5
    risk = tc.DisclosureRisk(**given)
    before = risk.score(table, delta=delta)
    release = tc.ValueSuppression(risk=risk, delta=delta).protect(table)
    release.write(tmp_path / "out")
    shown = pl.read_parquet(tmp_path / "out" / "table.parquet")
    names, true = list(given["known"]), table.frame
    columns = {name: shown[name].cast(pl.String).to_numpy() for name in names}
    blank = pl.DataFrame(release.inside.cells, schema=list(release.inside.columns))
    i = int(np.argmax(before.low))
    agrees = np.stack([(columns[n] == str(true[n][i])) | shown[n].is_null().to_numpy() for n in names], axis=1)
    flags = [float(n in given["weights"] and true[n][i] == "Y") for n in names]
    kept = [0.0 if blank[n][i] else flag for n, flag in zip(names, flags, strict=True)]
    known = list(given["known"].values())
    assert any(blank[n][i] for n in names)
    assert risk_of(agrees, known, kept, given["alpha"]) <= delta * (1 + 1e-9)
    unblanked = np.stack([true[n].cast(pl.String).to_numpy() == str(true[n][i]) for n in names], axis=1)
    exact = risk_of(unblanked, known, flags, given["alpha"])
    assert exact > delta
    assert before.low[i] * (1 - 1e-9) <= exact <= before.high[i] * (1 + 1e-9)
