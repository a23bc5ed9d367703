"""Figures 1 to 4 of the ART paper: time, query error, problematic tuples and Delta, by QI size and by r.

Protected are the four levels of education below secondary, as one set. HS-grad is in a third of the rows, so Anatomy
and Injector with l = r >= 4 have no buckets of Education; as their buckets need only hide the protected set here,
frequent values are dealt into parts, each in at most n / (2 r) rows, and published under their own name again.

A problematic tuple has a protected value and somebody links her to the set with more than 1/r, in the paper's view,
by the distribution of some attribute set. "Large samples" are those of at least 1,000 rows; what can be had with 30,
the default, is in docs/threats/distribution.md. Where ART cannot be made the point is missing, and the caption says
so. Every release is one run, with seed 1.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import polars as pl

import tacit as tc
from benchmarks.figures.charts import lines
from benchmarks.figures.figure import ADULT, Claim, Figure, run
from tacit.datasets import census
from tacit.knowledge.distribution import Distribution, ProtectedEntries
from tacit.knowledge.distribution.published_worlds import published_worlds

COLUMNS = ["age", "workclass", "marital-status", "occupation", "race", "sex", "native-country", "salary-class"]
LOW = ["Preschool", "1st-4th", "5th-6th", "7th-8th"]
SENSITIVE = "education"
SUPPORT = 1_000
BY_SIZE, BY_R = 3, 5  # r where the QI size varies, QI size where r does
EXACT, PAPER, ANATOMY, MASK, INJECTOR, CLOSE = (
    "ART, exact view", "ART, paper's view", "Anatomy", "MASK", "Injector", "t-closeness"
)  # fmt: skip
Row = dict[str, Any]
Ints = np.ndarray[tuple[int], np.dtype[np.int64]]


def adult() -> pl.DataFrame:
    if not ADULT.exists():
        return census(45_222, seed=0, quasi_identifiers=COLUMNS, sensitive=SENSITIVE).frame.select(*COLUMNS, SENSITIVE)
    frame = tc.Table.read(ADULT, nulls=("", "?"), quasi_identifiers="age").frame
    return frame.drop_nulls().select(*COLUMNS, SENSITIVE)


def table_of(frame: pl.DataFrame, size: int) -> tc.Table:
    return tc.Table(frame.select(*COLUMNS[:size], SENSITIVE), quasi_identifiers=COLUMNS[:size], sensitive=SENSITIVE)


@dataclass(frozen=True, eq=False)
class Made:
    """A release, and of every row of the table the group it is in (-1: withheld)."""

    release: tc.Release
    group: Ints
    seconds: float


def in_parts(method: Any, table: tc.Table, r: int) -> tuple[tc.Release, Ints]:
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
    inside = method.protect(dealt, seed=1).inside
    shown = table.frame.with_columns(pl.Series("group", inside.group)).filter(pl.Series(inside.kept))
    values = shown.group_by("group", SENSITIVE).agg(pl.len().alias("count"))
    release = tc.Release.foreign(
        {"quasi_identifiers": shown.drop(SENSITIVE), "sensitive": values},
        quasi_identifiers=table.quasi_identifiers,
        sensitive=SENSITIVE,
    )
    return release, inside.group


def _plainly(method: Any, table: tc.Table) -> tuple[tc.Release, Ints]:
    release = method.protect(table, seed=1)
    return release, release.inside.group


METHODS: dict[str, Callable[[tc.Table, int, int], tuple[tc.Release, Ints]]] = {
    EXACT: lambda table, r, support: _plainly(tc.ART(r=r, protected=[LOW], min_support=support), table),
    PAPER: lambda table, r, support: _plainly(tc.ART(r=r, protected=[LOW], view="paper", min_support=support), table),
    ANATOMY: lambda table, r, _: in_parts(tc.Anatomy(l=r), table, r),
    MASK: lambda table, r, _: _plainly(tc.Mask(k=r, l=r, protected=[LOW]), table),
    INJECTOR: lambda table, r, _: in_parts(tc.Injector(l=r), table, r),
    CLOSE: lambda table, r, _: _plainly(tc.Mondrian(guarantees=[tc.TCloseness(t=0.2)]), table),
}


class Study:
    """Tables, queries and distributions, each made once; what is measured of every method, QI size and r."""

    def __init__(self, queries: int) -> None:
        self.frame = adult()
        self.queries = queries
        self.table = cache(lambda size: table_of(self.frame, size))
        self.known = cache(lambda size, support: Distribution.of(self.table(size), min_support=support))
        self.work = cache(
            lambda size: tc.Workload.draw(self.table(size), queries=queries, dimensions=size, selectivity=0.05, seed=1)
        )
        self.measured = cache(self._measured)

    def make(self, name: str, size: int, r: int, support: int = SUPPORT) -> Made:
        begin = time.process_time()
        release, group = METHODS[name](self.table(size), r, support)
        return Made(release, group, time.process_time() - begin)

    def _measured(self, name: str, size: int, r: int, support: int = SUPPORT) -> Row:
        row: Row = {"method": name, "size": size, "r": r, "support": support}
        try:
            made = self.make(name, size, r, support)
        except tc.Infeasible as error:
            return row | {"infeasible": error.message}
        table, known = self.table(size), self.known(size, support)
        kept = made.group >= 0
        people = table.frame.select(COLUMNS[:size]).filter(pl.Series(kept))
        worlds = published_worlds(made.release.shape, SENSITIVE, known, people, made.group[kept])
        if worlds is None:
            return row | {"infeasible": "nobody could be placed"}
        values, known_values = made.release.shape.dictionary(SENSITIVE), [pl.Series(LOW)]
        entry = ProtectedEntries.of((tuple(LOW),), values, elsewhere=known_values)
        low = table.frame[SENSITIVE].is_in(LOW).to_numpy()
        posterior = np.zeros(int(worlds.rows.max(initial=-1)) + 1)
        posterior[worlds.rows] = worlds.believe(entry, exact_view=False)[0]
        risen = posterior > (1 + 1e-9) / r
        sizes = np.diff(worlds.offsets)
        several = sizes[sizes > 1]
        error = tc.query_error(made.release, table, workload=self.work(size))
        return row | {
            "time": made.seconds,
            "problematic": problematic(made, table, risen, low),
            "error": error.mean,
            "delta": spread(worlds, entry),
            "groups": len(several),
            "group size": float(several.mean()) if len(several) else 1.0,
            "withheld": int((~kept).sum()),
        }


def problematic(made: Made, table: tc.Table, risen: Any, low: Any) -> float:
    """Return the share of the protected tuples that are linked to the set with more than 1/r.

    A bucketized release lists people in its own order: within a group, those with equal quasi-identifiers have equal
    posteriors, so any of them stands for any other.
    """
    kept = made.group >= 0
    if made.release.shape.name != "bucketized":
        return float((risen & low[kept]).sum() / max(1, low.sum()))
    keys = ["group", *table.quasi_identifiers]
    shown = made.release.frames()["quasi_identifiers"].with_columns(pl.Series("risen", risen)).unique(keys)
    mine = table.frame.with_columns(pl.Series("group", made.group)).filter(pl.Series(low & kept))
    joined = mine.join(shown.select(*keys, "risen"), on=keys, how="left")
    return float(joined["risen"].sum() / max(1, low.sum()))


def spread(worlds: Any, entry: ProtectedEntries) -> float:
    """Return the average Delta: how far the probabilities of a group's tuples are apart, over groups and sets."""
    chances, filled, spreads = entry.sums(worlds.chances)[:, 0], worlds.offsets[:-1], []
    for a in range(worlds.signatures.shape[1]):
        f = chances[worlds.signatures[worlds.cells, a]]
        spreads.append(float(np.mean(np.maximum.reduceat(f, filled) - np.minimum.reduceat(f, filled))))
    return float(np.mean(spreads))


