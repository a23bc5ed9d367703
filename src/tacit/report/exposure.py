"""Exposure: how well somebody who knows all quasi-identifiers finds people, and what that says of them.

People are counted by how many rows they may be, and by how sure the reader is of their sensitive value. After: from the
published frames alone. Before: as if the table had been published as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tacit.adversaries import LinkageAdversary
from tacit.arrays import Floats, Ints
from tacit.measures.risk import THRESHOLDS
from tacit.shapes import Published, Shape
from tacit.table import GroupStats, Table
from tacit.table.groups import Unit

_SIZES = (1, 2, 5, 10, 20, 50, 100)
"""Where the bins of "rows they may be" begin, in rows; the usual values of k are among them."""

_SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Where the bins of posteriors begin and end; chosen by hand."""

_ALMOST = 1e-12
"""A posterior this near to a limit counts as the limit: the difference is the rounding of a division."""


@dataclass(frozen=True, eq=False)
class Exposure:
    """People who cannot be told apart, class by class.

    Attributes
    ----------
    candidates
        Per class, how many rows may be those of a person of the class; it is also how many people the class has.
    posterior
        Per sensitive column, how sure a reader is of the likeliest value of people of the class.
    unit
        What is counted: people where they are known, else rows.
    """

    candidates: Ints
    posterior: Mapping[str, Floats]
    unit: Unit = "rows"

    @classmethod
    def before(cls, table: Table, shape: Shape) -> Exposure:
        """Look people up in the table itself, by what a shape publishes of them."""
        groups = table.groups([name for name in shape.quasi_identifiers if name in table.quasi_identifiers])
        return cls.counted(table.statistics(groups), [name for name in shape.sensitive if name in table.sensitive])

    @classmethod
    def counted(cls, stats: GroupStats, names: Sequence[str]) -> Exposure:
        """Take the people of groups, or the rows where nothing tells whose they are."""
        sure = {name: stats.histograms[name].largest() / np.maximum(1, stats.sizes) for name in names}
        return cls(stats.units, sure, stats.unit if stats.people is None else "people")

    @classmethod
    def after(cls, shape: Shape) -> Exposure:
        """Look people up in what is published."""
        linkage = LinkageAdversary().attack(Published(shape))
        some = linkage.candidates > 0
        beliefs = {name: b.posterior[some] for name, b in linkage.beliefs.items()}
        return cls(linkage.candidates[some], beliefs, "people" if shape.shows_people else "rows")

    def named(self, unit: Unit) -> Exposure:
        """Return the same figures, said to be about people where each row is known to be one."""
        return replace(self, unit="people") if unit == "people" else self

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.candidates.sum())

    def figures(self) -> dict[str, str]:
        """Return the usual figures, as text, by their names."""
        people, one = max(1, self.people), "person" if self.unit == "people" else "row"
        figures = {
            self.unit: f"{self.people:,}",
            f"exactly one {one} fits them": _share(self.candidates[self.candidates == 1].sum(), people),
            "largest risk of being found": f"{1 / self.candidates.min():.4f}" if len(self.candidates) else "-",
            "mean risk of being found": f"{len(self.candidates) / people:.4f}",
        }
        for threshold in THRESHOLDS:
            risky = self.candidates[1.0 / self.candidates > threshold + _ALMOST].sum()
            figures[f"risk of being found above {threshold:g}"] = _share(risky, people)
        for name, sure in self.posterior.items():
            figures[f"{name} is certain"] = _share(self.candidates[sure >= 1.0 - _ALMOST].sum(), people)
            figures[f"{name}: largest posterior"] = f"{sure.max():.4f}" if len(sure) else "-"
            figures[f"{name}: mean posterior"] = f"{float(np.dot(sure, self.candidates)) / people:.4f}"
        return figures

    def by_size(self) -> dict[str, int]:
        """Count people by how many rows they may be."""
        names = [_span(low, high) for low, high in zip(_SIZES, (*_SIZES[1:], None), strict=True)]
        at = np.searchsorted(_SIZES, self.candidates, side="right") - 1
        counts = np.bincount(at, weights=self.candidates, minlength=len(names))
        return dict(zip(names, counts.astype(int).tolist(), strict=True))

    def by_posterior(self, column: str) -> dict[str, int]:
        """Count people by how sure a reader is of their value."""
        sure = self.posterior[column]
        names = [*(f"up to {high:g}" for high in _SHARES[1:-1]), "below 1", "certain"]
        at = np.searchsorted(_SHARES[1:-1], sure - _ALMOST, side="left")
        at[sure >= 1.0 - _ALMOST] = len(names) - 1
        counts = np.bincount(at, weights=self.candidates, minlength=len(names))
        return dict(zip(names, counts.astype(int).tolist(), strict=True))


def _span(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more"
    return f"{low}" if high == low + 1 else f"{low} to {high - 1}"


def _share(part: Any, whole: int) -> str:
    return f"{int(part):,} ({int(part) / whole:.1%})"
