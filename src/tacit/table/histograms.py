"""Histograms of several sensitive columns, each counted when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tacit.arrays import Ints
from tacit.table.codes import Codes
from tacit.table.groups import Groups, Histogram


class Histograms(Mapping[str, Histogram]):
    """How often each value of each sensitive column stands in each group; who asks for one column pays for one.

    Examples
    --------
    >>> import numpy as np, polars as pl
    >>> from tacit.table.codes import encode
    >>> counted = Histograms(Groups(np.array([0, 1, 0]), 2), {"ill": encode(pl.Series(["flu", "flu", "cold"]))})
    >>> list(counted), counted["ill"].distinct().tolist()
    (['ill'], [2, 1])
    """

    def __init__(self, groups: Groups, sensitive: Mapping[str, Codes], weights: Ints | None = None) -> None:
        self._groups, self._sensitive, self._weights = groups, dict(sensitive), weights
        self._counted: dict[str, Histogram] = {}

    def __getitem__(self, name: str) -> Histogram:
        if name not in self._counted:
            codes, groups = self._sensitive[name], self._groups
            self._counted[name] = Histogram.of(
                groups.ids, groups.count, codes.codes, codes.cardinality, weights=self._weights
            )
        return self._counted[name]

    @property
    def nbytes(self) -> int:
        """How many bytes the columns take that were counted so far."""
        return sum(histogram.nbytes for histogram in self._counted.values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._sensitive)

    def __len__(self) -> int:
        return len(self._sensitive)
