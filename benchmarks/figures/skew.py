"""Figures 5 to 8 of the R-suppression paper, with Shift beside them.

Suppression rates are exact expectations, not samples. Samples of Adult are drawn when the data is there; the census
generator stands in otherwise.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import polars as pl

import tacit as tc
from tacit.datasets import census
from tacit.knowledge.suppression import eligible
from tacit.report.charts import save

RESULTS = Path(__file__).resolve().parents[1] / "results"
ADULT = Path(__file__).resolve().parents[3] / "shared" / "data" / "adult.csv.gz"
METHODS: dict[str, Callable[[int], Any]] = {
    "Unsafe-D": lambda l: tc.UnsafeDSuppression(l=l),
    "R-suppression": lambda l: tc.RSuppression(l=l),
    "Shift (ours)": lambda l: tc.ShiftSuppression(l=l, hide="top"),
    "Safe-D": lambda l: tc.SafeDSuppression(l=l),
    "Suppress-All": lambda l: tc.SuppressAll(l=l),
}
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#999999"]


def rate(method: Any, counts: np.ndarray[Any, Any]) -> float:
    try:
        return float(method.expected_suppression(counts)) / int(counts.sum())
    except tc.Infeasible:
        return 1.0


def population() -> np.ndarray[Any, Any]:
    if ADULT.exists():
        frame = tc.Table.read(ADULT, nulls=("", "?"), quasi_identifiers="age").frame.head(32_561).drop_nulls()
        return tc.Table(frame, sensitive="occupation").codes("occupation").codes
    return census(30_162).codes("occupation").codes


def samples(
    codes: np.ndarray[Any, Any], share: float, many: int, rng: np.random.Generator
) -> list[np.ndarray[Any, Any]]:
    size = round(share * len(codes))
    drawn = [np.bincount(rng.choice(codes, size, replace=False)) for _ in range(many)]
    return [counts[counts > 0] for counts in drawn]


def averaged(drawn: list[np.ndarray[Any, Any]], l: int) -> list[dict[str, Any]]:
    rows = []
    for name, make in METHODS.items():
        rates = [0.0 if eligible(counts, l) else rate(make(l), counts) for counts in drawn]
        rows.append({"method": name, "rate": float(np.mean(rates))})
    return rows


def line(rows: list[dict[str, Any]], x: str, title: str, path: Path) -> None:
    chart = (
        alt.Chart.from_dict({"data": {"values": rows}, "mark": {"type": "line", "point": True}})
        .encode(
            x=alt.X(f"{x}:Q"),
            y=alt.Y("rate:Q", title="suppression rate"),
            color=alt.Color("method:N", title=None, scale=alt.Scale(domain=list(METHODS), range=COLOURS)),
        )
        .properties(width=460, height=300, title=title)
    )
    save(chart, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20 samples instead of 100")
    parser.add_argument("--folder", type=Path, default=RESULTS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    rng, many = np.random.default_rng(1), 20 if given.quick else 100
    codes = population()
    sizes = [0.0025, 0.005, 0.01, 0.02, 0.04]
    drawn = {share: samples(codes, share, many, rng) for share in sizes}

    five = [
        {"p": share, "l": str(l), "violating": sum(not eligible(c, l) for c in drawn[share]) / many}
        for share in sizes
        for l in (4, 5, 6, 7)
    ]
    bars = (
        alt.Chart.from_dict({"data": {"values": five}, "mark": "bar"})
        .encode(
            x=alt.X("p:O", title="sample size"),
            xOffset="l:N",
            y=alt.Y("violating:Q", title="share of violating samples"),
            color=alt.Color("l:N", scale=alt.Scale(range=COLOURS)),
        )
        .properties(width=460, height=300, title="Figure 5: samples that violate l-eligibility")
    )
    save(bars, given.folder / "skew-5.svg")
    six = [{"p": share, **row} for share in sizes for row in averaged(drawn[share], 6)]
    line(six, "p", "Figure 6: suppression rate against sample size, l = 6", given.folder / "skew-6.svg")
    seven = [{"l": l, **row} for l in range(3, 9) for row in averaged(drawn[0.005], l)]
    line(seven, "l", "Figure 7: suppression rate against l, samples of 0.5%", given.folder / "skew-7.svg")

    def zipf(alpha: float) -> np.ndarray[Any, Any]:
        return np.array([round(1000 / i**alpha) for i in range(1, 21)])

    eight_a = [
        {"alpha": alpha / 10, "method": name, "rate": rate(make(5), zipf(alpha / 10))}
        for alpha in range(6, 21, 2)
        for name, make in METHODS.items()
    ]
    line(eight_a, "alpha", "Figure 8a: Zipf, l = 5", given.folder / "skew-8a.svg")
    eight_b = [
        {"l": l, "method": name, "rate": rate(make(l), zipf(1.0))}
        for l in range(3, 11)
        for name, make in METHODS.items()
    ]
    line(eight_b, "l", "Figure 8b: Zipf, alpha = 1", given.folder / "skew-8b.svg")
    linear = [
        {"l": l, "method": name, "rate": rate(make(l), np.arange(20, 0, -1) ** 2 * 10)}
        for l in range(3, 11)
        for name, make in METHODS.items()
    ]
    line(linear, "l", "Falling frequencies, 20 values", given.folder / "skew-linear.svg")

    def shown(rows: list[dict[str, Any]], key: str) -> None:
        frame = pl.DataFrame(rows).pivot("method", index=key, values="rate")
        print(frame)

    broken = next(row["violating"] for row in five if (row["p"], row["l"]) == (0.005, "6"))
    print(f"violating 6-eligibility at 0.5%: {broken:.0%}")
    shown(six, "p")
    shown(seven, "l")
    shown(eight_a, "alpha")
    shown(eight_b, "l")
    print(f"pictures: {given.folder.name}/skew-*.svg")


if __name__ == "__main__":
    main()
