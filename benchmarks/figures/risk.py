"""Figures 2 and 3 and table 2 of the value suppression paper, and what suppression to the threshold costs.

The paper's table is confidential; the students stand in for it. In a smaller table everybody is rarer, so alpha is
smaller by as much. Run as `python -m benchmarks.figures.risk [--quick] [--folder FOLDER] [ROWS]`, with how many
students there are for figures 2 and 3 (by default as many as in the paper).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import altair as alt
import numpy as np

import tacit as tc
from benchmarks.figures.charts import bars, lines
from benchmarks.figures.figure import Claim, Figure, run
from tacit.datasets import hospital, student_risk, students
from tacit.knowledge.risk import Attributes, Records, Score, score_records
from tacit.knowledge.risk.attributes import Blank
from tacit.measures.risk import RiskSummary
from tacit.methods.risk import risk_summaries
from tacit.methods.risk.one_pass import one_pass

ALL, QUICK = 1_009_993, 20_000
FEWER, QUICK_FEWER = 100_000, 5_000  # for what takes minutes on the whole table
DELTA = 0.01
# Quoted from the paper: table 2, section 4.3, section 4.1.
PAPER_BEFORE, PAPER_AFTER, PAPER_NCP, PAPER_ROWS = 15_651, 8_597, 0.0039, 1_009_993
NEARLY = 0.01  # the paper takes attributes that are known with a larger probability for quasi-identifiers
ANONYMOUS = (2, 5, 10)
HALF = 0.5


@dataclass(frozen=True)
class OnePass:
    """The paper's experiment: the risk of every record before and after, and the cells that went."""

    table: tc.Table
    risk: tc.DisclosureRisk
    before: Score
    after: Score
    above: tuple[int, int]
    blank: Blank

    @property
    def columns(self) -> list[str]:
        """The paper's quasi-identifiers."""
        return [name for name, share in (self.risk.known or {}).items() if share > NEARLY]

    @property
    def ncp(self) -> float:
        """Suppressed values over rows and quasi-identifiers, the paper's equation 5."""
        return float(self.blank.sum()) / (len(self.table) * len(self.columns))

    def between(self, low: float, high: float = np.inf) -> tuple[int, int]:
        """Count the records with a risk above one number and up to another, before and after."""
        before, after = (int(((s.middle > low) & (s.middle <= high)).sum()) for s in (self.before, self.after))
        return before, after


def known_students(rows: int, missing: str) -> tc.DisclosureRisk:
    """Return the students' risk, with an alpha that makes up for how many there are."""
    given = student_risk()
    return tc.DisclosureRisk(**given | {"alpha": given["alpha"] * rows / ALL, "missing": missing})


def paper_pass(rows: int) -> OnePass:
    """Do what the paper did, with its reading of a blank."""
    table, risk = students(rows), known_students(rows, "own")
    attributes = Attributes.of(risk, table)
    records = Records.of(attributes)
    above = score_records(records, delta=DELTA).above
    before = score_records(records, relative=0.5, rounds=3)
    blank = one_pass(records, np.flatnonzero(above))
    passed = Records.of(attributes, blank)
    left = int(score_records(passed, delta=DELTA).above.sum())
    after = score_records(passed, relative=0.5, rounds=3)
    return OnePass(table, risk, before, after, (int(above.sum()), left), blank)


