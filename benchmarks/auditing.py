"""Auditing: a generalized release that somebody else made, judged from its cells alone."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark
from benchmarks.people import QUASI_IDENTIFIERS, SENSITIVE, people


def setup(rows: int, folder: Path) -> pl.DataFrame:
    """Blur as a tool would: an interval, sets, and a column that says nothing."""
    frame = people(rows).select(*QUASI_IDENTIFIERS, SENSITIVE)
    decade = pl.col("age") // 10 * 10
    return frame.with_columns(
        pl.format("[{}, {}]", decade, decade + 9).alias("age"),
        pl.col("education").replace(sets_of_four(frame["education"])),
        pl.lit("*").alias("native-country"),
    )


def sets_of_four(column: pl.Series) -> dict[str, str]:
    values = column.unique().sort().to_list()
    blocks = [values[i : i + 4] for i in range(0, len(values), 4)]
    return {value: f"{{{', '.join(block)}}}" for block in blocks for value in block}


def release(frame: pl.DataFrame) -> tc.Release:
    """Take the frame anew: a release remembers what was once counted."""
    return tc.Release.foreign(frame, quasi_identifiers=QUASI_IDENTIFIERS, sensitive=SENSITIVE)


def ours(published: tc.Release) -> tc.Audit:
    return tc.audit(published, claims=[tc.KAnonymity(k=5), tc.Eligibility(l=2)])


BENCHMARKS = [
    Benchmark(
        name="auditing",
        what="k-anonymity, eligibility and linkage of a generalized release",
        setup=setup,
        prepare=release,
        ours=ours,
        yardstick=lambda frame: frame.group_by(QUASI_IDENTIFIERS).len(),
        yardstick_name="polars: group_by.len of its cells",
    ),
]
