"""Profile: a name, what it asks, and what meeting it does not mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tacit.measures.risk import PopulationRisk, SpecialUniques
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.requirement import ProfileResult, Requirement
from tacit.report.exposure import Exposure
from tacit.shapes import PublishedColumn


@dataclass(frozen=True, eq=False)
class Measured:
    """What profiles judge: the published frames, and figures of them.

    Attributes
    ----------
    exposure
        Who can be found in each published table.
    alone
        The special uniques of each published table.
    headings
        Singling out, linkability, inference.
    columns
        The published columns.
    frames
        The published frames.
    method
        Name and public parameters of what made it; None if another tool did.
    claims
        The titles of the guarantees that are claimed.
    population
        What it means that the table is a sample; None where nobody said so.
    """

    exposure: Mapping[str, Exposure]
    alone: Mapping[str, SpecialUniques]
    headings: tuple[Heading, ...]
    columns: tuple[PublishedColumn, ...]
    frames: Mapping[str, pl.DataFrame]
    method: Mapping[str, Any] | None = None
    claims: tuple[str, ...] = ()
    population: PopulationRisk | None = field(default=None)

    @property
    def smallest_group(self) -> int | None:
        """The fewest rows or people that somebody may be, in any published table; None of an empty release."""
        sizes = [int(found.candidates.min()) for found in self.exposure.values() if len(found.candidates)]
        return min(sizes, default=None)

    @property
    def largest_risk(self) -> float | None:
        """The largest risk of being found, to somebody who is known to be in the table."""
        smallest = self.smallest_group
        return None if smallest is None else 1.0 / smallest

    @property
    def mean_risk(self) -> float | None:
        """The mean risk of being found, in the table where it is largest."""
        means = [len(found.candidates) / found.people for found in self.exposure.values() if found.people]
        return max(means, default=None)

    @property
    def single(self) -> int:
        """How many rows or people are alone, in the table where most are."""
        return max((int((found.candidates == 1).sum()) for found in self.exposure.values()), default=0)

    def heading(self, name: str) -> Heading | None:
        """Return one of the headings."""
        return next((heading for heading in self.headings if heading.name == name), None)


@dataclass(frozen=True)
class Profile:
    """What a guideline asks.

    Attributes
    ----------
    name
        As recipes write it.
    title
        What it is.
    is_not
        What meeting it does not mean.
    asks
        Judges a release, requirement by requirement.
    smallest
        The smallest count that what is public may show; None where the source names none.
    baseline
        Whether it asks for people who are not in the release.
    """

    name: str
    title: str
    is_not: str
    asks: Callable[[Measured], tuple[Requirement, ...]]
    smallest: int | None = None
    baseline: bool = False

    def judge(self, measured: Measured) -> ProfileResult:
        """Judge a release."""
        return ProfileResult(self.name, self.title, self.asks(measured), self.is_not, self.smallest)


def headings_of(measured: Measured, source: str) -> tuple[Requirement, ...]:
    """Show the figures under the three headings; no source names a number for them."""
    requirements = []
    for heading in measured.headings:
        found = [f"{figure.name} {figure.written}" for figure in heading.figures if figure.assessed]
        requirements.append(Requirement(heading.name, "", "; ".join(found) or "not assessed", None, source))
    return tuple(requirements)
