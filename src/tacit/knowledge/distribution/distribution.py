"""The QI-based distribution: for every attribute set and signature, the probability of each sensitive value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import FloatGrid, Ints
from tacit.errors import ParameterError, RoleError
from tacit.kernels.distribution.arguments import GROUP_ALONE, Signatures
from tacit.table import Groups, Table, as_text, positions

_KEY_LIMIT = 2**62
"""Signatures of an attribute set that are numbered without collisions, in the 63 bits that a number has."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
"""An odd factor whose bits look random (2**64 over the golden ratio): it spreads the codes over 64 bits."""

_MOST_COLUMNS = 12
"""Quasi-identifiers. Twelve have 4,095 attribute sets, each of which is counted; one more doubles time and memory."""

_ROUNDING = 1e-6
"""Rows. Expected counts of a bucketized release come as fractions: so little below the support is enough."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """What the adversary knows: the probability of each sensitive value, by every set of quasi-identifiers.

    Attributes
    ----------
    columns
        The quasi-identifiers.
    dictionaries
        The values of each, as text; their positions are the codes.
    values
        The sensitive values, as text.
    sets
        The attribute sets, each as positions of columns.
    keys
        Of each set, the sorted keys of the signatures with a distribution of their own.
    starts
        Of each set, the row of its first signature in `chances`.
    chances
        One row of probabilities per signature. Row 0 is the whole table's, for every signature that has no row.
    model
        How it was learned, where it is not a matter of counting: "naive-bayes" or "logistic".
    """

    columns: tuple[str, ...]
    dictionaries: Mapping[str, pl.Series]
    values: pl.Series
    sets: tuple[tuple[int, ...], ...]
    keys: tuple[Ints, ...]
    starts: Ints
    chances: FloatGrid
    model: str | None = None

    @classmethod
    def of(cls, table: Table, *, min_support: int = 30, sensitive: str | None = None) -> Distribution:
        """Count it in a table: rows are grouped once, and each attribute set groups the groups.

        Parameters
        ----------
        table
            The microdata, every row of it.
        min_support
            A signature with fewer rows has the whole table's distribution, because shares of a small sample say little.
        sensitive
            Which column; by default the only one.

        Examples
        --------
        >>> frame = {"sex": ["f", "f", "m"], "ill": ["flu", "gout", "flu"]}
        >>> table = Table(frame, quasi_identifiers="sex", sensitive="ill")
        >>> Distribution.of(table, min_support=1).frame().rows()
        [('f', 'flu', 0.5), ('f', 'gout', 0.5), ('m', 'flu', 1.0), ('m', 'gout', 0.0)]
        """
        name = only_sensitive(table) if sensitive is None else sensitive
        cells, columns = table.cells(), table.quasi_identifiers
        histogram = cells.histograms[name]
        return cls.counted(
            columns,
            {column: table.codes(column).texts for column in columns},
            table.codes(name).texts,
            [cells.column(column).astype(np.int64) for column in columns],
            (histogram.entry_groups(), histogram.values, histogram.counts.astype(np.float64)),
            min_support,
        )

    @classmethod
    def counted(
        cls,
        columns: tuple[str, ...],
        dictionaries: Mapping[str, pl.Series],
        values: pl.Series,
        codes: Sequence[Ints],
        entries: tuple[Ints, Ints, Any],
        min_support: int,
    ) -> Distribution:
        """Count cells: `codes` per column of each cell, `entries` the cell, value and (expected) number of rows."""
        cell, value, count = entries
        m = len(values)
        sets = attribute_sets(len(columns))
        cardinalities = [len(dictionaries[column]) for column in columns]
        cells = len(codes[0]) if codes else 1
        sizes = np.bincount(cell, weights=count, minlength=cells)
        whole = np.bincount(value, weights=count, minlength=m)
        rows, keys, starts, at = [(whole / max(1.0, whole.sum()))[None, :]], [], [], 1
        for chosen in sets:
            grouped = Groups.of([codes[j] for j in chosen], [cardinalities[j] for j in chosen], rows=cells)
            support = np.bincount(grouped.ids, weights=sizes, minlength=grouped.count)
            large = np.flatnonzero(support >= min_support - _ROUNDING)
            rank = np.full(grouped.count, -1, dtype=np.int64)
            rank[large] = np.arange(len(large))
            mine = rank[grouped.ids[cell]]
            inside = mine >= 0
            counted = np.bincount(
                mine[inside] * m + value[inside], weights=count[inside], minlength=len(large) * m
            ).reshape(len(large), m)
            key = signature_keys([codes[j] for j in chosen], [cardinalities[j] for j in chosen])
            representative = np.empty(grouped.count, dtype=np.int64)
            representative[grouped.ids] = np.arange(cells)
            large_keys = key[representative[large]]
            order = np.argsort(large_keys)
            keys.append(large_keys[order])
            rows.append((counted / support[large][:, None])[order])
            starts.append(at)
            at += len(large)
        chances = np.ascontiguousarray(np.concatenate(rows))
        return cls(columns, dictionaries, values, sets, tuple(keys), np.array(starts, dtype=np.int64), chances)

    def signatures(self, codes: Sequence[np.ndarray[Any, Any]], rows: int) -> Signatures:
        """Return the row of `chances` of each cell under each attribute set; codes are this distribution's own."""
        out = np.zeros((rows, len(self.sets)), dtype=np.int32)
        cardinalities = [len(self.dictionaries[column]) for column in self.columns]
        for number, chosen in enumerate(self.sets):
            keys = self.keys[number]
            if not len(keys):
                continue
            parts = [codes[j].astype(np.int64) for j in chosen]
            asked = signature_keys(parts, [cardinalities[j] for j in chosen])
            at = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
            hit = keys[at] == asked
            for part in parts:
                hit &= part >= 0
            out[:, number] = np.where(hit, self.starts[number] + at, 0)
        return out

    def encode(self, column: str, values: pl.Series) -> Ints:
        """Return the codes of some distinct values of a quasi-identifier, -1 for one that is not known."""
        return positions(as_text(values), self.dictionaries[column])

    def aligned(self, values: pl.Series) -> FloatGrid:
        """Return the probabilities with one column per given sensitive value; one not known has probability 0."""
        if not len(self.values):
            raise ParameterError("The distribution lists no value.", hint="Give the probability of at least one value.")
        at = positions(as_text(values), self.values)
        return np.ascontiguousarray(np.where(at[None, :] >= 0, self.chances[:, np.maximum(at, 0)], 0.0))

    def set_name(self, number: int) -> str:
        """Name an attribute set; GROUP_ALONE is somebody who knows nothing but the group."""
        if number == GROUP_ALONE:
            return "the group alone"
        if self.model is not None:
            return f"a {self.model} model of all quasi-identifiers"
        return " and ".join(self.columns[j] for j in self.sets[number])

    def frame(self) -> pl.DataFrame:
        """Return it as a table, one row per signature and value; a column outside the attribute set is null."""
        parts = []
        for number in range(len(self.sets)):
            rows = np.arange(len(self.keys[number]))
            names = self._decoded(number)
            for v, value in enumerate(self.values):
                shown: dict[str, Any] = {c: names.get(c, pl.Series([None] * len(rows))) for c in self.columns}
                shown |= {"value": [value] * len(rows), "probability": self.chances[self.starts[number] + rows, v]}
                schema = {**dict.fromkeys(self.columns, pl.String), "value": pl.String, "probability": pl.Float64}
                numbered = [pl.Series("_", rows), pl.lit(number).alias("#")]
                parts.append(pl.DataFrame(shown, schema=schema).with_columns(numbered))
        return pl.concat(parts).sort("#", "_", maintain_order=True).drop("#", "_")

    def _decoded(self, number: int) -> dict[str, pl.Series]:
        keys, out = self.keys[number].copy(), {}
        for j in reversed(self.sets[number]):
            size = max(1, len(self.dictionaries[self.columns[j]]))
            out[self.columns[j]] = self.dictionaries[self.columns[j]].gather(keys % size)
            keys //= size
        return out


