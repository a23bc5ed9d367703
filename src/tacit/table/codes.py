"""Codes: a column as integers, made once.

A code is the rank of a value among the distinct values of the column, so codes do not depend on the order of rows:
numbers, dates and text ascending, a declared order as declared, NaN after the numbers, null last of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.errors import HierarchyError
from tacit.hierarchies import Hierarchy, Tree

Codes32 = np.ndarray[tuple[int], np.dtype[np.int32]]
_DIRECT = 4
"""The most entries of a lookup table per row; where the range of whole numbers is larger, they are sorted instead. A
larger table takes memory and time, sorting takes more time. Chosen by trial."""


@dataclass(frozen=True, eq=False)
class Codes:
    """One encoded column.

    Attributes
    ----------
    codes
        One code per row.
    values
        The value of each code, null (if there is one) last.
    hierarchy
        How the values may blur, if declared.
    """

    codes: Codes32
    values: pl.Series
    hierarchy: Hierarchy | None = None

    @property
    def cardinality(self) -> int:
        """How many codes there are, values of a declared domain that no row has included."""
        return len(self.values)

    @property
    def null(self) -> int | None:
        """The code of null, if the column has one."""
        last = len(self.values) - 1
        return last if last >= 0 and self.values[last] is None else None

    @cached_property
    def tree(self) -> Tree | None:
        """The hierarchy bound to the values (null apart), or None."""
        return None if self.hierarchy is None else self.hierarchy.bind(self.values.drop_nulls())

    @cached_property
    def texts(self) -> pl.Series:
        """The values as they are written, null as null."""
        return as_text(self.values)

    def positions(self, texts: pl.Series) -> Ints:
        """Return the code of each text, -1 where no value is written like it; a null is the code of null.

        Examples
        --------
        >>> encode(pl.Series("ill", ["flu", "cold"])).positions(pl.Series(["flu", "gout"])).tolist()
        [1, -1]
        """
        return positions(texts, self.texts)

    def counts(self) -> Ints:
        """Return how many rows have each code."""
        return np.bincount(self.codes, minlength=self.cardinality).astype(np.int64)

    def take(self, rows: np.ndarray[Any, Any]) -> Codes:
        """Return the codes of some rows, in the same dictionary."""
        taken = self.codes[rows]
        taken.flags.writeable = False
        return Codes(taken, self.values, self.hierarchy)


def positions(texts: pl.Series, among: pl.Series) -> Ints:
    """Return where each text first stands in a list of texts, -1 where it does not; a null is looked up like a text.

    Examples
    --------
    >>> positions(pl.Series(["flu", None, "gout"]), pl.Series(["cold", "flu", None])).tolist()
    [1, 2, -1]
    """
    known = pl.DataFrame({"text": among.cast(pl.String), "place": np.arange(len(among), dtype=np.int64)})
    asked = pl.DataFrame({"text": texts.cast(pl.String)})
    first = known.unique("text", keep="first")
    places = asked.join(first, on="text", how="left", nulls_equal=True, maintain_order="left")["place"]
    return places.fill_null(-1).to_numpy().copy()


def as_text(values: pl.Series) -> pl.Series:
    """Write values the way files show them: whole floats stay floats, dates are ISO."""
    if values.dtype == pl.String:
        return values
    if values.dtype == pl.Datetime:
        return values.dt.to_string("iso")
    return values.cast(pl.String)


def encode(column: pl.Series, *, domain: pl.Series | None = None, hierarchy: Hierarchy | None = None) -> Codes:
    """Encode a column; `domain` is a declared order."""
    codes, values = _by_domain(column, domain) if domain is not None else _by_value(column)
    codes.flags.writeable = False
    encoded = Codes(codes, values, hierarchy)
    if hierarchy is not None and encoded.tree is None:  # binding names a value that the hierarchy lacks
        raise HierarchyError(f"Column {column.name!r} has a hierarchy that binds to nothing.")
    return encoded


def _by_domain(column: pl.Series, domain: pl.Series) -> tuple[Codes32, pl.Series]:
    codes, present_values = _by_value(column)
    ranks = pl.DataFrame({"value": domain, "rank": np.arange(len(domain), dtype=np.int32)})
    present = present_values.drop_nulls()
    to_rank = pl.DataFrame({"value": present}).join(ranks, on="value", how="left", maintain_order="left")["rank"]
    table = to_rank.to_numpy()
    values = domain.alias(column.name)
    if len(present) < len(present_values):
        table = np.append(table, np.int32(len(domain)))
        values = pl.concat([values, pl.Series(column.name, [None], dtype=values.dtype)])
    return table.astype(np.int32)[codes] if len(table) else codes, values


def _by_value(column: pl.Series) -> tuple[Codes32, pl.Series]:
    """Rank the values; null gets the last code, so that it compares with nothing."""
    mask = column.is_null().to_numpy() if column.null_count() else None
    dense = column if mask is None else column.drop_nulls()
    if isinstance(dense.dtype, pl.Enum):
        codes, values = _dense_categories(dense, dense.dtype.categories)
    else:
        codes, values = _dense_text(dense) if dense.dtype == pl.String else _dense_number(dense)
    values = values.alias(column.name)
    if mask is None:
        return codes, values
    whole = np.full(len(column), len(values), dtype=np.int32)
    whole[~mask] = codes
    return whole, pl.concat([values, pl.Series(column.name, [None], dtype=values.dtype)])


def _dense_text(column: pl.Series) -> tuple[Codes32, pl.Series]:
    if not len(column):
        return np.empty(0, np.int32), column
    # A namespace of its own: the physical codes are then 0..k-1 and nothing is shared with other columns.
    physical = column.cast(pl.Categorical(pl.Categories.random())).to_physical().to_numpy()
    first = np.zeros(int(physical.max()) + 1, dtype=np.int64)
    first[physical] = np.arange(len(physical))
    distinct = column.gather(first)
    order = distinct.arg_sort().to_numpy()
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[physical], distinct.gather(order)


def _dense_categories(column: pl.Series, categories: pl.Series) -> tuple[Codes32, pl.Series]:
    """Rank the categories that occur as the texts they are; only these are looked at, not the texts of all rows."""
    physical = column.to_physical().to_numpy()
    used = np.flatnonzero(np.bincount(physical, minlength=len(categories)))
    distinct = categories.gather(used)
    order = distinct.arg_sort().to_numpy()
    rank = np.zeros(len(categories), dtype=np.int32)
    rank[used[order]] = np.arange(len(order), dtype=np.int32)
    return rank[physical], distinct.gather(order)


def _dense_number(column: pl.Series) -> tuple[Codes32, pl.Series]:
    numbers = column.to_physical().to_numpy()
    if numbers.dtype == np.bool_:
        numbers = numbers.astype(np.int8)
    if len(numbers) and numbers.dtype.kind in "iu":
        low, span = int(numbers.min()), int(numbers.max()) - int(numbers.min())
        if span <= _DIRECT * len(numbers) + 1024:
            # Differences of narrow integers overflow; unsigned ones, which wrap around, come out right.
            offsets = (numbers.astype(np.uint64) - np.uint64(low % 2**64)).astype(np.int64)
            seen = np.zeros(span + 1, dtype=bool)
            seen[offsets] = True
            rank = (np.cumsum(seen, dtype=np.int32) - 1).astype(np.int32)
            values = pl.Series((np.flatnonzero(seen).astype(np.uint64) + np.uint64(low % 2**64)).astype(numbers.dtype))
            return rank[offsets], values.cast(_physical(column)).cast(column.dtype)
    distinct, codes = np.unique(numbers, return_inverse=True)
    return codes.astype(np.int32), pl.Series(distinct).cast(_physical(column)).cast(column.dtype)


def _physical(column: pl.Series) -> pl.DataType:
    return column.to_physical().dtype
