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
    return [*_linkage(risk.linkage), *_disclosure(risk.profile)]


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