def spread_figure(found: OnePass) -> Figure:
    """Figure 2 and table 2."""
    n = len(found.table)
    edges = [0.0, *(float(10.0**e * m) for e in range(-4, 2) for m in (1, 3)), np.inf]
    label = [f"{low:g}" for low in edges[:-1]]
    points = [
        {"from": name, "records": count or None, "release": when}
        for low, high, name in zip(edges, edges[1:], label, strict=False)
        for when, count in zip(("before", "after one pass"), found.between(low, high), strict=True)
    ]
    some = [name for name in label if any(p["from"] == name and p["records"] for p in points)]
    chart = lines(
        [p for p in points if p["from"] in some],
        "from",
        "records",
        series="release",
        title="Records by disclosure risk",
        titles=("risk above (up to the next number)", "records, log scale"),
        log=True,
        even=True,
    )
    before, after = found.above
    high_before, high_after = found.between(50)
    tail = max(low for low in edges[:-1] if found.between(low)[0] >= 20)
    top_before, top_after = found.between(tail)
    mid_before, mid_after = found.between(0.5, 10)
    claims = (
        Claim(
            "Few records are risky at first.",
            f"{PAPER_BEFORE:,} of {PAPER_ROWS:,} above .01, {PAPER_BEFORE / PAPER_ROWS:.2%}.",
            f"{before:,} of {n:,}, {before / n:.2%}.",
            0.005 < before / n < 0.03,
        ),
        Claim(
            "One pass leaves fewer risky records, and not none.",
            f"{PAPER_AFTER:,} left, {1 - PAPER_AFTER / PAPER_BEFORE:.0%} fewer.",
            f"{after:,} left, {abs(1 - after / before):.0%} {'fewer' if after < before else 'more'}.",
            0 < after < before,
            why="Read as a value of its own, a blank makes its record a rare one: who is left is found by her blanks.",
        ),
        Claim(
            "Very high risks (above 50) become far fewer.",
            "read from the bars, no number.",
            f"above 50: {high_before:,} before, {high_after:,} after; the highest of our risks, above {tail:g}: "
            f"{top_before:,} before, {top_after:,} after.",
            None if not high_before else high_after < 0.5 * high_before,
            why="Our students have no such risks at first.",
        ),
        Claim(
            "Records between .5 and 10 become more: a suppressed value makes the same value rarer for the others.",
            "read from the bars, no number.",
            f"{mid_before:,} before, {mid_after:,} after.",
            mid_after > mid_before,
        ),
    )
    caption = (
        f"{n:,} made-up students, 27 attributes, alpha {found.risk.alpha:.3g}, delta {DELTA:g}; the paper's one "
        "pass, a blank read as a value of its own. Each mark counts the records from its number to the next; both "
        "scales are logarithmic."
    )
    return Figure("risk-2", "Figure 2 and table 2: risk before and after one pass", caption, chart, claims)


def others_figure(found: OnePass) -> Figure:
    """Figure 3: what other models lose, on the quasi-identifiers that the paper takes."""
    hidden = [name for name in found.table.sensitive if name not in found.columns]
    table = tc.Table(found.table.frame, quasi_identifiers=found.columns, sensitive=hidden)
    asked: dict[str, list[Any]] = {f"k = {k}": [tc.KAnonymity(k=k)] for k in ANONYMOUS}
    asked["t = 0.2"] = [tc.KAnonymity(k=5), tc.TCloseness(t=0.2)]
    asked["l = 2"] = [tc.LDiversity(l=2)]
    lost = {"one pass": found.ncp} | {
        name: tc.utility(tc.Mondrian(guarantees=each).protect(table), table).ncp for name, each in asked.items()
    }
    points = [{"model": name, "NCP": value, "of": "information lost"} for name, value in lost.items()]
    chart = bars(
        points,
        "model",
        "NCP",
        series="of",
        title="Information lost",
        titles=("", "NCP, log scale"),
    )
    least = min(lost.values())
    chart.encoding.y.scale = alt.Scale(type="symlog", constant=least)
    ticks = [0, *(tick for e in (-5, -4, -3, -2, -1) for m in (1, 2, 5) if (tick := m * 10.0**e) >= least)]
    chart.encoding.y.axis = alt.Axis(values=ticks, format="~g")
    best = min(lost, key=lambda name: lost[name])
    by_k = [lost[f"k = {k}"] for k in ANONYMOUS]
    told = ", ".join(f"{name} {value:.4f}" for name, value in lost.items())
    claims = (
        Claim(
            "Value suppression loses little.",
            f"NCP {PAPER_NCP}.",
            f"NCP {found.ncp:.4f}: cells over rows and {len(found.columns)} quasi-identifiers, as the paper counts.",
            found.ncp < 2 * PAPER_NCP,
        ),
        Claim(
            "It loses less than k-anonymity, l-diversity and t-closeness.",
            "the lowest bar, made with ARX.",
            f"the lowest is {best}: {told}.",
            best == "one pass",
            why="Mondrian blurs less than the paper's tool; and k-anonymity promises nothing against somebody who "
            f"knows one of the other {len(hidden)} attributes.",
        ),
        Claim(
            "A larger k loses more.",
            "read from the bars, no number.",
            ", ".join(f"k = {k}: {value:.4f}" for k, value in zip(ANONYMOUS, by_k, strict=True)) + ".",
            by_k == sorted(by_k),
        ),
        Claim(
            "l-diversity loses most by far: the flags are rare.",
            "the highest bar, no number.",
            f"NCP {lost['l = 2']:.3f}, {lost['l = 2'] / max(v for n, v in lost.items() if n != 'l = 2'):.0f} times the "
            "next.",
            lost["l = 2"] == max(lost.values()),
        ),
    )
    caption = (
        f"{len(table):,} students. One pass: suppressed values over rows and quasi-identifiers. The others by Mondrian "
        f"on the {len(found.columns)} attributes that are known with more than {NEARLY:g}: k-anonymity, 0.2-closeness "
        f"with k = 5, distinct 2-diversity of the other {len(hidden)}. The scale is logarithmic."
    )
    return Figure("risk-3", "Figure 3: information lost, beside other models", caption, chart, claims)


