"""Draw the pictures of the threats' pages: the same attack on a naive release and on ours, from built-in data.

`python docs/pictures/make.py` computes everything anew, writes the pictures beside this file and their captions into
the pages, between their markers. Seeds are fixed so that the pages can quote numbers; a real release has none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

import altair as alt
import numpy as np
import polars as pl

import tacit as tc
from tacit.adversaries.learning import compared_with_truth
from tacit.datasets import census, hospital, knowledge, student_risk, students, victims
from tacit.knowledge.risk import score_records
from tacit.knowledge.risk.released import Released
from tacit.knowledge.skew import Algorithm
from tacit.knowledge.skew.posterior import posterior
from tacit.report.charts import BLUE, GREY, ORANGE

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))  # the benchmarks are not installed

from benchmarks.figures import charts

PAGES = HERE.parent / "threats"
SEED = 1
BEFORE, AFTER, BETWEEN = ORANGE, BLUE, GREY
_EDGES = (0.0, 0.2, 0.4, 0.5, 0.7, 1.0)


@dataclass(frozen=True)
class Picture:
    """A chart, and the sentences below it, which quote its numbers."""

    chart: Any
    caption: str


def linkage() -> Picture:
    """Look 500 patients up by all of their quasi-identifiers."""
    table = hospital(5_000)
    known = victims(table, rows=500)
    naive = tc.Release.foreign(
        table.frame.select(*table.quasi_identifiers, *table.sensitive),
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
    )
    group, diverse = tc.KAnonymity(k=5), tc.LDiversity(l=2, kind="frequency")
    releases = {
        "names removed": naive,
        "5-anonymous": tc.Mondrian(guarantees=[group]).protect(table, seed=SEED),
        "5-anonymous and 2-diverse": tc.Mondrian(guarantees=[group, diverse]).protect(table, seed=SEED),
    }
    found = {name: tc.LinkageAdversary(victims=known).attack(release) for name, release in releases.items()}
    sure = {name: linked.beliefs["diagnosis"].posterior for name, linked in found.items()}
    first, middle, last = sure
    lost = tc.utility(releases[last], table).ncp
    return Picture(
        _sureness(sure, "Linkage: how sure she is of a victim's diagnosis", who="victims"),
        f"500 patients of a made-up hospital of 5,000, looked up by age, postcode, sex, nationality and day of "
        f"admission. With names removed and nothing else, exactly one row fits {_alone(found[first])} of them, and the "
        f"diagnosis of {_certain(sure[first])} is certain. In groups of five at least five rows fit everybody, but the "
        f"diagnosis of {_certain(sure[middle])} is certain all the same: everybody in the group has it. With "
        f"2-diversity as well, nobody exceeds {sure[last].max():.2f}, and NCP is {lost:.3f}.",
    )


def skew() -> Picture:
    """Ask which of five diseases was the most frequent one, of the clinic's day."""
    day, l = 18, 3
    published: dict[str, tuple[Algorithm, list[int]]] = {
        "fewest rows (Unsafe-D)": ("unsafe-d", [4, 4, 2, 1, 1]),
        "R-suppression": ("r-suppression", [3, 3, 2, 1, 1]),
        "Shift": ("v-shift", [3, 2, 2, 1, 1]),
    }
    rows, largest = [], {}
    for name, (algorithm, counts) in published.items():
        seen = posterior(counts, day, l, algorithm=algorithm, prior="assignments")
        largest[name] = max(seen.most_frequent)
        shares = zip(("first", "second", "third", "fourth", "fifth"), seen.most_frequent, strict=True)
        rows += [{"rank": rank, "posterior": float(share), "of": name} for rank, share in shares]
    chart = _bars(
        rows,
        "rank",
        "posterior",
        title="Skew: which disease was the most frequent one?",
        titles=("disease, by its rank among the published counts", "posterior"),
        colours=[BEFORE, BETWEEN, AFTER],
    )
    told = [f"{name} {float(share):.4f}" for name, share in largest.items()]
    return Picture(
        _with_bound(chart, 1 / l, "1/l"),
        f"The clinic's {day} records with l = {l}: what somebody who knows the algorithm believes of each disease, if "
        f"all assignments of diseases to records were equally likely to her before. The largest posteriors: "
        f"{'; '.join(told)}. Published are 4, 4, 2, 1, 1 (the fewest withheld), 3, 3, 2, 1, 1 (an outcome of "
        f"R-suppression) and 3, 2, 2, 1, 1 (Shift).",
    )


