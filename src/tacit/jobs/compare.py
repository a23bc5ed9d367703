"""compare: several ways to protect one table, privacy against utility."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tacit.audits import Audit, audit
from tacit.errors import Infeasible, ParameterError, RoleError, SourceError
from tacit.jobs.also_found import distribution_share
from tacit.jobs.audit import number
from tacit.jobs.choice import COSTS, Choice, parse_by, parse_cost, promise_name
from tacit.jobs.decision import decide
from tacit.measures import utility
from tacit.measures.analysts import score_models
from tacit.measures.analysts.usefulness import check_targets
from tacit.methods import Method
from tacit.progress import Progress, silent
from tacit.recipes import Recipe
from tacit.releases import Release
from tacit.report.charts import FrontierPoint
from tacit.report.figures import ReleaseFigures
from tacit.report.queries import asked
from tacit.sources.extras import extra
from tacit.table import Table

__all__ = ["COSTS", "Choice", "compare", "compare_methods", "frontier_points", "parse_sweep"]


def compare(
    recipes: Sequence[Recipe],
    *,
    sweep: str | None = None,
    against: str = "ncp",
    by: str = "linkage",
    reading: Mapping[str, Any] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    partial: Callable[[Choice], None] | None = None,
) -> list[Choice]:
    """Protect the table of the first recipe in every way, and measure.

    Parameters
    ----------
    recipes
        Each is one way to protect the table of the first recipe.
    sweep
        A parameter and its values, `l=2..10` or `k=2,5,10`: every way is tried with each.
    against
        The cost that decides which choices are dominated: "ncp", "query-error", or "model:" with a column to predict.
    by
        The attack that decides: "linkage", "learning" or "distribution".
    reading
        How the table is read where it differs from what the first recipe says under `[read]`.
    seed
        For tests.
    progress
        Told the stage and the share done.
    partial
        Given every choice as soon as it is measured; which are dominated is known only at the end.
    """
    parse_cost(against), parse_by(by)  # before anything is read
    tell = progress or silent
    ways = [(recipe.path.stem, recipe) for recipe in recipes]
    if sweep is not None:
        name, values = parse_sweep(sweep)
        ways = [
            (f"{label} {name}={value}" if len(recipes) > 1 else f"{name}={value}", recipe.with_parameter(name, value))
            for label, recipe in ways
            for value in values
        ]
    tell("reading", 0.0)
    methods = [(label, recipe.method) for label, recipe in ways]
    table = recipes[0].table(reading=reading)
    return compare_methods(table, methods, against=against, by=by, seed=seed, progress=tell, partial=partial)


def compare_methods(
    table: Table,
    methods: Sequence[tuple[str, Method]],
    *,
    against: str = "ncp",
    by: str = "linkage",
    seed: int | None = None,
    progress: Progress = silent,
    partial: Callable[[Choice], None] | None = None,
) -> list[Choice]:
    """Protect a table by every method, each with its label, measure, and judge the choices beside one another."""
    counted, attack = parse_cost(against), parse_by(by)
    if counted.target is not None:
        check_targets(table, [counted.target], "the table (--against model:)")
        extra("sklearn", what="A cost by models", extra_name="utility")
    choices: list[Choice] = []
    hand_out = partial or (lambda choice: None)
    for index, (label, method) in enumerate(methods):
        progress(label, index / len(methods))
        begun = time.process_time()
        try:
            release = method.protect(table, seed=seed)
        except Infeasible as error:
            choices.append(Choice(label, refused=str(error)))
            hand_out(choices[-1])
            continue
        seconds = time.process_time() - begun
        verdict, cost = audit(release), utility(release, table)
        wrong = _model_error(table, method, counted.target)
        choices.append(
            Choice(
                label,
                holds=verdict.holds,
                max_posterior=verdict.max_posterior,
                link_posterior=link_posterior(release),
                ncp=cost.ncp,
                query_error=query_error(release, table),
                learned_share=learned_share(release, verdict, table),
                distribution_share=distribution_share(release, table),
                model_error=wrong[0],
                model_error_before=wrong[1],
                suppression_rate=cost.suppression_rate,
                seconds=seconds,
                promises=tuple(sorted(_promises(verdict).items())),
            )
        )
        hand_out(choices[-1])
    progress("done", 1.0)
    return list(decide(choices, attack, counted).choices)


def frontier_points(choices: Sequence[Choice], against: str = "ncp", by: str = "linkage") -> list[FrontierPoint]:
    """Return what can be drawn of a comparison: the choices that were made and have both figures."""
    counted, attack = parse_cost(against), parse_by(by)
    points = []
    for choice in choices:
        learnt, cost = choice.learnt(attack), choice.cost(counted)
        if choice.refused is None and learnt is not None and cost is not None:
            points.append(FrontierPoint(choice.label, learnt, cost, choice.dominated))
    return points


_MOST = 1_000
"""Values that a sweep may try: each protects the whole table once. Chosen by hand."""


def _is_whole(text: str) -> bool:
    return text.strip().isascii() and text.strip().isdigit() and len(text.strip()) <= 18


def parse_sweep(text: str) -> tuple[str, list[Any]]:
    """Read a parameter and its values.

    Examples
    --------
    >>> parse_sweep("l=2..5"), parse_sweep("t=0.1,0.2")
    (('l', [2, 3, 4, 5]), ('t', [0.1, 0.2]))
    """
    name, equals, values = text.partition("=")
    low, dots, high = values.partition("..")
    if equals and dots and _is_whole(low) and _is_whole(high) and int(low) <= int(high):
        if int(high) - int(low) >= _MOST:
            raise ParameterError(
                f"The sweep {text!r} has {int(high) - int(low) + 1:,} values.", hint=f"It may have {_MOST:,}."
            )
        return name.strip(), list(range(int(low), int(high) + 1))
    parts = [part.strip() for part in values.split(",")[: _MOST + 1] if part.strip()]
    if len(parts) > _MOST:
        raise ParameterError(f"The sweep of {name.strip()!r} has too many values.", hint=f"It may have {_MOST:,}.")
    if not equals or not name.strip() or not parts or dots:
        raise ParameterError(f"The sweep {text!r} is not understood.", hint="Write it like l=2..10 or k=2,5,10.")
    return name.strip(), [number(part) for part in parts]


def link_posterior(release: Release) -> float | None:
    """Return how sure somebody is at most who looks people up; None where there is nothing to be sure of."""
    from tacit.adversaries import LinkageAdversary

    beliefs = LinkageAdversary().attack(release).beliefs.values()
    return max((float(b.posterior.max()) for b in beliefs if len(b.posterior)), default=None)


def learned_share(release: Release, verdict: Audit, table: Table) -> float | None:
    """Return how often a reader who learns is right, of the column that she guesses best."""
    found = ReleaseFigures(release.shape, release.unit).learning(release, verdict, table)
    return max((success.share for _, success in found.values()), default=None)


def _model_error(table: Table, method: Method, target: str | None) -> tuple[float | None, float | None]:
    """Return how often the best model is wrong that learns from a release, and the best that learns from the table."""
    if target is None:
        return None, None
    try:
        scores = score_models(table, [target], method.protect)
    except (Infeasible, RoleError, SourceError):
        return None, None
    return 1 - max(s.release.accuracy for s in scores), 1 - max(s.table.accuracy for s in scores)


def query_error(release: Release, table: Table) -> float | None:
    """Ask the largest published table; None where there is nothing to ask about."""
    part = max(ReleaseFigures(release.shape, release.unit).parts.values(), key=lambda part: len(part.quasi_identifiers))
    sensitive = next((name for name in part.sensitive if name in table.sensitive), None)
    if sensitive is None:
        return None
    try:
        return asked(part, table, sensitive).median
    except (Infeasible, RoleError):
        return None


def _promises(verdict: Audit) -> dict[str, float | str]:
    """Return what is claimed and holds; of several claims of one guarantee the strongest counts."""
    kept: dict[str, float | str] = {}
    for finding in verdict.findings:
        if finding.holds is not True:
            continue
        promise = finding.title if finding.bound is None else float(finding.bound)
        name = promise_name(finding.guarantee, published=(finding.parameters or {}).get("of") == "published")
        known = kept.get(name, promise)
        kept[name] = min(known, promise) if isinstance(known, float) and isinstance(promise, float) else known
    return kept
