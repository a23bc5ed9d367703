"""Figures 5 to 10 of the slides on marginals: query error against m, marginal, w, s and n, and CPU time against m.

600,000 rows of the census generator: age, sex, education, marital status, race and a sensitive column of 50 values. The
median error of 1,000 queries. Mondrian generalizes each marginal by itself (frequency l-diversity, l = m), which is
not safe for several marginals; ANGEL has batches of similar rows, or the smallest batches.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.figures.charts import lines
from benchmarks.figures.figure import Claim, Figure, run
from benchmarks.marginals import MARGINALS, QUASI_IDENTIFIERS, SENSITIVE, people, table

SEED = 3
M = 6
LAST = {"M5": MARGINALS["M5"]}
OURS, SIMILAR, SMALLEST, MONDRIAN = (
    "m-invariant",
    "ANGEL, similar batches",
    "ANGEL, smallest batches",
    "Mondrian, each alone",
)
METHODS = (OURS, SIMILAR, SMALLEST, MONDRIAN)
NO_NUMBER = "curves only; the text has no number"
SAID = {
    SMALLEST: "m-invariant marginals answer better than ANGEL, its batches as small as in the slides' example.",
    SIMILAR: "m-invariant marginals answer better than ANGEL, even with larger batches of similar rows.",
    MONDRIAN: "m-invariant marginals answer better than generalizing each marginal by itself (Mondrian).",
}
WHY = {
    SMALLEST: "Small batches mix rows of all kinds; with few rows the groups of ours do, too.",
    SIMILAR: "ANGEL publishes cells that are only k-anonymous, nearly exact, and spreads the values of a large batch "
    "over them; it promises less, for a value may be in a batch many times.",
    MONDRIAN: "With few columns many rows are alike, and a marginal cut by itself need blur nothing; ours keeps the "
    "signatures that all five columns needed. Mondrian's marginals are not safe together (last figure).",
}
Errors = dict[str, float]
Groups = np.ndarray[Any, Any]


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
            made: dict[str, tc.InvariantMarginals | tc.Angel] = {
                OURS: tc.InvariantMarginals(m=m, marginals=schemas),
                SIMILAR: tc.Angel(l=m, marginals=schemas),
                SMALLEST: tc.Angel(l=m, marginals=schemas, batches="smallest"),
            }
            self._key = (m, len(schemas))
            self._made = {name: method.protect(self.whole, seed=SEED) for name, method in made.items()}
        return self._made

    def errors(self, m: int, k: int, work: tc.Workload, schemas: dict[str, list[str]] = LAST) -> Errors:
        """Return the median error of every method."""
        found = {n: tc.query_error(r, self.whole, workload=work).median for n, r in self.several(m, schemas).items()}
        part = table(self.frame, k)
        return {**found, MONDRIAN: tc.query_error(alone(part, m), part, workload=work).median}


def alone(part: tc.Table, m: int) -> tc.Release:
    """Generalize one marginal as if it were the only one."""
    return tc.Mondrian(guarantees=[tc.LDiversity(l=m, kind="frequency")]).protect(part, seed=SEED)


def draw(quick: bool) -> list[Figure]:
    """Return the figures; `quick` takes 30,000 rows, 200 queries and fewer points."""
    n, queries = (30_000, 200) if quick else (600_000, 1_000)
    releases = Releases(people(n))

    def work(k: int = 5, of: tc.Table | None = None, **parameters: Any) -> tc.Workload:
        whole = releases.whole if of is None else of
        return tc.Workload.draw(whole, columns=QUASI_IDENTIFIERS[:k], queries=queries, seed=SEED, **parameters)

    made = f"{n:,} rows of the census generator, {queries:,} queries"
    ms = (2, 6) if quick else (2, 4, 6, 8, 10)
    last = work()
    five = {m: releases.errors(m, 5, last) for m in ms}
    seven = {
        w: five[M] if w == 5 else releases.errors(M, 5, work(dimensions=w))
        for w in ((1, 3, 5) if quick else range(1, 6))
    }
    eight = {
        s: five[M] if s == 0.1 else releases.errors(M, 5, work(selectivity=s))
        for s in ((0.02, 0.1, 0.4) if quick else (0.02, 0.05, 0.1, 0.2, 0.4))
    }
    six = {f"M{k}": releases.errors(M, k, work(k), MARGINALS) for k in range(1, 6)}
    attack = attacked(releases)
    nine = {}
    for part in (n // 6, n // 3, n // 2):
        some = Releases(releases.frame.head(part))
        nine[part] = some.errors(M, 5, work(of=some.whole))
    nine[n] = five[M]
    pictures = [
        accuracy("5", "Figure 5: query error against m", five, "m", f"{made}; s = 0.1, all five columns (M5)"),
        accuracy("6", "Figure 6: query error against the marginal", six, "marginal", f"{made}; s = 0.1, m = {M}"),
        accuracy("7", "Figure 7: query error against w", seven, "columns asked for (w)", f"{made}; m = {M}, M5"),
        accuracy("8", "Figure 8: query error against s", eight, "selectivity (s)", f"{made}; m = {M}, M5"),
        accuracy("9", "Figure 9: query error against n", nine, "rows (n)", f"{made}; m = {M}, M5"),
    ]
    return [*pictures, timed(releases.frame, ms if quick else range(2, 11)), attack]


def accuracy(number: str, title: str, found: Mapping[Any, Errors], x: str, made: str) -> Figure:
    rows = [{"x": label(at), "method": m, "error": e[m]} for at, e in found.items() for m in METHODS]
    claims = [beats(found, rival) for rival in (SMALLEST, MONDRIAN, SIMILAR)]
    return Figure(
        name=f"marginals-{number}",
        title=title,
        caption=f"{made}. Median relative error; lower is better. Mondrian's marginals are not safe together.",
        chart=lines(
            rows, "x", "error", series="method", titles=(x, "median error"), even=True, percent=True, order=METHODS
        ),
        claims=(*claims, *([example()] if number == "5" else [])),
    )


def beats(found: Mapping[Any, Errors], rival: str) -> Claim:
    """The slides conclude that existing solutions serve marginals badly: is ours the smaller error?"""
    lost = [label(at) for at, errors in found.items() if errors[OURS] >= errors[rival]]
    ours = [errors[OURS] for errors in found.values()]
    theirs = [errors[rival] for errors in found.values()]
    where = f"at {', '.join(lost)}" if len(lost) < len(found) else "everywhere"
    return Claim(
        SAID[rival],
        NO_NUMBER,
        f"ours {span(ours)}, theirs {span(theirs)} from left to right; ours is "
        f"{f'the larger {where}' if lost else f'the smaller at all {len(found)} points'}",
        not lost,
        why=WHY[rival],
    )


def label(at: Any) -> str:
    return f"{at:,}" if isinstance(at, int) else str(at)


def span(values: Sequence[float]) -> str:
    return f"{values[0]:.3%} to {values[-1]:.3%}"


def example() -> Claim:
    """The slides' ANGEL tables of nine people: which batch each row is in, and who has pneumonia in a batch."""
    batch = np.array([1, 2, 4, 2, 1, 4, 3, 3, 4])
    having, size = {1: 0, 2: 1, 3: 0, 4: 1}, {1: 2, 2: 2, 3: 2, 4: 3}
    joined = sum(having[b] for b in batch.tolist())
    weighed = sum(having[b] / size[b] for b in batch.tolist())
    return Claim(
        "ANGEL's answer is too large: on the nine people of the example, pneumonia between zip 12k and 24k.",
        "4, where 2 is true",
        f"{weighed:.0f}: a row weighs count / size of its batch; only a plain join of the two tables is too large "
        f"({joined})",
        round(weighed, 9) != 2,
        why="Weighed by its batch, ANGEL is exact here; neither way of counting gives the slides' 4.",
    )


