"""Query error: how far counts that an analyst estimates from a release are from the truth.

A row counts by the share of its published box that lies in the query, as if values were uniform inside the box; where
values are in a table of their own, by the share of its batch that has the value. The error of a query is |true -
estimated| / true; a query that selects nobody in the table is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import Floats, offsets_of
from tacit.calls import checked_call
from tacit.errors import RoleError
from tacit.measures.workload import Axis, Workload
from tacit.shapes import ANYTHING, Classes, Published, PublishedColumn, Shape, cover, extents
from tacit.shapes.published import expect_release, expect_table
from tacit.table import Table, as_text


@dataclass(frozen=True, eq=False)
class QueryError:
    """The relative errors of some queries.

    Attributes
    ----------
    errors
        One per query.
    """

    errors: Floats

    @property
    def median(self) -> float:
        """The median error."""
        return float(np.median(self.errors))

    @property
    def mean(self) -> float:
        """The mean error."""
        return float(np.mean(self.errors))

    def __repr__(self) -> str:
        return f"QueryError: median {self.median:.4f}, mean {self.mean:.4f} of {len(self.errors):,} queries"


@checked_call()
def query_error(
    release: Published,
    table: Table,
    *,
    workload: Workload | None = None,
    queries: int = 1_000,
    dimensions: int | None = None,
    selectivity: float = 0.1,
    seed: int | None = None,
) -> QueryError:
    """Ask a release COUNT queries, and compare with the table.

    Parameters
    ----------
    release
        What is published, in any shape. Of several marginals, the smallest that has all columns asked for answers.
    table
        What it was made from.
    workload
        The queries; by default drawn over the quasi-identifiers that are published, with the parameters that follow.
    queries, dimensions, selectivity, seed
        As in `Workload.draw`.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [20, 21, 50, 51], "ill": ["flu", "cold", "flu", "cold"]}
    >>> table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    >>> release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill")
    >>> query_error(release, table, queries=10, selectivity=0.5, seed=1)
    QueryError: median 0.0000, mean 0.0000 of 10 queries
    """
    expect_release("query_error", release)
    expect_table("query_error", table)
    if workload is None:
        names = [name for name in release.shape.quasi_identifiers if name in table.quasi_identifiers]
        workload = Workload.draw(
            table, columns=names, queries=queries, dimensions=dimensions, selectivity=selectivity, seed=seed
        )
    estimated = estimates(release.shape, workload)
    return QueryError(np.abs(workload.answers - estimated) / workload.answers)


def estimates(shape: Shape, workload: Workload) -> Floats:
    """Return the estimated count of every query."""
    from tacit.kernels.threads import in_parallel, stretches

    part = _answering(shape, workload)
    counts = np.zeros(len(workload))
    asker = _Asker.of(part, workload)
    in_parallel(asker.ask, [(begin, end, counts) for begin, end in stretches(len(workload), 16)])
    return counts


def _answering(shape: Shape, workload: Workload) -> Shape:
    fit = [part for part in shape.parts.values() if workload.needed <= set(part.quasi_identifiers)]
    if not fit:
        raise RoleError(
            f"No published table has all the columns asked for: {', '.join(sorted(workload.needed))}.",
            hint="Draw the workload over columns that are published together.",
        )
    return min(fit, key=lambda part: len(part.quasi_identifiers))


@dataclass(frozen=True, eq=False)
class _Labels:
    """The published cells of one column against an axis: intervals, or rows of a matrix of places."""

    low: Floats
    high: Floats
    row: np.ndarray[Any, Any]
    prefix: np.ndarray[Any, Any]
    step: float

    @classmethod
    def of(cls, classes: Classes, column: PublishedColumn, axis: Axis) -> _Labels:
        labels = classes.labels[column.name]
        low, high = np.full(len(labels), np.nan), np.full(len(labels), np.nan)
        if axis.numbers is not None:
            ranges = extents(as_text(labels), column.kind)
            low, high = np.array(ranges.low), np.array(ranges.high)
            known = axis.numbers[np.isfinite(axis.numbers)]
            anything = (as_text(labels) == ANYTHING).fill_null(False).to_numpy() & column.blurred
            if column.suppressed:
                anything |= labels.is_null().to_numpy()
            if len(known):
                low[anything], high[anything] = known.min(), known.max()
                low, high = np.maximum(low, known.min()), np.minimum(high, known.max())
        listed = np.flatnonzero(np.isnan(low) | np.isnan(high))
        row = np.full(len(labels), -1, dtype=np.int64)
        row[listed] = np.arange(len(listed))
        prefix = np.zeros((len(listed), len(axis.values) + 1), dtype=np.int64)
        if len(listed):
            if len(listed) == len(labels):
                covers = classes.cover(column.name, column, axis.values)
            else:
                covers = cover(labels.gather(listed), column, axis.values)
            prefix[:, 1:] = np.cumsum(covers.matches(), axis=1)
        return cls(low, high, row, prefix, axis.step)


@dataclass(frozen=True, eq=False)
class _Asker:
    """A shape made ready for many queries."""

    workload: Workload
    names: tuple[str, ...]
    labels: tuple[_Labels, ...]
    base: np.ndarray[Any, Any]
    codes: np.ndarray[Any, Any]
    offsets: np.ndarray[Any, Any]
    place: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any]

    @classmethod
    def of(cls, shape: Shape, workload: Workload) -> _Asker:
        classes = shape.classes
        if workload.sensitive not in classes.spreads:
            raise RoleError.missing_column(workload.sensitive, shape.sensitive, place="the release")
        names = tuple(name for name in shape.quasi_identifiers if name in workload.needed)
        labels = tuple(_Labels.of(classes, shape.column(n), workload.axes[n]) for n in names)
        base = offsets_of([len(each.low) for each in labels])
        spread = classes.spreads[workload.sensitive]
        known = {text: place for place, text in enumerate(as_text(workload.axes[workload.sensitive].values).to_list())}
        meant = np.array([known.get(text, -1) for text in as_text(spread.dictionary).to_list()], dtype=np.int64)
        codes = np.ascontiguousarray(classes.places(names).T)  # a query reads few columns, each from end to end
        return cls(workload, names, labels, base, codes, spread.offsets, meant[spread.values], spread.weights)

    def ask(self, begin: int, end: int, counts: Floats) -> None:
        """Estimate some of the queries."""
        from tacit.kernels.queries import box_shares, count

        work = self.workload
        share = np.ones(int(self.base[-1]))
        for q in range(begin, end):
            asked = work.asked_of(self.names, q)
            for a in asked.tolist():
                name, each, mine = self.names[a], self.labels[a], share[self.base[a] : self.base[a + 1]]
                bounds, places = work.bounds[name][q], work.places[name][q]
                box_shares(each.low, each.high, each.row, each.prefix, each.step, bounds, places, mine)
            first, last = work.places[work.sensitive][q]
            counts[q] = count(self.codes, self.base, share, asked, self.offsets, self.place, self.weights, first, last)
