"""ART's strict search on UCI Adult: which r can be had, at which cost, and what the largest posterior is.

`python -m benchmarks.strict_search` protects the education levels up to 8th grade as one entry, with the five
quasi-identifiers of docs/threats/distribution.md, for r = 2 to 10 and the seeds 0 to 2. `--support 30 60` asks for
other sizes of samples, `--r 9 10` for other r. CPU seconds are of `protect` alone, with kernels compiled. The largest
posterior is counted again from the written frames by `largest_posterior`, which shares no code with the package, and so
is that of a reader who asks only whether somebody has a protected value or not (the paper's view).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.figures.distribution import BY_R, COLUMNS, LOW, SENSITIVE, adult, table_of

_LARGE = 20_000
"""People times states. Groups of several other values beyond this are left out of the recount, and counted."""
Floats = np.ndarray[Any, np.dtype[np.float64]]


def shares(frame: pl.DataFrame, support: int) -> tuple[dict[str, int], list[tuple[list[str], dict[Any, Floats]]]]:
    """Count, per attribute set, the share of every value; what has too few rows has the whole table's."""
    values = {value: i for i, value in enumerate(sorted(frame[SENSITIVE].unique()))}
    whole = np.zeros(len(values))
    for value, count in frame[SENSITIVE].value_counts().iter_rows():
        whole[values[value]] = count
    out = []
    names = COLUMNS[:BY_R]
    for chosen in [list(c) for size in range(1, len(names) + 1) for c in combinations(names, size)]:
        table: dict[Any, Floats] = {}
        for *signature, value, count in frame.group_by(*chosen, SENSITIVE).len().iter_rows():
            table.setdefault(tuple(signature), np.zeros(len(values)))[values[value]] = count
        known = {s: n if n.sum() >= support else whole for s, n in table.items()}
        out.append((chosen, {s: n / n.sum() for s, n in known.items()}))
    return values, out


def weight_of_worlds(chances: Floats, counts: Sequence[int]) -> Floats:
    """Sum the weights of all ways to give each person one of the values, per attribute set (the last axis)."""
    done = {(0,) * len(counts): np.ones(chances.shape[2])}
    for person in chances:
        after: dict[tuple[int, ...], Floats] = {}
        for used, weight in done.items():
            for v, most in enumerate(counts):
                if used[v] < most:
                    then = (*used[:v], used[v] + 1, *used[v + 1 :])
                    after[then] = after.get(then, 0.0) + weight * person[v]
        done = after
    return done[tuple(counts)]


def largest_posterior(frame: pl.DataFrame, release: tc.Release, support: int) -> tuple[float, float, int]:
    """Return the largest posterior of a protected value in the written frames, and how many groups were too large.

    The second figure is that of the paper's view: a reader who asks only whether somebody is below secondary or not.
    """
    values, known = shares(frame, support)
    frames = release.frames()
    held: dict[int, dict[str, int]] = {}
    for group, value, count in frames["sensitive"].select("group", SENSITIVE, "count").iter_rows():
        held.setdefault(group, {})[value] = count
    low = {g: [v for v in h if v in LOW] for g, h in held.items()}
    people = frames["quasi_identifiers"].filter(pl.col("group").is_in([g for g, h in low.items() if h]))
    worst, by_odds, skipped = 0.0, 0.0, 0
    low_values = [values[v] for v in LOW]
    for (group,), part in people.group_by("group"):
        (x,), others = low[group], [v for v in held[group] if v not in LOW]
        rows = part.to_dicts()
        chances = np.array([[table[tuple(row[c] for c in chosen)] for chosen, table in known] for row in rows])
        asked = np.moveaxis(chances[:, :, [values[v] for v in others]], 1, 2)  # person, other value, attribute set
        mine = chances[:, :, values[x]]
        entry = chances[:, :, low_values].sum(axis=2)
        odds = entry / (1.0 - entry)
        by_odds = max(by_odds, float((odds / odds.sum(axis=0)).max()))
        counts = [held[group][v] for v in others]
        if len(others) == 1:
            weights = mine / asked[:, 0]
        elif len(rows) * len(list(product(*(range(n + 1) for n in counts)))) > _LARGE:
            skipped += 1
            continue
        else:
            weights = np.array([mine[j] * weight_of_worlds(np.delete(asked, j, 0), counts) for j in range(len(rows))])
        worst = max(worst, float((weights / weights.sum(axis=0)).max()))
    return worst, by_odds, skipped


def measured(frame: pl.DataFrame, r: float, support: int, seed: int) -> str:
    """Make one release and describe it as a row of a table."""
    table = table_of(frame, BY_R)
    table.groups()
    begin = time.process_time()
    try:
        release = tc.ART(r=r, protected=[LOW], min_support=support).protect(table, seed=seed)
    except tc.Infeasible as error:
        seconds, why = time.process_time() - begin, error.message.partition(" cannot be met: ")[2].partition(",")[0]
        return f"| {r:g} | {support} | {seed} | {seconds:.1f} | not found: {why} are left |"
    seconds = time.process_time() - begin
    withheld = 0 if release.inside is None else int((~release.inside.kept).sum())
    sizes = release.shape.statistics.sizes
    holds = tc.audit(release, adversaries=[]).holds
    worst, by_odds, skipped = largest_posterior(frame, release, support)
    left = f" ({skipped} groups not recounted)" if skipped else ""
    return (
        f"| {r:g} | {support} | {seed} | {seconds:.1f} | {withheld} | {sizes[sizes > 1].mean():.2f} | "
        f"{sizes.max()} | {worst:.6f}{left} | {by_odds:.4f} | {worst * r <= 1 + 1e-8} | {holds} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--r", type=float, nargs="+", default=[float(r) for r in range(2, 11)])
    parser.add_argument("--support", type=int, nargs="+", default=[30])
    parser.add_argument("--seed", type=int, nargs="+", default=[0, 1, 2])
    chosen = parser.parse_args(arguments)
    frame = adult()
    tc.ART(r=4, protected=[LOW]).protect(table_of(frame, BY_R), seed=1)  # compile
    heads = ["r", "samples", "seed", "CPU s", "withheld", "mean group", "largest", "largest posterior", "paper's view"]
    heads += ["at most 1/r", "audit"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for r, support, seed in product(chosen.r, chosen.support, chosen.seed):
        print(measured(frame, r, support, seed), flush=True)


if __name__ == "__main__":
    main()
