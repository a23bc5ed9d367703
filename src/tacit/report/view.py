"""View: what a report says, as values; how it looks is decided elsewhere.

The public view holds only what the public frames, verdicts and scalar parameters tell. The internal view adds what the
data owner should know and nobody else: what was withheld and why, what it cost, how to replay it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from tacit.audits import VERDICT, Audit
from tacit.measures import Utility, distribution_distances
from tacit.report.charts import histogram, paired
from tacit.report.sentences import outcome, parameters, probability
from tacit.shapes import Marginals, Published
from tacit.table import Table, as_text

_MANY = 25


@dataclass(frozen=True)
class Grid:
    """A table of text with a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A chart's specification and what it shows in words."""

    caption: str
    chart: Any


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    title: str
    paragraphs: tuple[str, ...] = ()
    grid: Grid | None = None
    pictures: tuple[Picture, ...] = ()
    code: str | None = None


@dataclass(frozen=True)
class View:
    """A whole report."""

    title: str
    verdict: str
    sections: tuple[Section, ...] = field(default_factory=tuple)

    def as_dict(self) -> dict[str, Any]:
        """Return the words and numbers for JSON; pictures by their captions."""
        sections = []
        for section in self.sections:
            told = asdict(Section(section.title, section.paragraphs, section.grid, (), section.code))
            told["pictures"] = [picture.caption for picture in section.pictures]
            sections.append(told)
        return {"title": self.title, "verdict": self.verdict, "sections": sections}


def public_view(release: Published, audit: Audit, place: str = "This table") -> View:
    """Say what everybody may read."""
    return View(
        f"{place}: what was published, and what it does not tell",
        _verdict(audit),
        (_published(release), _promises(release, audit), _limits(audit), _groups(release), _made(release)),
    )


def internal_view(
    release: Published,
    audit: Audit,
    *,
    place: str,
    table: Table | None,
    cost: Utility | None,
    recipe: str | None = None,
) -> View:
    """Say what the data owner should know besides."""
    public = public_view(release, audit, place)
    own = [_remarks(release, place)]
    if table is not None and cost is not None:
        own += [_cost(cost), _distributions(release, table)]
    if recipe is not None:
        own.append(
            Section(
                "Recipe",
                ("To replay it. Two releases of one table, each with its own random choices, can tell more than one.",),
                code=recipe,
            )
        )
    return View(f"{place}: internal report", public.verdict, (*own, *public.sections))


def _verdict(audit: Audit) -> str:
    if not audit.findings:
        return "Nothing is claimed."
    return {
        True: "Every claimed guarantee holds.",
        False: "A claimed guarantee does not hold.",
        None: "A claimed guarantee cannot be checked.",
    }[audit.holds]


def _published(release: Published) -> Section:
    shape = release.shape
    told = {
        "microdata": "Rows are published as they were, but for suppressed cells.",
        "generalized": "Rows are published with blurred quasi-identifiers: intervals, sets, or nodes of a hierarchy.",
        "bucketized": "Who is in a group and which sensitive values are in it are published in separate tables.",
        "marginals": "Several tables about the same people are published.",
    }[shape.name]
    size = "" if release.size is None else f" of {release.size:,}"
    kept = f"{shape.rows:,}{size} people are in it."
    if release.size is not None and release.size > shape.rows:
        kept += f" {release.size - shape.rows:,} are withheld."
    rows = tuple((c.name, c.role.value, c.kind.value, _marks(c.blurred, c.suppressed)) for c in shape.columns)
    return Section("What was published", (f"{told} {kept}",), Grid(("column", "role", "kind", "cells"), rows))


def _marks(blurred: bool, suppressed: bool) -> str:
    return (
        ", ".join(word for word, on in (("blurred", blurred), ("some suppressed", suppressed)) if on) or "as they were"
    )


