"""Suppression of a skewed value on encoded rows, against what Polars needs to count, filter and shuffle them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark

VALUES = 50


@dataclass(frozen=True)
class State:
    table: tc.Table
    frame: pl.DataFrame


def setup(rows: int, folder: Path) -> State:
    rng = np.random.default_rng(1)
    zipf = 1 / np.arange(1, VALUES + 1)
    frame = pl.DataFrame(
        {
            "age": rng.integers(17, 91, rows).astype(np.int32),
            "place": rng.integers(0, 400, rows).astype(np.int32),
            "value": rng.choice(VALUES, rows, p=zipf / zipf.sum()).astype(np.int32),
        }
    )
    table = tc.Table(frame, quasi_identifiers=["age", "place"], sensitive="value")
    for name in frame.columns:
        table.codes(name)
    return State(table, frame)


def yardstick(state: State) -> pl.DataFrame:
    state.frame.group_by("value").len()
    state.frame.filter(pl.col("value") != 0)
    return state.frame.sample(fraction=1.0, shuffle=True)


BENCHMARKS = [
    Benchmark(
        name="shift-suppression",
        what="protect: plan, choose rows, shuffle, publish",
        setup=setup,
        ours=lambda state: tc.ShiftSuppression(l=5).protect(state.table),
        yardstick=yardstick,
        yardstick_name="polars: group_by.len, filter, full shuffle",
        target=2.0,
        rows=10_000_000,
    )
]