def risk() -> Picture:
    """Compare every student's disclosure risk before and after."""
    delta, table = 2.0, students(3_000)
    measure = tc.DisclosureRisk(**student_risk())
    release = tc.ValueSuppression(risk=measure, delta=delta).protect(table, seed=SEED)
    records = Released.of(measure, release.shape, table, release.inside).records
    scores = {"as it is": measure.score(table).middle, "cells suppressed": score_records(records).middle}
    edges = [0.0, 0.5, 1.0, 1.5, delta, 4.0, 8.0, np.inf]
    names = ["0 to 0.5", "0.5 to 1", "1 to 1.5", f"1.5 to {delta:g}", f"{delta:g} to 4", "4 to 8", "above 8"]
    rows = []
    for name, middle in scores.items():
        weighing = middle[middle > 0]
        counts = [int(((low < weighing) & (weighing <= high)).sum()) for low, high in pairwise(edges)]
        rows += [{"risk": at, "records": count, "of": name} for at, count in zip(names, counts, strict=True)]
    cells = int(release.inside.cells.sum())
    before, after = scores.values()
    return Picture(
        _bars(
            rows,
            "risk",
            "records",
            title=f"Known attributes: risk of every record, delta = {delta:g}",
            titles=("disclosure risk D", "records"),
            colours=[BEFORE, AFTER],
        ),
        f"{len(table):,} made-up students with 27 attributes, delta = {delta:g}. "
        f"{int((before > delta).sum())} records are above delta before, the largest at {before.max():.1f}; "
        f"{int((after > delta).sum())} are after {cells} of {table.frame.height * table.frame.width:,} cells were "
        f"blanked, cover included. The {int((before == 0).sum()):,} records without a value that weighs anything "
        f"(risk 0) are not drawn.",
    )


def marginals() -> Picture:
    """Find everybody in two tables that were published apart, or through one ledger."""
    table = hospital(5_000)
    asked = {"by_age": ["age", "sex"], "by_place": ["postcode", "nationality"]}
    apart = {
        name: tc.InvariantMarginals(m=2, marginals={name: columns}).protect(_extract(table, columns), seed=SEED)
        for name, columns in asked.items()
    }
    naive = tc.Release.foreign(
        {name: release.frames()[name] for name, release in apart.items()},
        quasi_identifiers=["group", *(column for columns in asked.values() for column in columns)],
        sensitive="diagnosis",
    )
    together = tc.InvariantMarginals(m=2, marginals=asked).protect(table, seed=SEED)
    found = {
        "published apart": tc.IntersectionAdversary(
            victims=table.frame.select(table.quasi_identifiers),
            members={name: release.inside.group[name] for name, release in apart.items()},
        ).attack(naive),
        "m-invariant": tc.IntersectionAdversary.of(together).attack(together),
    }
    sure = {name: left.posterior for name, left in found.items()}
    first, last = found.values()
    return Picture(
        _sureness(sure, "Several releases: how sure she is after two tables", who="patients"),
        f"5,000 made-up patients, published by age and sex, and again by postcode and nationality; every group has at "
        f"least two diagnoses. She knows everybody's group in both. Made by two departments that know nothing of each "
        f"other, the tables pin {first.pinned:,} people to one diagnosis; m-invariant with m = 2, they pin "
        f"{last.pinned}, and the largest posterior is {last.posterior.max():.2f}.",
    )


def changing() -> Picture:
    """Publish a census month after month, afresh and through a ledger, and read all months together."""
    from benchmarks.figures.changing import months

    found = {m: months(2_000, 6, m) for m in (2, 4)}
    rows = [
        {"month": each.month, "share": share, "of": f"m = {m}, {how}"}
        for m, part in found.items()
        for each in part
        for how, share in (("afresh", each.pinned), ("through a ledger", each.kept))
    ]
    chart = charts.lines(
        rows,
        "month",
        "share",
        series="of",
        titles=("months that she has read", "people with one possible value"),
        even=True,
        percent=True,
    )
    second, last = found[4][1], found[4][-1]
    return Picture(
        chart,
        f"2,000 made-up people a month, of whom 5% leave and 5% come; five quasi-identifiers, 50 industries. She knows "
        f"everybody's group. Made afresh with m = 4, two months leave one possible industry for {second.pinned:.0%} of "
        f"those who are in several, six months for {last.pinned:.0%}; through a ledger for {last.kept:.0%}. If she "
        f"learns one person's value by other means, {found[2][-1].tied:,} people are certain at worst with m = 2 after "
        f"six months, and {last.tied:,} with m = 4. In the sixth month {last.alone:,} of the 2,000 people of m = 4 "
        f"{'stands' if last.alone == 1 else 'stand'} in a group with counterfeits alone: quasi-identifiers are then "
        f"published as they are.",
    )


