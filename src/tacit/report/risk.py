"""Risk in plain text: linkage risks, a histogram, where the risk comes from, and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tacit.report.sentences import share

_WIDTH = 30


def risk_lines(found: Any) -> list[str]:
    """Write what an inspection found about risk."""
    if found is None:
        return []
    return [*_linkage(found.linkage), *_disclosure(found.profile)]


def _linkage(found: Any) -> list[str]:
    if found is None:
        return []
    above = ", ".join(f"{threshold:g}: {share(count, found.rows)}" for threshold, count in found.above)
    population = "no population given" if found.journalist is None else f"{found.journalist:.4f}"
    return [
        "",
        "linkage risks: somebody knows all quasi-identifiers",
        f" sample uniques  {share(found.sample_uniques, found.rows)}",
        f" prosecutor      largest {found.prosecutor:.4f}; records above {above}",
        f" journalist      largest {population}",
        f" marketer        {found.marketer:.4f} of all records would be matched right",
    ]


def _disclosure(found: Any) -> list[str]:
    if found is None:
        return []
    told = "" if found.sampled is None else f" ({found.sampled:,} records sampled, counted in the whole table)"
    lines = ["", f"disclosure risk: somebody knows any subset of the attributes {told}"]
    lines += [f" assumed  alpha {found.risk.alpha:g}; known: {_pairs(found.risk.known)}"]
    lines += [f"          weights: {_pairs(found.risk.weights)}; change it with DisclosureRisk(known=..., weights=...)"]
    largest = max([found.histogram.none, *found.histogram.counts, 1])
    rows = [("none", found.histogram.none)]
    rows += [
        (f"1e{d}..1e{d + 1}", count) for d, count in zip(found.histogram.decades, found.histogram.counts, strict=True)
    ]
    lines += [f" {name:>10}  {count:>11,}  {'#' * round(_WIDTH * count / largest)}".rstrip() for name, count in rows]
    lines.append(" delta is for you to choose: records above it lose cells (value-suppression)")
    lines.append(f" riskiest combinations, their risk over all records{'' if found.certain else ' (of those counted)'}")
    lines += [f"  {each.total:10.4g}  {', '.join(each.columns)}" for each in found.combinations]
    lines.append(" share of each attribute: how much of the risk would be gone if nobody knew it")
    lines.append("  " + ", ".join(f"{name} {part:.1%}" for name, part in found.shares))
    return lines


def _pairs(given: Mapping[str, float] | None) -> str:
    """Name the columns of each number, the largest first."""
    by: dict[float, list[str]] = {}
    for name, number in (given or {}).items():
        by.setdefault(number, []).append(name)
    return "; ".join(f"{number:g} {', '.join(names)}" for number, names in sorted(by.items(), reverse=True))
