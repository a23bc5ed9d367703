"""Reopening groups for tuples that found none: never more are stuck, and what is published holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.datasets import census
from tacit.methods.distribution.art.grouping import MOST_REOPENED
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


@pytest.mark.skipif(not ADULT.exists(), reason="the shared benchmark data is not here")
def test_on_adult_with_five_columns_nobody_is_withheld_up_to_four() -> None:
    frame = pl.read_csv(ADULT, infer_schema_length=None)
    frame = frame.filter(~pl.any_horizontal(pl.col(pl.String).str.strip_chars() == "?"))
    table = tc.Table(frame.select(*COLUMNS, "education"), quasi_identifiers=COLUMNS, sensitive="education")
    assert tc.ART(r=4, protected=[LOW]).protect(table, seed=1).inside.kept.all()