def signatures() -> Picture:
    """Publish two years of a census with near and with shared signatures, and afresh."""
    from benchmarks.figures.changing import ways

    people, many = 20_000, 24
    found = ways(people, many, 4)
    of = {way: [each for each in found if each.signatures == way] for way in ("near", "shared", "afresh")}
    chart = charts.lines(
        [{"month": each.month, "ncp": each.ncp, "of": each.signatures} for each in found],
        "month",
        "ncp",
        series="of",
        titles=("month", "NCP"),
        even=True,
    )
    near, shared, afresh = (of[way][-1] for way in ("near", "shared", "afresh"))
    better = [a.month for a, b in zip(of["near"], of["shared"], strict=True) if b.ncp < a.ncp]
    crossed = f"From month {better[0]} on shared signatures cost less." if better else "Near ones stay cheaper."
    most = {way: max(each.counterfeits for each in of[way]) for way in ("near", "shared")}
    return Picture(
        chart,
        f"{people:,} made-up people a month, m = 4, of whom 5% leave and 5% come. Near signatures cost "
        f"{of['near'][0].ncp:.4f} in the first month and {near.ncp:.4f} in the last, shared ones "
        f"{of['shared'][0].ncp:.4f} and {shared.ncp:.4f}; publishing afresh, which protects nobody against a reader of "
        f"two months, {afresh.ncp:.4f}. {crossed} Counterfeits are at most {most['near']:.2%} and "
        f"{most['shared']:.2%} of the rows; in the last month there are {near.many:,} and {shared.many:,} signatures.",
    )


def linked() -> str:
    """Count the people about whom beliefs are exact, for pairs of releases of one hospital."""
    from tacit.adversaries.together import Sighting, read_together, with_small_worlds
    from tacit.table import Histogram, encode

    table = hospital(5_000)
    codes = encode(table.frame["diagnosis"])
    rng = np.random.default_rng(SEED)
    everyone, both = np.ones(len(table), dtype=bool), rng.random(len(table)) < 0.2
    first = both | (rng.random(len(table)) < 0.5)
    diverse = tc.LDiversity(l=2, kind="frequency")
    small, large = tc.Mondrian(guarantees=[diverse]), tc.Mondrian(guarantees=[tc.KAnonymity(k=10), diverse])
    pairs = {
        "Mondrian, l = 2, beside Anatomy, l = 2": [(small, everyone), (tc.Anatomy(l=2), everyone)],
        "the same with groups of 10 and more": [(large, everyone), (tc.Anatomy(l=2), everyone)],
        "Mondrian with and without groups of 10 and more": [(small, everyone), (large, everyone)],
        "Mondrian by two publishers, who share 20% of the people": [(small, first), (small, both | ~first)],
    }

    def sighting(number: int, method: tc.Mondrian | tc.Anatomy, inside: np.ndarray, known: np.ndarray) -> Sighting:
        part = tc.Table(
            table.frame.filter(pl.Series(inside)), quasi_identifiers=table.quasi_identifiers, sensitive="diagnosis"
        )
        group = np.full(len(table), -1, dtype=np.int64)
        group[inside] = np.unique(method.protect(part, seed=SEED).inside.group, return_inverse=True)[1]
        values = Histogram.of(group, int(group.max()) + 1, codes.codes.astype(np.int64), codes.cardinality)
        return Sighting(number, np.where(known, group, -1), values)

    lines = ["| two releases of 5,000 patients | in both | one value left | exact | fitted |", "|---|---|---|---|---|"]
    for name, pair in pairs.items():
        known = pair[0][1] & pair[1][1]
        seen = [sighting(number, method, inside, known) for number, (method, inside) in enumerate(pair)]
        belief = with_small_worlds(seen, read_together(seen, "diagnosis", codes.values))
        exact, one = int(belief.counted[known].sum()), int((belief.candidates[known] == 1).sum())
        lines.append(f"| {name} | {known.sum():,} | {one:,} | {exact:,} | {known.sum() - exact:,} |")
    return "\n".join(lines)


