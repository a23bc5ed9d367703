"""What value suppression costs: threshold beside one pass, beside withholding rows; and the histograms of the paper.

Run as `python -m benchmarks.figures.risk [rows]`; pictures go to `benchmarks/results`.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

import tacit as tc
from tacit.datasets import hospital, student_risk, students
from tacit.knowledge.risk import Attributes, Records, score_records
from tacit.knowledge.risk.histogram import Histogram
from tacit.knowledge.risk.ncp import suppression_ncp
from tacit.methods.value_suppression.method import one_pass
from tacit.report.charts import BLUE, GREY, ORANGE, save

RESULTS = Path(__file__).parents[1] / "results"
# Quoted from the paper: 1,009,993 students, delta = .01, alpha = 100.
PAPER = {"before": 15_651, "after one pass": 8_597, "NCP": 0.0039}


@dataclass(frozen=True)
class Case:
    name: str
    table: tc.Table
    risk: tc.DisclosureRisk
    delta: float


def cases(rows: int) -> list[Case]:
    people = hospital()
    some = {"diagnosis": dict.fromkeys(("HIV infection", "depression", "schizophrenia"), 1.0)}
    return [
        Case("students", students(rows), tc.DisclosureRisk(**student_risk()), 0.01),
        Case("hospital, every diagnosis", people, tc.DisclosureRisk(), 1.0),
        Case("hospital, some diagnoses", people, tc.DisclosureRisk(value_weights=some), 0.5),
    ]


def measure(case: Case, missing: str) -> list[dict[str, object]]:
    risk = case.risk.model_copy(update={"missing": missing})
    attributes = Attributes.of(risk, case.table)
    records = Records.of(attributes)
    start = time.process_time()
    risky = np.flatnonzero(score_records(records, delta=case.delta).above)
    release = tc.ValueSuppression(risk=risk, delta=case.delta).protect(case.table)
    spent = time.process_time() - start
    names = [column.name for column in case.table.columns]
    inside: Any = release.inside
    mine = inside.cells[:, [names.index(name) for name in attributes.names]]
    blanks = {"before": np.zeros_like(mine), "threshold": mine, "one pass": one_pass(records, risky)}
    # Withheld whole, with as many rows that have nothing to lose: rule of trust 2, cover = 2.
    free = int((~attributes.gains().any(axis=1)).sum())
    rows = len(risky) + min(len(risky), free)
    print(f"{case.name}, {missing}: {len(risky):,} of {len(case.table):,} above {case.delta:g}; {spent:.1f} CPU s")
    shown: list[dict[str, object]] = []
    for name, blank in blanks.items():
        after = Records.of(attributes, blank)
        left = int(score_records(after, delta=case.delta).above.sum())
        spread = Histogram.of(score_records(after, relative=0.5, rounds=3))
        print(f"  {name:10} {left:8,} above; {int(blank.sum()):9,} cells, NCP {suppression_ncp(attributes, blank):.5f}")
        shown += [
            {"release": name, "risk": f"1e{d}", "order": d, "records": count}
            for d, count in zip(spread.decades, spread.counts, strict=True)
        ]
    ours, rowwise = suppression_ncp(attributes, mine), rows / len(case.table)
    print(f"  rows withheld, with cover: NCP {rowwise:.5f}; threshold costs {ours / rowwise:.3f} of it")
    return shown


def draw(case: Case, shown: list[dict[str, object]]) -> None:
    colours = alt.Scale(domain=["before", "one pass", "threshold"], range=[GREY, ORANGE, BLUE])
    chart = (
        alt.Chart.from_dict({"data": {"values": shown}, "mark": "bar"})
        .encode(
            x=alt.X("risk:N", sort=alt.SortField("order"), title="risk, decade from"),
            y=alt.Y("records:Q", scale=alt.Scale(type="symlog"), title="records"),
            xOffset="release:N",
            color=alt.Color("release:N", scale=colours, title=None),
        )
        .properties(width=520, height=300, title=f"Risk before and after suppression: {case.name}")
    )
    RESULTS.mkdir(exist_ok=True)
    save(chart, RESULTS / f"risk-{case.name.replace(', ', '-').replace(' ', '-')}.svg")


def main(rows: int) -> None:
    print(f"quoted from the paper: {PAPER}")
    for case in cases(rows):
        for missing in ("adversary", "wildcard", "own"):
            shown = measure(case, missing)
            if missing == "adversary":
                draw(case, shown)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
