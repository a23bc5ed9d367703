"""`python -m benchmarks.expectation`: what a reader who learns expects, how often she is right, and what she could be.

Every figure of docs/threats/learning.md under "What she gets" comes from here. Releases are made with seed 1. Beside
the reader who learns from the release stands one who knows the population: she matches inside the same groups by the
naive Bayes model of the true table. The likelihoods say how probable each of the two models makes the counts of
held-out groups, per person and at the temperature that suits it best: a reader can choose by nothing else.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.figures.figure import ADULT
from benchmarks.figures.learning import COLUMNS, PARTS, adult, called
from tacit.arrays import Ints
from tacit.datasets import census, hospital
from tacit.knowledge.learning import FINE, Observed, best, learn, observed_inside, some_groups, true_values
from tacit.knowledge.learning.trust import HeldOut, every_nth

FREQUENT = tc.LDiversity(l=2, kind="frequency")
Make = Callable[[], tc.Table]


def other(sensitive: str) -> tc.Table:
    """Take Adult with another sensitive column; occupation is then a quasi-identifier."""
    frame = pl.read_csv(ADULT, infer_schema_length=None).head(32_561)
    frame = frame.filter(~pl.any_horizontal(pl.col(pl.String).str.strip_chars() == "?"))
    frame = frame.with_columns((pl.col("age") // 10 * 10).cast(pl.String).alias("decade of age"))
    without = "age" if sensitive == "decade of age" else sensitive
    names = [name for name in (*COLUMNS, "occupation") if name != without]
    return tc.Table(frame.select(*names, sensitive), quasi_identifiers=names, sensitive=sensitive)


def patients(seed: int = 0) -> tc.Table:
    """Take the hospital generator's quasi-identifiers and diagnoses."""
    made = hospital(18_204, seed=seed) if seed else hospital(18_204)
    frame = made.frame.select(*made.quasi_identifiers, *made.sensitive)
    return tc.Table(frame, quasi_identifiers=made.quasi_identifiers, sensitive=made.sensitive)


def people(seed: int) -> tc.Table:
    """Take the census generator with Adult's columns."""
    return census(20_000, seed=seed, quasi_identifiers=COLUMNS, sensitive="occupation")


def buckets(name: str, make: Make, levels: Sequence[int]) -> dict[str, tuple[Make, tc.Method]]:
    """Name Anatomy's releases of a table."""
    return {
        f"{name}, {kind} buckets, l = {l}": (make, tc.Anatomy(l=l, buckets=kind))
        for kind in ("random", "similar")
        for l in levels
    }


RELEASES: dict[str, tuple[Make, tc.Method]] = {
    **buckets("Adult", adult, (2, 3, 4, 5)),
    "Adult, Mondrian, frequency l = 2": (adult, tc.Mondrian([FREQUENT])),
    "Adult, Mondrian, k = 10": (adult, tc.Mondrian([tc.KAnonymity(k=10)])),
    "Adult, three 3-invariant marginals": (adult, tc.InvariantMarginals(m=3, marginals=PARTS)),
    **buckets("hospital", patients, (2,)),
    "hospital, Mondrian, frequency l = 2": (patients, tc.Mondrian([FREQUENT])),
    **buckets("census", lambda: people(0), (2, 3, 4)),
    **buckets("Adult by marital status", lambda: other("marital-status"), (2,)),
    **buckets("Adult by education", lambda: other("education"), (2, 3)),
    **buckets("Adult by decade of age", lambda: other("decade of age"), (2, 3)),
    **buckets("hospital, seed 21", lambda: patients(21), (2,)),
    **buckets("census, seed 11", lambda: people(11), (2, 3)),
    **buckets("census, seed 12", lambda: people(12), (2, 3)),
}
"""The first 18 are those on which the temperature was chosen; the others were not looked at."""


def measure(table: tc.Table, method: tc.Method) -> dict[str, float] | None:
    """Make a release and read it, as somebody who learns and as somebody who knows the population."""
    try:
        release = method.protect(table, seed=1)
    except tc.Infeasible:
        return None
    name = table.sensitive[0]
    assert release.inside is not None  # noqa: S101 - it was made here
    seen = observed_inside(release.shape, release.inside, table, name)
    assert seen is not None  # noqa: S101 - all methods here publish groups
    truth = table.codes(name).codes.astype(np.int64)
    belief = tc.LearningAdversary().learn(seen)
    success = belief.judged(truth)
    found = {
        "expects": belief.expected,
        "right": success.share,
        "population alone": success.prior_share,
        "above 1/2": float((success.posterior > 0.5 + 1e-6).mean()),  # half is not above it, whatever is rounded
        "above .9": success.sure / len(belief.row),
        "right above .9": success.sure_share,
        "round": float(belief.reading.chosen),
    }
    if isinstance(method, tc.Anatomy) and "age" in table.quasi_identifiers:
        found |= _older(table.frame, name, np.asarray(release.inside.group))
    found["likelihood, hers"] = max(belief.reading.likelihoods, default=float("nan"))
    return found | (_knowing(seen, truth) if len(seen.tables) == 1 else {})


def _older(frame: pl.DataFrame, name: str, group: Ints) -> dict[str, float]:
    """Say in how many buckets the most frequent value is, and in how many of these the older person has it."""
    top = frame.select(pl.col(name).eq(pl.col(name).mode(maintain_order=True).first()))[name]
    told = pl.DataFrame({"group": group, "age": frame["age"], "top": top}).group_by("group")
    ages = told.agg(
        having=pl.col("age").filter("top").mean(),
        others=pl.col("age").filter(~pl.col("top")).mean(),
    )
    both = ages.drop_nulls()
    older = float((both["having"] > both["others"]).mean() or 0.0)
    return {"buckets with the most frequent value": len(both) / len(ages), "in which the older has it": older}


def _knowing(seen: Observed, truth: Ints) -> dict[str, float]:
    """Match by the model of the true table, and compare how likely both models make groups that were held out."""
    from tacit.kernels.learning.matching import match

    features, laid, values = seen.features, seen.tables[0], len(seen.dictionary)
    model = learn("naive-bayes", features, *true_values(truth), values)
    entries = model.scores(features, laid)
    match(laid, entries, FINE)
    found = best(laid, entries)
    number = np.arange(len(laid.offsets) - 1)
    held, rest = some_groups(laid, number[number % 5 == 4]), some_groups(laid, number[number % 5 != 4])
    others = some_groups(rest, every_nth(rest, len(held.offsets) - 1))
    judge = HeldOut(features, held, others, FINE)
    return {
        "knowing the population": float((found.value == truth[laid.rows]).mean()),
        "likelihood, true model": judge.mean(judge.at_best(model)[1]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print one line of a Markdown table for each release."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="releases whose name begins so")
    given = parser.parse_args(arguments)
    for name, (make, method) in RELEASES.items():
        if name.startswith(given.only) and (shown := called(name)) is not None:
            found = measure(make(), method)
            told = "not feasible" if found is None else ", ".join(f"{key} {value:.3f}" for key, value in found.items())
            print(f"{shown}: {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