def distribution() -> Picture:
    """Weigh worlds by how diagnoses depend on sex and nationality."""
    protected = ["HIV infection", "heart disease"]
    names = ["sex", "nationality"]
    table = tc.Table(hospital(5_000).frame.select(*names, "diagnosis"), quasi_identifiers=names, sensitive="diagnosis")
    releases = {
        "Anatomy, 2-diverse": tc.Anatomy(l=2).protect(table, seed=SEED),
        "ART, 2-robust": tc.ART(r=2, protected=protected).protect(table, seed=SEED),
    }
    she = tc.DistributionAdversary(distribution=table, protected=protected)
    sure, over = {}, {}
    for name, release in releases.items():
        believed = she.attack(release)["diagnosis"].posterior
        sure[name] = believed[believed > 0]
        over[name] = she.problematic(release, r=2)["diagnosis"]
    first, last = sure
    return Picture(
        _sureness(sure, "Distribution: how sure she is of a protected diagnosis", who="patients"),
        f"HIV infection and heart disease among 5,000 made-up patients; she knows how they are distributed by sex and "
        f"nationality. In Anatomy's 2-diverse buckets she is surer than 1/2 of {over[first]} people, and certain of "
        f"{_certain(sure[first])}. In ART's she is surer than 1/2 of {over[last]}; the largest posterior is "
        f"{sure[last].max():.2f}. People in whose bucket nobody has either disease are not drawn. ART protects these "
        f"two here and no other diagnosis.",
    )


def quasi_sensitive() -> Picture:
    """Read symptoms with a book of diseases."""
    who = ["age", "sex", "nationality", "admission"]
    frame = hospital(5_000).frame.select(*who, "symptoms")
    table = tc.Table(frame, quasi_identifiers=who, items=["symptoms"])
    naive = tc.Release.foreign(frame, quasi_identifiers=who, sensitive=[], items=["symptoms"])
    promise = tc.QSDiversity(c=1, l=3, knowledge=knowledge())
    release = tc.QuasiSensitive(guarantee=promise, k=5, time_bound=0.5).protect(table, seed=SEED)
    found = {"diagnosis left out": naive, "QS (1, 3)-diverse": release}
    read = {name: tc.LabelAdversary(knowledge=knowledge()).attack(each) for name, each in found.items()}
    sure = {name: np.repeat(beliefs.posterior, beliefs.sizes) for name, beliefs in read.items()}
    first, last = sure
    cost = tc.utility(release, table)
    return Picture(
        _sureness(sure, "Harmless items: how sure she is of a hidden diagnosis", who="patients"),
        f"5,000 made-up patients with their symptoms and without their diagnoses, read with a book of diseases. She is "
        f"certain of {_certain(sure[first]):,} people; after items were removed, of {_certain(sure[last])}, and the "
        f"largest belief is {sure[last].max():.2f}. It costs NCP {cost.ncp:.3f} and {cost.item_cost:.1%} of the "
        f"items' weight.",
    )


def learning() -> Picture:
    """Learn from the release itself, and compare with the truth."""
    table = hospital()
    releases = {
        "Anatomy, random buckets": tc.Anatomy(l=2, buckets="random").protect(table, seed=SEED),
        "Anatomy, similar buckets": tc.Anatomy(l=2, buckets="similar").protect(table, seed=SEED),
    }
    she, sure, judged, expected = tc.LearningAdversary(), {}, {}, []
    for name, release in releases.items():
        known = dict(she.attack(release).items())
        belief, judged[name] = compared_with_truth(release, table, she, known)["diagnosis"]
        sure[name] = belief.posteriors
        expected.append(belief.expected)
    first, last = judged.values()
    return Picture(
        _sureness(sure, "Learning: how sure she is of a diagnosis, with nothing but the release", who="patients"),
        f"{len(table):,} made-up patients in buckets where no diagnosis is in more than half of the rows. From buckets "
        f"of people drawn at random she learns enough to guess {first.share:.0%} of the diagnoses right; from buckets "
        f"of similar people, of the same sizes, {last.share:.0%}. Knowing only the population she would guess "
        f"{first.prior_share:.0%} and {last.prior_share:.0%}; knowing the population and the groups "
        f"{first.informed_share:.0%} and {last.informed_share:.0%}, of which "
        f"[more below](#where-one-value-must-be-in-most-buckets). She herself expects {expected[0]:.0%} and "
        f"{expected[1]:.0%}: groups that she held out tell her how far to trust what she learned. Of the "
        f"{first.sure:,} people of whom she is more than 0.9 sure in random buckets she is right about "
        f"{first.sure_share:.0%}; in similar ones she is so sure of {last.sure:,}.",
    )


