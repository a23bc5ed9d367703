"""A table that changes, over 24 months: counterfeits, information lost and query error, beside publishing afresh.

Xiao and Tao, "m-invariance", SIGMOD 2007, measure counterfeits and query error over time on their own data; the figures
here are of the census generator (five quasi-identifiers, sensitive: industry with 50 values), of which 5% leave and 5%
come every month. Afresh means that every month is made by itself, without a ledger: then a reader of all months pins
people, and the last figure counts them. Two ways to give newcomers signatures are measured beside each other.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
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


@dataclass(frozen=True, eq=False)
class Published:
    """One month that was published through a ledger: the table, which rows of everybody's it has, and what it took."""

    month: int
    table: tc.Table
    rows: np.ndarray
    release: tc.Release
    seconds: float

    @property
    def signatures(self) -> int:
        """How many signatures people have."""
        return len(np.unique(self.release.inside.bucket))  # type: ignore[union-attr]

    @property
    def counterfeits(self) -> float:
        """The share of rows that are nobody's."""
        return self.release.shape.counterfeits / self.release.shape.rows

    @property
    def ncp(self) -> float:
        """The information lost."""
        return float(tc.utility(self.release, self.table).ncp)


def everybody(people: int, many: int) -> pl.DataFrame:
    """Return all who are in the table in one of the months; the first `people` are in the first."""
    pool = census(int(people * (1 + CHURN * many) * 1.02), sensitive="industry", quasi_identifiers=COLUMNS, seed=1)
    return pool.frame.select(*COLUMNS, "industry").with_row_index("pid")


def publish(frame: pl.DataFrame, people: int, many: int, method: tc.InvariantMarginals) -> Iterator[Published]:
    """Publish month after month through a ledger; of those who are there 5% leave, and as many come."""
    rng = np.random.default_rng(method.m)
    present, following = np.arange(people), people
    with TemporaryDirectory() as place:
        ledger = tc.Ledger(Path(place) / "census.ledger")
        for month in range(1, many + 1):
            rows = np.sort(present)
            table = tc.Table(frame[rows], person="pid", quasi_identifiers=COLUMNS, sensitive="industry")
            begun = time.process_time()
            release = method.protect(table, ledger=ledger, seed=month)
            spent = time.process_time() - begun
            # Only what the ledger remembers is needed here, so no files are written.
            noted = {"folder": f"{place}/{month}", "digest": "0" * 64, "private": None, "papers": {}}
            release.register.commit(release, **noted)  # type: ignore[union-attr]
            yield Published(month, table, rows, release, spent)
            leave = rng.random(len(present)) < CHURN
            came = int(leave.sum())
            present = np.concatenate([present[~leave], np.arange(following, following + came)])
            following += came


def months(people: int, many: int, m: int) -> list[Month]:
    """Publish month after month through a ledger and afresh, and measure both."""
    frame = everybody(people, many)
    method = tc.InvariantMarginals(m=m, counterfeits="newcomers")
    found, sightings, followed = [], [], []
    for each in publish(frame, people, many, method):
        afresh = method.protect(each.table, seed=each.month)
        sightings.append(_seen(afresh, each.rows, frame.height, each.month))
        followed.append(_seen(each.release, each.rows, frame.height, each.month))
        belief = read_together(sightings, "industry", _values(frame))
        kept = read_together(followed, "industry", _values(frame))
        both = belief.releases > 1
        work = Workload.draw(each.table, queries=500, selectivity=0.1, seed=7)
        found.append(
            Month(
                m,
                each.month,
                each.counterfeits,
                each.ncp,
                tc.utility(afresh, each.table).ncp,
                tc.query_error(each.release, each.table, workload=work).median,
                tc.query_error(afresh, each.table, workload=work).median,
                float((belief.candidates[both] == 1).mean()) if both.any() else 0.0,
                float((kept.candidates[both] == 1).mean()) if both.any() else 0.0,
                equivalence(followed).people,
                _alone(each.release),
            )
        )
    return found


@dataclass(frozen=True)
class Way:
    """One month of one way to give newcomers signatures."""

    signatures: str
    month: int
    ncp: float
    counterfeits: float
    seconds: float
    many: int


