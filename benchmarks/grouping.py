"""Grouping: rows of equal quasi-identifiers, numbered and counted, against Polars counting them.

Ours also numbers the rows and counts the sensitive values of every group, which the yardstick does not. It starts from
codes, which were made once; so it stands beside Polars on the values and on the same codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark
from benchmarks.people import QUASI_IDENTIFIERS, SENSITIVE, people
from tacit.table import GroupStats


@dataclass(frozen=True)
class State:
    table: tc.Table
    frame: pl.DataFrame
    encoded: pl.DataFrame


def setup(rows: int, folder: Path) -> State:
    frame = people(rows).select(*QUASI_IDENTIFIERS, SENSITIVE)
    table = tc.Table(frame, quasi_identifiers=QUASI_IDENTIFIERS, sensitive=SENSITIVE)
    encoded = pl.DataFrame({name: table.codes(name).codes for name in frame.columns})
    return State(table, frame, encoded)


def ours(state: State) -> GroupStats:
    return state.table.statistics(state.table.groups())


def count(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.group_by(QUASI_IDENTIFIERS).len()


BENCHMARKS = [
    Benchmark(
        name="grouping",
        what="groups and their sensitive histograms",
        setup=setup,
        ours=ours,
        yardstick=lambda state: count(state.frame),
        yardstick_name="polars: group_by.len of the values",
    ),
    Benchmark(
        name="grouping-encoded",
        what="groups and their sensitive histograms",
        setup=setup,
        ours=ours,
        yardstick=lambda state: count(state.encoded),
        yardstick_name="polars: group_by.len of the codes",
    ),
]
