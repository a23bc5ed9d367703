"""A table that changes, over 24 months: counterfeits, information lost and query error, beside publishing afresh.

Xiao and Tao, "m-invariance", SIGMOD 2007, measure counterfeits and query error over time on their own data; the figures
here are of the census generator (five quasi-identifiers, sensitive: industry with 50 values), of which 5% leave and 5%
come every month. Afresh means that every month is made by itself, without a ledger: then a reader of all months pins
people, and the last figure counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.figures.charts import lines
from benchmarks.figures.figure import Claim, Figure, run
from tacit.adversaries.together import Sighting, equivalence, read_together
from tacit.datasets import census
from tacit.measures import Workload
from tacit.table import Histogram, as_text

COLUMNS = ["age", "sex", "education", "marital-status", "race"]
CHURN = 0.05
LEVELS = (2, 4, 6, 8)


@dataclass(frozen=True)
class Month:
    """What one month of one m comes to."""

    m: int
    month: int
    counterfeits: float
    ncp: float
    afresh: float
    error: float
    error_afresh: float
    pinned: float
    kept: float
    tied: int
    alone: int


def months(people: int, many: int, m: int) -> list[Month]:
    """Publish month after month through a ledger and afresh, and measure both."""
    pool = census(int(people * (1 + CHURN * many) * 1.02), sensitive="industry", quasi_identifiers=COLUMNS, seed=1)
    frame = pool.frame.select(*COLUMNS, "industry").with_row_index("pid")
    rng = np.random.default_rng(m)
    present, following = np.arange(people), people
    method = tc.InvariantMarginals(m=m, counterfeits="newcomers")
    found, sightings, followed = [], [], []
    with TemporaryDirectory() as place:
        ledger = tc.Ledger(Path(place) / "census.ledger")
        for month in range(1, many + 1):
            rows = np.sort(present)
            table = tc.Table(frame[rows], person="pid", quasi_identifiers=COLUMNS, sensitive="industry")
            release = method.protect(table, ledger=ledger, seed=month)
            # Only what the ledger remembers is needed here, so no files are written.
            noted = {"folder": f"{place}/{month}", "digest": "0" * 64, "private": None, "papers": {}}
            release.register.commit(release, **noted)  # type: ignore[union-attr]
            afresh = method.protect(table, seed=month)
            sightings.append(_seen(afresh, rows, frame.height, month))
            followed.append(_seen(release, rows, frame.height, month))
            belief = read_together(sightings, "industry", _values(frame))
            kept = read_together(followed, "industry", _values(frame))
            both = belief.releases > 1
            work = Workload.draw(table, queries=500, selectivity=0.1, seed=7)
            found.append(
                Month(
                    m,
                    month,
                    release.shape.counterfeits / release.shape.rows,
                    tc.utility(release, table).ncp,
                    tc.utility(afresh, table).ncp,
                    tc.query_error(release, table, workload=work).median,
                    tc.query_error(afresh, table, workload=work).median,
                    float((belief.candidates[both] == 1).mean()) if both.any() else 0.0,
                    float((kept.candidates[both] == 1).mean()) if both.any() else 0.0,
                    equivalence(followed).people,
                    _alone(release),
                )
            )
            leave = rng.random(len(present)) < CHURN
            came = int(leave.sum())
            present = np.concatenate([present[~leave], np.arange(following, following + came)])
            following += came
    return found


def _alone(release: tc.Release) -> int:
    """Count the people who stand in a group with counterfeits alone."""
    counterfeits = release.inside.counterfeits  # type: ignore[union-attr]
    if counterfeits is None:
        return 0
    (people,), (nobody,) = release.inside.group.values(), counterfeits.group.values()  # type: ignore[union-attr]
    return int((np.bincount(people)[np.unique(nobody)] == 1).sum())


def _values(frame: pl.DataFrame) -> pl.Series:
    return as_text(frame["industry"].unique().sort())


def _seen(release: tc.Release, rows: np.ndarray, everybody: int, month: int) -> Sighting:
    """Return what a reader sees who knows in which group everybody is."""
    (part,) = release.shape.parts.values()
    (numbers,) = release.inside.group.values()  # type: ignore[union-attr]
    group = np.full(everybody, -1, dtype=np.int64)
    group[rows] = np.searchsorted(part.numbers.to_numpy(), numbers)
    held = part.statistics.histograms["industry"]
    codes = np.searchsorted(np.array(_ALL), np.array(as_text(part.dictionary("industry")).to_list()))
    values = Histogram.from_entries(held.entry_groups(), codes[held.values], held.counts, held.groups, len(_ALL))
    return Sighting(month, group, values)


_ALL = sorted(census(20_000, sensitive="industry", seed=1).frame["industry"].unique().to_list())


def draw(quick: bool) -> list[Figure]:
    """Draw all figures; quick: 3,000 people and 4 months."""
    people, many, levels = (3_000, 4, (2, 4)) if quick else (30_000, 24, LEVELS)
    found = [month for m in levels for month in months(people, many, m)]
    last = {m: [month for month in found if month.m == m][-1] for m in levels}
    worst = max(month.counterfeits for month in found)
    grown = {m: last[m].ncp / last[m].afresh for m in levels}
    alone = max(month.alone for month in found)
    data = f"{people:,} people a month, {many} months, 5% leave and 5% come"

    def chart(y: str, title: str, *, beside: str | None = None, **how: Any) -> Any:
        rows = [{"month": each.month, "y": getattr(each, y), "of": f"m = {each.m}"} for each in found]
        if beside is not None:
            rows += [{"month": e.month, "y": getattr(e, beside), "of": f"m = {e.m}, afresh"} for e in found]
        return lines(rows, "month", "y", series="of", titles=("month", title), **how)

    return [
        Figure(
            "changing-counterfeits",
            "Counterfeits over time",
            f"{data}. Rows that are nobody's, as a share; the most in any month {worst:.3%}.",
            chart("counterfeits", "rows that are nobody's", percent=True),
            (
                Claim(
                    "Counterfeits stay few.",
                    "a fraction of a percent",
                    f"at most {worst:.3%} of the rows",
                    worst < 0.005,
                    "with fewer people a signature has fewer rows, and a place stays empty more often",
                ),
            ),
        ),
        Figure(
            "changing-ncp",
            "Information lost over time",
            f"{data}. NCP through the ledger and afresh; in the last month "
            + ", ".join(f"m = {m}: {last[m].ncp:.4f} and {last[m].afresh:.4f}" for m in levels)
            + ".",
            chart("ncp", "NCP", beside="afresh"),
            (
                Claim(
                    "Following people costs at most half as much again as publishing afresh.",
                    "our goal, 1.5 times",
                    ", ".join(f"m = {m}: {grown[m]:.1f} times" for m in levels),
                    max(grown.values()) <= 1.5,
                    "newcomers take the places of people who left, wherever these were; docs/threats/marginals.md "
                    "shows on eight people why no multiple of publishing afresh can be promised",
                ),
            ),
        ),
        Figure(
            "changing-alone",
            "People who stand in a group with counterfeits alone",
            f"{data}. Their quasi-identifiers are published as they are; at most {alone:,} people in a month.",
            chart("alone", "people alone with counterfeits"),
        ),
        Figure(
            "changing-queries",
            "Query error over time",
            f"{data}. The median relative error of 500 COUNT queries, s = 0.1.",
            chart("error", "median relative error", beside="error_afresh", percent=True),
        ),
        Figure(
            "changing-pinned",
            "People pinned by months made afresh",
            f"{data}. The share of those in several months who are left with one value; through the ledger nobody is.",
            chart("pinned", "people with one possible value", percent=True),
        ),
    ]


if __name__ == "__main__":
    run(draw, __doc__)
