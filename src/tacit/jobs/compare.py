"""compare: several ways to protect one table, privacy against utility."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from tacit.audits import Audit, audit
from tacit.errors import Infeasible, ParameterError, RoleError
from tacit.jobs.audit import number
from tacit.measures import utility
from tacit.methods import Method
from tacit.progress import Progress, silent
from tacit.recipes import Recipe
from tacit.releases import Release
from tacit.report.charts import FrontierPoint
from tacit.report.figures import ReleaseFigures
from tacit.report.queries import asked
from tacit.table import Table

Cost = Literal["ncp", "query_error"]
COSTS: dict[Cost, str] = {"ncp": "information lost (NCP)", "query_error": "median relative error of COUNT queries"}
"""What stands at the axis of each cost."""

_PUBLISHED = " of the published"
"""What is added to the name of a guarantee that is about the published rows alone."""


@dataclass(frozen=True)
class Choice:
    """One way to protect a table, what it promises and what it costs; or the reason why it is not possible.

    Attributes
    ----------
    query_error
        The median relative error of COUNT queries; None without a sensitive column.
    learned_share
        The share of people whose sensitive value a reader guesses right who learns from the files; None where there
        are no groups to learn from.
    promises
        What is claimed and holds: by name of the guarantee, what the posterior may not exceed, or the parameters of a
        guarantee that bounds something else.
    dominated
        Another choice promises at least as much, lets a reader learn no more and costs no more, and is better in one of
        these.
    """

    label: str
    holds: bool | None = None
    max_posterior: float | None = None
    link_posterior: float | None = None
    ncp: float | None = None
    query_error: float | None = None
    learned_share: float | None = None
    suppression_rate: float | None = None
    seconds: float | None = None
    refused: str | None = None
    promises: tuple[tuple[str, float | str], ...] = ()
    dominated: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {**vars(self), "promises": dict(self.promises)}

    def promises_as_much_as(self, other: Choice) -> bool:
        """Tell whether every promise of the other choice is kept by this one; what cannot be compared is not."""
        mine = dict(self.promises)
        for name, promised in other.promises:
            kept = mine.get(name, mine.get(name.removesuffix(_PUBLISHED)))
            both_bounds = isinstance(kept, float) and isinstance(promised, float)
            if kept is None or not (kept <= promised if both_bounds else kept == promised):  # type: ignore[operator]
                return False
        return True


def compare(
    recipes: Sequence[Recipe],
    *,
    sweep: str | None = None,
    against: Cost = "ncp",
    seed: int | None = None,
    progress: Progress | None = None,
) -> list[Choice]:
    """Protect the table of the first recipe in every way, and measure.

    Parameters
    ----------
    recipes
        Each is one way to protect the table of the first recipe.
    sweep
        A parameter and its values, `l=2..10` or `k=2,5,10`: every way is tried with each.
    against
        The cost that decides which choices are dominated: "ncp" or "query_error".
    seed
        For tests.
    progress
        Told the stage and the share done.
    """
    if against not in get_args(Cost):
        raise ParameterError(f"There is no cost {against!r}.", hint=f"Say one of: {', '.join(get_args(Cost))}.")
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
    return compare_methods(recipes[0].table(), methods, against=against, seed=seed, progress=tell)


def compare_methods(
    table: Table,
    methods: Sequence[tuple[str, Method]],
    *,
    against: Cost = "ncp",
    seed: int | None = None,
    progress: Progress = silent,
) -> list[Choice]:
    """Protect a table by every method, each with its label, and measure."""
    choices = []
    for index, (label, method) in enumerate(methods):
        progress(label, index / len(methods))
        begun = time.process_time()
        try:
            release = method.protect(table, seed=seed)
        except Infeasible as error:
            choices.append(Choice(label, refused=str(error)))
            continue
        seconds = time.process_time() - begun
        verdict, cost = audit(release), utility(release, table)
        linked = max((float(b) for b in _link_posteriors(release)), default=None)
        choices.append(
            Choice(
                label,
                holds=verdict.holds,
                max_posterior=verdict.max_posterior,
                link_posterior=linked,
                ncp=cost.ncp,
                query_error=_query_error(release, table),
                learned_share=_learned_share(release, verdict, table),
                suppression_rate=cost.suppression_rate,
                seconds=seconds,
                promises=tuple(sorted(_promises(verdict).items())),
            )
        )
    progress("done", 1.0)
    return [replace(choice, dominated=_dominated(choice, choices, against)) for choice in choices]


def frontier_points(choices: Sequence[Choice], against: Cost = "ncp") -> list[FrontierPoint]:
    """Return what can be drawn of a comparison: the choices that were made and have both figures."""
    points = []
    for choice in choices:
        cost = getattr(choice, against)
        if choice.refused is None and choice.link_posterior is not None and cost is not None:
            points.append(FrontierPoint(choice.label, choice.link_posterior, cost, choice.dominated))
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


def _link_posteriors(release: Any) -> list[float]:
    from tacit.adversaries import LinkageAdversary

    return [float(b.posterior.max()) for b in LinkageAdversary().attack(release).beliefs.values() if len(b.posterior)]


def _learned_share(release: Release, verdict: Audit, table: Table) -> float | None:
    """Return how often a reader who learns is right, of the column that she guesses best."""
    found = ReleaseFigures(release.shape, release.unit).learning(release, verdict, table)
    return max((success.share for _, success in found.values()), default=None)


def _query_error(release: Release, table: Table) -> float | None:
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
        name = finding.guarantee + (_PUBLISHED if (finding.parameters or {}).get("of") == "published" else "")
        known = kept.get(name, promise)
        kept[name] = min(known, promise) if isinstance(known, float) and isinstance(promise, float) else known
    return kept


def _dominated(choice: Choice, choices: Sequence[Choice], against: Cost) -> bool:
    mine = (choice.link_posterior, getattr(choice, against))
    if mine[0] is None or mine[1] is None:
        return False
    for other in choices:
        theirs = (other.link_posterior, getattr(other, against))
        if theirs[0] is None or theirs[1] is None or other is choice or not other.promises_as_much_as(choice):
            continue
        more = not choice.promises_as_much_as(other)
        if theirs[0] <= mine[0] and theirs[1] <= mine[1] and (theirs != mine or more):
            return True
    return False