def guarantees() -> str:
    """Compare guarantees on one table: what is left to a reader, and what it costs."""
    who, five = ["age", "postcode", "sex"], tc.KAnonymity(k=5)
    frame = hospital(2_000).frame.select(*who, "diagnosis")
    table = tc.Table(frame, quasi_identifiers=who, sensitive="diagnosis")
    asked = {
        "k-anonymity, k = 5": [five],
        "and distinct l-diversity, l = 3": [five, tc.LDiversity(l=3)],
        "and entropy l-diversity, l = 2": [five, tc.LDiversity(l=2, kind="entropy")],
        "and recursive l-diversity, l = 2, c = 2": [five, tc.LDiversity(l=2, kind="recursive", c=2)],
        "and frequency l-diversity, l = 2": [five, tc.LDiversity(l=2, kind="frequency")],
        "and t-closeness, t = 0.4": [five, tc.TCloseness(t=0.4)],
        "and t-closeness, t = 0.2": [five, tc.TCloseness(t=0.2)],
        "and beta-likeness, beta = 5": [five, tc.BetaLikeness(beta=5)],
        "delta-disclosure, delta = 2": [tc.DeltaDisclosure(delta=2)],
    }
    lines = ["| Mondrian with ... | largest posterior | certain | groups | NCP |", "|---|---|---|---|---|"]
    for name, promised in asked.items():
        release = tc.Mondrian(guarantees=promised).protect(table, seed=SEED)
        found = tc.LinkageAdversary().attack(release)
        sure = found.beliefs["diagnosis"].posterior
        certain = int(found.candidates[sure >= 1].sum())
        cost = tc.utility(release, table).ncp
        lines.append(f"| {name} | {sure.max():.2f} | {certain} | {release.shape.statistics.count} | {cost:.3f} |")
    return "\n".join(lines)


def shares() -> str:
    """Say what share of the hospital's rows each suppression withholds, by l."""
    table = hospital()
    counts = table.counts("diagnosis")
    methods = [tc.UnsafeDSuppression, tc.RSuppression, tc.ShiftSuppression, tc.SafeDSuppression]
    lines = ["| l | unsafe-d | r-suppression | shift | safe-d |", "|---|---|---|---|---|"]
    for l in (3, 4, 5):
        cells = [f"{float(method(l=l).expected_suppression(counts)) / len(table):.3f}" for method in methods]
        lines.append(f"| {l} | {' | '.join(cells)} |")
    return "\n".join(lines)


def leaving() -> str:
    """Say how sure a reader is of somebody who left, if people with one value leave more often than others."""
    names = ["age", "sex", "education", "marital-status", "race"]
    table = census(6_000, sensitive="industry", quasi_identifiers=names, seed=SEED)
    has = (table.frame["industry"] == table.frame["industry"].mode().sort()[0]).to_numpy()
    often = (1, 2, 5, 20)
    lines = [
        f"| m | {' | '.join('as often' if x == 1 else f'{x} times as often' for x in often)} |",
        "|---|" + "---|" * 4,
    ]
    for m in (2, 4, 8):
        (group,) = tc.InvariantMarginals(m=m).protect(table, seed=SEED).inside.group.values()
        could = np.bincount(group, weights=has)[group] > 0  # everybody whose signature has the value
        cells = [f"{x * has.sum() / (x * has.sum() + (could & ~has).sum()):.2f}" for x in often]
        lines.append(f"| {m} | {' | '.join(cells)} |")
    return "\n".join(lines)


PICTURES: dict[str, Callable[[], Picture]] = {
    "linkage": linkage,
    "skew": skew,
    "risk": risk,
    "marginals": marginals,
    "changing": changing,
    "signatures": signatures,
    "distribution": distribution,
    "quasi_sensitive": quasi_sensitive,
    "learning": learning,
}


PAGE_OF = {"changing": "marginals", "signatures": "marginals"}
"""Pictures that stand on the page of another name."""