def counted(made: Made, table: tc.Table, r: int, support: int = SUPPORT) -> float:
    """Count the problematic tuples again, sharing no code with the tool: group_by, and the odds one after another."""
    names = list(table.quasi_identifiers)
    low = pl.col(SENSITIVE).is_in(LOW)
    frame = table.frame.with_columns(low.alias("low"), pl.Series("group", made.group))
    whole = frame["low"].mean()
    sets = [list(c) for size in range(1, len(names) + 1) for c in combinations(names, size)]
    share = pl.when(pl.len() >= support).then(pl.col("low").mean()).otherwise(whole)
    frame = frame.with_columns(share.over(c).alias(f"f{i}") for i, c in enumerate(sets)).filter(pl.col("group") >= 0)
    if "sensitive" in made.release.frames():  # what is published of a group; MASK publishes other values
        values = made.release.frames()["sensitive"].filter(low).group_by("group").agg(pl.col("count").sum().alias("k"))
    else:
        values = frame.filter("low").group_by("group").agg(pl.len().alias("k"))
    frame = frame.join(values, on="group")
    found = 0
    for part in frame.partition_by("group"):
        chances = part.select(f"f{i}" for i in range(len(sets))).to_numpy()
        posterior = linked(chances, int(part["k"][0])).max(axis=1)
        found += int((part["low"].to_numpy() & (posterior > (1 + 1e-9) / r)).sum())
    return found / int(table.frame[SENSITIVE].is_in(LOW).sum())


