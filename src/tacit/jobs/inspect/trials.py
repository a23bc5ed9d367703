"""Trials: what each candidate costs on a sample of the table, and which one is recommended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.errors import TacitError
from tacit.guarantees import GroupGuarantee
from tacit.jobs.inspect.candidates import Candidate
from tacit.measures import utility
from tacit.progress import Progress, silent
from tacit.randomness import Randomness
from tacit.report.costly import ways
from tacit.table import Table

SAMPLE = 20_000
"""Rows that candidates are tried on, at most. A larger sample comes nearer to the figures of the whole table, which is
published with less loss, and takes longer in proportion."""

MOST_LOST = 0.25
"""A candidate that loses less information than this (NCP, withheld rows counted as lost) is good enough."""

MOST_WITHHELD = 0.10
"""A candidate that withholds a smaller share of the rows than this is good enough."""

RULE = (
    f"the strongest promise that loses less than {MOST_LOST:.0%} of the information (NCP) and withholds less than "
    f"{MOST_WITHHELD:.0%} of the rows; where none does, the one that loses least"
)
"""How one of the candidates is chosen."""


@dataclass(frozen=True)
class Trial:
    """What a candidate cost on the sample, or why it cannot be had.

    Attributes
    ----------
    ncp
        The normalized certainty penalty: information lost, 0 to 1; withheld rows count as lost.
    withheld
        The share of the rows that are not published.
    groups
        How many groups there are.
    by_column
        The information that is lost of each quasi-identifier.
    refused
        Why the table cannot be protected in this way.
    """

    candidate: Candidate
    ncp: float = 1.0
    withheld: float = 1.0
    groups: int = 0
    by_column: Mapping[str, float] = field(default_factory=dict)
    refused: str | None = None

    @property
    def is_good(self) -> bool:
        """Whether it loses and withholds little enough."""
        return self.refused is None and self.ncp < MOST_LOST and self.withheld < MOST_WITHHELD

    @property
    def figures(self) -> str:
        """What it costs, in one line."""
        if self.refused is not None:
            return f"cannot be had: {self.refused}"
        groups = "1 group" if self.groups == 1 else f"{self.groups:,} groups"
        return f"NCP {self.ncp:.3f}, {self.withheld:.1%} of the rows withheld, {groups}"


@dataclass(frozen=True)
class Trials:
    """All trials, in the order of what they promise, and the rows they were tried on."""

    each: tuple[Trial, ...]
    rows: int

    @property
    def chosen(self) -> Trial:
        """The recommended one, by the rule."""
        good = next((trial for trial in self.each if trial.is_good), None)
        return good or min(self.each, key=lambda trial: (trial.refused is not None, trial.ncp))

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        figures = [
            {
                "steps": [dict(step) for step in trial.candidate.steps],
                "promise": trial.candidate.promise,
                "ncp": None if trial.refused else trial.ncp,
                "withheld": None if trial.refused else trial.withheld,
                "groups": None if trial.refused else trial.groups,
                "refused": trial.refused,
                "chosen": trial is self.chosen,
            }
            for trial in self.each
        ]
        return {"rows": self.rows, "each": figures}

    def shortfall(self, table: Table, unique: float | None) -> str | None:
        """Say in one sentence why no candidate is good enough, and what to change; None where one is.

        `unique` is the share of the people, or rows, that are the only ones with their values of all quasi-identifiers.
        """
        best = self.chosen
        if best.is_good:
            return None
        if best.refused is not None:
            return f"No recipe that was tried can be followed: {best.refused}"
        names = sorted(best.by_column, key=lambda name: -best.by_column[name])[:2]
        lost = " and ".join(f"{name} ({best.by_column[name]:.0%})" for name in names)
        less = " or ".join(ways(best.candidate.steps[-1]))
        alone = "" if unique is None else f" {unique:.0%} of its {table.unit} are alone with theirs,"
        if best.withheld >= MOST_WITHHELD:
            return (
                f"This table cannot do better with these roles: {best.withheld:.0%} of the rows must be withheld, "
                f"because a sensitive value is too frequent; leave that column out, or {less or 'promise less'}."
            )
        return (
            f"This table cannot do better with these roles: it has {len(table.quasi_identifiers)} quasi-identifiers "
            f"and {len(table):,} rows,{alone} and most is lost of {lost}; name fewer columns as quasi-identifiers, or "
            f"{less or 'promise less'}."
        )

    @property
    def others(self) -> tuple[Trial, ...]:
        """All but the recommended one."""
        return tuple(trial for trial in self.each if trial is not self.chosen)


def tried(table: Table, candidates: Sequence[Candidate], progress: Progress = silent) -> Trials:
    """Protect a sample in every way, and measure; nothing of it is published or kept."""
    sample = sampled(table)
    found = []
    for index, candidate in enumerate(candidates):
        found.append(_try(candidate, table, sample))
        progress("trying recipes", (index + 1) / len(candidates))
    return Trials(tuple(found), len(sample))


def sampled(table: Table, most: int = SAMPLE) -> Table:
    """Return all rows, or so many of them at random; people are taken with all of their rows.

    The draw is the same each time. It is not secret: only figures of what it would cost are made from it.
    """
    n = len(table)
    if n <= most:
        return table
    draws = Randomness.make(seed=0).shuffle()
    unit = np.arange(n) if table.person is None else table.codes(table.person).codes.astype(np.int64)
    people = int(unit.max()) + 1
    order = draws.permutation(people)
    taken = np.zeros(people, dtype=bool)
    taken[order[np.cumsum(np.bincount(unit, minlength=people)[order]) <= most]] = True
    return table.filter(taken[unit])


def _try(candidate: Candidate, table: Table, sample: Table) -> Trial:
    try:
        release = candidate.method.protect(sample, seed=0)
        if len(candidate.steps) == 1:  # a sample can have what the whole table cannot
            for guarantee in release.guarantees:
                if isinstance(guarantee, GroupGuarantee):
                    guarantee.require(table)
    except TacitError as error:
        return Trial(candidate, refused=error.message)
    cost = utility(release, sample)
    return Trial(candidate, cost.ncp, cost.suppression_rate, release.shape.statistics.count, cost.ncp_by_column)
