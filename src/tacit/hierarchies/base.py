"""What every hierarchy can do, and the sentences that they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

import polars as pl

from tacit.hierarchies.tree import Tree


class Hierarchy(ABC):
    """A rule or a list that says how the values of a column blur, level by level, until all are ``*``."""

    @abstractmethod
    def bind(self, values: pl.Series) -> Tree:
        """Build the tree for the values of one column.

        Parameters
        ----------
        values
            The distinct, non-null, sorted values; the series' name is the column's name in messages.

        Raises
        ------
        HierarchyError
            A value has no place in the hierarchy, or the column's type does not fit.
        """

    def known(self, values: pl.Series) -> pl.Series:
        """Tell which values have a place in the hierarchy; a value that an outsider knows of a person may have none."""
        return pl.Series(values.name, [True], dtype=pl.Boolean).new_from_index(0, len(values))

    @abstractmethod
    def spec(self) -> dict[str, object] | None:
        """Describe the hierarchy without data, as ``make`` takes it; None if it lists values."""


def column(values: pl.Series) -> str:
    """Name the column of a series at the start of a sentence.

    Examples
    --------
    >>> column(pl.Series("age", [1]))
    "Column 'age'"
    """
    return f"Column {values.name!r}" if values.name else "The column"


def few(items: Iterable[object], *, shown: int = 3) -> str:
    """List some things by name, and say how many more there are.

    Examples
    --------
    >>> few(["a", "b", "c", "d", "e"])
    "'a', 'b', 'c' and 2 more"
    """
    names = [repr(item) if isinstance(item, str) else str(item) for item in items]
    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
