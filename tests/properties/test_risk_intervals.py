"""Intervals contain the exact risk, under every reading, for any tolerance; decisions are right."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.risk import BLANK, as_written, heaviest, risks

import tacit as tc
from tacit.errors import ParameterError, RoleError
from tacit.knowledge.risk import Attributes, Records, score_records

SHARES = st.sampled_from([0.0, 0.001, 0.05, 0.5, 0.8, 1.0])
READINGS = ["own", "wildcard", "adversary"]


@st.composite
def cases(draw):
    columns = draw(st.integers(1, 5))
    rows = draw(st.integers(1, 14))
    names = [f"c{j}" for j in range(columns)]
    values = [draw(st.lists(st.sampled_from("abc"), min_size=rows, max_size=rows)) for _ in names]
    blank = [draw(st.lists(st.sampled_from([False, False, True]), min_size=rows, max_size=rows)) for _ in names]
    known = {name: draw(SHARES) for name in names}
    weights = {name: draw(SHARES) for name in names}
    value_weights = {name: {v: draw(SHARES) for v in "abc"} for name in names if draw(st.booleans())}
    return dict(zip(names, values, strict=True)), np.array(blank).T, known, weights, value_weights


def exact_weights(frame, weights, values):
    return {
        name: {
            v: float(as_written(weights[name]) * as_written(values.get(name, {}).get(v, 0 if name in values else 1)))
            for v in "abc"
        }
        for name in frame
    }


@settings(max_examples=60, deadline=None)
@given(cases(), st.sampled_from(READINGS), st.sampled_from([0, 1e-6, 0.01, 0.5, None]), st.booleans())
def test_intervals_contain_the_exact_risk(case, missing, tolerance, with_blanks):
    frame, blank, known, weights, values = case
    table = tc.Table(frame, quasi_identifiers=list(frame))
    risk = tc.DisclosureRisk(known=known, weights=weights, value_weights=values, alpha=3, missing=missing)
    attributes = Attributes.of(risk, table)
    used = [list(frame).index(name) for name in attributes.names]
    shown = blank if with_blanks else np.zeros_like(blank)
    score = score_records(Records.of(attributes, shown[:, used]), tolerance=tolerance)
    true = table.frame.rows(named=True)
    release = [{n: BLANK if shown[i, j] else row[n] for j, n in enumerate(row)} for i, row in enumerate(true)]
    exact = risks(true, release, known, exact_weights(frame, weights, values), 3, missing)
    for low, high, value in zip(score.low, score.high, exact, strict=True):
        assert low <= float(value) + 1e-300 or low <= float(value) * (1 + 1e-15)
        assert high >= float(value) * (1 - 1e-15)
        width = 0.01 * high if tolerance is None else tolerance
        assert high - low <= width + 1e-9 * high


@pytest.mark.parametrize("missing", READINGS)
def test_tolerance_0_is_exact_where_everything_is_0_or_1(missing):
    """Never known, surely known, weightless and weighty columns, in all combinations."""
    frame = {"c0": list("aabbca"), "c1": list("abaabb"), "c2": list("aaabcc")}
    blank = np.zeros((6, 3), dtype=bool)
    blank[[0, 2, 2, 5], [1, 0, 2, 0]] = True
    table = tc.Table(frame, quasi_identifiers=list(frame))
    true = table.frame.rows(named=True)
    release = [{n: BLANK if blank[i, j] else row[n] for j, n in enumerate(row)} for i, row in enumerate(true)]
    for numbers in product([0.0, 1.0], repeat=6):
        known, weights = dict(zip(frame, numbers[:3], strict=True)), dict(zip(frame, numbers[3:], strict=True))
        attributes = Attributes.of(tc.DisclosureRisk(known=known, weights=weights, alpha=7, missing=missing), table)
        used = [list(frame).index(name) for name in attributes.names]
        score = score_records(Records.of(attributes, blank[:, used]), tolerance=0)
        exact = [float(v) for v in risks(true, release, known, exact_weights(frame, weights, {}), 7, missing)]
        assert score.low == pytest.approx(exact, rel=1e-11, abs=0)
        assert score.high == pytest.approx(exact, rel=1e-11, abs=0)
        assert (score.low <= np.array(exact) * (1 + 1e-15)).all()
        assert (score.high >= np.array(exact) * (1 - 1e-15)).all()


@settings(max_examples=40, deadline=None)
@given(cases(), st.sampled_from([0.0, 0.05, 0.25, 0.5, 1.0]))
def test_decisions_are_exact(case, delta):
    frame, _, known, weights, values = case
    table = tc.Table(frame, quasi_identifiers=list(frame))
    risk = tc.DisclosureRisk(known=known, weights=weights, value_weights=values)
    exact = risks(
        table.frame.rows(named=True), table.frame.rows(named=True), known, exact_weights(frame, weights, values)
    )
    score = risk.score(table, delta=delta)
    assert score.decided.all()
    assert score.above.tolist() == [value > as_written(delta) for value in exact]


@settings(max_examples=40, deadline=None)
@given(cases())
def test_heaviest_known_set(case):
    frame, _, known, weights, values = case
    table = tc.Table(frame, quasi_identifiers=list(frame))
    records = Records.of(Attributes.of(tc.DisclosureRisk(known=known, weights=weights, value_weights=values), table))
    found = records.population.heaviest(records.victims, records.gains)[records.ids]
    true = table.frame.rows(named=True)
    for i, row in enumerate(found):
        mine = {name for name, used in zip(records.attributes.names, row, strict=True) if used}
        value = exact_weights(frame, weights, values)
        if risks(true, true, known, value)[i] > 0:
            assert mine == set(heaviest(true, i, known, value, 1, "adversary"))


@settings(max_examples=40, deadline=None)
@given(cases(), st.data())
def test_nobody_s_risk_rises_under_adversary_and_wildcard(case, data):
    frame, blank, known, weights, values = case
    table = tc.Table(frame, quasi_identifiers=list(frame))
    missing = data.draw(st.sampled_from(["adversary", "wildcard"]))
    risk = tc.DisclosureRisk(known=known, weights=weights, value_weights=values, missing=missing)
    attributes = Attributes.of(risk, table)
    used = [list(frame).index(name) for name in attributes.names]
    less = blank[:, used] & data.draw(st.booleans())
    before = score_records(Records.of(attributes, less), tolerance=0)
    after = score_records(Records.of(attributes, blank[:, used]), tolerance=0)
    assert (after.low <= before.high).all()


def test_many_attributes_and_many_records_together():
    """Large enough for several tasks, nodes of many rows, and the search for single victims."""
    rng = np.random.default_rng(3)
    frame = {f"c{j}": rng.integers(0, 2 + j % 3, 4000).astype(str) for j in range(9)}
    table = tc.Table(frame, quasi_identifiers=list(frame)[:7], sensitive=list(frame)[7:])
    known = {name: [0.8, 0.05, 0.005][j % 3] for j, name in enumerate(frame)}
    risk = tc.DisclosureRisk(known=known, value_weights={"c7": {"1": 1}, "c8": {"1": 0.5}})
    whole = risk.score(table, tolerance=0)
    for score in (risk.score(table), risk.score(table, tolerance=1e-4), risk.score(table, delta=0.02)):
        assert (score.low <= whole.high).all()
        assert (whole.low <= score.high).all()
    middle = float(np.median(whole.low[whole.low > 0]))
    score = risk.score(table, delta=middle * 1.0001)
    assert score.decided.all()
    assert (score.above == (whole.low > middle * 1.0001)).all()


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"known": {"age": 1.5}}, ParameterError, "known.age = 1.5 is not allowed"),
        ({"known": {"agee": 0.5}}, RoleError, "Did you mean 'age'?"),
        ({"weights": {"ill": -1}}, ParameterError, "weights.ill"),
        ({"value_weights": {"ill": {"flue": 1}}}, ParameterError, "Did you mean 'flu'?"),
        ({"alpha": 0}, ParameterError, "alpha"),
        ({"missing": "zero"}, ParameterError, "missing"),
        ({"nonsense": 1}, ParameterError, "nonsense"),
    ],
)
def test_bad_parameters(given, error, told):
    table = tc.Table({"age": [1, 2], "ill": ["flu", "cold"]}, quasi_identifiers="age", sensitive="ill")
    with pytest.raises(error, match=told.replace("?", r"\?")):
        tc.DisclosureRisk(**given).score(table)


def test_bad_questions():
    table = tc.Table({"age": [1, 2], "ill": ["flu", "cold"]}, quasi_identifiers="age", sensitive="ill")
    with pytest.raises(ParameterError, match="tolerance = -1"):
        tc.DisclosureRisk().score(table, tolerance=-1)
    with pytest.raises(ParameterError, match="not compared"):
        _ = tc.DisclosureRisk().score(table).above


def test_defaults_are_written_out():
    frame = {"age": [1.5, 2], "sex": ["f", "m"], "ill": ["flu", "cold"], "name": ["a", "b"]}
    table = tc.Table(frame, identifiers="name", quasi_identifiers=["age", "sex"], sensitive="ill")
    risk = tc.DisclosureRisk().resolved(table)
    assert risk.known == {"age": 0.05, "sex": 0.8, "ill": 0.001}
    assert risk.weights == {"ill": 1.0}
    assert risk.alpha == 1
