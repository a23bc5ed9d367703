"""Reading: a csv with its separator and types guessed, against Polars told nothing more; and one of many columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark, Goal
from benchmarks.people import people
from tacit.sources import read


def setup(rows: int, folder: Path) -> Path:
    path = folder / "people.csv"
    people(rows).write_csv(path)
    return path


@dataclass(frozen=True)
class Wide:
    few: Path
    many: Path


def wide(columns: int, folder: Path) -> Wide:
    """Write a file of so many columns and one of a tenth of them, 20 rows each."""

    def write(many: int) -> Path:
        path = folder / f"{many}.csv"
        lines = [",".join(f"c{i}" for i in range(many))]
        lines += [",".join(str((7 * row + i * i) % 9) for i in range(many)) for row in range(20)]
        path.write_text("\n".join(lines) + "\n")
        return path

    return Wide(write(columns // 10), write(columns))


def read_table(path: Path) -> tc.Table:
    return tc.Table.read(path, quasi_identifiers=["c0", "c1"], sensitive="c2")


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
    Benchmark(
        name="reading-columns",
        what="a csv file of 20 rows and many columns (counted below as rows)",
        setup=wide,
        ours=lambda state: read_table(state.many),
        yardstick=lambda state: read_table(state.few),
        yardstick_name="ours: a tenth of the columns",
        target=13,
        rows=10_000,
        quick_rows=200,
        goals=(Goal("CPU s", lambda outcome: None if outcome.ours is None else outcome.ours.cpu, 3.0),),
    ),
]