def ways(people: int, many: int, m: int) -> list[Way]:
    """Publish the same months with near and with shared signatures, and afresh."""
    frame, found = everybody(people, many), []
    for signatures in ("near", "shared"):
        method = tc.InvariantMarginals(m=m, counterfeits="newcomers", signatures=signatures)
        for each in publish(frame, people, many, method):
            found.append(Way(signatures, each.month, each.ncp, each.counterfeits, each.seconds, each.signatures))
            if signatures == "near":
                afresh = method.protect(each.table, seed=each.month)
                found.append(Way("afresh", each.month, float(tc.utility(afresh, each.table).ncp), 0.0, 0.0, 0))
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
    """Draw all figures, for as many people as take some minutes; quick: 3,000 people and 4 months, m = 2 and 4."""
    people, many, levels = (3_000, 4, (2, 4)) if quick else (30_000, 24, LEVELS)
    found = [month for m in levels for month in months(people, many, m)]
    last = {m: [month for month in found if month.m == m][-1] for m in levels}
    worst = max(month.counterfeits for month in found)
    grown = {m: last[m].ncp / last[m].afresh for m in levels}
    alone = max(month.alone for month in found)
    both = ways(people, many, 4)
    ends = {way: [each for each in both if each.signatures == way][-1] for way in ("near", "shared", "afresh")}
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
                    "our goal, below 0.5%",
                    f"at most {worst:.3%} of the rows",
                    worst < 0.005,
                    "With fewer people a signature has fewer rows, and a place stays empty more often; shared "
                    "signatures need fewer.",
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
                    "Newcomers take the places of people who left, wherever these were; docs/threats/marginals.md "
                    "shows on eight people why no multiple of publishing afresh can be promised.",
                ),
            ),
        ),
        Figure(
            "changing-signatures",
            "Information lost by how newcomers get signatures",
            f"{data}, m = 4. In the last month near {ends['near'].ncp:.4f} ({ends['near'].many:,} signatures, "
            f"{ends['near'].counterfeits:.2%} counterfeits), shared {ends['shared'].ncp:.4f} "
            f"({ends['shared'].many:,}, {ends['shared'].counterfeits:.2%}), afresh {ends['afresh'].ncp:.4f}.",
            lines(
                [{"month": each.month, "y": each.ncp, "of": each.signatures} for each in both],
                "month",
                "y",
                series="of",
                titles=("month", "NCP"),
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


def table(people: int, many: int, m: int) -> str:
    """Return NCP, counterfeits and CPU seconds by month as a table, for both ways to give signatures and afresh."""
    found = ways(people, many, m)
    shown = [month for month in (1, 2, 3, 6, 9, 12, 18, 24) if month <= many]
    lines = [f"| {people:,}, m = {m} | {' | '.join(map(str, shown))} | most counterfeits |"]
    lines.append("|---" * (len(shown) + 2) + "|")
    for way in ("near", "shared", "afresh"):
        mine = {each.month: each for each in found if each.signatures == way}
        ncp = " | ".join(f"{mine[month].ncp:.4f}"[1:] for month in shown)
        most = max(each.counterfeits for each in mine.values())
        lines.append(f"| {way} | {ncp} | {most:.2%} |")
        if way != "afresh":
            seconds = " | ".join(f"{mine[month].seconds:.2f} s" for month in shown)
            lines.append(f"| {way}, CPU time | {seconds} | |")
    return "\n".join(lines)


def tied(people: int, many: int) -> str:
    """Return as a table how many people one fact makes certain, at worst, by how many of them share a signature."""
    frame = everybody(people, many)
    lines = [f"| m, signatures | {' | '.join(f'month {month}' for month in range(1, many + 1))} | people a signature |"]
    lines.append("|---" * (many + 2) + "|")
    for m, signatures in product((2, 3), ("near", "shared")):
        method = tc.InvariantMarginals(m=m, counterfeits="newcomers", signatures=signatures)
        sightings, worst = [], []
        for each in publish(frame, people, many, method):
            sightings.append(_seen(each.release, each.rows, frame.height, each.month))
            worst.append(f"{equivalence(sightings).people:,}")
        lines.append(f"| {m}, {signatures} | {' | '.join(worst)} | {people / each.signatures:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:  # people, months, m: sizes that take longer than the figures may
        print(table(*(int(given) for given in sys.argv[2:5])))
    elif sys.argv[1:2] == ["--tied"]:  # people, months: what one fact more makes certain
        print(tied(*(int(given) for given in sys.argv[2:4])))
    else:
        run(draw, __doc__)
