"""compare: several ways to protect one table, privacy against utility."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tacit.audits import audit
from tacit.errors import Infeasible, ParameterError
from tacit.jobs.audit import number
from tacit.measures import utility
from tacit.progress import Progress, silent
from tacit.recipes import Recipe


@dataclass(frozen=True)
class Choice:
    """One way, what it promises and what it costs; or the reason why it cannot be had.

    Attributes
    ----------
    dominated
        Another choice is at least as private and costs no more, and is better in one of the two.
    """

    label: str
    holds: bool | None = None
    max_posterior: float | None = None
    link_posterior: float | None = None
    ncp: float | None = None
    suppression_rate: float | None = None
    seconds: float | None = None
    refused: str | None = None
    dominated: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return dict(vars(self))


def compare(
    recipes: Sequence[Recipe], *, sweep: str | None = None, seed: int | None = None, progress: Progress | None = None
) -> list[Choice]:
    """Protect the table of the first recipe in every way, and measure.

    Parameters
    ----------
    recipes
        Each is one way; the table is the first's.
    sweep
        A parameter and its values, `l=2..10` or `k=2,5,10`: every way is tried with each.
    seed
        For tests.
    progress
        Told the stage and the share done.
    """
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
    table = recipes[0].table()
    choices = []
    for index, (label, recipe) in enumerate(ways):
        tell(label, index / len(ways))
        begun = time.process_time()
        try:
            release = recipe.method.protect(table, seed=seed)
        except Infeasible as error:
            choices.append(Choice(label, refused=str(error)))
            continue
        seconds = time.process_time() - begun
        verdict, cost = audit(release), utility(release, table)
        linked = max((float(b) for b in _link_posteriors(release)), default=None)
        choices.append(
            Choice(label, verdict.holds, verdict.max_posterior, linked, cost.ncp, cost.suppression_rate, seconds)
        )
    tell("done", 1.0)
    return [replace(choice, dominated=_dominated(choice, choices)) for choice in choices]


def parse_sweep(text: str) -> tuple[str, list[Any]]:
    """Read a parameter and its values.

    Examples
    --------
    >>> parse_sweep("l=2..5"), parse_sweep("t=0.1,0.2")
    (('l', [2, 3, 4, 5]), ('t', [0.1, 0.2]))
    """
    name, equals, values = text.partition("=")
    low, dots, high = values.partition("..")
    if equals and dots and low.strip().isdigit() and high.strip().isdigit() and int(low) <= int(high):
        return name.strip(), list(range(int(low), int(high) + 1))
    parts = [part.strip() for part in values.split(",") if part.strip()]
    if not equals or not name.strip() or not parts or dots:
        raise ParameterError(f"The sweep {text!r} is not understood.", hint="Write it like l=2..10 or k=2,5,10.")
    return name.strip(), [number(part) for part in parts]


def _link_posteriors(release: Any) -> list[float]:
    from tacit.adversaries import LinkageAdversary

    return [float(b.posterior.max()) for b in LinkageAdversary().attack(release).beliefs.values() if len(b.posterior)]


def _dominated(choice: Choice, choices: Sequence[Choice]) -> bool:
    mine = (choice.link_posterior, choice.ncp)
    if mine[0] is None or mine[1] is None:
        return False
    for other in choices:
        if other.link_posterior is None or other.ncp is None or other is choice:
            continue
        theirs = (other.link_posterior, other.ncp)
        if theirs[0] <= mine[0] and theirs[1] <= mine[1] and theirs != mine:
            return True
    return False
