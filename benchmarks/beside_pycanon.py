"""Measuring beside pycanon: what t and what l a raw table has, and where the two tools do not agree, who is right.

Ours starts from the raw frame each time; the tables of the last comparison are small enough to follow by hand, and a
naive count of each stands beside both tools.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl

import tacit as tc
from benchmarks.beside_anonypy import KNOWN, SENSITIVE
from benchmarks.foreign import Environment, Foreign
from benchmarks.harness import Benchmark, Goal
from benchmarks.mondrian import ADULT, adult

ENVIRONMENT = Environment("pycanon", ("pycanon==1.3.6", "pyarrow==26.0.1"))
SCRIPT = Path(__file__).parent / "tools" / "pycanon_measures.py"
FASTER = 100


@dataclass(frozen=True)
class State:
    frames: Mapping[str, pl.DataFrame]
    paths: Mapping[str, str]
    known: tuple[str, ...]
    ask: Sequence[tuple[str, str]]

    @classmethod
    def of(
        cls, frames: Mapping[str, pl.DataFrame], folder: Path, known: Sequence[str], ask: Sequence[tuple[str, str]]
    ) -> State:
        paths = {name: str(folder / f"{number}.parquet") for number, name in enumerate(frames)}
        for name, frame in frames.items():
            frame.write_parquet(paths[name])
        return cls(frames, paths, tuple(known), ask)

    def statistics(self, name: str) -> Any:
        """Group the raw frame, every time anew."""
        table = tc.Table(self.frames[name], quasi_identifiers=self.known, sensitive=SENSITIVE)
        return table.statistics(table.groups())

    def task(self) -> dict[str, Any]:
        return {
            "tables": self.paths,
            "ask": [list(pair) for pair in self.ask],
            "quasi_identifiers": list(self.known),
            "sensitive": [SENSITIVE],
        }


def measured(measure: str, statistics: Any) -> float:
    """Ask our guarantees; c is the smallest whole one that recursive diversity holds with, at the distinct l."""
    if measure == "t":
        return float(tc.TCloseness(t=1).measure(statistics))
    l = tc.LDiversity(l=1).measure(statistics)
    if measure == "l":
        return float(l)
    if measure == "entropy":
        return float(tc.LDiversity(l=1, kind="entropy").measure(statistics))
    holds = (c for c in count(1) if tc.LDiversity(l=l, kind="recursive", c=c).satisfied(statistics).all())
    return float(next(holds))


def by_the_book(measure: str, frame: pl.DataFrame, known: Sequence[str]) -> float:
    """Count with dictionaries, and follow the definition."""
    groups: dict[tuple[Any, ...], Counter[Any]] = {}
    for row in frame.iter_rows(named=True):
        groups.setdefault(tuple(row[name] for name in known), Counter())[row[SENSITIVE]] += 1
    everybody = sum(groups.values(), Counter())
    total = everybody.total()
    distinct = min(len(group) for group in groups.values())
    if measure == "l":
        return float(distinct)
    if measure == "t":
        return max(
            sum(abs(group[value] / group.total() - everybody[value] / total) for value in everybody) / 2
            for group in groups.values()
        )
    if measure == "entropy":
        shares = ([n / group.total() for n in group.values()] for group in groups.values())
        return math.exp(min(-sum(p * math.log(p) for p in each) for each in shares))
    ranked = [sorted(group.values(), reverse=True) for group in groups.values()]
    return float(next(c for c in count(1) if all(each[0] < c * sum(each[distinct - 1 :]) for each in ranked)))


def raw(measure: str) -> Callable[[int, Path], State]:
    def setup(rows: int, folder: Path) -> State:
        frame = adult().head(rows).select(*KNOWN, SENSITIVE)
        return State.of({"Adult": frame}, folder, KNOWN, [(measure, "Adult")])

    return setup


def beside(state: State, ours: float, other: Mapping[str, float] | None) -> Mapping[str, float]:
    (measure, name), *_ = state.ask
    found = {measure: ours, f"{measure} by the book": by_the_book(measure, state.frames[name], state.known)}
    return found if other is None else {**found, f"pycanon {measure}": other[f"{measure} of {name}"]}


def speed(measure: str, quick_rows: int) -> Benchmark:
    return Benchmark(
        name=f"pycanon-{measure}",
        what=f"measure {measure} of the raw table, from the raw frame",
        setup=raw(measure),
        ours=lambda state: measured(measure, state.statistics("Adult")),
        yardstick=Foreign(environment=ENVIRONMENT, script=SCRIPT, task=State.task),
        yardstick_name=f"pycanon: {measure}",
        target=1 / FASTER,
        rows=30_162,
        quick_rows=quick_rows,
        figures=beside,
        goals=(
            Goal(
                "off the book",
                lambda found: abs(found.figures[measure] - found.figures[f"{measure} by the book"]),
                1e-9,
            ),
        ),
    )


def groups_of(*groups: str) -> pl.DataFrame:
    """Make a table of groups that are told apart by age; each letter is a person's value."""
    rows = [(20 + age, value) for age, group in enumerate(groups) for value in group]
    return pl.DataFrame(rows, schema=["age", SENSITIVE], orient="row")


