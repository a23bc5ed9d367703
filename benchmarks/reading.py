"""Reading: a csv with its separator and types guessed, against Polars told nothing more."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from benchmarks.harness import Benchmark
from benchmarks.people import people
from tacit.sources import read


def setup(rows: int, folder: Path) -> Path:
    path = folder / "people.csv"
    people(rows).write_csv(path)
    return path


BENCHMARKS = [
    Benchmark(
        name="reading",
        what="a csv file",
        setup=setup,
        ours=read,
        yardstick=pl.read_csv,
        yardstick_name="polars: read_csv",
        target=1.3,
    ),
]
