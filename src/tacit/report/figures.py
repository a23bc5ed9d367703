"""Figures: what both reports tell of a release, each computed once, when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tacit.report.exposure import Exposure
from tacit.shapes import Shape
from tacit.table import Table


@dataclass(frozen=True, eq=False)
class ReleaseFigures:
    """The figures of one release, shared by its public and its internal report.

    Attributes
    ----------
    shape
        What is published.
    """

    shape: Shape

    @cached_property
    def parts(self) -> dict[str, Shape]:
        """The tables of the release by name; the name of a single one is empty."""
        return dict(self.shape.parts)

    @cached_property
    def exposure(self) -> dict[str, Exposure]:
        """Who can be found in each published table, and what that tells."""
        return {name: Exposure.after(part) for name, part in self.parts.items()}

    def exposure_before(self, table: Table) -> dict[str, Exposure]:
        """Who could be found if the table itself were published, by the columns of each published table."""
        return {name: Exposure.before(table, part) for name, part in self.parts.items()}
