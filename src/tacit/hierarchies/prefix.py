"""Codes that blur from the right: postal codes, classification codes, telephone numbers."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tacit.calls import checked_class
from tacit.errors import HierarchyError
from tacit.hierarchies.base import Hierarchy, column, few
from tacit.hierarchies.growth import Layer, grow
from tacit.hierarchies.labels import text
from tacit.hierarchies.tree import ROOT, Tree


@checked_class
@dataclass(frozen=True, kw_only=True)
class Prefix(Hierarchy):
    """Level i keeps the first ``length - i`` characters and shows ``*`` for the others.

    A shorter value stays as it is until it is cut; from then on it is padded like the rest, so that its length is
    blurred too. Whole numbers are zero-padded to ``length`` first, negative ones refused. Digits of a code do not
    measure anything, so nodes have no extent.

    Parameters
    ----------
    length
        The number of characters of a full code, at least 1; also the height of the tree.

    Examples
    --------
    >>> tree = Prefix(length=3).bind(pl.Series("code", ["12", "123", "124"]))
    >>> [[tree.names[node] for node in level] for level in tree.levels]
    [['12', '123', '124'], ['12', '12*', '12*'], ['1**', '1**', '1**'], ['*', '*', '*']]
    """

    length: int

    def __post_init__(self) -> None:
        if isinstance(self.length, bool) or not isinstance(self.length, int) or self.length < 1:
            raise HierarchyError(
                f"A prefix hierarchy has length {self.length!r}.",
                hint="Give the number of characters of a full code, a whole number of at least 1.",
            )

    def bind(self, values: pl.Series) -> Tree:
        """Build the tree; a value longer than ``length`` is an error."""
        codes = self._codes(values)
        long = codes.str.len_chars() > self.length
        if long.any():
            longest = codes.str.len_chars().max()
            raise HierarchyError(
                f"{column(values)} has {long.sum():,} values longer than {self.length} characters: "
                f"{few(codes.filter(long))}.",
                hint=f"Give the prefix hierarchy length {longest!s}.",
            )
        layers = [Layer.of_leaves(codes)]
        for kept in range(self.length - 1, 0, -1):
            cut = codes.str.head(kept) + ROOT * (self.length - kept)
            layers.append(Layer.of(cut.zip_with(codes.str.len_chars() > kept, codes)))
        return grow(layers, values)

    def _codes(self, values: pl.Series) -> pl.Series:
        if values.dtype.is_integer():
            negative = values.filter(values < 0)
            if len(negative):
                raise HierarchyError(
                    f"{column(values)} has negative numbers, which have no prefix: {few(negative)}.",
                    hint="Use an interval hierarchy.",
                )
            return text(values).str.zfill(self.length)
        if values.dtype in (pl.String, pl.Categorical, pl.Enum):
            return text(values)
        raise HierarchyError(
            f"{column(values)} has type {values.dtype}; a prefix hierarchy needs text or whole numbers.",
            hint="Read the column as text.",
        )

    def known(self, values: pl.Series) -> pl.Series:
        """Tell which values are short enough."""
        return self._codes(values).str.len_chars() <= self.length

    def spec(self) -> dict[str, object]:
        """Describe the hierarchy."""
        return {"prefix": self.length}
