"""r-robust tables: one grouping per attribute set is what anybody pays; ours also makes the groups and judges them.

Five quasi-identifiers make 31 attribute sets. Protected are the four levels of education below secondary, as one set.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark
from tacit.datasets import census

QUASI_IDENTIFIERS = ("age", "workclass", "marital-status", "occupation", "race")
LOW = ["Preschool", "1st-4th", "5th-6th", "7th-8th"]


@dataclass(frozen=True)
class State:
    table: tc.Table
    frame: pl.DataFrame
    few: tc.Table
    release: tc.Release


def method(table: tc.Table) -> tc.ART:
    """Protect the low levels that the table has; a small one may lack some."""
    counts = dict(zip(table.codes("education").texts, table.counts("education"), strict=True))
    low = [level for level in LOW if counts.get(level, 0)]
    return tc.ART(r=3, protected=[low] if low else ["Doctorate"])


def _table(rows: int) -> tc.Table:
    return census(rows, seed=1, quasi_identifiers=QUASI_IDENTIFIERS, sensitive="education")


def setup(rows: int, folder: Path) -> State:
    table, few = _table(rows), _table(max(1, rows // 10))
    for each in (table, few):
        each.groups()  # codes are made once
    return State(table, table.frame.select(QUASI_IDENTIFIERS), few, method(table).protect(table, seed=1))


def group_bys(state: State) -> list[pl.DataFrame]:
    sets = [c for size in range(1, 6) for c in combinations(QUASI_IDENTIFIERS, size)]
    return [state.frame.group_by(chosen).len() for chosen in sets]


BENCHMARKS = [
    Benchmark(
        name="art",
        what="ART, r = 3, 31 attribute sets",
        setup=setup,
        ours=lambda state: method(state.table).protect(state.table, seed=1),
        yardstick=group_bys,
        yardstick_name="polars: one group_by.len per attribute set",
        target=20.0,
        figures=lambda state, ours, _: {
            "withheld": float((~ours.inside.kept).sum()),
            "groups": float((ours.shape.statistics.sizes > 1).sum()),
            "mean size": float(ours.shape.statistics.sizes[ours.shape.statistics.sizes > 1].mean()),
        },
    ),
    Benchmark(
        name="art-growth",
        what="ART on ten times the rows",
        setup=setup,
        ours=lambda state: method(state.table).protect(state.table, seed=1),
        yardstick=lambda state: method(state.few).protect(state.few, seed=1),
        yardstick_name="ART on a tenth of the rows",
        target=13.0,
    ),
    Benchmark(
        name="art-audit",
        what="audit of the release, all attribute sets",
        setup=setup,
        prepare=lambda state: (
            tc.Release(state.release.shape, state.release.claims, inside=state.release.inside),
            state,
        ),
        ours=lambda ready: tc.audit(ready[0], ready[1].table, adversaries=[]),
        yardstick=lambda state: method(state.table).protect(state.table, seed=1),
        yardstick_name="ART making it",
        target=1.0,
    ),
]
