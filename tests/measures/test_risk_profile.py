"""Where the risk of a table comes from, against the definition; and the plain linkage risks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.oracles.risk import known_sets, risks, term

import tacit as tc
from tacit.knowledge.risk import Attributes, Records
from tacit.measures.ncp import blank_losses, column_losses, mean_loss
from tacit.measures.risk import RiskHistogram, linkage_risks, profile, riskiest
from tacit.shapes import Microdata

KNOWN = {"a": 0.8, "b": 0.5, "c": 0.05, "s": 0.001}
WEIGHT = {"s": {"Y": 1.0, "N": 0.0}}


@pytest.fixture
def table() -> tc.Table:
    rng = np.random.default_rng(4)
    frame = {name: rng.integers(0, 3, 25).astype(str) for name in "abc"} | {"s": rng.choice(["Y", "N"], 25)}
    return tc.Table(frame, quasi_identifiers=["a", "b", "c"], sensitive="s")


@pytest.fixture
def risk() -> tc.DisclosureRisk:
    return tc.DisclosureRisk(known=KNOWN, value_weights=WEIGHT)


def test_riskiest_combinations(table: tc.Table, risk: tc.DisclosureRisk) -> None:
    rows = table.frame.rows(named=True)
    totals = {
        K: float(sum(term(rows, rows, i, K, KNOWN, WEIGHT, 1, "own") for i in range(len(rows))))
        for K in known_sets("abcs")
    }
    wanted = sorted((total for total in totals.values() if total > 0), reverse=True)
    found, certain = riskiest(Records.of(Attributes.of(risk, table)), 4)
    assert certain
    assert [round(each.total, 9) for each in found] == [round(total, 9) for total in wanted[:4]]
    assert all(totals[each.columns] == pytest.approx(each.total) for each in found)


def test_shares_are_what_would_be_gone(table: tc.Table, risk: tc.DisclosureRisk) -> None:
    rows = table.frame.rows(named=True)
    whole = float(sum(risks(rows, rows, KNOWN, WEIGHT)))
    found = dict(profile(risk, table).shares)
    for name in "abc":
        left = float(sum(risks(rows, rows, {**KNOWN, name: 0}, WEIGHT)))
        assert found[name] == pytest.approx(1 - left / whole, abs=0.03)


def test_histogram_by_decades(table: tc.Table, risk: tc.DisclosureRisk) -> None:
    exact = np.array([float(value) for value in risks(*[table.frame.rows(named=True)] * 2, KNOWN, WEIGHT)])
    found = RiskHistogram.of(risk.score(table, tolerance=0))
    assert found.none == int((exact == 0).sum())
    assert sum(found.counts) == int((exact > 0).sum())
    for decade, count in zip(found.decades, found.counts, strict=True):
        assert count == int(((exact > 10.0**decade) & (exact <= 10.0 ** (decade + 1))).sum())


def test_a_large_table_is_sampled() -> None:
    rng = np.random.default_rng(0)
    frame = {"a": rng.integers(0, 50, 12_000), "s": rng.choice(["Y", "N"], 12_000)}
    found = profile(tc.DisclosureRisk(), tc.Table(frame, quasi_identifiers="a", sensitive="s"))
    assert found.sampled == 10_000
    assert found.risk.known == {"a": 0.05, "s": 0.001}


def test_linkage_risks() -> None:
    table = tc.Table({"age": [30, 30, 30, 41, 41, 50], "sex": list("FFFMMF")}, quasi_identifiers=["age", "sex"])
    found = linkage_risks(table)
    assert (found.rows, found.groups, found.sample_uniques) == (6, 3, 1)
    assert (found.prosecutor, found.marketer, found.journalist) == (1.0, 0.5, None)
    assert found.above == ((0.05, 6), (0.09, 6), (0.2, 6), (0.33, 6))
    people = pl.DataFrame({"age": [30] * 9 + [41] * 4 + [50] * 5, "sex": ["F"] * 9 + ["M"] * 4 + ["F"] * 5})
    asked = linkage_risks(table, people)  # 9, 4 and 5 people for 3, 2 and 1 rows
    assert asked.journalist == 0.25
    assert asked.journalist_above == ((0.05, 6), (0.09, 6), (0.2, 2), (0.33, 0))
    with pytest.raises(tc.RoleError, match="the population"):
        linkage_risks(table, people.drop("sex"))


def test_linkage_thresholds_are_strict() -> None:
    table = tc.Table({"age": [1] * 20 + [2] * 5 + [3] * 3}, quasi_identifiers="age")
    assert linkage_risks(table).above == ((0.05, 8), (0.09, 8), (0.2, 3), (0.33, 3))


def test_ncp_counts_all_columns_of_the_risk(table: tc.Table, risk: tc.DisclosureRisk) -> None:
    attributes = Attributes.of(risk, table)
    blank = np.zeros((25, 4), dtype=bool)
    blank[:5, 3] = True
    losses = blank_losses(blank, dict(zip(attributes.names, attributes.sizes, strict=True)))
    assert mean_loss(losses) == 5 / 100
    assert mean_loss(losses, {"a": 0, "b": 0, "c": 0, "s": 1.0}) == 5 / 25
    with pytest.raises(tc.RoleError, match="'z'"):
        mean_loss(losses, {"z": 1.0})


def test_the_ncp_of_suppression_is_that_of_the_release() -> None:
    """One definition: a constant column costs nothing, also where its cells are blank."""
    frame = {"a": list("xyxyxy"), "b": ["c"] * 6, "s": list("YNYNYN")}
    table = tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="s")
    blank = np.array([[1, 1], [0, 1], [0, 0], [1, 1], [0, 0], [0, 0]], dtype=bool)
    cells = np.column_stack([blank, np.zeros(6, dtype=bool)])
    shape = Microdata.publish(table, np.ones(6, dtype=bool), np.arange(6), cells)
    assert blank_losses(blank, {"a": 2, "b": 1}) == column_losses(shape, table) == {"a": 2 / 6, "b": 0.0}


def test_values_are_found_as_recipes_write_them() -> None:
    table = tc.Table({"n": [0, 1, 1], "b": [True, False, True]}, quasi_identifiers=["n", "b"])
    for given in ({"n": {"1": 1}}, {"n": {1: 1}}, {"n": {1.0: 1}}):
        risk = tc.DisclosureRisk(known={"n": 1}, weights={"n": 1}, value_weights=given)
        assert Attributes.of(risk, table).worth[0].tolist() == [0.0, 1.0]
    risk = tc.DisclosureRisk(known={"b": 1}, weights={"b": 1}, value_weights={"b": {True: 0.5}})
    assert Attributes.of(risk, table).worth[0].tolist() == [0.0, 0.5]