def linked(chances: np.ndarray[Any, Any], k: int) -> np.ndarray[Any, Any]:
    """Return who has the value, if k of these people have it: rows are people, columns attribute sets."""
    n, sets = chances.shape
    tilt = np.full(sets, k / n) / np.maximum(chances.mean(axis=0), 1e-12)
    odds = chances / np.maximum(1.0 - chances, 1e-12) * tilt
    sums = np.zeros((n + 1, k + 1, sets))
    sums[0, 0] = 1.0
    for i in range(n):  # sums[i, c]: over the ways to choose c of the first i
        sums[i + 1] = sums[i]
        sums[i + 1, 1:] += sums[i, :-1] * odds[i]
    after = np.zeros((k + 1, sets))
    after[0] = 1.0
    found = np.empty((n, sets))
    for i in range(n - 1, -1, -1):
        others = sum(sums[i, c] * after[k - 1 - c] for c in range(k))
        found[i] = odds[i] * others / sums[n, k]
        after[1:] += after[:-1] * odds[i]
    return found


WHAT = {
    "time": ("CPU time", "CPU seconds"),
    "error": ("relative error of COUNT queries", "average relative error"),
    "problematic": ("problematic tuples", "share of protected tuples"),
    "delta": ("average Delta", "average Delta"),
}


def draw(quick: bool) -> list[Figure]:
    """Draw the four figures, each by QI size (left) and by r (right)."""
    study = Study(500 if quick else 10_000)
    sizes, rs = ((3, 5), (2, 4)) if quick else (range(3, 9), range(2, 11))
    for name in METHODS:  # compile, and fill what is made once
        study.make(name, 3, 2)
    by_size = [study.measured(name, size, BY_SIZE) for size in sizes for name in METHODS]
    by_r = [study.measured(name, BY_R, r) for r in rs for name in METHODS]
    lost = sorted({(x["method"], x["size"], x["r"]) for x in by_size + by_r if "infeasible" in x})
    gaps = "; ".join(f"{method} at QI size {size}, r = {r}" for method, size, r in lost)
    figures = []
    for number, (what, (title, axis)) in enumerate(WHAT.items(), start=1):
        percent = what == "problematic"
        panels = [
            lines(rows, x, what, series="method", title=f"{title}, {fixed}", titles=(told, axis), even=True,
                  percent=percent, log=what in {"time", "error"}, order=list(METHODS))
            for rows, x, told, fixed in (
                (by_size, "size", "QI size", f"r = {BY_SIZE}"), (by_r, "r", "r", f"QI size {BY_R}"),
            )
        ]  # fmt: skip
        figures.append(
            Figure(
                f"distribution-{number}-{what}",
                f"Figure {number} of the ART paper: {title}",
                f"{study.frame.height:,} rows, education below secondary protected, samples of {SUPPORT:,} and more "
                f"are known; {study.queries:,} queries; one run per point, with one seed. "
                + (f"Could not be made: {gaps}." if gaps else ""),
                alt.hconcat(*panels).resolve_scale(color="shared", shape="shared"),
                tuple(CLAIMS[what](by_size, by_r)),
            )
        )
    return figures


def at(rows: Iterable[Row], name: str, what: str) -> dict[tuple[int, int], float]:
    return {(x["size"], x["r"]): x[what] for x in rows if x["method"] == name and what in x}


def mean(rows: Iterable[Row], name: str, what: str) -> float:
    return float(np.mean(list(at(rows, name, what).values()) or [np.nan]))


def means(rows: Iterable[Row], what: str, form: str = ".3f") -> str:
    return ", ".join(f"{name} {mean(rows, name, what):{form}}" for name in METHODS)


def grows(rows: Iterable[Row], what: str) -> tuple[dict[str, bool], str]:
    """Say of each method whether the largest QI size has more than the smallest and most steps rise; tell both ends."""
    ends = {name: list(at(rows, name, what).values()) for name in METHODS}
    told = ", ".join(f"{name} {v[0]:.3g} to {v[-1]:.3g}" for name, v in ends.items() if v)
    return {name: v[-1] > v[0] and np.sign(np.diff(v)).sum() > 0 for name, v in ends.items() if len(v) > 1}, told


NO_NUMBER = "a curve; the text gives no number"


def time_claims(by_size: list[Row], by_r: list[Row]) -> list[Claim]:
    up, told = grows(by_size, "time")
    every = by_size + by_r
    slower = all(mean(every, EXACT, "time") > mean(every, other, "time") for other in (ANATOMY, MASK, CLOSE))
    return [
        Claim("More quasi-identifiers take more time.", NO_NUMBER, f"seconds: {told}", all(up.values())),
        Claim(
            "ART takes longer than Anatomy, MASK and t-closeness.", NO_NUMBER,
            f"seconds on average: {means(every, 'time')}", slower,
        ),
    ]  # fmt: skip


