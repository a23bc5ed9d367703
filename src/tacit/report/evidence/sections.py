"""The evidence in words: sections of a report."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.measures.risk import PopulationRisk, SpecialUniques
from tacit.report.evidence.board import BoardEvidence
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.requirement import ProfileResult
from tacit.report.sentences import share
from tacit.report.view import Grid, ReportSection

_INTERVALS = (
    "Intervals are Wilson's at 95%, and mean something where the people are a random draw. Nothing here says that "
    "nobody can be identified: it says how often these attacks are right."
)


def evidence_sections(evidence: BoardEvidence, remarks: Sequence[str] = (), *, original: bool) -> list[ReportSection]:
    """Write the evidence; `original` says whether special uniques are those of the table or of the published rows."""
    sections = [] if evidence.profile is None else [profile_section(evidence.profile)]
    for at, heading in enumerate(evidence.headings):
        sections.append(heading_section(heading, (_INTERVALS, *remarks) if at == 0 else ()))
    if evidence.special_uniques is not None:
        sections.append(uniques_section(evidence.special_uniques, original=original))
    if evidence.population is not None:
        sections.append(population_section(evidence.population))
    return sections


def heading_section(heading: Heading, notes: Sequence[str] = ()) -> ReportSection:
    """Write one of the three headings."""
    rows = [(f.name, f.written, f.compared, f.adversary, f.sentence) for f in heading.figures]
    return ReportSection(
        heading.name.capitalize(),
        (heading.question, *notes, *heading.remarks),
        Grid(("attack", "right", "beside", "somebody who", "in words"), tuple(rows)),
    )


def profile_section(result: ProfileResult) -> ReportSection:
    """Write what a profile asks."""
    rows = [(each.name, each.threshold or "-", each.figure, each.verdict, each.source) for each in result.requirements]
    return ReportSection(
        f"Profile {result.profile}",
        (result.sentence, result.is_not),
        Grid(("asked", "threshold", "found", "verdict", "source"), tuple(rows)),
    )


def uniques_section(found: SpecialUniques, *, original: bool) -> ReportSection:
    """Write who is alone by few columns, and why."""
    whose = "of the table, before anything was done" if original else "of the published rows"
    rows = [
        (f"alone by some set of at most {size}", share(count, found.rows))
        for size, count in enumerate(found.alone, start=1)
    ]
    rows += [("alone by all of them together", share(found.unique, found.rows))]
    rows += [(f"minimal sets of {size}", f"{count:,}") for size, count in enumerate(found.sets, start=1)]
    rows += [("largest score", f"{float(found.scores.max(initial=0.0)):g}")]
    if found.intrusion is not None and found.dis_scores is not None:
        rows += [
            ("a match with a unique row is right (DIS)", f"{found.intrusion:.4f}"),
            ("largest DIS-SUDA", f"{float(found.dis_scores.max(initial=0.0)):.4f}"),
        ]
    rows += [(f"share of all scores: {name}", f"{part:.1%}") for name, part in found.by_column if part]
    if original:
        rows += [
            (f"share of all scores: {v.column} = {'missing' if v.value is None else v.value}", f"{v.share:.1%}")
            for v in found.by_value[:10]
        ]
    explained = (
        f"A minimal set is a smallest set of quasi-identifiers by which a row is alone ({whose}). Who is alone by few "
        "is more probably alone in the population too. The fewer columns a set has, the more it adds to the score of "
        "its row."
    )
    return ReportSection("Special uniques", (explained, *found.assumptions), Grid(("figure", "value"), tuple(rows)))


def population_section(found: PopulationRisk) -> ReportSection:
    """Write what it means that the table is a sample."""
    estimated = "" if found.basis == "population" else ", estimated"
    rows = [
        ("rows of the table", f"{found.rows:,}"),
        (f"people of the population{estimated}", f"{found.people:,.0f}"),
        (f"fewest people like somebody (k of k-map){estimated}", f"{found.k_map:,.1f}".removesuffix(".0")),
        *((f"rows with fewer than {k} people like them", share(n, found.rows)) for k, n in found.k_map_below),
        ("largest individual risk", f"{found.largest:.4f}"),
        ("right matches expected, of all rows", f"{found.expected:,.1f}"),
        *((f"individual risk above {at:g}", share(n, found.rows)) for at, n in found.above),
    ]
    if found.presence is not None:
        low, high = found.presence
        rows.append(("delta-presence, least and largest", f"{low:.4f} to {high:.4f}"))
    return ReportSection(
        "The table as a sample of a population", found.assumptions, Grid(("figure", "value"), tuple(rows))
    )