def _promises(release: Published, audit: Audit) -> Section:
    knowledge = {claim.guarantee.name: getattr(claim.guarantee, "knowledge", "") for claim in release.claims}
    rows = []
    for finding in audit.findings:
        reached = probability(finding.posterior) + (
            "" if finding.bound is None else f" (bound {probability(finding.bound)})"
        )
        rows.append(
            (
                f"{finding.guarantee} {parameters(finding)}".strip(),
                VERDICT[finding.holds],
                knowledge.get(finding.guarantee, ""),
                finding.sentence,
                reached if finding.posterior is not None else "",
                finding.exactness,
                {"apart": "judged apart, see below", "none": "none"}.get(finding.withheld, finding.withheld),
            )
        )
    head = (
        "guarantee",
        "verdict",
        "somebody who knows ...",
        "what was found",
        "largest posterior",
        "figures",
        "withheld rows",
    )
    told = "Each was judged again from the published files alone; those who are missing were judged as well."
    return Section(
        "Against whom it is safe",
        (told,) if rows else ("Nothing is claimed.",),
        Grid(head, tuple(rows)) if rows else None,
    )


def _limits(audit: Audit) -> Section:
    told = tuple(f"{notice.sentence[:1].upper()}{notice.sentence[1:]}." for notice in audit.warnings)
    always = "Nothing is promised against knowledge that no guarantee above is about."
    return Section("What it does not promise", (*told, always))


def _groups(release: Published) -> Section:
    parts = release.shape.parts if isinstance(release.shape, Marginals) else {"": release.shape}
    pictures = []
    for name, part in parts.items():
        sizes = part.statistics.sizes[part.statistics.sizes > 0]
        if not len(sizes):
            continue
        of = f" of {name}" if name else ""
        pictures.append(
            Picture(f"People by the size of their group{of}", histogram(sizes, sizes, "rows of the group", "people"))
        )
        for column, counted in part.statistics.histograms.items():
            filled = counted.sizes() > 0
            worst = counted.largest()[filled] / counted.sizes()[filled]
            caption = f"People by how sure a reader of the table is of their {column}{of}"
            pictures.append(
                Picture(
                    caption,
                    histogram(worst, counted.sizes()[filled], "largest share of a value in the group", "people"),
                )
            )
    return Section("Groups that cannot be told apart", (), None, tuple(pictures))


def _made(release: Published) -> Section:
    method = release.method
    if method is None:
        return Section("How it was made", ("By another tool.",))
    steps = method.get("steps", [method])
    rows = tuple((str(step["name"]), ", ".join(f"{k} = {v}" for k, v in step.items() if k != "name")) for step in steps)
    told = "Random choices came from the operating system and are not kept."
    if release.reproducible:
        told = "A seed was given: this release is for tests only."
    return Section("How it was made", (told,), Grid(("step", "public parameters"), rows))


def _remarks(release: Published, place: str) -> Section:
    remarks = () if release.inside is None else release.inside.remarks
    return Section("For the data owner only", (*remarks, outcome(release, place)))


def _cost(cost: Utility) -> Section:
    return Section("What it cost", (), Grid(("measure", "value"), tuple(cost.rows())))


def _distributions(release: Published, table: Table) -> Section:
    pictures = []
    for name in release.shape.sensitive:
        if name not in table.sensitive or isinstance(release.shape, Marginals):
            continue
        counts = release.shape.totals.histograms[name].totals()
        seen = dict(zip(as_text(release.shape.dictionary(name)).to_list(), counts.tolist(), strict=True))
        texts = table.codes(name).texts.to_list()
        before = table.counts(name)
        chosen = np.argsort(-before, kind="stable")[:_MANY]
        rows = [(str(texts[i]), int(before[i]), int(seen.get(texts[i], 0))) for i in chosen.tolist()]
        more = f", the {_MANY} most frequent values" if len(texts) > _MANY else ""
        pictures.append(Picture(f"{name} before and after{more}", paired(rows)))
    if isinstance(release.shape, Marginals):
        return Section("Distributions before and after", (), None, tuple(pictures))
    found = distribution_distances(release, table)
    one = tuple((name, f"{d.total_variation:.4f}") for name, d in found.one_way.items())
    two = tuple((f"{a} and {b}", f"{d.total_variation:.4f}") for (a, b), d in found.two_way.items())
    told = "Total variation between the table and what a reader reconstructs, 0 (the same) to 1."
    grid = Grid(("distribution of", "total variation"), (*one, *two))
    return Section("Distributions before and after", (told,), grid, tuple(pictures))
