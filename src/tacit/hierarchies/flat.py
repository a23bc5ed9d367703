"""No levels in between: a value is published, or it is not."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tacit.hierarchies.base import Hierarchy
from tacit.hierarchies.growth import Layer, grow
from tacit.hierarchies.labels import number, text
from tacit.hierarchies.tree import Tree


@dataclass(frozen=True)
class Flat(Hierarchy):
    """Every value blurs straight into ``*``.

    Examples
    --------
    >>> Flat().bind(pl.Series("sex", ["F", "M"])).names
    ('*', 'F', 'M')
    """

    def bind(self, values: pl.Series) -> Tree:
        """Build the tree of height 1."""
        return grow([Layer.of_leaves(text(values), number(values))], values)

    def spec(self) -> dict[str, object]:
        """Describe the hierarchy."""
        return {"flat": True}