@dataclass(frozen=True)
class Case:
    """A table, what may be known of it, and a threshold."""

    name: str
    table: tc.Table
    risk: tc.DisclosureRisk
    delta: float


@dataclass(frozen=True)
class Price:
    """What a case costs, as NCP: to the threshold, in one pass, and by withholding risky rows whole."""

    case: Case
    found: dict[str, RiskSummary]
    cover: int

    @property
    def withheld(self) -> float:
        """Every risky row, and for each another one that has nothing to lose, as far as there are such rows."""
        return (self.found["before"].above + self.cover) / len(self.case.table)

    @property
    def threshold(self) -> float:
        return self.found["after"].ncp

    @property
    def one_pass(self) -> float:
        return self.found["the paper's one pass"].ncp

    def __str__(self) -> str:
        before, after, left = (self.found[when].above for when in ("before", "after", "the paper's one pass"))
        return (
            f"{self.case.name}, delta {self.case.delta:g}: {before:,} of {len(self.case.table):,} risky; NCP "
            f"{self.threshold:.5f} to the threshold ({after:,} left), {self.one_pass:.5f} in one pass ({left:,} left), "
            f"{self.withheld:.5f} rows withheld; {self.threshold / self.withheld:.3f} of it"
        )


def cases(rows: int) -> list[Case]:
    people = hospital()
    some = {"diagnosis": dict.fromkeys(("HIV infection", "depression", "schizophrenia"), 1.0)}
    pupils = students(rows)
    return [
        *(
            Case(f"students, {missing}", pupils, known_students(rows, missing), DELTA)
            for missing in ("adversary", "wildcard", "own")
        ),
        Case("hospital, 3 diagnoses", people, tc.DisclosureRisk(value_weights=some), 0.5),
        Case("hospital, all", people, tc.DisclosureRisk(), 1.0),
    ]


def priced(case: Case) -> Price:
    release = tc.ValueSuppression(risk=case.risk, delta=case.delta).protect(case.table)
    found = {each.when: each for each in risk_summaries(release, case.table)}
    free = int((~Attributes.of(case.risk, case.table).gains().any(axis=1)).sum())
    return Price(case, found, min(found["before"].above, free))


def price_figure(rows: int) -> Figure:
    """What suppression to the threshold costs, beside one pass and beside withholding rows."""
    prices = [priced(case) for case in cases(rows)]
    points = [
        {"case": price.case.name, "share": share / price.withheld, "way": way}
        for price in prices
        for way, share in (
            ("to the threshold", price.threshold),
            ("one pass (risky records are left)", price.one_pass),
            ("risky rows withheld", price.withheld),
        )
    ]
    chart = bars(
        points,
        "case",
        "share",
        series="way",
        title="Information lost, withholding risky rows = 100%",
        titles=("", "NCP, of that of withholding rows"),
        percent=True,
    ).properties(width=620)
    claims = tuple(
        Claim(
            f"Suppression to the threshold costs at most half of withholding the risky rows: {price.case.name}.",
            "our goal, not the paper's.",
            f"{price}.",
            price.threshold <= HALF * price.withheld,
        )
        for price in prices
    )
    caption = (
        f"{rows:,} students, delta {DELTA:g}, alpha {prices[0].case.risk.alpha:.3g}, in the three readings "
        "of a blank, and the hospital. NCP counts all columns that the risk is about. Withholding takes every risky "
        "row, and another row as its cover."
    )
    return Figure("risk-cost", "Cost: to the threshold, one pass, rows withheld", caption, chart, claims)


def draw(quick: bool, rows: int | None = None) -> list[Figure]:
    """Draw figures 2 and 3, and the cost."""
    found = paper_pass(rows or (QUICK if quick else ALL))
    return [spread_figure(found), others_figure(found), price_figure(QUICK_FEWER if quick else FEWER)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw, and print the numbers."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    rows = next((int(text) for text in given if text.isdigit()), None)
    run(partial(draw, rows=rows), __doc__, [text for text in given if not text.isdigit()])


if __name__ == "__main__":
    main()