# Two groups, each of one value: nobody is safe. Counts 5, 3, 1. Two, three and four values, equally frequent.
TABLES = {
    "aaaa and bbbb": groups_of("aaaa", "bbbb"),
    "aaaaabbbc": groups_of("aaaaabbbc"),
    "ab": groups_of("ab"),
    "abc": groups_of("abc"),
    "abcd": groups_of("abcd"),
}
ASK = [
    *((measure, f"aaaa and bbbb{order}") for measure in ("l", "t") for order in ("", ", shuffled")),
    ("c", "aaaaabbbc"),
    *(("entropy", name) for name in ("ab", "abc", "abcd")),
]


def small(rows: int, folder: Path) -> State:
    return State.of(TABLES, folder, ["age"], ASK)


def answers(state: State) -> dict[str, float]:
    """Answer every question; a shuffle is one of ours."""
    found = {}
    for measure, name in state.ask:
        plain, shuffled, _ = name.partition(", shuffled")
        frame = state.frames[plain].sample(fraction=1, shuffle=True, seed=1) if shuffled else state.frames[plain]
        table = tc.Table(frame, quasi_identifiers=state.known, sensitive=SENSITIVE)
        found[f"{measure} of {name}"] = measured(measure, table.statistics(table.groups()))
    return found


def agreement(state: State, ours: Mapping[str, float], other: Mapping[str, float] | None) -> Mapping[str, float]:
    book = {f"{m} of {name}": by_the_book(m, state.frames[name.partition(",")[0]], ["age"]) for m, name in state.ask}
    found = {f"ours: {question}": value for question, value in ours.items()}
    found |= {f"by the book: {question}": value for question, value in book.items()}
    found["ours off the book"] = float(_wrong(ours, book))
    if other is not None:
        found |= {f"pycanon: {question}": value for question, value in other.items()}
        found["pycanon off the book"] = float(_wrong(other, book))
    return found


def _wrong(given: Mapping[str, float], book: Mapping[str, float]) -> int:
    return sum(not math.isclose(given[question], book[question], abs_tol=1e-9) for question in book)


BENCHMARKS = [
    *([speed("t", 1_000), speed("l", 2_000)] if ADULT.exists() else []),
    Benchmark(
        name="pycanon-verdicts",
        what=f"answer {len(ASK)} questions about tables of up to nine rows",
        setup=small,
        ours=answers,
        yardstick=Foreign(environment=ENVIRONMENT, script=SCRIPT, task=State.task),
        yardstick_name="pycanon: the same questions",
        rows=sum(frame.height for frame in TABLES.values()),
        figures=agreement,
        goals=(Goal("answers off the book", lambda found: found.figures["ours off the book"], 0.0),),
    ),
]