def only_sensitive(table: Table) -> str:
    """Return the one sensitive column."""
    if len(table.sensitive) != 1:
        raise RoleError(
            f"A distribution is about one sensitive column; the table has {len(table.sensitive)}.",
            hint="Name one in `sensitive`, and leave the others out or publish them apart.",
        )
    return table.sensitive[0]


def attribute_sets(columns: int) -> tuple[tuple[int, ...], ...]:
    """Return every set of columns that is not empty."""
    if columns > _MOST_COLUMNS:
        raise ParameterError(
            f"{columns} quasi-identifiers have {2**columns - 1:,} attribute sets.",
            hint=f"Give at most {_MOST_COLUMNS}, or a distribution that names the sets it is about.",
        )
    return tuple(chosen for size in range(1, columns + 1) for chosen in combinations(range(columns), size))


def signature_keys(codes: Sequence[Ints], cardinalities: Sequence[int]) -> Ints:
    """Return one number per signature: mixed radix, or a 64-bit mix where that does not fit."""
    span = 1
    for cardinality in cardinalities:
        span *= max(1, cardinality)
    if span < _KEY_LIMIT:
        key = np.zeros(len(codes[0]), dtype=np.int64)
        for column, cardinality in zip(codes, cardinalities, strict=True):
            key = key * max(1, cardinality) + column
        return key
    mixed = np.zeros(len(codes[0]), dtype=np.uint64)
    for column in codes:
        mixed = (mixed ^ column.astype(np.uint64)) * _MIX
        mixed ^= mixed >> np.uint64(29)
    return mixed.view(np.int64)
