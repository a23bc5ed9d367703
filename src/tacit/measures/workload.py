"""Workloads: COUNT queries with ranges on quasi-identifiers and one on the sensitive value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints, offsets_of
from tacit.errors import Infeasible, ParameterError, RoleError
from tacit.randomness import Randomness
from tacit.table import Codes, Kind, Table

_ROUNDS = 200
"""How often queries that select nobody are drawn again before drawing is given up. More take longer where a table is
too sparse for the queries; chosen by trial."""


@dataclass(frozen=True, eq=False)
class Axis:
    """A column that queries range over: its values stand at places 0, 1, ...

    Attributes
    ----------
    values
        The value at each place.
    numbers
        The number behind each place, for numbers and dates; NaN for null. None for other columns.
    step
        The distance of neighbouring numbers: 1 for whole numbers and dates, 0 for others.
    """

    values: pl.Series
    numbers: np.ndarray[Any, Any] | None
    step: float

    @classmethod
    def of(cls, codes: Codes, kind: Kind) -> Axis:
        """Lay a column out: numbers ascending, values of a hierarchy with their siblings, others by code."""
        if kind in {Kind.NUMERIC, Kind.DATE}:
            values = codes.values.dt.date() if codes.values.dtype == pl.Datetime else codes.values  # cells tell days
            numbers = values.to_physical().cast(pl.Float64).fill_null(float("nan")).to_numpy()
            whole = values.dtype.is_integer() or values.dtype == pl.Date
            return cls(codes.values, numbers, 1.0 if whole else 0.0)
        if kind is Kind.ORDERED or codes.tree is None:
            return cls(codes.values, None, 1.0)
        order = np.append(codes.tree.order, np.arange(len(codes.tree.order), codes.cardinality))
        return cls(codes.values.gather(order), None, 1.0)

    def draw(self, share: float, n: int, generator: np.random.Generator) -> tuple[np.ndarray[Any, Any], Ints]:
        """Draw ranges that cover a share of the domain: bounds as numbers, and places from .. to before."""
        if self.numbers is None:
            many = len(self.values)
            length = max(1, round(share * many))
            first = generator.integers(0, many - length + 1, n)
            return np.zeros((n, 2)), np.stack([first, first + length], axis=1)
        known = self.numbers[np.isfinite(self.numbers)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        if self.step:
            length = max(1, round(share * (high - low + 1)))
            begin = low + generator.integers(0, int(high - low) + 2 - length, n)
            bounds = np.stack([begin, begin + length - 1], axis=1)
        else:
            begin = low + generator.random(n) * (high - low) * (1 - share)
            bounds = np.stack([begin, begin + share * (high - low)], axis=1)
        places = [np.searchsorted(known, bounds[:, 0], "left"), np.searchsorted(known, bounds[:, 1], "right")]
        return bounds.astype(np.float64), np.stack(places, axis=1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Workload:
    """Some queries `SELECT COUNT(*) WHERE range(A1) AND ... AND range(sensitive)`, and their true answers.

    Attributes
    ----------
    axes
        The columns that queries may range over, and the sensitive column.
    sensitive
        The name of the sensitive column.
    bounds, places
        Per column, the range of each query.
    asked
        Per column, whether the query asks for it.
    answers
        The true counts; none is 0.
    """

    axes: Mapping[str, Axis]
    sensitive: str
    bounds: Mapping[str, np.ndarray[Any, Any]]
    places: Mapping[str, Ints]
    asked: Mapping[str, np.ndarray[Any, Any]]
    answers: np.ndarray[Any, Any]

    @classmethod
    def draw(
        cls,
        table: Table,
        *,
        columns: Sequence[str] | None = None,
        queries: int = 1_000,
        dimensions: int | None = None,
        selectivity: float = 0.1,
        sensitive: str | None = None,
        seed: int | None = None,
    ) -> Workload:
        """Draw queries that somebody answers to.

        Parameters
        ----------
        table
            The microdata.
        columns
            The quasi-identifiers that queries may range over, by default all.
        queries
            How many.
        dimensions
            How many of the columns each query ranges over (w), chosen at random; by default all.
        selectivity
            The share of the table that a query would select if all were uniform (s): each range covers s^(1/(w+1)) of
            its domain.
        sensitive
            The sensitive column, by default the first.
        seed
            The same seed draws the same queries.
        """
        names = tuple(table.quasi_identifiers if columns is None else columns)
        if not table.sensitive:
            raise RoleError("A workload needs a sensitive column.", hint="Name one in `sensitive`.")
        target = table.sensitive[0] if sensitive is None else sensitive
        width = len(names) if dimensions is None else dimensions
        if not 0 < selectivity <= 1:
            raise ParameterError(f"selectivity = {selectivity} is not allowed.", hint="Give a number above 0, up to 1.")
        if not 0 <= width <= len(names) or queries < 1:
            raise ParameterError(
                f"dimensions = {width}, queries = {queries} is not allowed.",
                hint=f"Give 0 to {len(names)} dimensions, and at least one query.",
            )
        axes = {name: Axis.of(table.codes(name), table.column(name).kind) for name in (*names, target)}
        share = selectivity ** (1 / (width + 1))
        generator = Randomness.make(seed).secret()
        truth = _Truth.of(table, names, target, axes)
        kept: list[Workload] = []
        left = queries
        for _ in range(_ROUNDS):
            one = cls._drawn(axes, target, names, width, share, left, generator)
            answers = truth.answers(one)
            some = np.flatnonzero(answers > 0)
            kept.append(one._take(some, answers[some]))
            left -= len(some)
            if not left:
                return _joined(kept)
        raise Infeasible(
            f"Hardly a query of selectivity {selectivity} over {width} columns selects anybody.",
            hint="Ask for a larger selectivity or fewer dimensions.",
        )

    @classmethod
    def _drawn(
        cls, axes: Mapping[str, Axis], target: str, names: Sequence[str], width: int, share: float, n: int,
        generator: np.random.Generator,
    ) -> Workload:  # fmt: skip
        ranges = {name: axis.draw(share, n, generator) for name, axis in axes.items()}
        rank = np.argsort(generator.random((n, max(1, len(names)))), axis=1)
        asked = {name: rank[:, a] < width for a, name in enumerate(names)}
        asked[target] = np.ones(n, dtype=bool)
        bounds, places = ({name: pair[i] for name, pair in ranges.items()} for i in (0, 1))
        return cls(axes, target, bounds, places, asked, np.zeros(n))

    def _take(self, rows: Ints, answers: np.ndarray[Any, Any]) -> Workload:
        bounds, places, asked = (
            {name: part[rows] for name, part in each.items()} for each in (self.bounds, self.places, self.asked)
        )
        return Workload(self.axes, self.sensitive, bounds, places, asked, answers)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers that queries may range over."""
        return tuple(name for name in self.axes if name != self.sensitive)

    def asked_of(self, names: Sequence[str], query: int) -> Ints:
        """Return which of some columns a query asks for, by their numbers."""
        return np.flatnonzero([self.asked[name][query] for name in names])

    @cached_property
    def needed(self) -> frozenset[str]:
        """The quasi-identifiers that some query asks for."""
        return frozenset(name for name in self.columns if self.asked[name].any())