def attacked(releases: Releases) -> Figure:
    """What is left for everybody after one, two, ... five marginals, when her group in each of them is known."""
    invariant = grouped(releases.several(M, MARGINALS)[OURS])
    codes = releases.whole.codes(SENSITIVE).codes
    sets: dict[str, list[Groups]] = {OURS: [invariant[name] for name in MARGINALS], MONDRIAN: []}
    for k in range(1, 6):
        sets[MONDRIAN].append(grouped(alone(table(releases.frame, k), M)))
    left = {name: [candidates(groups[:k], codes) for k in range(1, 6)] for name, groups in sets.items()}
    rows = [
        {"k": k, "method": name, "share": float(np.mean(found < M))}
        for name, each in left.items()
        for k, found in enumerate(each, start=1)
    ]
    least = {name: int(each[-1].min()) for name, each in left.items()}
    pinned = int((left[MONDRIAN][-1] == 1).sum())
    few = int((left[MONDRIAN][-1] < M).sum())
    return Figure(
        name="marginals-risk",
        title="The lemma: what several marginals tell together",
        caption=f"{len(codes):,} rows, m = {M}: people for whom fewer than {M} values are left when somebody knows "
        "their group in each of the first k marginals M1 to M5 and keeps the values that all groups have.",
        chart=lines(
            rows,
            "k",
            "share",
            series="method",
            titles=("marginals published", f"people with fewer than {M} values left"),
            even=True,
            percent=True,
        ),
        claims=(
            Claim(
                "Safe marginals published one by one pin people down together.",
                "an example of nine people: Bob's disease is known",
                f"Mondrian, each marginal {M}-diverse by itself: {few:,} of {len(codes):,} people have fewer than {M} "
                f"values left, {pinned:,} have one",
                few > 0,
            ),
            Claim(
                "If the marginals are m-invariant, nobody's risk exceeds 1/m, however many there are.",
                "1/m",
                f"at least {least[OURS]} values left for everybody after five marginals, so at most "
                f"{1 / least[OURS]:.4f} (1/m is {1 / M:.4f})",
                least[OURS] >= M,
            ),
        ),
    )


