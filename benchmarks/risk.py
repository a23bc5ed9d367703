"""Disclosure risk of the students: every record decided, above or not above delta, with a certificate.

The yardstick is one Polars `group_by` per known set that the search visited, measured on a sample of them: the way one
would count F with a data frame.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark, Goal
from benchmarks.measuring import Outcome
from tacit.datasets import student_risk, students
from tacit.knowledge.risk import Attributes, Records
from tacit.knowledge.risk.goal import Goal as Wanted
from tacit.knowledge.risk.search import bound

DELTA = 0.01
ROUNDS = 4  # decide 99.9% of the students
SAMPLE = 30
# Quoted from the specification: one core, Numba, 1,000,000 x 27.
QUOTED = "a reference of the specification: 98 CPU s for 99.9% of the records"


@dataclass(frozen=True)
class State:
    table: tc.Table
    codes: pl.DataFrame


@dataclass(frozen=True)
class Decided:
    above: float
    decided: float
    nearly_all: float
    sets: int
    names: tuple[str, ...]
    masks: np.ndarray[tuple[int], np.dtype[np.int64]]


def setup(rows: int, folder: Path) -> State:
    table = students(rows)
    return State(table, pl.DataFrame({c.name: table.codes(c.name).codes for c in table.columns}))


def ours(state: State) -> Decided:
    """Score from the codes on, in as many rounds as decide 99.9% of the rows."""
    start = time.process_time()
    records = Records.of(Attributes.of(tc.DisclosureRisk(**student_risk()), state.table))
    live = records.live
    times, rows = records.times[live], len(state.table)
    found = bound(
        records.population, records.victims[live], records.gains[live], Wanted(DELTA), rounds=ROUNDS, visit=True
    )
    return Decided(
        float(times[found.above == 1].sum() / rows),
        1.0 - float(times[found.above < 0].sum() / rows),
        time.process_time() - start,
        len(found.sets),
        tuple(records.attributes.names[j] for j in records.population.order),
        found.sets,
    )


def everything(state: State) -> object:
    return tc.DisclosureRisk(**student_risk()).score(state.table, delta=DELTA)


def grouped(state: State, result: Decided, yardstick: object) -> dict[str, float]:
    """Count a sample of the visited known sets with Polars."""
    chosen = np.random.default_rng(0).choice(result.masks, min(SAMPLE, len(result.masks)), replace=False)
    start = time.process_time()
    for mask in chosen:
        K = [name for l, name in enumerate(result.names) if (int(mask) >> l) & 1]
        state.codes.group_by(K).len()
    each = (time.process_time() - start) / len(chosen)
    return {
        "CPU s for 99.9%": result.nearly_all,
        "share decided": result.decided,
        "share above delta": result.above,
        "known sets visited": float(result.sets),
        "CPU s of group_by per visited set": each * result.sets,
        "times faster than group_by": each * result.sets / result.nearly_all,
    }


def _slower(outcome: Outcome) -> float | None:
    faster = outcome.figures.get("times faster than group_by")
    return None if not faster else 1.0 / faster


def _gigabytes(outcome: Outcome) -> float | None:
    return None if outcome.ours is None or outcome.ours.peak is None else outcome.ours.peak.bytes / 1e9


BENCHMARKS = [
    Benchmark(
        name="risk-nearly-all",
        what="students: until 99.9% of the records are certainly above or not above delta",
        setup=setup,
        ours=ours,
        rows=1_009_993,
        warmup=0,
        figures=grouped,
        goals=(
            Goal("share not decided", lambda outcome: 1.0 - outcome.figures.get("share decided", 0.0), 0.001),
            Goal("CPU s for 99.9%", lambda outcome: outcome.figures.get("CPU s for 99.9%"), 60.0, QUOTED),
            Goal("CPU, ours to group_by per visited set", _slower, 0.2),
        ),
    ),
    Benchmark(
        name="risk-all",
        what="students: every record certainly above or not above delta",
        setup=setup,
        ours=everything,
        rows=1_009_993,
        warmup=0,
        goals=(
            Goal("CPU s for all", lambda outcome: None if outcome.ours is None else outcome.ours.cpu, 240.0),
            Goal("GB of memory", _gigabytes, 2.0),
        ),
    ),
]
