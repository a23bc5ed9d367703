"""rehearse: everything that publish does to a table, with nothing written.

The release is measured, attacked and audited as if it were to be published; what is returned are figures and the report
for the data owner. Releases stay in the process that made them: with the same seed they are made again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tacit.audits import VERDICT, Audit, audit
from tacit.errors import CompositionFailed, Infeasible
from tacit.jobs.also_found import also_found
from tacit.jobs.batches import is_batched, tables
from tacit.jobs.compare import Choice, compare, learned_share, link_posterior, query_error
from tacit.jobs.publish import publish
from tacit.jobs.terminal.publish import publication_lines
from tacit.measures import utility
from tacit.progress import Progress, part, silent
from tacit.recipes import Recipe
from tacit.releases import Release
from tacit.report.costly import costly
from tacit.report.drawn import DrawnView, drawn
from tacit.report.exposure import Exposure
from tacit.report.figures import ReleaseFigures
from tacit.report.internal import internal_view
from tacit.report.sentences import headline
from tacit.table import Table


@dataclass(frozen=True)
class Verdict:
    """What was found of one claim, in words."""

    title: str
    verdict: str
    reason: str
    holds: bool | None


@dataclass(frozen=True)
class Rehearsal:
    """What a release would be, what it promises and what it costs; or why it is not possible.

    Attributes
    ----------
    method
        The steps in short.
    headline
        The verdict in one sentence.
    verdicts
        One per claim.
    passes
        Whether it could be published.
    rows, published, unit
        Rows of the table, rows of the release, and what they are.
    alone_before, alone_after
        How many are the only ones with their quasi-identifiers, in the table and in the release.
    link_posterior
        How sure somebody is at most who looks people up.
    learned_share
        How often somebody guesses right who learns from the files.
    ncp, query_error, suppression_rate
        What it cost, as reports say it.
    warnings
        What the data owner should hear of before she publishes.
    view
        The report for the data owner.
    samples
        A few published rows of each frame, and its columns.
    seed
        What makes the same release again.
    refused
        Why there is none.
    composition
        Why it would not be written beside the earlier releases of its ledger; None where it would.
    """

    method: str
    seed: int
    seconds: float
    headline: str = ""
    verdicts: tuple[Verdict, ...] = ()
    passes: bool = False
    rows: int = 0
    published: int = 0
    unit: str = "rows"
    alone_before: int | None = None
    alone_after: int | None = None
    link_posterior: float | None = None
    learned_share: float | None = None
    ncp: float | None = None
    query_error: float | None = None
    suppression_rate: float | None = None
    warnings: tuple[str, ...] = ()
    view: DrawnView | None = None
    samples: tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = ()
    refused: str | None = None
    composition: str | None = None


def rehearse(text: str, path: str, seed: int, progress: Progress = silent) -> Rehearsal:
    """Protect, attack and audit the table of a recipe that may not be in its file yet; write nothing.

    Of a recipe with batches, the first batch is taken.
    """
    begun = time.monotonic()
    recipe = Recipe.parse(text, path)
    label = in_short(recipe)
    try:
        table, release = made(recipe, seed, part(progress, 0.0, 0.6))
    except Infeasible as error:
        return Rehearsal(label, seed, time.monotonic() - begun, refused=str(error))
    progress("auditing", 0.6)
    verdict = audit(release, table)
    progress("measuring what it cost", 0.7)
    cost, notices = utility(release, table), also_found(release, table)
    figures = ReleaseFigures(release.shape, release.unit)
    progress("attacking", 0.8)
    heard = (*notices, *figures.notices(release, verdict, table))
    before, after = _alone(figures.exposure_before(table)), _alone(figures.exposure)
    progress("writing the report", 0.9)
    view = internal_view(
        release, verdict, place=recipe.place, table=table, cost=cost, also_found=notices, figures=figures
    )
    return Rehearsal(
        label,
        seed,
        time.monotonic() - begun,
        headline=headline(verdict, heard),
        verdicts=_verdicts(verdict),
        passes=verdict.passes,
        rows=len(table),
        published=release.shape.rows,
        unit=release.unit,
        alone_before=before,
        alone_after=after,
        link_posterior=link_posterior(release),
        learned_share=learned_share(release, verdict, table),
        ncp=cost.ncp,
        query_error=query_error(release, table),
        suppression_rate=cost.suppression_rate,
        warnings=(
            *(notice.sentence for notice in verdict.warnings),
            *(notice.sentence for notice in heard),
            *costly(release, cost),
        ),
        view=drawn(view),
        samples=_samples(release),
        composition=_composition(release),
    )


def _composition(release: Release) -> str | None:
    """Say why a release would be refused beside the earlier ones of its ledger; None where it would not."""
    try:
        release.together.require()
    except CompositionFailed as error:
        return error.message
    return None


def made(recipe: Recipe, seed: int, progress: Progress = silent) -> tuple[Table, Release]:
    """Read the table of a recipe, the first of several, and protect it."""
    progress("reading", 0.0)
    name, _, read = tables(recipe)[0]
    table = read()
    release = recipe.method.protect(
        table, ledger=recipe.ledger(name if is_batched(recipe) else None), seed=seed, progress=part(progress, 0.3, 1.0)
    )
    return table, release


def in_short(recipe: Recipe) -> str:
    r"""Name the steps of a recipe with their numbers.

    Examples
    --------
    >>> step = '[[steps]]\nmethod = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 5 }]'
    >>> in_short(Recipe.parse('[table]\nsource = "a.csv"\n' + step, "a.toml"))
    'mondrian, k-anonymity k=5'
    """
    return "; ".join(_short(step) for step in recipe.sections.steps)


def _short(step: dict[str, Any]) -> str:
    name = str(step.get("method", step.get("name", "")))
    parts = [f"{key}={value}" for key, value in step.items() if isinstance(value, int | float) and key != "of"]
    inner = [each for value in step.values() for each in (value if isinstance(value, list) else [value])]
    nested = [_short(each) for each in inner if isinstance(each, dict) and "name" in each]
    return ", ".join([" ".join([name, *parts]), *nested])


def _alone(exposures: dict[str, Exposure]) -> int | None:
    """Count who is alone, of several tables in the one where most are."""
    counts = [int(each.candidates[each.candidates == 1].sum()) for each in exposures.values()]
    return max(counts, default=None)


def _verdicts(verdict: Audit) -> tuple[Verdict, ...]:
    return tuple(Verdict(f.title, VERDICT[f.holds], f.reason, f.holds) for f in verdict.findings)


_SHOWN = 8
"""Rows of each frame that are shown."""


def _samples(release: Release) -> tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]:
    return tuple(
        (name, tuple(frame.columns), tuple(tuple(map(_cell, row)) for row in frame.head(_SHOWN).rows()))
        for name, frame in release.frames().items()
    )


def _cell(value: Any) -> str:
    if value is None:
        return "*"
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def sweep(
    text: str,
    path: str,
    values: str,
    against: str,
    by: str,
    progress: Progress = silent,
    partial: Callable[[Choice], None] | None = None,
) -> list[Choice]:
    """Try values of a parameter, such as `k=2..10`, on a recipe that may not be in its file yet."""
    recipe = Recipe.parse(text, path)
    return compare([recipe], sweep=values, against=against, by=by, progress=progress, partial=partial)


def publish_text(
    text: str, path: str, overwrite: bool, accept_composition: bool = False, progress: Progress = silent
) -> dict[str, Any]:
    """Publish by a recipe that may not be in its file yet; return the figures that `tacit publish --json` prints."""
    recipe = Recipe.parse(text, path)
    published = publish(recipe, overwrite=overwrite, accept_composition=accept_composition, progress=progress)
    return {**published.as_dict(), "complete": published.complete, "in_words": publication_lines(published)}
