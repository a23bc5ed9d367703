"""The reader who learns: anybody pays one grouping by the columns; she learns, matches and chooses the round."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark, Goal
from benchmarks.measuring import Outcome
from tacit.datasets import census

COLUMNS = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country", "salary-class")


@dataclass(frozen=True)
class State:
    release: tc.Release
    frame: pl.DataFrame


def setup(rows: int, folder: Path) -> State:
    table = census(rows, seed=1, quasi_identifiers=COLUMNS, sensitive="occupation")
    random: dict[str, Any] = {"buckets": "random"} if "buckets" in tc.Anatomy.model_fields else {}
    release = tc.Anatomy(l=3, **random).protect(table, seed=1)
    release.shape.statistics  # noqa: B018 - the groups are counted once, for whoever reads them
    return State(release, table.frame.select(COLUMNS))


def in_columns(outcome: Outcome) -> float | None:
    """Return the peak of memory over that of the quasi-identifiers and the sensitive column as codes of four bytes."""
    if outcome.ours is None or outcome.ours.peak is None:
        return None
    return outcome.ours.peak.bytes / (4.0 * outcome.rows * (len(COLUMNS) + 1))


def random_buckets(table: tc.Table) -> tc.Release:
    """Deal rows out at random; the warning is left out, for which a reader learns from the buckets."""
    with patch.object(tc.Anatomy, "_warnings", return_value=()):
        return tc.Anatomy(l=3, buckets="random").protect(table, seed=1)


BENCHMARKS = [
    Benchmark(
        name="learning",
        what="naive Bayes reader of Anatomy, l = 3, 8 columns",
        setup=setup,
        ours=lambda state: tc.LearningAdversary().attack(state.release)["occupation"].posteriors,
        yardstick=lambda state: state.frame.group_by(COLUMNS).len(),
        yardstick_name="polars: one group_by.len of the same columns",
        target=40.0,
        rows=1_000_000,
        goals=(Goal("memory, in encoded columns", in_columns, 4.0),),
    ),
    Benchmark(
        name="similar-buckets",
        what="Anatomy, l = 3, buckets of similar rows, 8 columns",
        setup=lambda rows, folder: census(rows, seed=1, quasi_identifiers=COLUMNS, sensitive="occupation"),
        ours=lambda table: tc.Anatomy(l=3, buckets="similar").protect(table, seed=1),
        yardstick=random_buckets,
        yardstick_name="the same with random buckets, without the warning",
        target=2.0,
        rows=1_000_000,
    ),
]
