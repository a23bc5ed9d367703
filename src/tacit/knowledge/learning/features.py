"""Features: quasi-identifiers as the few codes that a reader learns from.

Words keep their values. Numbers fall into at most ten bins of equally many people. Dates are taken by month where they
span at most two years, and else like numbers; the day of the week is one more column. A blurred cell is spread evenly
over the codes that it may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from tacit.arrays import FloatGrid, Ints, offsets_of
from tacit.kernels.learning.arguments import CodeGrid
from tacit.table import Codes, Kind, Table

_BINS = 10
"""Bins of a column of numbers. More follow a curve more closely and have fewer people each; the specification's."""

_MONTHS = 24
"""Months that a column of dates may span to be taken by month: with more, each would have few people."""

_MOST_CODES = 100_000
"""Codes of one column. The rarest values beyond share the last code, so that tables by code and value stay small."""


class FeatureCode(NamedTuple):
    """What becomes of one column: the code of each of its values, how many codes there are, and what blurred ones mean.

    `spread` is as in `Features.spreads`, None for plain values.
    """

    lookup: Ints
    size: int
    spread: FloatGrid | None = None


@dataclass(frozen=True, eq=False)
class Features:
    """What is known of people, as codes.

    Attributes
    ----------
    names
        What each column is, the same name twice for the two columns of a date.
    codes
        One row per person: a code per column, -1 where nothing is known.
    sizes
        How many codes each column has.
    spreads
        For a column of blurred cells: per code the shares of the plain codes that it may be. Rows add up to one. A
        column that is not named has plain codes.
    """

    names: tuple[str, ...]
    codes: CodeGrid
    sizes: tuple[int, ...]
    spreads: Mapping[int, FloatGrid]

    @classmethod
    def of(cls, columns: Mapping[str, tuple[Codes, Kind]], rows: int) -> Features:
        """Code columns of plain values.

        Examples
        --------
        >>> from tacit.table import encode
        >>> ages = encode(pl.Series("age", range(20, 60)))
        >>> Features.of({"age": (ages, Kind.NUMERIC)}, 40).codes[::8, 0].tolist()
        [0, 2, 4, 6, 8]
        """
        return cls.made(((name, encoded, coded(encoded, kind)) for name, (encoded, kind) in columns.items()), rows)

    @classmethod
    def made(cls, columns: Iterable[tuple[str, Codes, Sequence[FeatureCode]]], rows: int) -> Features:
        """Put columns together: of each its name, its codes, and what becomes of them."""
        names: list[str] = []
        sizes: list[int] = []
        grids, spreads = [], {}
        for name, encoded, made in columns:
            for each in made:
                if each.spread is not None:
                    spreads[len(names)] = each.spread
                names.append(name)
                sizes.append(each.size)
                grids.append(each.lookup.astype(np.min_scalar_type(-max(1, each.size)))[encoded.codes])
        codes = np.empty((rows, len(grids)), dtype=np.int32)
        for at in range(len(grids)):
            codes[:, at] = grids[at]
            grids[at] = grids[at][:0]
        return cls(tuple(names), codes, tuple(sizes), spreads)

    @classmethod
    def of_table(cls, table: Table) -> Features:
        """Code the quasi-identifiers of a table."""
        columns = {name: (table.codes(name), table.column(name).kind) for name in table.quasi_identifiers}
        return cls.of(columns, len(table))

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.codes)

    @property
    def starts(self) -> Ints:
        """Where the codes of each column begin when those of all columns stand one after another."""
        return offsets_of(self.sizes)

    def take(self, rows: Ints) -> Features:
        """Return some of the people."""
        return Features(self.names, np.ascontiguousarray(self.codes[rows]), self.sizes, self.spreads)


def coded(encoded: Codes, kind: Kind) -> list[FeatureCode]:
    """Return the columns that a reader makes of one column of plain values."""
    present = encoded.values.drop_nulls()
    if kind is Kind.DATE and len(present) and present.dtype in (pl.Date, pl.Datetime):
        weekday = _with_null(present.dt.weekday().cast(pl.Int64).to_numpy() - 1, 7, encoded)
        return [FeatureCode(*_months(encoded, present)), FeatureCode(*weekday)]
    if kind in {Kind.NUMERIC, Kind.DATE} and len(present) > _BINS:
        return [FeatureCode(*_quantiles(encoded))]
    return [FeatureCode(*_frequent(encoded))]


def _months(encoded: Codes, dates: pl.Series) -> tuple[Ints, int]:
    month = (dates.dt.year().cast(pl.Int64) * 12 + dates.dt.month()).to_numpy()
    first, last = int(month.min()), int(month.max())
    if last - first >= _MONTHS:
        return _quantiles(encoded) if len(dates) > _BINS else _frequent(encoded)
    return _with_null(month - first, last - first + 1, encoded)


def _quantiles(encoded: Codes) -> tuple[Ints, int]:
    """Put values into bins of about equally many people: bin b begins where a share of b/10 lies below."""
    present = encoded.values.drop_nulls()
    counts = encoded.counts()[: len(present)]
    proper = len(present)
    if present.dtype.is_float() and proper and present.is_nan()[proper - 1]:  # NaN is no number: a code of its own
        proper -= 1
    below = offsets_of(counts[:proper])[:-1]
    bins = below * _BINS // max(1, int(counts[:proper].sum()))
    _, dense = np.unique(bins, return_inverse=True)
    code = np.arange(len(present), dtype=np.int64)
    code[:proper] = dense
    size = int(dense.max(initial=-1)) + 1
    code[proper:] = size
    return _with_null(code, size + (proper < len(present)), encoded)


def _frequent(encoded: Codes) -> tuple[Ints, int]:
    """Keep every value, or the most frequent ones where there are too many."""
    size = encoded.cardinality
    if size <= _MOST_CODES:
        return np.arange(size, dtype=np.int64), size
    kept = np.argsort(-encoded.counts(), kind="stable")[: _MOST_CODES - 1]
    code = np.full(size, _MOST_CODES - 1, dtype=np.int64)
    code[kept] = np.arange(_MOST_CODES - 1)
    return code, _MOST_CODES


def _with_null(code: Ints, size: int, encoded: Codes) -> tuple[Ints, int]:
    """Give null a code of its own, the last."""
    if encoded.null is None:
        return code.astype(np.int64), size
    return np.append(code, size).astype(np.int64), size + 1
