"""Risks of a sample, against sums and against counting."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import special_uniques as oracle

from tacit.errors import ParameterError, RoleError
from tacit.measures.rates import wilson
from tacit.measures.risk import individual_risk, population_risk
from tacit.table import Table


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 40, 199, 200, 201, 260])
@pytest.mark.parametrize("share", [0.01, 0.1, 0.49, 0.5, 0.51, 0.8, 0.999, 1.0])
def test_individual_risk_is_the_sum(rows, share):
    people = rows / share
    if rows > 50 and share < 0.49:
        people = rows / 0.49  # the first weight of the sum would be below the smallest float
    found = float(individual_risk(np.array([rows]), np.array([people]))[0])
    assert found == pytest.approx(oracle.individual_risk(rows, people), rel=2e-6)


def test_one_row_has_a_closed_form():
    for people in (2.0, 10.0, 1e6):
        found = float(individual_risk(np.array([1]), np.array([people]))[0])
        assert found == pytest.approx(oracle.individual_risk_of_one(people), rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 500), st.floats(1, 1e6)), min_size=1, max_size=30))
def test_individual_risk_lies_between_its_bounds(given_groups):
    rows = np.array([f for f, _ in given_groups])
    people = np.array([f * w for f, w in given_groups])
    risk = individual_risk(rows, people)
    assert (risk <= 1 / rows + 1e-12).all()
    assert (risk >= 1 / people - 1e-12).all()  # Jensen: the mean of 1/F is at least one over the mean


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_counted_in_a_population(data):
    everybody = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=25))
    chosen = data.draw(st.lists(st.booleans(), min_size=len(everybody), max_size=len(everybody)).filter(any))
    sample = [person for person, yes in zip(everybody, chosen, strict=True) if yes]
    table = Table({"a": [x for x, _ in sample], "b": [y for _, y in sample]}, quasi_identifiers=["a", "b"])
    population = pl.DataFrame({"a": [x for x, _ in everybody], "b": [y for _, y in everybody]})
    found = population_risk(table, population=population)
    like = [everybody.count(person) for person in sample]
    assert found.k_map == min(like)
    assert found.risk.tolist() == [1 / n for n in like]
    assert dict(found.k_map_below) == {k: sum(n < k for n in like) for k in (2, 3, 5, 11)}
    presence = [sample.count(person) / everybody.count(person) for person in everybody]
    assert found.presence == (min(presence), max(presence))
    assert found.fraction == len(sample) / len(everybody)


def test_weights_estimate():
    table = Table({"age": [30, 30, 41], "w": [10.0, 10.0, 4.0]}, quasi_identifiers="age")
    found = population_risk(table, weights="w")
    assert found.people == 24
    assert found.k_map == 4
    assert found.presence is None
    assert found.expected == pytest.approx(2 * oracle.individual_risk(2, 20) + oracle.individual_risk(1, 4))
    assert any("not assessed" in sentence for sentence in found.assumptions)


def test_bad_weights_and_populations():
    table = Table({"age": [30, 41], "w": [10.0, 0.5], "t": ["a", "b"]}, quasi_identifiers="age")
    with pytest.raises(RoleError, match=r"row 2 of 'w' is 0\.5"):
        population_risk(table, weights="w")
    with pytest.raises(RoleError, match="not numbers"):
        population_risk(table, weights="t")
    with pytest.raises(RoleError, match="nope"):
        population_risk(table, weights="nope")
    with pytest.raises(RoleError, match="age"):
        population_risk(table, population=pl.DataFrame({"sex": ["f"]}))
    with pytest.raises(ParameterError, match="either"):
        population_risk(table)


@given(st.integers(1, 2000), st.data())
def test_wilson_solves_its_equation(people, data):
    right = data.draw(st.integers(0, people))
    assert wilson(right, people) == pytest.approx(oracle.wilson(right, people), abs=1e-9)
