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


class Releases:
    """What each method publishes of a table, made when first asked for."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self.tables = {k: table(frame, k) for k in range(1, 6)}
        self._last: tuple[int, dict[str, tc.Release]] = (0, {})

    def several(self, m: int) -> dict[str, tc.Release]:
        if self._last[0] != m:
            made = {
                "m-invariant": tc.InvariantMarginals(m=m, marginals=MARGINALS),
                "ANGEL, similar batches": tc.Angel(l=m, marginals=MARGINALS),
                "ANGEL, smallest batches": tc.Angel(l=m, marginals=MARGINALS, batches="smallest"),
            }
            self._last = (m, {name: method.protect(self.tables[5]) for name, method in made.items()})
        return self._last[1]

    def errors(self, m: int, k: int, work: tc.Workload) -> dict[str, tc.QueryError]:
        found = {n: tc.query_error(r, self.tables[5], workload=work) for n, r in self.several(m).items()}
        mondrian = tc.Mondrian(guarantees=[tc.LDiversity(l=m, kind="frequency")]).protect(self.tables[k])
        return {**found, "Mondrian, each alone": tc.query_error(mondrian, self.tables[k], workload=work)}


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
    parser.add_argument("--folder", type=Path, default=RESULTS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    n, queries = (30_000, 200) if given.quick else (600_000, 1_000)
    ms = [2, 6] if given.quick else list(range(2, 11))
    frame = people(n)
    releases = Releases(frame)
    whole = releases.tables[5]

    def work(k: int, **parameters: Any) -> tc.Workload:
        return tc.Workload.draw(whole, columns=QUASI_IDENTIFIERS[:k], queries=queries, seed=SEED, **parameters)

    works = {k: work(k) for k in range(1, 6)}
    found: dict[str, list[dict[str, Any]]] = {}
    every = [row for m in ms for k in works for row in rows_of(releases.errors(m, k, works[k]), m=m, marginal=k)]
    found["5"] = [row for row in every if row["marginal"] == 5]
    draw(found["5"], "m", "median", "Query error against m (s = 0.1, M5)", given.folder / "marginals-5.svg")
    found["6"] = [row for row in every if row["m"] == M]
    draw(found["6"], "marginal", "median", "Query error against marginal (m = 6)", given.folder / "marginals-6.svg")
    found["7"] = [r for w in range(1, 6) for r in rows_of(releases.errors(M, 5, work(5, dimensions=w)), w=w)]
    draw(found["7"], "w", "median", "Query error against dimensions (m = 6, M5)", given.folder / "marginals-7.svg")
    shares = [0.02, 0.05, 0.1, 0.2, 0.4]
    found["8"] = [r for s in shares for r in rows_of(releases.errors(M, 5, work(5, selectivity=s)), s=s)]
    draw(found["8"], "s", "median", "Query error against selectivity (m = 6, M5)", given.folder / "marginals-8.svg")
    found["9"] = []
    for part in (n // 6, n // 3, n // 2, n):
        some = Releases(frame.head(part))
        asked = tc.Workload.draw(some.tables[5], queries=queries, seed=SEED)
        found["9"] += rows_of(some.errors(M, 5, asked), n=part)
    draw(found["9"], "n", "median", "Query error against rows (m = 6, M5)", given.folder / "marginals-9.svg")
    found["10"] = []
    for m in ms:
        begun = time.process_time()
        tc.InvariantMarginals(m=m, marginals=MARGINALS).protect(table(frame))
        found["10"].append({"method": "m-invariant", "m": m, "CPU s": time.process_time() - begun})
        print(found["10"][-1], flush=True)
    draw(found["10"], "m", "CPU s", "CPU time of five marginals", given.folder / "marginals-10.svg")
    (given.folder / "marginals.json").write_text(json.dumps({**found, "every": every}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
