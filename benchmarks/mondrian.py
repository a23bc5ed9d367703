"""Mondrian: information lost and CPU on Adult beside ARX's figures, and scale against a sort of the same columns.

ARX's figures were measured elsewhere (its best, local recoding, CPU seconds after warm-up) and are quoted as constants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import tacit as tc
from benchmarks.harness import Benchmark, Goal
from benchmarks.people import QUASI_IDENTIFIERS, SENSITIVE, people

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ADULT = DATA / "adult.csv.gz"
TRAINING = 32_561
COMMON = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")
LINES: dict[str, tuple[tuple[str, ...], tuple[str, ...], list[Any], float]] = {
    "k=5": ((*COMMON, "occupation"), (), [tc.KAnonymity(k=5)], 0.0563),
    "k=10": ((*COMMON, "occupation"), (), [tc.KAnonymity(k=10)], 0.0788),
    "distinct-l=5": ((*COMMON, "salary-class"), ("occupation",), [tc.LDiversity(l=5)], 0.0543),
    "entropy-l=3": ((*COMMON, "salary-class"), ("occupation",), [tc.LDiversity(l=3, kind="entropy")], 0.0662),
    "t=.2": ((*COMMON, "salary-class"), ("occupation",), [tc.TCloseness(t=0.2)], 0.489),
}


def adult() -> pl.DataFrame:
    """Return the complete rows of the training part."""
    frame = tc.Table.read(ADULT, nulls=("", "?"), quasi_identifiers="age").frame
    return frame.head(TRAINING).drop_nulls()


@dataclass(frozen=True)
class State:
    table: tc.Table
    method: tc.Mondrian


def adult_setup(line: str, recode: str) -> Any:
    def setup(rows: int, folder: Path) -> State:
        known, sensitive, guarantees, _ = LINES[line]
        table = tc.Table(
            adult().head(rows),
            quasi_identifiers=known,
            sensitive=sensitive,
            hierarchies={name: DATA / f"adult_hierarchy_{name}.csv" for name in known},
        )
        for name in (*known, *sensitive):
            table.codes(name)
        return State(table, tc.Mondrian(guarantees=guarantees, recode=recode))  # type: ignore[arg-type]

    return setup


def protect(state: State) -> tc.Release:
    return state.method.protect(state.table)


def lost(state: State, release: Any, other: Any) -> Mapping[str, float]:
    cost = tc.utility(release, state.table)
    return {"ncp": cost.ncp, "withheld": cost.suppression_rate, "groups": float(release.shape.statistics.count)}


def adult_benchmarks() -> list[Benchmark]:
    found = []
    for line, (_, _, _, arx) in LINES.items():
        for recode, share in (("hierarchy", 1.0), ("sets", 0.6)):
            found.append(
                Benchmark(
                    name=f"mondrian-adult-{line}-{recode}",
                    what=f"protect Adult, {line}, {recode}",
                    setup=adult_setup(line, recode),
                    ours=protect,
                    rows=30_162,
                    quick_rows=5_000,
                    figures=lost,
                    goals=(
                        Goal("NCP", lambda outcome: outcome.figures["ncp"], share * arx, quoted="ARX"),
                        Goal("CPU s", lambda outcome: outcome.ours.cpu, 0.25),
                    ),
                )
            )
    return found


@dataclass(frozen=True)
class Large:
    table: tc.Table
    encoded: pl.DataFrame
    method: tc.Mondrian


def large(rows: int, folder: Path) -> Large:
    frame = people(rows).select(*QUASI_IDENTIFIERS, SENSITIVE)
    table = tc.Table(frame, quasi_identifiers=QUASI_IDENTIFIERS, sensitive=SENSITIVE)
    encoded = pl.DataFrame({name: table.codes(name).codes for name in QUASI_IDENTIFIERS})
    table.codes(SENSITIVE)
    return Large(table, encoded, tc.Mondrian(guarantees=[tc.KAnonymity(k=10), tc.LDiversity(l=5)]))


BENCHMARKS = [
    *(adult_benchmarks() if ADULT.exists() else []),
    Benchmark(
        name="mondrian",
        what="protect the census, k=10 and distinct l=5",
        setup=large,
        ours=lambda state: state.method.protect(state.table),
        yardstick=lambda state: state.encoded.sort(state.encoded.columns),
        yardstick_name="polars: sort of the encoded columns",
        target=1.5,
    ),
]
