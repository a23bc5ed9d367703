"""The rows that a search counts: neighbours that agree in what is still asked about are found by a number."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.knowledge.risk.population import Population


@st.composite
def populations(draw):
    rows, columns = draw(st.integers(1, 30)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    seen = rng.integers(-1, 3, (rows, columns)).astype(np.int32)
    known = rng.choice([0.0, 0.1, 0.5, 0.5], columns)
    known[0] = 0.3
    return Population.of(seen, np.ones(rows, dtype=np.int64), known, [5] * columns, 1.0)


def agree(population: Population, l: int) -> np.ndarray:
    rows = population.rows[:, l:]
    return (rows[:, None, :] == rows[None, :, :]).all(axis=2)


@settings(max_examples=60, deadline=None)
@given(populations())
def test_rows_share_a_number_exactly_if_they_agree_from_there_on(population: Population) -> None:
    for l, numbers in enumerate(population.rest):
        assert ((numbers[:, None] == numbers[None, :]) == agree(population, l)).all()


@settings(max_examples=60, deadline=None)
@given(populations(), st.data())
def test_what_is_made_of_a_population_numbers_only_rows_that_agree(population: Population, data) -> None:
    """Without an attribute rows may not be neighbours any more; then they are counted apart, and never wrongly."""
    fewer = population.without(data.draw(st.integers(0, len(population.order) - 1)))
    for l, numbers in enumerate(fewer.rest):
        assert (agree(fewer, l) | (numbers[:, None] != numbers[None, :])).all()
    victim = population.rows[data.draw(st.integers(0, len(population.rows) - 1))]
    reduced, order = population.agreeing(victim)
    assert reduced.weight.sum() == population.weight.sum()
    assert len(order) == len(population.order)
    for l, numbers in enumerate(reduced.rest):
        assert ((numbers[:, None] == numbers[None, :]) == agree(reduced, l)).all()
