"""Verdicts on value suppression, by brute force: small random tables, every known set, what every blank hides.

The oracle computes risks and blanks from their definitions, in exact fractions, and shares no code with the package.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest
from tests.oracles.risk import BLANK, as_written, risks
from tests.oracles.risk_blanks import blanks_hold

import tacit as tc

READINGS = ["own", "wildcard", "adversary"]
NAMES = ("age", "town", "held", "ill")
TABLES = int(os.environ.get("TACIT_TABLES", "60"))  # for each reading; the whole attack takes more


def random_case(rng: np.random.Generator) -> tuple[tc.Table, dict[str, float], dict[str, dict[str, float]], float]:
    """A table of two to eight people, what may be known of them, what weighs, and a threshold."""
    rows = int(rng.integers(2, 9))
    frame = {
        "age": rng.choice(list("123"), rows),
        "town": rng.choice(list("ab"), rows),
        "held": rng.choice(list("YN"), rows, p=[0.3, 0.7]),
        "ill": rng.choice(list("YN"), rows, p=[0.4, 0.6]),
    }
    known = {name: float(rng.choice([0.0, 0.05, 0.5, 1.0])) for name in NAMES}
    weight = {"ill": {"Y": 1.0, "N": 0.0}}
    if rng.random() < 0.5:
        weight["held"] = {"Y": 0.5, "N": 0.0 if rng.random() < 0.7 else 0.25}
    table = tc.Table(frame, quasi_identifiers=["age", "town"], sensitive=["held", "ill"])
    return table, known, weight, float(rng.choice([0.0, 0.01, 0.1, 0.25, 0.5, 1.0]))


def published(table: tc.Table, release: tc.Release) -> tuple[list[dict[str, str]], list[dict[str, bool]]]:
    true = table.frame.rows(named=True)
    return true, [dict(zip(row, cells, strict=True)) for row, cells in zip(true, release.inside.cells, strict=True)]


@pytest.mark.parametrize("missing", READINGS)
def test_verdicts_are_those_of_brute_force(missing: str) -> None:
    rng = np.random.default_rng(READINGS.index(missing))
    verdicts: Counter[tuple[str, bool | None]] = Counter()
    for seed in range(TABLES):
        table, known, weight, delta = random_case(rng)
        mode = ("threshold", "one-pass")[seed % 4 == 0]
        made, asked = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        risk = tc.DisclosureRisk(known=known, weights=dict.fromkeys(weight, 1.0), value_weights=weight, missing=missing)
        release = tc.ValueSuppression(risk=risk, delta=delta, mode=mode, cover=made).protect(table, seed=seed)
        true, blank = published(table, release)
        shown = [
            {n: BLANK if cells[n] else value for n, value in row.items()}
            for row, cells in zip(true, blank, strict=True)
        ]
        below = max(risks(true, shown, known, weight, 1, missing)) <= as_written(delta)
        verdict = tc.audit(release, claims=[tc.RiskBelow(delta=delta, risk=risk, cover=asked)])
        case = (seed, mode, delta, made, asked, known, weight, shown)
        if mode == "threshold":
            own = verdict.findings[0]
            assert own.holds is True, case
            assert below, case
            assert blanks_hold(true, blank, known, weight, 1, delta, made, missing), case
        finding = verdict.findings[-1]
        expected = below and blanks_hold(true, blank, known, weight, 1, delta, asked, missing)
        assert finding.holds is expected, case
        assert (finding.parts.published == "holds") is below, case
        verdicts[mode, finding.holds] += 1
    # All kinds of verdicts were met.
    assert min(verdicts[key] for key in [("threshold", True), ("threshold", False), ("one-pass", False)]) >= 1
