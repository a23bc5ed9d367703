"""Mondrian beside anonypy: the same table, the same k, information lost and CPU seconds.

Ours starts from the raw frame and ends with published text; anonypy starts from categories, which is what codes are.
The NCP of what anonypy publishes is taken twice: by our own measure, after its cells are written the way we write them,
and by the definition, cell by cell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import tacit as tc
from benchmarks.foreign import Environment, Foreign
from benchmarks.harness import Benchmark, Goal
from benchmarks.mondrian import ADULT, adult

KNOWN = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")
SENSITIVE = "occupation"
K = 10
FASTER = 50
QUOTED_NCP = 0.036  # of anonypy, measured elsewhere


@dataclass(frozen=True)
class State:
    frame: pl.DataFrame
    path: Path
    published: Path
    method: tc.Mondrian

    @property
    def table(self) -> tc.Table:
        return tc.Table(self.frame, quasi_identifiers=KNOWN, sensitive=SENSITIVE)


def setup(rows: int, folder: Path) -> State:
    frame = adult().head(rows).select(*KNOWN, SENSITIVE)
    path = folder / "adult.parquet"
    frame.write_parquet(path)
    return State(frame, path, folder / "published.json", tc.Mondrian(guarantees=[tc.KAnonymity(k=K)]))


def task(state: State) -> dict[str, Any]:
    return {
        "table": str(state.path),
        "published": str(state.published),
        "quasi_identifiers": list(KNOWN),
        "sensitive": SENSITIVE,
        "k": K,
    }


def published(state: State) -> pl.DataFrame:
    """Return what anonypy published, a row per person."""
    rows = [
        {name: row[name][0] if isinstance(row[name], list) else row[name] for name in (*KNOWN, SENSITIVE, "count")}
        for row in json.loads(state.published.read_text(encoding="utf-8"))
    ]
    return pl.DataFrame(rows).select(pl.all().exclude("count").repeat_by("count").explode())


def as_ours(frame: pl.DataFrame) -> pl.DataFrame:
    """Write its cells our way: `20-29` as `[20, 29]`, `a,b` as `{a, b}`."""
    several = [
        pl.when(pl.col(name).str.contains(","))
        .then(pl.concat_str(pl.lit("{"), pl.col(name).str.replace_all(",", ", "), pl.lit("}")))
        .otherwise(pl.col(name))
        .alias(name)
        for name in KNOWN[1:]
    ]
    return frame.with_columns(pl.col("age").str.replace(r"^(\d+)-(\d+)$", "[$1, $2]"), *several)


def by_definition(frame: pl.DataFrame, raw: pl.DataFrame) -> float:
    """Add up every cell: the width of an interval over the range, the members less one over the domain less one."""
    ages = raw["age"].to_list()
    spread = max(ages) - min(ages)
    domain = {name: raw[name].n_unique() for name in KNOWN[1:]}
    lost = 0.0
    for row in frame.iter_rows(named=True):
        ends = [int(part) for part in row["age"].split("-")]
        lost += (ends[-1] - ends[0]) / spread
        lost += sum((len(row[name].split(",")) - 1) / (domain[name] - 1) for name in domain)
    return lost / (len(KNOWN) * frame.height)


def figures(state: State, release: tc.Release, other: Mapping[str, Any] | None) -> Mapping[str, float]:
    table = state.table
    found = {"ncp": tc.utility(release, table).ncp}
    if other is not None:
        theirs = published(state)
        foreign = tc.Release.foreign(as_ours(theirs), quasi_identifiers=KNOWN, sensitive=SENSITIVE)
        sizes = theirs.group_by(KNOWN).len()["len"]
        found |= {
            "anonypy ncp": tc.utility(foreign, table).ncp,
            "anonypy ncp by definition": by_definition(theirs, state.frame),
            "anonypy rows": float(theirs.height),
            "anonypy smallest group": float(sizes.min()),  # type: ignore[arg-type]
        }
    return found


BENCHMARKS = [
    Benchmark(
        name="anonypy",
        what=f"protect Adult from the raw frame, k={K}, intervals and sets",
        setup=setup,
        ours=lambda state: state.method.protect(state.table),
        yardstick=Foreign(
            environment=Environment("anonypy", ("anonypy==0.2.1", "pandas==2.3.3", "pyarrow==26.0.1")),
            script=Path(__file__).parent / "tools" / "anonypy_mondrian.py",
            task=task,
        ),
        yardstick_name="anonypy: its Mondrian, from categories",
        target=1 / FASTER,
        rows=30_162,
        quick_rows=2_000,
        figures=figures,
        goals=(
            Goal("NCP", lambda outcome: outcome.figures["ncp"], QUOTED_NCP, quoted="anonypy"),
            Goal("NCP less anonypy's", lambda outcome: _less(outcome.figures), 0.0),
        ),
    ),
]


def _less(found: Mapping[str, float]) -> float | None:
    return found["ncp"] - found["anonypy ncp"] if "anonypy ncp" in found else None


if not ADULT.exists():
    BENCHMARKS = []
