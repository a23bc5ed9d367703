"""`python -m benchmarks.news`: of how many people the readers of a release learn news.

The tables of docs/threats/distribution.md under "No news" come from here. Adult is read as the learning figures read it
(30,162 complete rows, seven quasi-identifiers, every occupation protected), or the census generator with as many rows
and the same columns. A release is made once with a seed, and then read by several readers. *News* are people with a
value above 1/r whose odds exceed 1.15 times `gain` times those of the reader's own prior, in the round she chooses.

    python -m benchmarks.news --r 2 --gain 1.5 --rounds 0 2        # ART, without and with two adversarial rounds
    python -m benchmarks.news --anatomy random similar             # the same questions of Anatomy, l = r
    python -m benchmarks.news --table                              # what was measured so far, as tables in Markdown
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.figures.figure import ADULT, RESULTS
from benchmarks.figures.learning import COLUMNS, adult
from tacit.adversaries.learning.learned import Learned, odds
from tacit.arrays import Flags, Ints
from tacit.datasets import census
from tacit.knowledge.learning import Features, Observed, candidates
from tacit.table import Codes, Groups, Histogram, Kind, encode

FOLDER = RESULTS / "news"
SLACK = 1.15
"""A reader's own prior is not that of the true table: so much more than `gain` is no news yet; the specification's."""
SOURCES: dict[str, Callable[[], tc.Table]] = {
    "adult": adult,
    "census": lambda: census(30_162, seed=0, quasi_identifiers=COLUMNS, sensitive="occupation"),
}
Columns = dict[str, tuple[Codes, Kind]]


@dataclass(frozen=True)
class Reader:
    """Somebody who reads: which columns she makes of the quasi-identifiers, and how she learns."""

    columns: Callable[[tc.Table], Columns]
    model: str = "naive-bayes"
    calibrate: bool = False


def plain(table: tc.Table, names: Iterable[str] = COLUMNS) -> Columns:
    """Take columns as they are."""
    return {name: (table.codes(name), table.column(name).kind) for name in names}


def joined(table: tc.Table, pairs: Iterable[tuple[str, str]]) -> Columns:
    """Make one column of each pair: every combination of their codes is a value."""
    features = Features.of(plain(table), len(table))
    code = dict(zip(features.names, features.codes.T, strict=True))
    size = dict(zip(features.names, features.sizes, strict=True))
    return {
        f"{a} x {b}": (
            encode(pl.Series(code[a].astype(np.int64) * size[b] + code[b]).cast(pl.String)),
            Kind.CATEGORICAL,
        )
        for a, b in pairs
    }


def together(*pairs: tuple[str, str]) -> Callable[[tc.Table], Columns]:
    """Join some pairs, and take the columns that are in none of them as they are."""
    used = {name for pair in pairs for name in pair}
    rest = [name for name in COLUMNS if name not in used]
    return lambda table: {**joined(table, pairs), **plain(table, rest)}


def fine_ages(table: tc.Table, bins: int = 30) -> Columns:
    """Take age in 30 bins of about equally many people instead of 10."""
    age = table.frame["age"].cast(pl.Float64)
    rank = (age.rank("min").to_numpy() - 1) * bins // len(age)
    return {**plain(table), "age": (encode(pl.Series(rank.astype(np.int64)).cast(pl.String)), Kind.CATEGORICAL)}


def all_pairs(table: tc.Table) -> Columns:
    """Take all 21 pairs of columns, so that every column is seen six times."""
    return joined(table, combinations(COLUMNS, 2))


READERS: dict[str, Reader] = {
    "naive Bayes": Reader(plain),
    "logistic": Reader(plain, "logistic"),
    "joint columns: age x marital status, education x workclass": Reader(
        together(("age", "marital-status"), ("education", "workclass"))
    ),
    "30 age bins": Reader(fine_ages),
    "pairs: age x workclass, education x marital status, race x sex": Reader(
        together(("age", "workclass"), ("education", "marital-status"), ("race", "sex"))
    ),
    "pairs: age x education, workclass x sex, marital status x race": Reader(
        together(("age", "education"), ("workclass", "sex"), ("marital-status", "race"))
    ),
    "all 21 pairs, as far as held-out groups bear her out": Reader(all_pairs, calibrate=True),
    "all 21 pairs, taken for true": Reader(all_pairs),
}


def read(release: tc.Release, table: tc.Table, reader: Reader) -> Learned:
    """Let somebody read the groups of a release."""
    inside, codes = release.inside, table.codes(table.sensitive[0])
    assert inside is not None  # noqa: S101 - it was made here
    number = np.where(inside.kept, np.asarray(inside.group), -1)
    distinct, ids = np.unique(number[inside.kept], return_inverse=True)
    number[inside.kept] = ids
    groups = Groups(number.astype(np.int64), len(distinct))
    laid = candidates(groups, Histogram.of(groups.ids, groups.count, codes.codes, codes.cardinality))
    features = Features.of(reader.columns(table), len(table))
    seen = Observed(table.sensitive[0], codes.values, features, (laid,), int(inside.kept.sum()))
    return tc.LearningAdversary(model=reader.model, calibrate=reader.calibrate).learn(seen)


def places(belief: Learned) -> tuple[Ints, Ints]:
    """Return, per entry, the place of the person and the value."""
    laid = belief.laid
    sizes, distinct = np.diff(laid.offsets), np.diff(laid.value_offsets)
    group = np.repeat(np.arange(len(sizes)), sizes * distinct)
    within = np.arange(len(group)) - laid.starts[group]
    return laid.offsets[group] + within // distinct[group], laid.values[
        laid.value_offsets[group] + within % distinct[group]
    ]


def news(belief: Learned, truth: Ints, r: float, gain: float) -> dict[str, float]:
    """Count the people of whom a reader learns news, and how much of it is true."""
    person, value = places(belief)
    now, before = belief.reading.beliefs, belief.before.entries
    hit: Flags = (now > (1.0 + 1e-9) / r) & (odds(now) > SLACK * gain * odds(before))
    true = truth[belief.row[person]] == value
    found = belief.judged(truth)
    return {
        "news": len(np.unique(person[hit])) / len(belief.row),
        "true": float(true[hit].mean()) if hit.any() else float("nan"),
        "believed": float(now[hit].mean()) if hit.any() else float("nan"),
        "prior": float(before[hit].mean()) if hit.any() else float("nan"),
        "right": found.share,
        "expected": belief.expected,
        "before": found.prior_share,
        "round": belief.reading.chosen,
    }


def measure(method: tc.Method, name: str, table: tc.Table, r: float, gain: float, seed: int) -> dict[str, Any]:
    """Make a release and let everybody read it."""
    begun = time.process_time()
    release = method.protect(table, seed=seed)
    spent = time.process_time() - begun
    assert release.inside is not None  # noqa: S101 - it was made here
    kept = release.inside.kept
    sizes = np.unique(np.asarray(release.inside.group)[kept], return_counts=True)[1]
    truth = table.codes(table.sensitive[0]).codes.astype(np.int64)
    found: dict[str, Any] = {
        "name": name, "r": r, "gain": gain, "seed": seed, "CPU seconds": spent, "withheld": int((~kept).sum()),
        "mean group": float(sizes.mean()), "largest group": int(sizes.max()),
    }  # fmt: skip
    print(f"{name}: {spent:.0f} CPU s, {found['withheld']} withheld, groups of {found['mean group']:.2f}", flush=True)
    found["readers"] = {}
    for who, reader in READERS.items():
        found["readers"][who] = told = news(read(release, table, reader), truth, r, gain)
        print(f"  {who}: " + ", ".join(f"{key} {figure:.4f}" for key, figure in told.items()), flush=True)
    return found


def as_table(found: Sequence[dict[str, Any]]) -> str:
    """Write one column per release and one line per reader: news, and how much of it is true with its mean prior."""
    lines = ["| | " + " | ".join(each["name"] for each in found) + " |", "|---" * (len(found) + 1) + "|"]
    for key, digits in (("CPU seconds", 0), ("withheld", 0), ("mean group", 1)):
        lines.append(f"| {key} | " + " | ".join(f"{each[key]:.{digits}f}" for each in found) + " |")
    for who in READERS:
        told = [each["readers"].get(who) for each in found]
        cells = [
            "not measured" if one is None
            else f"{one['news']:.2%}" + (f" ({one['true']:.2f} true, prior {one['prior']:.2f})" if one["news"] else "")
            for one in told
        ]  # fmt: skip
        lines.append(f"| {who} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for, keep it, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", choices=SOURCES, default="adult")
    parser.add_argument("--r", type=float, default=2.0)
    parser.add_argument("--gain", type=float, default=1.5)
    parser.add_argument("--rounds", type=int, nargs="*", default=[], help="adversarial rounds of ART")
    parser.add_argument("--anatomy", nargs="*", choices=("random", "similar"), default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="print what was measured before")
    given = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    if given.table:
        found = [json.loads(path.read_text()) for path in sorted(FOLDER.glob(f"{given.data}-*.json"))]
        print(as_table(found))
        return 0
    if given.data == "adult" and not ADULT.exists():  # figures take the generator then, and would be named after Adult
        parser.error(f"Adult is not at {ADULT}; give --data census for the census generator")
    table = SOURCES[given.data]()
    asked: dict[str, Callable[[], tc.Method]] = {
        f"art-{given.r:g}-{given.gain:g}-rounds-{rounds}": lambda rounds=rounds: tc.ART(
            r=given.r, gain=given.gain, distribution=["naive-bayes", "logistic"], adversarial_rounds=rounds
        )
        for rounds in given.rounds
    }
    asked |= {
        f"anatomy-{kind}-{given.r:g}": lambda kind=kind: tc.Anatomy(l=int(given.r), buckets=kind)
        for kind in given.anatomy
    }
    for name, make in asked.items():
        found = measure(make(), f"{given.data}-{name}", table, given.r, given.gain, given.seed)
        (FOLDER / f"{given.data}-{name}.json").write_text(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
