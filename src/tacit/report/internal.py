"""The internal report: what the data owner should know and nobody else.

It says what was withheld and why, what adversaries learn from whom no claim protects, the risk before and after, what
protection cost, and how to replay it; then everything that is public.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tacit.adversaries import Notice
from tacit.adversaries.learning import promised
from tacit.audits import ALSO_FOUND, Audit
from tacit.errors import Infeasible, RoleError
from tacit.guarantees import Evidence
from tacit.knowledge.learning.uncut import uncut_inside
from tacit.knowledge.quasi_sensitive import published_sets
from tacit.measures import Utility, distribution_distances
from tacit.measures.analysts import Usefulness
from tacit.methods.risk import risk_summaries
from tacit.report.charts import BLUE, GREY, ORANGE, bars, histogram, paired
from tacit.report.comparable_columns import comparable, left_out
from tacit.report.costly import costly
from tacit.report.evidence.gather import BoardOptions, internal_evidence
from tacit.report.evidence.sections import evidence_sections
from tacit.report.exposure import Exposure
from tacit.report.figures import ReleaseFigures, size_promised, tight_ends
from tacit.report.learning import equivalence_section, success_section, uncut_section
from tacit.report.public import compared, public_view
from tacit.report.queries import ASKED, asked
from tacit.report.sentences import headline, outcome
from tacit.report.usefulness import usefulness_sections
from tacit.report.view import Grid, Picture, ReportSection, ReportView
from tacit.shapes import Published, Shape
from tacit.table import Kind, Table

_MANY = 25
"""Values of a column that are drawn, the most frequent ones. More would show rarer values and fill more than a page.
Chosen by hand."""

_BINS = 16
"""Bins of a column of numbers or dates. More show finer detail in narrower bars. Chosen by hand."""

_DRAWN, _ASKED = 12, 4
"""Columns that are drawn, and sensitive columns that are asked about, of each table. More make the report longer and
slower to draw; chosen by hand."""

_PAIRS = 20
"""Pairs of columns that are listed of each table, those that changed most. Fifteen columns have over a hundred pairs,
which nobody reads. Chosen by hand."""


def internal_view(
    release: Published,
    audit: Audit,
    *,
    place: str,
    table: Table,
    cost: Utility,
    also_found: Sequence[Notice] = (),
    recipe: str | None = None,
    figures: ReleaseFigures | None = None,
    options: BoardOptions | None = None,
    useful: Usefulness | None = None,
) -> ReportView:
    """Say what the data owner should know besides what is public.

    Parameters
    ----------
    release, audit
        What is published, and the verdict on it.
    place
        What to call the table.
    table, cost
        What it was made from, and what that cost.
    also_found
        Warnings for the data owner only: what adversaries learn from whom no claim protects.
    recipe
        The recipe, to replay it.
    figures
        The figures of the release, where another report of it needs them as well.
    options
        What she asked the evidence to be about: a profile, people who were left out, an outside table, a population.
    useful
        What analysts can still use it for, where somebody asked.
    """
    figures = figures or ReleaseFigures(release.shape, release.unit)
    evidence = internal_evidence(release, audit, figures, table, options)
    asked = () if options is None else options.remarks
    public = public_view(release, audit, place, figures=figures, with_evidence=False)
    parts, after = figures.parts, figures.exposure
    success, heard = figures.learning(release, audit, table), figures.notices(release, audit, table)
    also_found = (*also_found, *heard)
    before = {name: {"before": was, "after": after[name]} for name, was in figures.exposure_before(table).items()}
    if table.people is not None and not release.shape.several:
        before = _people_found(release, table)
    moments = "Before: the table as it is. After: what is published."
    own = [
        _remarks(release, place, also_found),
        *evidence_sections(evidence, asked, original=True),
        *success_section(success, promised(release)),
        *equivalence_section(figures.equivalence(release, table)),
        *_uncut(release, table),
        compared(before, "Risk before and after", moments),
        *_disclosure(release, table),
        _cost(release, cost),
        *usefulness_sections(useful),
        _queries(parts, table),
        _distributions(parts, table),
    ]
    if recipe is not None:
        own.append(
            ReportSection(
                "Recipe",
                ("To replay it. Two releases of one table, each with its own random choices, can tell more than one.",),
                code=recipe,
                part="governance",
            )
        )
    return ReportView(f"{place}: internal report", headline(audit, also_found), (*own, *public.sections), evidence)


def _cost(release: Published, cost: Utility) -> ReportSection:
    grid = Grid(("measure", "value"), tuple(cost.rows()))
    return ReportSection("What it cost", tuple(costly(release, cost)), grid, part="mitigation")


def _people_found(release: Published, table: Table) -> dict[str, dict[str, Exposure]]:
    """Count people, not rows, before and after, where somebody has several rows."""
    evidence, shape = Evidence(release, table), release.shape
    after = Exposure.counted(evidence.groups, shape.sensitive)
    before = Exposure.before(table, shape)
    return {"": {"before": before, "after": after}} if after.unit == before.unit else {"": {"before": before}}


def _remarks(release: Published, place: str, also_found: Sequence[Notice]) -> ReportSection:
    remarks = () if release.inside is None else map(str, release.inside.remarks)
    further = (f"{ALSO_FOUND.capitalize()}: {notice.sentence}." for notice in also_found)
    return ReportSection("For the data owner only", (*remarks, outcome(release, place), *further))


def _uncut(release: Published, table: Table) -> list[ReportSection]:
    """Say how often it is true what a reader concludes from groups that were not cut further."""
    k = size_promised(release)
    if release.inside is None or not release.shape.flat or not release.shape.grouped:
        return []
    return uncut_section(uncut_inside(release.shape, release.inside, table, k, tight=tight_ends(release)), k)


def _disclosure(release: Published, table: Table) -> list[ReportSection]:
    """Show how disclosure risk is spread, if cells were suppressed for it."""
    summaries = risk_summaries(release, table)
    if not summaries:
        return []
    rows = [(s.when, f"{s.above:,} of {s.rows:,}", f"{s.cells:,}", f"{s.ncp:.5f}") for s in summaries]
    points: list[dict[str, Any]] = [
        {"risk": label, "records": n, "when": s.when} for s in summaries for label, n in s.bins
    ]
    order = sorted({point["risk"] for point in points}, key=lambda label: float(label.split()[0].replace("none", "0")))
    points.sort(key=lambda point: order.index(point["risk"]))
    chart = bars(
        points,
        "risk",
        "records",
        series="when",
        titles=("disclosure risk", "records (logarithmic)"),
        order=[s.when for s in summaries],
        colours=(GREY, BLUE, ORANGE),
        log=True,
    )
    threshold = f"Somebody knows any subset of a person's attributes. The threshold is {summaries[0].delta:g}."
    head = ("", "records above it", "cells suppressed", "NCP")
    caption = "Records by decade of disclosure risk"
    return [
        ReportSection(
            "Disclosure risk before and after", (threshold,), Grid(head, tuple(rows)), (Picture(caption, chart),)
        )
    ]


def _queries(parts: dict[str, Shape], table: Table) -> ReportSection:
    """Ask what an analyst asks: how many people are in some ranges, with a sensitive value in another."""
    rows, pictures, notes = [], [], []
    for name, part in parts.items():
        for sensitive in [each for each in part.sensitive if each in table.sensitive][:_ASKED]:
            of = f"{sensitive}, {name}" if name else sensitive
            try:
                answers = asked(part, table, sensitive)
            except (Infeasible, RoleError) as error:
                notes.append(f"{of}: no queries were asked. {error.message}")
                continue
            rows.append((of, f"{answers.median:.2%}", f"{answers.mean:.2%}"))
            shown = histogram(
                np.minimum(answers.errors, 2.0), np.ones(len(answers.errors)), "relative error", "queries"
            )
            pictures.append(Picture(f"Queries by their relative error (2 stands for more): {of}", shown))
    if not rows:
        return ReportSection("Query error", (*notes, "There is no sensitive column to ask about."), part="mitigation")
    return ReportSection(
        "Query error",
        (ASKED, *notes),
        Grid(("queries about", "median error", "mean error"), tuple(rows)),
        tuple(pictures),
        part="mitigation",
    )


def _distributions(parts: dict[str, Shape], table: Table) -> ReportSection:
    """Show every column before and after."""
    rows: list[tuple[str, ...]] = []
    pictures: list[Picture] = []
    notes: list[str] = []
    for name, part in parts.items():
        of = f" of {name}" if name else ""
        shown = Published(part)
        coarse = comparable(part, table)
        distances = distribution_distances(shown, table, columns=coarse)
        notes += [f"{column}{of} has too many values to be compared one by one." for column in left_out(part, table)]
        rows += [(column + of, f"{d.total_variation:.4f}") for column, d in distances.one_way.items()]
        pairs = sorted(distances.two_way.items(), key=lambda pair: -pair[1].total_variation)
        rows += [(f"{a} and {b}{of}", f"{d.total_variation:.4f}") for (a, b), d in pairs[:_PAIRS]]
        if len(pairs) > _PAIRS:
            notes.append(f"Of the {len(pairs)} pairs of columns{of}, the {_PAIRS} that changed most are listed.")
        for column, (before, after) in list(distances.counts.items())[:_DRAWN]:
            pictures.append(_paired(column, of, table, before, after))
        pictures += [_items(column, of, table, part) for column in part.items if column in table.items]
    explanation = "Total variation between the table and what a reader reconstructs, 0 (the same) to 1."
    grid = Grid(("distribution of", "total variation"), tuple(rows))
    said = (explanation, *notes)
    return ReportSection("Distributions before and after", said, grid, tuple(pictures), part="mitigation")


def _paired(column: str, of: str, table: Table, before: Any, after: Any) -> Picture:
    """Draw how often the values of a column are in the table and, as a reader reconstructs it, in the release."""
    codes, kind = table.codes(column), table.column(column).kind
    numbers = codes.values.to_physical() if kind in {Kind.NUMERIC, Kind.DATE} else None
    if numbers is not None and len(codes.values) > _BINS and not numbers.null_count():
        at = np.minimum(np.arange(len(before)) * _BINS // len(before), _BINS - 1)  # codes of numbers ascend
        texts = codes.texts.to_list()
        first = [int(np.searchsorted(at, b)) for b in range(_BINS)] + [len(before)]
        names = [texts[a] if b - a == 1 else f"{texts[a]} to {texts[b - 1]}" for a, b in pairwise(first)]
        heights = [np.bincount(at, weights=mass, minlength=_BINS) for mass in (before, after)]
        rows = [(label, round(x), round(y)) for label, x, y in zip(names, *heights, strict=True)]
        return Picture(f"{column}{of} before and after", paired(rows))
    chosen = np.argsort(-before, kind="stable")[:_MANY].tolist()
    rows = [(str(codes.texts[i]), round(before[i]), round(after[i])) for i in chosen]
    return Picture(f"{column}{of} before and after{_more(len(before))}", paired(rows))


def _items(column: str, of: str, table: Table, part: Shape) -> Picture:
    original, published = table.item_sets(column), published_sets(part, column)[0].sets
    before = np.bincount(original.codes, minlength=len(original.vocabulary))
    counts = np.bincount(published.codes, minlength=len(published.vocabulary))
    after = dict(zip(published.vocabulary.to_list(), counts.tolist(), strict=True))
    names = original.vocabulary.to_list()
    chosen = np.argsort(-before, kind="stable")[:_MANY].tolist()
    rows = [(str(names[i]), int(before[i]), int(after.get(names[i], 0))) for i in chosen]
    return Picture(f"{column}{of} before and after{_more(len(names))}", paired(rows))


def _more(values: int) -> str:
    return f", the {_MANY} most frequent values" if values > _MANY else ""
