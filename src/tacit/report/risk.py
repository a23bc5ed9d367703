"""Risk in plain text: linkage risks, a histogram, where the risk comes from, and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from tacit.report.sentences import share

_WIDTH = 30


def risk_lines(risk: Any) -> list[str]:
    """Write what an inspection says about risk."""
    if risk is None:
        return []
    return [
        *_linkage(risk.linkage),
        *_special(risk.special_uniques),
        *_sampled(risk.population),
        *_disclosure(risk.profile),
    ]


def _special(found: Any) -> list[str]:
    """Write who is alone by few quasi-identifiers, and which columns and values make that so."""
    if found is None or not found.scored:
        return []
    values = [f"{v.column} = {'missing' if v.value is None else v.value} {v.share:.1%}" for v in found.by_value[:5]]
    lines = [
        "",
        f"special uniques (SUDA): sets of at most {found.largest} quasi-identifiers by which a record is alone",
        f" alone by some set {share(found.scored, found.rows)} records; largest score {found.scores.max():g}",
        " share of all scores by column  " + ", ".join(f"{name} {part:.1%}" for name, part in found.by_column if part),
        " share of all scores by value   " + ", ".join(values),
    ]
    if found.intrusion is not None:
        largest = float(found.dis_scores.max(initial=0.0))
        lines.append(
            f" DIS {found.intrusion:.4f}: a match with a unique record is right; largest DIS-SUDA {largest:.4f}"
        )
    return lines


def _sampled(found: Any) -> list[str]:
    """Write what it means that the table is a sample."""
    if found is None:
        return []
    presence = [] if found.presence is None else [" delta-presence {:.4f} to {:.4f}".format(*found.presence)]
    return [
        "",
        f"population risk: the table is {found.fraction:.2%} of {found.people:,.0f} people",
        f" k-map          k = {found.k_map:,.1f}: the fewest people who share somebody's quasi-identifiers",
        f" individual     {found.largest:.4f} at most; {found.expected:,.1f} right matches expected of all records",
        *presence,
        *(f" assumed: {sentence}" for sentence in found.assumptions),
    ]


def _linkage(linkage: Any) -> list[str]:
    if linkage is None:
        return []
    asked = [("prosecutor", linkage.above)]
    journalist = " -      knows that somebody is in a population; say --population FILE"
    if linkage.journalist is not None:
        journalist = f" {linkage.journalist:.4f} at most; knows that somebody is in the population"
        asked.append(("journalist", linkage.journalist_above))
    return [
        "",
        "linkage risks: somebody knows all quasi-identifiers",
        f" sample uniques {share(linkage.sample_uniques, linkage.rows)} records are alone with theirs",
        f" prosecutor     {linkage.prosecutor:.4f} at most; knows that somebody is in the table",
        f" journalist    {journalist}",
        f" marketer       {linkage.marketer:.4f} of all records would be matched right",
        *_aligned(
            [
                ("records with a risk above", *(f"{threshold:g}" for threshold, _ in linkage.above)),
                *((f" {who}", *(share(count, linkage.rows) for _, count in above)) for who, above in asked),
            ]
        ),
    ]


def _disclosure(profile: Any) -> list[str]:
    if profile is None:
        return []
    return [
        "",
        "disclosure risk: somebody knows any subset of the attributes",
        *_assumed(profile.risk),
        *_histogram(profile),
        " delta is for you to choose, it is never guessed: records above it lose cells (value-suppression)",
        *_combinations(profile),
        " share of each attribute: how much of the risk would be gone if nobody knew it",
        "  " + ", ".join(f"{name} {part:.1%}" for name, part in profile.shares),
    ]


def _assumed(risk: Any) -> list[str]:
    rows = [("known with probability", f"{number:g}", names) for number, names in _by_number(risk.known)]
    rows += [("weight if learned", f"{number:g}", names) for number, names in _by_number(risk.weights)]
    rows.append(("alpha", f"{risk.alpha:g}", "multiplies all risks"))
    labelled = [(what if not at or rows[at - 1][0] != what else "", *rest) for at, (what, *rest) in enumerate(rows)]
    return [
        " assumed; change it by --known sex=0.8,age=0.05 here, by risk = { known, weights, ... } in a recipe",
        *_aligned([tuple(row) for row in labelled]),
    ]


def _histogram(profile: Any) -> list[str]:
    bins = profile.histogram.bins
    total = sum(count for _, count in bins)
    largest = max([1, *(count for _, count in bins)])
    reached = list(accumulate((count for _, count in reversed(bins)), initial=0))[:0:-1]
    rows = [("risk", "records", "above the lower end", "")]
    for (name, count), above in zip(bins, reached, strict=True):
        bar = "#" * max(round(_WIDTH * count / largest), 1 if count else 0)
        rows.append((name, share(count, total), "" if name == "none" else share(above, total), bar))
    sampled = (
        "" if profile.sampled is None else f"; {profile.sampled:,} records sampled, each counted in the whole table"
    )
    return [f" histogram, a line for each power of ten{sampled}", *_aligned(rows)]


def _combinations(profile: Any) -> list[str]:
    which = " (of those counted)" if not profile.certain else ""
    lines = [f" riskiest combinations{which}: risk summed over all records, and its share of all risk"]
    whole = profile.mean * profile.rows
    return lines + _aligned(
        [
            (f"{each.total:.4g}", f"{each.total / whole:.1%}" if whole else "", ", ".join(each.columns))
            for each in profile.combinations
        ]
    )


def _by_number(given: Mapping[str, float] | None) -> list[tuple[float, str]]:
    """Name the columns of each number, the largest first."""
    by: dict[float, list[str]] = {}
    for name, number in (given or {}).items():
        by.setdefault(number, []).append(name)
    return [(number, ", ".join(names)) for number, names in sorted(by.items(), reverse=True)]


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(max((len(row) for row in rows), default=0))]
    return ["  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
