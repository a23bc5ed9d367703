"""The public report: only what the public frames, verdicts and scalar parameters tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from tacit.adversaries import Linkage
from tacit.adversaries.learning import promised
from tacit.audits import VERDICT, Audit
from tacit.guarantees.finding import Parts
from tacit.guarantees.registry import classes
from tacit.knowledge.learning.uncut import uncut
from tacit.measures.small_counts import SmallCounts
from tacit.report.charts import BLUE, GREY, bars
from tacit.report.evidence.gather import BoardOptions, public_evidence
from tacit.report.evidence.sections import evidence_sections
from tacit.report.exposure import Exposure
from tacit.report.figures import ReleaseFigures, size_promised, tight_ends
from tacit.report.hiding import hidden_evidence, hidden_section
from tacit.report.learning import facts_section, learned_section, uncut_section
from tacit.report.sentences import headline, left_out, probability, readers
from tacit.report.view import Grid, Picture, ReportSection, ReportView
from tacit.shapes import Published, PublishedColumn, Shape
from tacit.shapes.cells import is_blurred
from tacit.table import Role

_PICTURED = 4  # sensitive columns that are drawn, so that the report stays short; its figures are about all of them


def public_view(
    release: Published,
    audit: Audit,
    place: str = "This table",
    linkage: Linkage | None = None,
    figures: ReleaseFigures | None = None,
    options: BoardOptions | None = None,
    hide: SmallCounts | None = None,
    with_evidence: bool = True,
) -> ReportView:
    """Say what everybody may read.

    Parameters
    ----------
    release, audit
        What is published, and the verdict on it.
    place
        What to call it.
    linkage
        What a list of victims gave away, where one was given.
    figures
        The figures of the release, where another report of it needs them as well.
    options
        What the data owner asked the evidence to be about: a profile of thresholds.
    hide
        What decides which counts are shown, where a profile allows no small ones.
    with_evidence
        Whether what a board asks is in it; the report for the data owner says more of that, and before it.
    """
    figures = figures or ReleaseFigures(release.shape, release.unit)
    sections = _sections(release, audit, linkage, figures)
    verdict, known, board = headline(audit), None, []
    if hide is not None:
        verdict, sections = hide.text(verdict), [hidden_section(section, hide) for section in sections]
    if with_evidence:
        known = public_evidence(release, audit, figures, options)
        known = known if hide is None else hidden_evidence(known, hide)
        board = evidence_sections(known, original=False)
    return ReportView(
        f"{place}: what was published, and what it does not tell",
        verdict,
        (*sections[:_PROMISES], *board, *sections[_PROMISES:], _made(release)),
        known,
    )


_PROMISES = 4
"""Sections that say what is published and promised; what a board asks follows them."""


def _sections(
    release: Published, audit: Audit, linkage: Linkage | None, figures: ReleaseFigures
) -> list[ReportSection]:
    """Say what is published, against whom it is safe, and what attacks find."""
    victims = () if linkage is None else (_victims(linkage),)
    size = size_promised(release)
    return [
        _published(release),
        _promises(audit),
        _assumed(audit),
        _limits(audit),
        *learned_section({} if audit.learned is None else audit.learned.columns, promised(release)),
        *facts_section(release.shape),
        *uncut_section(uncut(release.shape, size, tight=tight_ends(release)), size),
        *victims,
        _exposed(figures),
    ]


def compared(parts: Mapping[str, Mapping[str, Exposure]], title: str, explanation: str) -> ReportSection:
    """Compare exposures side by side, as figures and as pictures: per table, before and after."""
    moments = list(dict.fromkeys(moment for exposures in parts.values() for moment in exposures))
    rows, pictures = [], []
    for name, exposures in parts.items():
        of = f" of {name}" if name else ""
        figures = {moment: exposure.figures() for moment, exposure in exposures.items()}
        labels = dict.fromkeys(label for each in figures.values() for label in each)
        rows += [
            (f"{name}: {label}" if name else label, *(figures[moment].get(label, "-") for moment in moments))
            for label in labels
        ]
        counts = {moment: exposure.by_size() for moment, exposure in exposures.items()}
        unit = next(iter(exposures.values())).unit
        may_be = f"{unit}{of} they may be"
        pictures.append(
            Picture(f"{unit.capitalize()} by how many {may_be}", _counted(counts, f"{unit} they may be", unit))
        )
        every = dict.fromkeys(c for exposure in exposures.values() for c in exposure.posterior)
        for column in list(every)[:_PICTURED]:
            sure = {
                m: exposure.by_posterior(column) for m, exposure in exposures.items() if column in exposure.posterior
            }
            caption = f"{unit.capitalize()} by how sure a reader{of} is of their {column}"
            pictures.append(Picture(caption, _counted(sure, "posterior of the likeliest value", unit)))
    return ReportSection(
        title, (explanation,), Grid(("somebody knows all quasi-identifiers", *moments), tuple(rows)), tuple(pictures)
    )


def _counted(counts: Mapping[str, Mapping[str, int]], title: str, unit: str) -> Any:
    rows = [
        {"at": at, unit: number, "when": moment} for moment, numbers in counts.items() for at, number in numbers.items()
    ]
    colours = [{"before": GREY}.get(moment, BLUE) for moment in counts]
    return bars(rows, "at", unit, series="when", titles=(title, unit), order=list(counts), colours=colours)


def _published(release: Published) -> ReportSection:
    shape = release.shape
    kept = f"{shape.rows:,} {release.unit} are in it."
    if release.size is not None:
        missing = release.size - shape.rows
        kept = f"{shape.rows:,} of {release.size:,} {release.unit} are in it, {missing:,} are withheld."
        kept = kept if missing else f"All {shape.rows:,} {release.unit} of the table are in it."
    if release.persons == "several rows":
        kept += " A person may have several rows; guarantees were judged by people and by rows."
    rows = tuple(
        (_called(c), c.role.value, c.kind.value, _cells(shape, c, release.method is None)) for c in shape.columns
    )
    return ReportSection(
        "What was published",
        (f"{shape.sentence} {kept}", *left_out(release)),
        Grid(("column", "role", "kind", "cells"), rows),
        part="data",
    )


def _called(column: PublishedColumn) -> str:
    """Name a column, with what its source calls it in full."""
    return column.name if column.label is None else f"{column.name} ({column.label})"


def _cells(shape: Shape, column: PublishedColumn, foreign: bool) -> str:
    """Say what was done to the cells of a column, as far as the public frames tell."""
    if column.role is Role.ITEMS:
        return "sets" if foreign else "sets, from which items may have been removed"
    marks = [
        word
        for word, marked in (
            ("blurred", _is_blurred(shape, column)),
            ("some suppressed", column.suppressed),
            ("some changed at random", column.changed),
        )
        if marked
    ]
    return ", ".join(marks) or ("nothing is blurred or suppressed" if foreign else "as they were")


def _is_blurred(shape: Shape, column: PublishedColumn) -> bool:
    """Tell whether a cell is an interval, a set, a node or `*`, and not only written as a text that could be one."""
    if not column.foreign:
        return column.blurred and shape.grouped
    frames = [frame[column.name] for frame in shape.frames().values() if column.name in frame]
    return any(bool(is_blurred(texts).any()) for texts in frames if texts.dtype == pl.String)


def _promises(audit: Audit) -> ReportSection:
    if not audit.findings:
        return ReportSection("Against whom it is safe", ("Nothing is claimed.",))
    rows = []
    for finding in audit.findings:
        bound = "" if finding.bound is None else f" (bound {probability(finding.bound)})"
        rows.append(
            (
                finding.title,
                VERDICT[finding.holds],
                finding.reason,
                "" if finding.posterior is None else probability(finding.posterior) + bound,
                finding.exactness,
                _parts(finding.parts),
            )
        )
    head = ("guarantee", "verdict", "what was found", "largest posterior", "figures", "parts of the promise")
    judged = (
        "Each was judged again. The last column says of each part of a promise what was found: the published rows, the "
        "rows that were withheld, the blank cells, and whether the files are what the method makes of the table."
    )
    return ReportSection("Against whom it is safe", (judged, *readers(audit)), Grid(head, tuple(rows)))


def _parts(parts: Parts) -> str:
    """Write what was found of each part that there is."""
    names = {"published": "published rows", "withheld": "withheld rows", "blanks": "blank cells", "replayed": "method"}
    words = {"apart": "judged apart, see below"}
    verdicts = {names[part]: verdict for part, verdict in asdict(parts).items() if verdict != "none"}
    return "; ".join(f"{name}: {words.get(verdict, verdict)}" for name, verdict in verdicts.items())


def _assumed(audit: Audit) -> ReportSection:
    """Spell out what each adversary knows."""
    known = {name: each.knowledge for name, each in classes().items()}
    names = dict.fromkeys(finding.guarantee for finding in audit.findings)
    knowledge = tuple(f"{name}: somebody who knows {known[name]}." for name in names if known.get(name))
    always = "Whoever she is, she has the published files and all the time she needs."
    return ReportSection("What the adversary is assumed to know", (*knowledge, always), part="context")


def _limits(audit: Audit) -> ReportSection:
    warnings = tuple(f"{notice.sentence[:1].upper()}{notice.sentence[1:]}." for notice in audit.warnings)
    always = (
        "Nothing is promised against knowledge that no guarantee above is about; what knowing the algorithm adds is "
        "bounded only where a guarantee says so."
    )
    return ReportSection("What it does not promise", (*warnings, always))


def _victims(linkage: Linkage) -> ReportSection:
    asked = len(linkage.candidates)
    rows = [
        ("people on the list", f"{asked:,}"),
        ("may be in the table", f"{int((linkage.candidates > 0).sum()):,}"),
        ("exactly one row fits them", f"{int((linkage.candidates == 1).sum()):,}"),
        ("largest posterior", probability(linkage.max_posterior)),
    ]
    rows += [(f"{name} is certain", f"{int((b.posterior >= 1.0).sum()):,}") for name, b in linkage.beliefs.items()]
    return ReportSection("What a list of people gives away", (), Grid(("somebody has the list", "found"), tuple(rows)))


def _exposed(figures: ReleaseFigures) -> ReportSection:
    explanation = "Counted from the published files. Being found is not yet being told about: see the posteriors."
    after = {name: {"published": exposure} for name, exposure in figures.exposure.items()}
    return compared(after, "Who can be found, and what that tells", explanation)


def _made(release: Published) -> ReportSection:
    method = release.method
    if method is None:
        return ReportSection("How it was made", ("By another tool.",), part="mitigation")
    steps = method.get("steps", [method])
    rows = tuple((str(step["name"]), _parameters(step)) for step in steps)
    draws = "Random choices came from the operating system and are not kept."
    if release.reproducible:
        draws = "A seed was given: this release is for tests only."
    grid = Grid(("step", "public parameters"), rows)
    return ReportSection("How it was made", (draws,), grid, part="mitigation")


def _parameters(given: Mapping[str, Any]) -> str:
    """Write parameters; one that has a name itself, such as a guarantee, as `k-anonymity (k = 5)`."""
    return ", ".join(f"{key} = {_written(value)}" for key, value in given.items() if key != "name")


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = _parameters(value)
        return f"{value['name']} ({inner})" if "name" in value else inner or "as usual"
    if isinstance(value, list | tuple):
        return ", ".join(_written(each) for each in value)
    return str(value)
