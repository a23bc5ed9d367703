"""Encoding: what every job pays first, against the cast to categorical that Polars users would do."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark
from benchmarks.people import SENSITIVE, people


def setup(rows: int, folder: Path) -> pl.DataFrame:
    return people(rows)


def ours(frame: pl.DataFrame) -> tc.Table:
    known = [name for name in frame.columns if name != SENSITIVE]
    table = tc.Table(frame, quasi_identifiers=known, sensitive=SENSITIVE)
    for name in frame.columns:
        table.codes(name)
    return table


def yardstick(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.all().cast(pl.String).cast(pl.Categorical))


BENCHMARKS = [
    Benchmark(
        name="encoding",
        what="a table and the codes of all its columns",
        setup=setup,
        ours=ours,
        yardstick=yardstick,
        yardstick_name="polars: cast to Categorical",
        target=3,
    ),
]
