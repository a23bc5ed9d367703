"""How often a reader who learns is right: against l, by method, beside what the population alone tells her.

Kifer's paper has no figure of this kind: it shows one attack. The figures here are measured on Adult (30,162 complete
rows of the training part, seven quasi-identifiers, sensitive: occupation), and on two generators where Adult is not at
hand or for comparison. Every release is one run with seed 1; naive Bayes, and for one figure logistic regression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

import tacit as tc
from benchmarks.figures.charts import lines
from benchmarks.figures.figure import ADULT, Claim, Figure, run
from tacit.adversaries.learning import compared_with_truth
from tacit.datasets import census, hospital

COLUMNS = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
PARTS = {"a": ["age", "sex", "workclass"], "b": ["education", "marital-status"], "c": ["race", "native-country"]}
RANDOM, SIMILAR, CUT, MARGINALS, ART, PROMISED, BEFORE = (
    "Anatomy, random buckets", "Anatomy, similar buckets", "Mondrian, frequency l-diversity", "m-invariant marginals",
    "ART, no news", "promised: 1/l", "population alone",
)  # fmt: skip
LARGEST = {ART: 5}
"""The largest l of a method whose time grows: at 6 the worlds of groups of 48 people are counted for many minutes."""
Make = Callable[[int], Any]


def adult() -> tc.Table:
    """Return the table, or the census generator's with the same columns."""
    if not ADULT.exists():
        return census(30_162, seed=0, quasi_identifiers=COLUMNS, sensitive="occupation")
    frame = pl.read_csv(ADULT, infer_schema_length=None).head(32_561)
    frame = frame.filter(~pl.any_horizontal(pl.col(pl.String).str.strip_chars() == "?"))
    return tc.Table(frame.select(*COLUMNS, "occupation"), quasi_identifiers=COLUMNS, sensitive="occupation")


def called(name: str) -> str | None:
    """Return what to call a release of Adult: it says so where the census generator stands for it; None where none can.

    Examples
    --------
    >>> called("hospital, random buckets")
    'hospital, random buckets'
    """
    if ADULT.exists() or not name.startswith("Adult"):
        return name
    return None if name.startswith("Adult by") else name.replace("Adult", "census generator in place of Adult", 1)


def methods(table: tc.Table) -> dict[str, Make]:
    """Return what is compared, by l."""
    made: dict[str, Make] = {
        RANDOM: lambda l: tc.Anatomy(l=l, buckets="random"),
        SIMILAR: lambda l: tc.Anatomy(l=l, buckets="similar"),
        CUT: lambda l: tc.Mondrian([tc.LDiversity(l=l, kind="frequency")]),
        MARGINALS: lambda l: tc.InvariantMarginals(m=l, marginals=PARTS),
    }
    if "gain" in tc.ART.model_fields:  # attacks while building would take minutes
        made[ART] = lambda l: tc.ART(r=l, gain=2.0, distribution=["naive-bayes"], adversarial_rounds=0)
    return made


def right(table: tc.Table, make: Make, l: int, **how: Any) -> tuple[float, float] | None:
    """Return how often she is right, and how often knowing only the population; None where there is no release."""
    try:
        release = make(l).protect(table, seed=1)
    except tc.Infeasible:
        return None
    adversary = tc.LearningAdversary(**how)
    known = dict(adversary.attack(release).items())
    found = compared_with_truth(release, table, adversary, known)
    _, success = found[table.sensitive[0]]
    return success.share, success.prior_share