def grouped(release: tc.Release) -> Any:
    """Return everybody's group, which only who made the release knows: an array, or one for each marginal."""
    return release.inside.group if release.inside is not None else None


def candidates(marginals: Sequence[Groups], codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return how many sensitive values every row's groups have in common: sets are bits, there are 50 values."""
    left = np.full(len(codes), ~np.uint64(0))
    bit = np.uint64(1) << codes.astype(np.uint64)
    for groups in marginals:
        order = np.argsort(groups, kind="stable")
        sorted_groups = groups[order]
        begins = np.flatnonzero(np.r_[True, sorted_groups[1:] != sorted_groups[:-1]])
        sets = np.bitwise_or.reduceat(bit[order], begins)
        left[order] &= np.repeat(sets, np.diff(np.r_[begins, len(codes)]))
    return np.bitwise_count(left)


def timed(frame: pl.DataFrame, ms: Sequence[int]) -> Figure:
    spent = {}
    for m in ms:
        begun = time.process_time()
        tc.InvariantMarginals(m=m, marginals=MARGINALS).protect(table(frame))
        spent[m] = time.process_time() - begun
    rows = [{"m": m, "seconds": seconds, "method": "five m-invariant marginals"} for m, seconds in spent.items()]
    return Figure(
        name="marginals-10",
        title="Figure 10: time against m",
        caption=f"{frame.height:,} rows of the census generator, M1 to M5; CPU seconds over all threads, once each, "
        "from values to frames.",
        chart=lines(rows, "m", "seconds", series="method", titles=("m", "CPU seconds"), even=True),
        claims=(
            Claim(
                "The algorithm is efficient.",
                NO_NUMBER,
                f"{min(spent.values()):.1f} to {max(spent.values()):.1f} CPU seconds; nothing to compare with",
                None,
            ),
        ),
    )


if __name__ == "__main__":
    run(draw, __doc__)
