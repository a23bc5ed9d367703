"""Reopening groups for tuples that found none: never more are stuck, and what is published holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.datasets import census
from tacit.kernels.distribution.arguments import HidingEffort
from tacit.methods.distribution.art.covering import holds
from tacit.methods.distribution.art.grouping import MOST_REOPENED, SPARING, hide_seeds
from tacit.methods.distribution.art.reopening import reopened

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"
COLUMNS = ["age", "workclass", "marital-status", "occupation", "race"]
LOW = ["Preschool", "1st-4th", "5th-6th", "7th-8th"]


def test_no_more_tuples_are_stuck_and_nobody_is_in_two_places() -> None:
    table = census(4_000, seed=2, quasi_identifiers=COLUMNS, sensitive="education")
    method = tc.ART(r=3, protected=[[each for each in LOW if each in set(table.frame["education"])]])
    problem = method.statistics(table).problem
    secret = np.random.default_rng(1)
    order = problem.order(secret)
    seeds = np.flatnonzero(problem.entries >= 0)
    # A careless beginning: groups of three of whoever comes next, until nobody is left.
    others = np.flatnonzero(problem.entries < 0)
    group = np.full(len(table), -1, dtype=np.int64)
    careless = seeds[: len(seeds) // 2]
    group[careless] = np.arange(len(careless))
    for k in range(2):
        group[others[k * len(careless) : (k + 1) * len(careless)]] = np.arange(len(careless))
    stuck = seeds[len(seeds) // 2 :][:MOST_REOPENED]
    after, left = reopened(problem, order, group, stuck, secret)
    assert len(left) <= len(stuck)
    assert (after[left] < 0).all()
    placed = np.setdiff1d(stuck, left)
    assert (after[placed] >= 0).all()
    # A group has one protected tuple: whoever was hidden before is hidden still, or is said to be stuck.
    held = np.bincount(after[(after >= 0) & (problem.entries >= 0)])
    assert held.max() == 1
    assert set(careless[after[careless] < 0]) <= set(left.tolist())


def test_whoever_has_the_rarest_value_of_an_entry_chooses_first() -> None:
    frame = {"town": ["a", "b"] * 20, "ill": ["x"] * 2 + ["y"] * 6 + ["z"] * 8 + ["flu"] * 24}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="ill")
    rarity = tc.ART(r=2, protected=[["x", "y"], "z"]).statistics(table).problem.rarity()
    assert rarity.tolist() == [0.25] * 2 + [0.75] * 6 + [1.0] * 32
    # The paper's view asks only for the entry, so nobody is rarer than another there.
    paper = tc.ART(r=2, protected=[["x", "y"], "z"], view="paper").statistics(table).problem
    assert (paper.rarity() == 1.0).all()


def test_a_group_whose_others_have_few_values_may_be_larger() -> None:
    """She is much likelier to have x than anybody else: with many values, worlds are too many before enough join."""
    rng = np.random.default_rng(0)
    others = rng.permutation(["v"] * 250 + [f"w{k}" for k in range(7) for _ in range(10)]).tolist()
    towns = ["sea", *rng.choice(["hill", "wood"], len(others)).tolist()]
    table = tc.Table({"town": towns, "ill": ["x", *others]}, quasi_identifiers="town", sensitive="ill")
    given = {"town": ["sea", "hill", "wood"], "ill": ["x"] * 3, "probability": [0.5, 0.02, 0.02]}
    problem = tc.ART(r=5, protected=["x"], distribution=given).statistics(table).problem
    order = problem.order(rng)

    def hidden(sparing: float) -> np.ndarray:
        group = np.full(len(table), -1, dtype=np.int64)
        effort = HidingEffort(problem.prices, 0.5, countable=True, patience=1, sparing=sparing)
        hide_seeds(problem, order, np.array([0]), effort, group, 0)
        return np.flatnonzero(group == 0)

    assert not len(hidden(0.0))
    assert len(hidden(SPARING)) > 150
    assert holds(problem, hidden(SPARING))
    assert tc.ART(r=5, protected=["x"], distribution=given).protect(table, seed=1).inside.kept.all()


@pytest.mark.skipif(not ADULT.exists(), reason="the shared benchmark data is not here")
def test_on_adult_with_five_columns_nobody_is_withheld_up_to_four() -> None:
    frame = pl.read_csv(ADULT, infer_schema_length=None)
    frame = frame.filter(~pl.any_horizontal(pl.col(pl.String).str.strip_chars() == "?"))
    table = tc.Table(frame.select(*COLUMNS, "education"), quasi_identifiers=COLUMNS, sensitive="education")
    assert tc.ART(r=4, protected=[LOW]).protect(table, seed=1).inside.kept.all()
