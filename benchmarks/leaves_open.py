"""`python -m benchmarks.leaves_open`: what the promise of no news leaves open, with a figure for each point.

The list of docs/threats/distribution.md under "No news" has these figures. Adult is read as the learning figures read
it. What somebody believes before is the naive Bayes model of the true table; what she believes after it is matched
inside each group by that model, exactly where worlds can be counted. Two releases of the same people are read by the
class behind `tacit audit A B`, which learns from one after another.

    python -m benchmarks.leaves_open                       # all releases, in a few minutes
    python -m benchmarks.leaves_open --only "Anatomy, random"
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.figures.figure import ADULT
from benchmarks.figures.learning import adult
from tacit.adversaries.together import Sighting, Together, carry
from tacit.arrays import FloatGrid, Floats, Ints
from tacit.knowledge.learning import FINE, Candidates, Features, candidates, learn_from_table
from tacit.table import Groups, Histogram

LOW, HIGH = 0.05, 0.4
"""A value that was believed with less than the first and is then believed with more than the second has risen."""
PROMISE: dict[str, Any] = {"r": 2, "gain": 1.5, "distribution": ["naive-bayes", "logistic"]}
METHODS: dict[str, tc.Method] = {
    "Anatomy, random": tc.Anatomy(l=2, buckets="random"),
    "Anatomy, similar": tc.Anatomy(l=2),
    "ART": tc.ART(**PROMISE),
    "ART, no rounds": tc.ART(**PROMISE, adversarial_rounds=0),
    "ART, no rounds, tier (4, 8)": tc.ART(**PROMISE, adversarial_rounds=0, tiers=[(4, 8)]),
    "ART, no rounds, tier (4, 4)": tc.ART(**PROMISE, adversarial_rounds=0, tiers=[(4, 4)]),
    "ART, no rounds, cover .3": tc.ART(**PROMISE, adversarial_rounds=0, cover=0.3),
}
TWICE = ("Anatomy, random", "Anatomy, similar", "ART")
"""What is published a second time, with another seed."""


def grouped(release: tc.Release) -> Groups:
    """Return the group of each row, -1 where it is withheld."""
    inside = release.inside
    assert inside is not None  # noqa: S101 - it was made here
    number = np.full(len(inside.kept), -1, dtype=np.int64)
    distinct, number[inside.kept] = np.unique(np.asarray(inside.group)[inside.kept], return_inverse=True)
    return Groups(number, len(distinct))


def entries(laid: Candidates) -> tuple[Ints, Ints]:
    """Return the row and the value of every entry."""
    sizes, distinct = np.diff(laid.offsets), np.diff(laid.value_offsets)
    group = np.repeat(np.arange(len(sizes)), sizes * distinct)
    within = np.arange(len(group)) - laid.starts[group]
    row = laid.rows[laid.offsets[group] + within // distinct[group]]
    return row, laid.values[laid.value_offsets[group] + within % distinct[group]]


def figures(groups: Groups, truth: Ints, before: FloatGrid) -> dict[str, float]:
    """Return what one release leaves open."""
    from tacit.kernels.learning.matching import match

    laid = candidates(groups, Histogram.of(groups.ids, groups.count, truth.astype(np.int32), before.shape[1]))
    row, value = entries(laid)
    prior = before[row, value]
    now: Floats = np.log(prior)
    match(laid, now, FINE)
    people = len(laid.rows)
    risen = (prior < LOW) & (now > HIGH)
    likeliest = before.argmax(axis=1)
    there = np.zeros(len(truth), dtype=bool)
    there[row[value == likeliest[row]]] = True
    some, true = now > 0, truth[row] == value
    bits = np.zeros(len(now))
    bits[some] = now[some] * np.log2(now[some] / prior[some])
    missed = ~there[laid.rows]
    surest = before.max(axis=1)[laid.rows]
    return {
        "people with a value that rose": len(np.unique(row[risen])),
        "people with one that rose above 1/4": len(np.unique(row[(prior < LOW) & (now > 0.25)])),
        "of these beliefs true": float(true[risen].mean()) if risen.any() else float("nan"),
        "likeliest value absent": float(missed.mean()),
        "the same, believed above .3": float((missed & (surest > 0.3)).mean()),
        "bits per person": float(bits.sum() / people),
        "truth is believed more by": float(np.exp(np.log(now[true] / prior[true]).sum() / people)),
    }


def twice(first: Groups, second: Groups, truth: Ints, features: Features, dictionary: pl.Series) -> dict[str, float]:
    """Return what is believed of people after one release, and after two with different groups."""

    def sighting(number: int, groups: Groups) -> Sighting:
        values = Histogram.of(groups.ids, groups.count, truth.astype(np.int32), len(dictionary))
        return Sighting(number, groups.ids, values)

    def told(belief: Together) -> tuple[float, float]:
        owner = np.repeat(np.arange(len(belief.candidates)), belief.candidates)
        order = np.lexsort((belief.weights, owner))
        last = order[np.append(owner[order][1:] != owner[order][:-1], True)]
        return float(belief.posteriors.mean()), float((belief.codes[last] == truth[owner[last]]).mean())

    one, both = sighting(0, first), sighting(1, second)
    alone = told(carry([one], features, "value", dictionary))
    together = told(carry([one, both], features, "value", dictionary))
    return {"expected": alone[0], "right": alone[1], "expected of two": together[0], "right of two": together[1]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print, release by release."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=METHODS, default=list(METHODS))
    given = parser.parse_args(arguments)
    if not ADULT.exists():  # figures take the census generator then, and would be named after Adult
        parser.error(f"Adult is not at {ADULT}")
    table = adult()
    name = table.sensitive[0]
    codes, features = table.codes(name), Features.of_table(table)
    truth, before = codes.codes.astype(np.int64), learn_from_table("naive-bayes", table, name)
    for asked in given.only:
        begun = time.process_time()
        try:
            release = METHODS[asked].protect(table, seed=1)
        except tc.Infeasible as error:
            print(f"{asked}: {error}", flush=True)
            continue
        spent = time.process_time() - begun
        groups = grouped(release)
        found = {
            "CPU seconds": spent,
            "withheld": float((groups.ids < 0).sum()),
            "mean group": float(groups.sizes().mean()),
            **figures(groups, truth, before),
        }
        if asked in TWICE:
            again = grouped(METHODS[asked].protect(table, seed=2))
            found |= twice(groups, again, truth, features, codes.values)
        print(asked + ": " + ", ".join(f"{key} {value:.3f}" for key, value in found.items()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
