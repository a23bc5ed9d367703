"""Distances between distributions: how far what a reader reconstructs is from what was there.

A reader spreads a blurred cell evenly over the values it may stand for, and a bucket's sensitive values evenly over
its rows. Compared are one-way distributions of every column, and two-way distributions of every pair of
quasi-identifiers and of every quasi-identifier with every sensitive column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from tacit.arrays import FloatGrid, Floats
from tacit.errors import RoleError
from tacit.shapes import Classes, Published, Shape
from tacit.table import Table, as_text


@dataclass(frozen=True)
class Distance:
    """Total variation (0 to 1), and Kullback-Leibler divergence in nats, of the table from what is reconstructed.

    The divergence is infinite where something that was there can no longer be.
    """

    total_variation: float
    kl: float


@dataclass(frozen=True)
class DistributionDistances:
    """Distances by column, and by pair of columns.

    Attributes
    ----------
    one_way, two_way
        The distances.
    counts
        What `reconstructed` returns: how often each value of a column is in the table, and as a reader reconstructs it.
    """

    one_way: dict[str, Distance]
    two_way: dict[tuple[str, str], Distance]
    counts: dict[str, tuple[Floats, Floats]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def mean_one_way(self) -> float:
        """The mean total variation over columns."""
        return float(np.mean([d.total_variation for d in self.one_way.values()])) if self.one_way else 0.0

    @property
    def mean_two_way(self) -> float:
        """The mean total variation over pairs of columns."""
        return float(np.mean([d.total_variation for d in self.two_way.values()])) if self.two_way else 0.0


def distribution_distances(
    release: Published, table: Table, *, columns: Sequence[str] | None = None
) -> DistributionDistances:
    """Compare the distributions of a table with those that a release lets a reader reconstruct.

    Parameters
    ----------
    release
        What is published.
    table
        What it was made from.
    columns
        The quasi-identifiers to compare, by default all; memory grows with labels times values.

    Examples
    --------
    >>> import tacit as tc
    >>> table = tc.Table({"age": [1, 1, 2, 2], "ill": ["a", "b", "a", "b"]}, quasi_identifiers="age", sensitive="ill")
    >>> distances = distribution_distances(tc.Anatomy(l=2).protect(table), table)
    >>> distances.one_way["age"].total_variation
    0.0
    """
    shape, classes = release.shape, release.shape.classes
    names, secrets = _common(shape, table, columns)
    spread = {name: _even(shape, classes, name, table) for name in names}
    values = {name: _known(classes, name, table) for name in secrets}
    counts = _one_way(shape, classes, spread, values, table)
    one_way = {name: _distance(there, seen) for name, (there, seen) in counts.items()}
    two_way = {}
    for a, b in combinations(names, 2):
        two_way[a, b] = _distance(_joint(table, a, b), spread[a].T @ _pairs(shape, classes, a, b) @ spread[b])
    for a in names:
        for b in secrets:
            two_way[a, b] = _distance(_joint(table, a, b), spread[a].T @ _beside(shape, classes, a, b) @ values[b])
    return DistributionDistances(one_way, two_way, counts)


def reconstructed(
    release: Published, table: Table, *, columns: Sequence[str] | None = None
) -> dict[str, tuple[Floats, Floats]]:
    """Count every value of every column, in the table and as a reader of the release reconstructs it.

    Parameters
    ----------
    release
        What is published.
    table
        What it was made from; counts are in the order of its codes.
    columns
        As for `distribution_distances`.

    Examples
    --------
    >>> import tacit as tc
    >>> table = tc.Table({"age": [1, 1, 2, 2], "ill": ["a", "b", "a", "b"]}, quasi_identifiers="age", sensitive="ill")
    >>> there, seen = reconstructed(tc.Anatomy(l=2).protect(table), table)["age"]
    >>> there.tolist(), seen.tolist()
    ([2.0, 2.0], [2.0, 2.0])
    """
    shape, classes = release.shape, release.shape.classes
    names, secrets = _common(shape, table, columns)
    spread = {name: _even(shape, classes, name, table) for name in names}
    return _one_way(shape, classes, spread, {name: _known(classes, name, table) for name in secrets}, table)


def _common(shape: Shape, table: Table, columns: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """Return the quasi-identifiers and the sensitive columns that both have."""
    asked = shape.quasi_identifiers if columns is None else columns
    names = [name for name in shape.quasi_identifiers if name in table.quasi_identifiers and name in asked]
    secrets = [name for name in shape.sensitive if name in table.sensitive]
    if not names and not secrets and columns is None:
        raise RoleError("The release and the table have no column in common.", hint="Give the table it was made from.")
    return names, secrets


def _one_way(
    shape: Shape, classes: Classes, spread: Mapping[str, FloatGrid], values: Mapping[str, FloatGrid], table: Table
) -> dict[str, tuple[Floats, Floats]]:
    every = list(shape.quasi_identifiers)
    seen = {}
    for name, matrix in spread.items():
        cells = classes.codes[:, every.index(name)]
        seen[name] = np.bincount(cells, weights=classes.weights, minlength=len(matrix)) @ matrix
    for name, matrix in values.items():
        expected = classes.spreads[name]
        seen[name] = np.bincount(expected.values, weights=expected.weights, minlength=len(matrix)) @ matrix
    return {name: (table.counts(name).astype(np.float64), mass) for name, mass in seen.items()}


def _even(shape: Shape, classes: Classes, name: str, table: Table) -> FloatGrid:
    """Spread each published cell evenly over the values of the table that it may stand for."""
    matches = classes.cover(name, shape.column(name), table.codes(name).values).matches().astype(np.float64)
    return np.asarray(matches / np.maximum(1.0, matches.sum(axis=1, keepdims=True)), dtype=np.float64)


def _known(classes: Classes, name: str, table: Table) -> FloatGrid:
    """Match published sensitive values with those of the table."""
    codes = table.codes(name).positions(as_text(classes.spreads[name].dictionary))
    matches = np.zeros((len(codes), table.codes(name).cardinality))
    known = np.flatnonzero(codes >= 0)
    matches[known, codes[known]] = 1.0
    return matches


def _pairs(shape: Shape, classes: Classes, a: str, b: str) -> FloatGrid:
    names = list(shape.quasi_identifiers)
    return _count(
        classes.codes[:, names.index(a)], classes.codes[:, names.index(b)], classes.weights.astype(float),
        (len(classes.labels[a]), len(classes.labels[b])),
    )  # fmt: skip


def _beside(shape: Shape, classes: Classes, a: str, b: str) -> FloatGrid:
    spread = classes.spreads[b]
    owner = np.repeat(np.arange(len(classes.weights)), np.diff(spread.offsets))
    cells = classes.codes[:, list(shape.quasi_identifiers).index(a)][owner]
    return _count(cells, spread.values, spread.weights, (len(classes.labels[a]), len(spread.dictionary)))


def _joint(table: Table, a: str, b: str) -> FloatGrid:
    left, right = table.codes(a), table.codes(b)
    return _count(left.codes, right.codes, np.ones(len(table)), (left.cardinality, right.cardinality))


def _count(left: Any, right: Any, weights: Any, size: tuple[int, int]) -> FloatGrid:
    keys = left.astype(np.int64) * size[1] + right
    return np.bincount(keys, weights=weights, minlength=size[0] * size[1]).astype(np.float64).reshape(size)


def _distance(there: np.ndarray[Any, Any], seen: np.ndarray[Any, Any]) -> Distance:
    p = there.ravel() / max(1.0, there.sum())
    q = seen.ravel() / seen.sum() if seen.sum() > 0 else np.zeros_like(p)
    real = p > 0
    lost = bool((q[real] <= 0).any())
    kl = np.inf if lost else float((p[real] * np.log(p[real] / q[real])).sum())
    return Distance(float(np.abs(p - q).sum() / 2), max(0.0, float(kl)))
