"""Figures 5 to 10 of the marginals paper: query error against m, marginal, w, s and n, and CPU time against m.

600,000 rows of the census generator: Age, Gender, Education, Marital, Race and a sensitive column of 50 values. The
median error of 1,000 queries. Mondrian generalizes each marginal by itself (frequency l-diversity, l = m), which is
not safe for several marginals; ANGEL has batches of similar rows, or the smallest batches.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

import tacit as tc
from benchmarks.marginals import MARGINALS, QUASI_IDENTIFIERS, people, table
from tacit.report.charts import save

RESULTS = Path(__file__).resolve().parents[1] / "results"
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#999999"]
SEED = 3
M = 6


LAST = {"M5": MARGINALS["M5"]}


class Releases:
    """What each method publishes of a table; the last choice of m and marginals is kept."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self.whole = table(frame)
        self._key: Any = None
        self._made: dict[str, tc.Release] = {}

    def several(self, m: int, schemas: dict[str, list[str]]) -> dict[str, tc.Release]:
        if self._key != (m, len(schemas)):
            self._made = {}  # one at a time: each holds its frames and what was counted from them
            made = {
                "m-invariant": tc.InvariantMarginals(m=m, marginals=schemas),
                "ANGEL, similar batches": tc.Angel(l=m, marginals=schemas),
                "ANGEL, smallest batches": tc.Angel(l=m, marginals=schemas, batches="smallest"),
            }
            self._key = (m, len(schemas))
            self._made = {name: method.protect(self.whole) for name, method in made.items()}
        return self._made

    def errors(
        self, m: int, k: int, work: tc.Workload, schemas: dict[str, list[str]] = LAST
    ) -> dict[str, tc.QueryError]:
        found = {n: tc.query_error(r, self.whole, workload=work) for n, r in self.several(m, schemas).items()}
        part = table(self.frame, k)
        mondrian = tc.Mondrian(guarantees=[tc.LDiversity(l=m, kind="frequency")]).protect(part)
        return {**found, "Mondrian, each alone": tc.query_error(mondrian, part, workload=work)}


def rows_of(errors: dict[str, tc.QueryError], **where: Any) -> list[dict[str, Any]]:
    rows = [{"method": name, **where, "median": e.median, "mean": e.mean} for name, e in errors.items()]
    for row in rows:
        print("  ".join(f"{k} {v:.6f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items()), flush=True)
    return rows


def draw(rows: list[dict[str, Any]], x: str, y: str, title: str, path: Path) -> None:
    colour = alt.Color("method:N", title=None, scale=alt.Scale(range=COLOURS))
    chart = (
        alt.Chart.from_dict({"data": {"values": rows}, "mark": {"type": "line", "point": True}})
        .encode(x=alt.X(f"{x}:Q"), y=alt.Y(f"{y}:Q"), color=colour)
        .properties(width=460, height=300, title=title)
    )
    save(chart, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="30,000 rows, fewer points, 200 queries")
    parser.add_argument("--only", nargs="*", default=["5", "7", "8", "9", "10"], help="figures; 6 comes with 5")
    parser.add_argument("--folder", type=Path, default=RESULTS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    n, queries = (30_000, 200) if given.quick else (600_000, 1_000)
    ms = [2, 6] if given.quick else list(range(2, 11))
    frame = people(n)
    releases = Releases(frame)

    def work(k: int, **parameters: Any) -> tc.Workload:
        return tc.Workload.draw(releases.whole, columns=QUASI_IDENTIFIERS[:k], queries=queries, seed=SEED, **parameters)

    def put(number: str, rows: list[dict[str, Any]], x: str, title: str, y: str = "median") -> None:
        draw(rows, x, y, title, given.folder / f"marginals-{number}.svg")
        (given.folder / f"marginals-{number}.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")

    if "5" in given.only:
        works = {k: work(k) for k in range(1, 6)}
        every = [
            row
            for m in ms
            for k in works
            for row in rows_of(releases.errors(m, k, works[k], MARGINALS), m=m, marginal=k)
        ]
        put("5", [row for row in every if row["marginal"] == 5], "m", "Query error against m (s = 0.1, M5)")
        put("6", [row for row in every if row["m"] == M], "marginal", "Query error against marginal (m = 6)")
    if "7" in given.only:
        rows = [r for w in range(1, 6) for r in rows_of(releases.errors(M, 5, work(5, dimensions=w)), w=w)]
        put("7", rows, "w", "Query error against dimensions (m = 6, M5)")
    if "8" in given.only:
        shares = [0.02, 0.05, 0.1, 0.2, 0.4]
        rows = [r for s in shares for r in rows_of(releases.errors(M, 5, work(5, selectivity=s)), s=s)]
        put("8", rows, "s", "Query error against selectivity (m = 6, M5)")
    if "9" in given.only:
        rows = []
        for part in (n // 6, n // 3, n // 2, n):
            some = Releases(frame.head(part))
            asked = tc.Workload.draw(some.whole, queries=queries, seed=SEED)
            rows += rows_of(some.errors(M, 5, asked), n=part)
        put("9", rows, "n", "Query error against rows (m = 6, M5)")
    if "10" in given.only:
        rows = []
        for m in ms:
            begun = time.process_time()
            tc.InvariantMarginals(m=m, marginals=MARGINALS).protect(table(frame))
            rows.append({"method": "m-invariant", "m": m, "CPU s": time.process_time() - begun})
            print(rows[-1], flush=True)
        put("10", rows, "m", "CPU time of five marginals", "CPU s")


if __name__ == "__main__":
    main()
