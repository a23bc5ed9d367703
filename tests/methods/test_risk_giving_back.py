"""Cells that are given back: only the rows that get them back can be above delta for it, so only they are asked."""

from __future__ import annotations

import numpy as np
import pytest

import tacit as tc
from tacit.knowledge.risk import Records
from tacit.methods.risk import threshold


def table(rng: np.random.Generator) -> tc.Table:
    rows = int(rng.integers(15, 60))
    columns = {name: rng.integers(0, int(rng.integers(2, 7)), rows) for name in ("a", "b")}
    flags = {name: np.append(["Y"], rng.choice(list("YN"), rows - 1, p=[0.2, 0.8])) for name in ("c", "d", "e")}
    return tc.Table(columns | flags, quasi_identifiers=["a", "b"], sensitive=list(flags))


def risk_of(rng: np.random.Generator, missing: str) -> tc.DisclosureRisk:
    known = {name: float(rng.choice([0.01, 0.1, 0.5, 0.9])) for name in "abcde"}
    values = {name: {"Y": 1.0, "N": 0.0} for name in "cde"}
    return tc.DisclosureRisk(known=known, value_weights=values, missing=missing)


@pytest.mark.parametrize("missing", ["adversary", "wildcard"])
def test_whoever_is_not_asked_about_is_below_delta(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every trial is judged for all rows: those above delta are among the rows that were asked about."""
    asked, given_back = [], 0
    giving = False
    above, give_back = threshold._Planning._above, threshold._Planning._give_back

    def watched_above(self, blank, rows):
        if giving:
            whole = self.guarantee.score(Records.of(self.attributes, blank)).above
            assert np.isin(np.flatnonzero(whole), rows).all()
            asked.append(len(rows))
        return above(self, blank, rows)

    def watched_give_back(self, blank, left):
        nonlocal giving, given_back
        giving = True
        returned = give_back(self, blank, left)
        giving = False
        given_back += returned
        return returned

    monkeypatch.setattr(threshold._Planning, "_above", watched_above)
    monkeypatch.setattr(threshold._Planning, "_give_back", watched_give_back)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        method = tc.ValueSuppression(risk=risk_of(rng, missing), delta=float(rng.choice([0.02, 0.05, 0.1, 0.2])))
        method.protect(table(rng), seed=seed)
    assert given_back
    assert asked