def error_claims(by_size: list[Row], by_r: list[Row]) -> list[Claim]:
    up, told = grows(by_size, "error")
    every = by_size + by_r
    average = {name: mean(every, name, "error") for name in METHODS}
    anatomy = at(every, ANATOMY, "error")
    ratios = [value / anatomy[point] for point, value in at(every, EXACT, "error").items()]
    return [
        Claim("ART's error grows with the QI size.", NO_NUMBER, told, up.get(EXACT)),
        Claim(
            "t-closeness has the largest error, Injector a small one.", NO_NUMBER,
            means(every, "error"), max(average, key=lambda name: average[name]) == CLOSE
            and average[INJECTOR] <= float(np.median(list(average.values()))),
        ),
        Claim(
            "ART costs little: at most 1.5 times Anatomy's error (our reading of a low loss).", NO_NUMBER,
            f"ratios from {min(ratios):.2f} to {max(ratios):.2f}", max(ratios) <= 1.5,
        ),
    ]  # fmt: skip


def problem_claims(by_size: list[Row], by_r: list[Row]) -> list[Claim]:
    every = by_size + by_r
    mine = [x["problematic"] for x in every if x["method"] in {EXACT, PAPER} and "problematic" in x]
    up, told = grows(by_size, "problematic")
    others = {name: mean(every, name, "problematic") for name in (ANATOMY, MASK, INJECTOR, CLOSE)}
    return [
        Claim("ART leaves no problematic tuple.", "0", f"0 in {sum(x == 0 for x in mine)} of {len(mine)} releases",
              not any(mine)),
        Claim("More quasi-identifiers make more tuples problematic, without ART.", NO_NUMBER, told,
              all(up.get(name, True) for name in others)),
        Claim("MASK has fewer than t-closeness, Anatomy and Injector.", NO_NUMBER, means(every, "problematic", ".1%"),
              others[MASK] == min(others.values())),
    ]  # fmt: skip


def delta_claims(by_size: list[Row], by_r: list[Row]) -> list[Claim]:
    every = by_size + by_r
    up, told = grows(by_size, "delta")
    first, second = {ANATOMY, INJECTOR}, {MASK, CLOSE}
    ranked = sorted(METHODS, key=lambda name: -mean(every, name, "delta"))
    return [
        Claim("Delta grows with the QI size.", NO_NUMBER, told, all(up.values())),
        Claim("Delta is largest for Anatomy and Injector, then MASK and t-closeness.", NO_NUMBER,
              means(every, "delta", ".4f"), set(ranked[:2]) == first and set(ranked[2:4]) == second),
    ]  # fmt: skip


CLAIMS: Mapping[str, Callable[[list[Row], list[Row]], list[Claim]]] = {
    "time": time_claims, "error": error_claims, "problematic": problem_claims, "delta": delta_claims,
}  # fmt: skip


def views(quick: bool) -> list[Row]:
    """Compare ART's two views on the same points, known samples of 30 and of 1,000."""
    study = Study(500 if quick else 10_000)
    points = [(3, 2, 30), (5, 2, 30)] if quick else [
        (3, 2, 30), (3, 5, 30), (5, 2, 30), (5, 3, 30), (5, 4, 30), (5, 5, SUPPORT), (8, 2, SUPPORT)
    ]  # fmt: skip
    return [study.measured(name, *point) for point in points for name in (EXACT, PAPER)]


def show_views(rows: list[Row]) -> None:
    print(
        "\nART's two views\n  QI size  r  samples  view               groups  mean size  withheld  query error  CPU s"
    )
    for x in rows:
        head = f"  {x['size']:7}  {x['r']}  {x['support']:7,}  {x['method']:17}"
        if "infeasible" in x:
            print(f"{head}  not possible: {x['infeasible'].split('cannot be met: ')[-1][:80]}")
        else:
            tail = f"{x['withheld']:8,}  {x['error']:11.4f}  {x['time']:5.2f}"
            print(f"{head}  {x['groups']:6,}  {x['group size']:9.2f}  {tail}")


def show_counts() -> None:
    """Count the problematic tuples of one point in two ways."""
    study = Study(10)
    print("\nproblematic tuples by the tool and by an independent count (QI size 3, r = 4)")
    for name in METHODS:
        found = study.measured(name, 3, 4).get("problematic")
        if found is not None:
            again = counted(study.make(name, 3, 4), study.table(3), 4)
            print(f"  {name:17}  {found:.4%}  {again:.4%}  {'agree' if abs(found - again) < 1e-9 else 'DIFFER'}")


def main() -> None:
    import sys

    run(draw, __doc__)
    show_views(views("--quick" in sys.argv))
    show_counts()


if __name__ == "__main__":
    main()