def _joined(parts: Sequence[Workload]) -> Workload:
    first = parts[0]
    bounds, places, asked = (
        {name: np.concatenate([getattr(part, each)[name] for part in parts]) for name in first.axes}
        for each in ("bounds", "places", "asked")
    )
    answers = np.concatenate([part.answers for part in parts])
    return Workload(first.axes, first.sensitive, bounds, places, asked, answers)


@dataclass(frozen=True, eq=False)
class _Truth:
    """The table as cells: per column the place of each cell, and the sensitive values of each."""

    places: np.ndarray[Any, Any]
    offsets: Ints
    sensitive: Ints
    counts: np.ndarray[Any, Any]

    @classmethod
    def of(cls, table: Table, names: Sequence[str], target: str, axes: Mapping[str, Axis]) -> _Truth:
        groups = table.groups(list(names))
        first = groups.first()
        columns = [_place_of(table.codes(name), axes[name])[table.codes(name).codes[first]] for name in names]
        histogram = table.statistics(groups).histograms[target]
        return cls(
            np.stack(columns) if columns else np.zeros((0, groups.count), np.int64),
            histogram.offsets,
            _place_of(table.codes(target), axes[target])[histogram.values],
            histogram.counts.astype(np.float64),
        )

    def answers(self, workload: Workload) -> np.ndarray[Any, Any]:
        from tacit.kernels.queries import count

        names = workload.columns
        base = offsets_of([len(workload.axes[name].values) for name in names])
        share = np.ones(int(base[-1]))
        answers = np.zeros(len(workload))
        for q in range(len(workload)):
            asked = workload.asked_of(names, q)
            for a in asked.tolist():
                begin, end = workload.places[names[a]][q]
                share[base[a] : base[a + 1]] = 0.0
                share[base[a] + begin : base[a] + end] = 1.0
            begin, end = workload.places[workload.sensitive][q]
            answers[q] = count(self.places, base, share, asked, self.offsets, self.sensitive, self.counts, begin, end)
        return answers


def _place_of(codes: Codes, axis: Axis) -> Ints:
    """Return the place of each code."""
    if axis.numbers is not None or codes.tree is None or axis.values.equals(codes.values):
        return np.arange(codes.cardinality)
    place = np.empty(codes.cardinality, dtype=np.int64)
    order = np.append(codes.tree.order, np.arange(len(codes.tree.order), codes.cardinality))
    place[order] = np.arange(codes.cardinality)
    return place