_ATTACKED = "The attack on a naive release and on ours"

TABLES: dict[str, tuple[str, Callable[[], str]]] = {
    "guarantees": ("linkage", guarantees),
    "shares": ("skew", shares),
    "leaving": ("marginals", leaving),
    "linked": ("marginals", linked),
}


def placed(page: str, kind: str, name: str, content: str) -> str:
    """Return a page with new content between its markers; a page without them stays as it is."""
    found = re.compile(rf"(<!-- {kind}:{name} -->\n).*?(<!-- {kind}:end -->)", flags=re.S)
    return found.sub(lambda match: f"{match[1]}\n{content}\n\n{match[2]}", page)


def shown(name: str, caption: str) -> str:
    """Return what stands in the page of a threat."""
    words = "NCP by month, for two ways to give signatures" if name == "signatures" else _ATTACKED
    return f"![{words}](../pictures/{name}.svg)\n\n{fill(caption, 120)}"


def main(wanted: Sequence[str]) -> None:
    """Draw the pictures and fill in the tables that were asked for, or all."""
    for name in wanted or [*PICTURES, *TABLES]:
        if name in PICTURES:
            picture = PICTURES[name]()
            charts.save(picture.chart, HERE / f"{name}.svg")
            _put(PAGE_OF.get(name, name), "picture", name, shown(name, picture.caption))
        else:
            page, make = TABLES[name]
            _put(page, "table", name, make())


def _put(page: str, kind: str, name: str, content: str) -> None:
    path = PAGES / f"{page}.md"
    before = path.read_text(encoding="utf-8")
    after = placed(before, kind, name, content)
    if after != before:
        path.write_text(after, encoding="utf-8")
    sys.stdout.write(f"{name}\n{content}\n\n")


def _sureness(posteriors: Mapping[str, Any], title: str, *, who: str) -> Any:
    """Draw how many people she is how sure of, release by release."""
    names = [f"{low:g} to {high:g}" for low, high in pairwise(_EDGES)]
    names[-1] = f"{_EDGES[-2]:g} to below 1"
    rows = []
    for name, given in posteriors.items():
        values = np.asarray(given, dtype=np.float64)
        certain = values >= 1 - 1e-9
        place = np.searchsorted(np.asarray(_EDGES[1:-1]) + 1e-9, values[~certain])
        counts = [*np.bincount(place, minlength=len(names)).tolist(), int(certain.sum())]
        shares = zip([*names, "certain"], counts, strict=True)
        rows += [{"posterior": at, "people": count, "of": name} for at, count in shares]
    colours = [BEFORE, BETWEEN, AFTER] if len(posteriors) > 2 else [BEFORE, AFTER]
    return _bars(rows, "posterior", "people", title=title, titles=("posterior", who), colours=colours)


def _bars(
    rows: Sequence[Mapping[str, Any]],
    x: str,
    y: str,
    *,
    title: str,
    titles: tuple[str, str],
    colours: Sequence[str],
) -> Any:
    names = list(dict.fromkeys(row["of"] for row in rows))
    legend = alt.Legend(orient="top", labelLimit=400)
    colour = alt.Color("of:N", title=None, legend=legend, scale=alt.Scale(domain=names, range=list(colours)))
    chart = charts.bars(rows, x, y, series="of", title=title, titles=titles, order=names)
    return chart.encode(color=colour).properties(width=560, height=240)


def _with_bound(chart: Any, height: float, name: str) -> Any:
    data = pl.DataFrame({"bound": [height], "name": [name]}).to_dicts()
    base: Any = alt.Chart.from_dict({"data": {"values": data}, "mark": "rule"})
    rule = base.mark_rule(strokeDash=[6, 4]).encode(y="bound:Q")
    text = base.mark_text(align="right", dy=-7, x=555).encode(y="bound:Q", text="name:N")
    return chart + rule + text


def _extract(table: tc.Table, columns: Sequence[str]) -> tc.Table:
    """Return what a department that knows nothing of another publication would start from."""
    sensitive = table.sensitive
    return tc.Table(table.frame.select(*columns, *sensitive), quasi_identifiers=columns, sensitive=sensitive)


def _alone(linked: Any) -> int:
    return int((linked.candidates == 1).sum())


def _certain(posteriors: Any) -> int:
    return int((np.asarray(posteriors) >= 1 - 1e-9).sum())


if __name__ == "__main__":
    main(sys.argv[1:])
