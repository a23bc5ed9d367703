"""Figures 1 to 4 of the ART paper: time, query error, problematic tuples and Delta, by QI size and by r.

Protected are the four levels of education below secondary, as one set. HS-grad is in a third of the rows, so Anatomy
and Injector with l = r >= 4 have no buckets of Education; as their buckets need only hide the protected set here,
frequent values are dealt into parts, each in at most n / (2 r) rows, and published under their own name again.

A problematic tuple has a protected value and somebody links her to the set with more than 1/r, in the two-valued view,
by the distribution of some attribute set (support 30). ART is made and judged in the exact view; where it cannot be
made the point is missing, and the reason is printed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import polars as pl

import tacit as tc
from tacit.datasets import census
from tacit.knowledge.distribution import Distribution, Protected
from tacit.knowledge.distribution.seen import published_worlds
from tacit.measures.query_error import query_error
from tacit.report.charts import save

RESULTS = Path(__file__).resolve().parents[1] / "results"
ADULT = Path(__file__).resolve().parents[3] / "shared" / "data" / "adult.csv.gz"
COLUMNS = ["age", "workclass", "marital-status", "occupation", "race", "sex", "native-country", "salary-class"]
LOW = ["Preschool", "1st-4th", "5th-6th", "7th-8th"]
SENSITIVE = "education"
COLOURS = ["#009E73", "#56B4E9", "#0072B2", "#D55E00", "#CC79A7", "#999999"]


def adult() -> pl.DataFrame:
    if not ADULT.exists():
        return census(45_222, seed=0, quasi_identifiers=COLUMNS, sensitive=SENSITIVE).frame.select(*COLUMNS, SENSITIVE)
    frame = tc.Table.read(ADULT, nulls=("", "?"), quasi_identifiers="age").frame
    return frame.drop_nulls().select(*COLUMNS, SENSITIVE)


def table_of(frame: pl.DataFrame, size: int) -> tc.Table:
    return tc.Table(frame.select(*COLUMNS[:size], SENSITIVE), quasi_identifiers=COLUMNS[:size], sensitive=SENSITIVE)


def in_parts(method: Callable[[int], Any], table: tc.Table, r: int) -> tc.Release:
    """Run a method on values dealt into parts, and publish its buckets with the values themselves."""
    rng = np.random.default_rng(1)
    codes = table.codes(SENSITIVE)
    parts = np.maximum(1, -(-2 * r * codes.counts() // len(table)))
    parts[[value in LOW for value in codes.values]] = 1
    part = rng.integers(0, parts[codes.codes])
    name = [f"{value} {p}" for value, p in zip(codes.values.gather(codes.codes), part, strict=True)]
    dealt = tc.Table(
        table.frame.with_columns(pl.Series(SENSITIVE, name)),
        quasi_identifiers=table.quasi_identifiers,
        sensitive=SENSITIVE,
    )
    release = method(r).protect(dealt, seed=1)
    shown = table.frame.with_columns(pl.Series("group", release.inside.group)).filter(pl.Series(release.inside.kept))
    values = shown.group_by("group", SENSITIVE).agg(pl.len().alias("count"))
    return tc.Release.foreign(
        {"quasi_identifiers": shown.drop(SENSITIVE), "sensitive": values},
        quasi_identifiers=table.quasi_identifiers,
        sensitive=SENSITIVE,
    )


METHODS: dict[str, Callable[[tc.Table, int], tc.Release]] = {
    "ART exact": lambda table, r: tc.ART(r=r, protected=[LOW]).protect(table, seed=1),
    "ART paper": lambda table, r: tc.ART(r=r, protected=[LOW], view="paper").protect(table, seed=1),
    "Anatomy": lambda table, r: in_parts(lambda l: tc.Anatomy(l=l), table, r),
    "MASK": lambda table, r: tc.Mask(k=r, l=r, protected=[LOW]).protect(table, seed=1),
    "Injector": lambda table, r: in_parts(lambda l: tc.Injector(l=l), table, r),
    "t-closeness": lambda table, r: tc.Mondrian(guarantees=[tc.TCloseness(t=0.2)]).protect(table, seed=1),
}


def measured(name: str, table: tc.Table, size: int, r: int, queries: int) -> dict[str, Any]:
    row: dict[str, Any] = {"method": name, "size": size, "r": r}
    begin = time.process_time()
    try:
        release = METHODS[name](table, r)
    except tc.Infeasible as error:
        return row | {"time": time.process_time() - begin, "infeasible": error.message}
    row["time"] = time.process_time() - begin
    known = Distribution.of(table, min_support=30)
    inside = release.inside
    kept = np.ones(len(table), dtype=bool) if inside is None else inside.kept
    people = table.frame.select(COLUMNS[:size]).filter(pl.Series(kept))
    together = None if inside is None else inside.group[kept]
    worlds = published_worlds(release.shape, SENSITIVE, known, people, together)
    if worlds is None:
        return row | {"infeasible": "nobody could be placed"}
    entry = Protected.of((tuple(LOW),), release.shape.dictionary(SENSITIVE), strict=False)
    sizes = np.diff(worlds.offsets)
    group = np.repeat(np.arange(len(sizes)), sizes)
    chances = entry.sums(worlds.chances)[:, 0]
    spread = []
    for a in range(worlds.signatures.shape[1]):
        f = chances[worlds.signatures[worlds.cells, a]]
        filled = worlds.offsets[:-1]
        spread.append(float(np.mean(np.maximum.reduceat(f, filled) - np.minimum.reduceat(f, filled))))
    risen = {}
    for view, full in (("two-valued", False), ("full", True)):
        if full and not name.startswith("ART"):
            continue
        posterior, *_ = worlds.believe(full=full, protected=entry)
        risen[view] = posterior > (1 + 1e-9) / r
    # Who of the problematic has a protected value is read off the table: groups are those of the release.
    low = sensitive_of(worlds, release, table, kept)
    withheld = int((~kept).sum())
    error = query_error(release, table, queries=queries, dimensions=size, selectivity=0.05, seed=1)
    many = sizes[sizes > 1]
    return row | {
        "problematic": float((risen["two-valued"] & low).sum() / max(1, low.sum())),
        "anybody": int(risen["two-valued"].sum()),
        "problematic_full": float((risen["full"] & low).sum() / max(1, low.sum())) if "full" in risen else None,
        "error": error.mean,
        "delta": float(np.mean(spread)),
        "groups": len(many),
        "group_size": float(many.mean()) if len(many) else 1.0,
        "withheld": withheld,
        "people": len(group),
    }


def sensitive_of(worlds: Any, release: tc.Release, table: tc.Table, kept: Any) -> Any:
    """Say which of the placed people have a protected value in the table.

    A bucketized release lists people in its own order: within a group, those with equal quasi-identifiers are matched
    with rows of the table at random, which changes no count but those of people who look alike.
    """
    if release.shape.name != "bucketized":
        return table.frame.filter(pl.Series(kept))[SENSITIVE].is_in(LOW).to_numpy()[worlds.rows]
    shown = release.frames()["quasi_identifiers"]
    names = list(table.quasi_identifiers)
    if release.inside is not None:
        source = table.frame.with_columns(pl.Series("group", release.inside.group)).filter(pl.Series(kept))
        keys = ["group", *names]
    else:
        source, keys = table.frame, names
    nth = pl.int_range(pl.len()).over(keys).alias("nth")
    marked = source.with_columns(pl.col(SENSITIVE).is_in(LOW).alias("low"), nth).select(*keys, "nth", "low")
    joined = shown.with_columns(nth).join(marked, on=[*keys, "nth"], how="left", maintain_order="left")
    return joined["low"].fill_null(False).to_numpy()[worlds.rows]


def chart(rows: list[dict[str, Any]], by: str, what: str, title: str, fixed: str) -> Any:
    data = pl.DataFrame([{"method": x["method"], by: x[by], "y": x[what]} for x in rows if x.get(what) is not None])
    colours = alt.Scale(domain=list(METHODS), range=COLOURS)
    return (
        alt.Chart(data, title=f"{title} ({fixed})", width=320, height=220)
        .mark_line(point=True)
        .encode(
            x=alt.X(f"{by}:O", title="QI size" if by == "size" else "r"),
            y=alt.Y("y:Q", title=title),
            color=alt.Color("method:N", scale=colours, title=None),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few points and queries")
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--r", type=int, default=2, help="r of the figures by QI size")
    asked = parser.parse_args()
    frame = adult()
    print(f"{frame.height:,} rows, {frame[SENSITIVE].is_in(LOW).mean():.2%} protected")
    sizes, rs = ((3, 5), (2, 4)) if asked.quick else (range(3, 9), range(2, 11))
    queries = min(asked.queries, 500) if asked.quick else asked.queries
    small = table_of(frame, 3)
    for name in METHODS:  # compile
        measured(name, small, 3, 2, 10)
    rows: dict[str, list[dict[str, Any]]] = {"size": [], "r": []}
    for by, points in (("size", [(size, asked.r) for size in sizes]), ("r", [(5, r) for r in rs])):
        for size, r in points:
            table = table_of(frame, size)
            for name in METHODS:
                found = measured(name, table, size, r, queries)
                rows[by].append(found)
                print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in found.items()}), flush=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    titles = {"time": "CPU seconds", "error": "relative error", "problematic": "problematic", "delta": "average Delta"}
    for number, (what, title) in enumerate(titles.items(), start=1):
        both = chart(rows["size"], "size", what, title, f"r = {asked.r}") | chart(
            rows["r"], "r", what, title, "QI size 5"
        )
        save(both, RESULTS / f"distribution-{number}-{what}.svg")
    (RESULTS / "distribution.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