def by_l(name: str, table: tc.Table, made: dict[str, Make], levels: range, data: str, parts: bool = True) -> Figure:
    """Draw right against l, release by release."""
    rows: list[dict[str, Any]] = [{"l": l, "right": 1 / l, "of": PROMISED} for l in levels]
    shares: dict[tuple[str, int], float] = {}
    before: list[float] = []
    refused: list[str] = []
    for method, make in made.items():
        if method == MARGINALS and not parts:
            continue
        for l in (each for each in levels if each <= LARGEST.get(method, max(levels))):
            found = right(table, make, l)
            if found is None:
                refused.append(f"{method} at {l}")
                continue
            shares[method, l] = found[0]
            before.append(found[1])
            rows.append({"l": l, "right": found[0], "of": method})
    alone = sum(before) / len(before)
    rows += [{"l": l, "right": alone, "of": BEFORE} for l in levels]
    chart = lines(
        rows, "l", "right", series="of", titles=("l (m, r)", "people whose value she guesses right"), percent=True
    )
    least = min(levels)
    told = ", ".join(f"{method} {shares[method, least]:.3f}" for method in made if (method, least) in shares)
    claims = (
        Claim(
            "Random buckets are read far above what they promise.",
            "a bucketized release can be attacked with what it teaches itself (no figure)",
            f"l = {least}: {shares[RANDOM, least]:.3f} right, {1 / least:.2f} promised",
            shares[RANDOM, least] > 1 / least + 0.1,
        ),
        Claim(
            "Buckets of similar rows take most of that away.",
            "not in the paper",
            f"l = {least}: {shares[SIMILAR, least]:.3f} right",
            shares[SIMILAR, least] < (shares[RANDOM, least] + alone) / 2,
        ),
        *_no_news(shares, least, alone),
    )
    return Figure(
        name,
        f"A reader who learns, {data}",
        f"{data}, {len(table):,} rows, sensitive: {table.sensitive[0]}. Right at l = {least}: {told}; knowing only the "
        f"population {alone:.3f}. Of Mondrian and the marginals she is given everybody's quasi-identifiers."
        + (f" Refused: {', '.join(refused)}." if refused else ""),
        chart,
        claims,
    )


def _no_news(shares: dict[tuple[str, int], float], least: int, alone: float) -> list[Claim]:
    """Say how near ART comes to what the population alone tells, where it was asked."""
    if (ART, least) not in shares:
        return []
    return [
        Claim(
            "Groups without news leave little more than the population tells.",
            "not in the paper",
            f"l = {least}: {shares[ART, least]:.3f} right, {alone:.3f} by the population alone",
            shares[ART, least] < (shares[SIMILAR, least] + alone) / 2,
        )
    ]


def by_model(table: tc.Table, levels: range) -> Figure:
    """Compare the two models on random buckets."""
    rows, found = [], {}
    for model in ("naive-bayes", "logistic"):
        for l in levels:
            share, alone = right(table, methods(table)[RANDOM], l, model=model) or (0.0, 0.0)
            found[model, l] = share
            rows += [
                {"l": l, "right": share, "of": model},
                {"l": l, "right": alone, "of": f"{model}, population alone"},
            ]
    chart = lines(rows, "l", "right", series="of", titles=("l", "people whose value she guesses right"), percent=True)
    least = min(levels)
    return Figure(
        "learning-models",
        "Two models on random buckets",
        f"Anatomy with random buckets; l = {least}: naive Bayes {found['naive-bayes', least]:.3f}, logistic regression "
        f"{found['logistic', least]:.3f} right.",
        chart,
    )


def draw(quick: bool) -> list[Figure]:
    """Return the figures; `quick` has fewer rows and levels, and one model."""
    table, levels = adult(), range(2, 4) if quick else range(2, 7)
    if quick:
        few = table.frame.head(6_000)
        table = tc.Table(few, quasi_identifiers=table.quasi_identifiers, sensitive=table.sensitive)
    ill = hospital(5_000 if quick else 18_204)
    ill = tc.Table(
        ill.frame.select(*ill.quasi_identifiers, *ill.sensitive),
        quasi_identifiers=ill.quasi_identifiers,
        sensitive=ill.sensitive,
    )
    made = methods(table)
    return [
        by_l("learning-adult", table, made, levels, "Adult" if ADULT.exists() else "the census generator"),
        by_l(
            "learning-hospital",
            ill,
            {n: made[n] for n in (RANDOM, SIMILAR, CUT)},
            range(2, 3),
            "the hospital generator",
        ),
        *([] if quick else [by_model(table, range(2, 5))]),
    ]


if __name__ == "__main__":
    run(draw, __doc__)
