"""Gathering the evidence of a release: once for everybody, once for the data owner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from tacit.audits import Audit
from tacit.errors import TacitError
from tacit.measures.risk import (
    PopulationRisk,
    SpecialUniques,
    affordable,
    special_uniques,
)
from tacit.report.evidence.board import BoardEvidence
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.holdout import HoldOut
from tacit.report.evidence.inference import inference
from tacit.report.evidence.linkability import OutsideTable, linkability
from tacit.report.evidence.singling_out import singling_out
from tacit.report.figures import ReleaseFigures
from tacit.report.profiles import Measured, judged
from tacit.shapes import Published
from tacit.table import Table


@dataclass(frozen=True, eq=False)
class BoardOptions:
    """What a data owner asked the evidence to be about.

    Attributes
    ----------
    profile
        The name of a profile of thresholds; None for none.
    holdout
        A second release of a random part, which is never published; None where nobody asked for it.
    outside
        A table that somebody else has.
    population
        What it means that the table is a sample.
    remarks
        Why something that was asked for was not assessed.
    """

    profile: str | None = None
    holdout: HoldOut | None = None
    outside: OutsideTable | None = None
    population: PopulationRisk | None = None
    remarks: tuple[str, ...] = ()


def public_evidence(
    release: Published, audit: Audit, figures: ReleaseFigures, options: BoardOptions | None = None
) -> BoardEvidence:
    """Gather what the published files tell anybody."""
    options = options or BoardOptions()
    alone = figures.special_uniques
    learned = {} if audit.learned is None else audit.learned.columns
    headings = (
        singling_out(figures.exposure, alone),
        linkability(figures.exposure),
        inference(figures.parts, figures.exposure, learned),
    )
    return _evidence(release, figures, options, headings, alone, next(iter(alone.values()), None))


def internal_evidence(
    release: Published, audit: Audit, figures: ReleaseFigures, table: Table, options: BoardOptions | None = None
) -> BoardEvidence:
    """Gather what the data owner can tell besides: what is true, and what people tell who are not in the release."""
    options = options or BoardOptions()
    alone = figures.special_uniques
    learned = {} if audit.learned is None else dict(audit.learned.columns)
    success = figures.learning(release, audit, table)
    learned |= {column: belief for column, (belief, _) in success.items()}
    headings = (
        singling_out(figures.exposure, alone, options.holdout),
        linkability(figures.exposure, release, table, options.holdout, options.outside),
        inference(figures.parts, figures.exposure, learned, success, options.holdout),
    )
    fraction = None if options.population is None else options.population.fraction
    distinct = min(len(table), 2 * table.groups().count) if table.quasi_identifiers else 0
    most = affordable(distinct, len(table.quasi_identifiers))
    before = _found(partial(special_uniques, table, largest=most, fraction=fraction)) if most else None
    return replace(_evidence(release, figures, options, headings, alone, before), population=options.population)


def _found(find: partial[SpecialUniques]) -> SpecialUniques | None:
    try:
        return find()
    except (TacitError, MemoryError):  # nobody promised it, and no figure may stop a publication
        return None


def _evidence(
    release: Published,
    figures: ReleaseFigures,
    options: BoardOptions,
    headings: tuple[Heading, ...],
    alone: dict[str, SpecialUniques],
    shown: SpecialUniques | None,
) -> BoardEvidence:
    result = None
    if options.profile is not None:
        columns = {column.name: column for part in figures.parts.values() for column in part.columns}
        measured = Measured(
            figures.exposure,
            alone,
            headings,
            tuple(columns.values()),
            release.frames(),
            release.method,
            tuple(str(claim.guarantee) for claim in release.claims),
            options.population,
        )
        result = judged(options.profile, measured)
    return BoardEvidence(headings, result, shown, None)
