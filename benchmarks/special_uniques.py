"""Special uniques of 50,000 rows and 12 columns, sets of at most four: 793 sets.

The yardstick is one Polars `group_by` per set, measured on a sample of the sets: the way one would count with a data
frame. Finding which sets are minimal comes on top of that, and is not in the yardstick.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark, Goal
from benchmarks.measuring import Outcome

ROWS, COLUMNS, LARGEST = 50_000, 12, 4
SAMPLE = 40
SECONDS = 5.0


@dataclass(frozen=True)
class State:
    table: tc.Table
    codes: pl.DataFrame
    sets: list[tuple[str, ...]]


def setup(rows: int, folder: Path) -> State:
    draw = np.random.default_rng(0)
    frame = pl.DataFrame({f"c{j}": draw.integers(0, 2 + 3 * j, rows) for j in range(COLUMNS)})
    table = tc.Table(frame, quasi_identifiers=frame.columns)
    for name in frame.columns:
        table.codes(name)
    every = [names for size in range(1, LARGEST + 1) for names in combinations(frame.columns, size)]
    chosen = [every[i] for i in draw.choice(len(every), SAMPLE, replace=False)]
    return State(table, frame, chosen)


def ours(state: State) -> object:
    return tc.special_uniques(state.table, largest=LARGEST)


def yardstick(state: State) -> object:
    return [state.codes.group_by(names).len().filter(pl.col("len") == 1).height for names in state.sets]


def _seconds(outcome: Outcome) -> float | None:
    return None if outcome.ours is None else outcome.ours.wall


BENCHMARKS = [
    Benchmark(
        name="special-uniques",
        what=f"minimal sets of at most {LARGEST} of {COLUMNS} columns by which a row is alone",
        setup=setup,
        ours=ours,
        yardstick=yardstick,
        yardstick_name=f"polars: group_by.len of {SAMPLE} of the 793 sets",
        target=793 / SAMPLE,
        rows=ROWS,
        quick_rows=5_000,
        goals=(Goal("wall seconds of our call", _seconds, SECONDS),),
    ),
]
