"""How a column would blur: the levels of a hierarchy with counts, and the values that it does not cover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tacit.errors import TacitError
from tacit.hierarchies import Hierarchy, make
from tacit.table import as_text
from tacit.table.kinds import declare

_PATHS = 2_000
"""Values whose whole paths are shown, at most: a longer list is edited in a file. Chosen by hand."""

_NODES = 300
"""Nodes of a level that are shown, at most, the most frequent ones. Chosen by hand."""

_LACKING = 20
"""Values without a place that are named, at most."""


@dataclass(frozen=True)
class Level:
    """One level of a hierarchy: its nodes by name, how many rows each has, and how many nodes there are in all."""

    nodes: tuple[tuple[str, int], ...]
    size: int


@dataclass(frozen=True)
class HierarchyView:
    """What a hierarchy does to a column.

    Attributes
    ----------
    levels
        From the values themselves to the one node that stands for all of them.
    paths
        What each value blurs into, level by level, with the rows that have it; empty where there are too many values.
    lacking
        Values of the table that have no place in the hierarchy, some of them, and how many there are.
    error
        Why the hierarchy cannot be used; None where it can.
    """

    column: str
    distinct: int
    levels: tuple[Level, ...] = ()
    paths: tuple[tuple[tuple[str, ...], int], ...] = ()
    lacking: tuple[str, ...] = ()
    lacking_count: int = 0
    error: str | None = None


def view_of(values: pl.Series, spec: Any, kind: Any = None) -> HierarchyView:
    """Bind a hierarchy to the values of a column, or say why that is not possible.

    Parameters
    ----------
    values
        The column.
    spec
        A description as a recipe has it, with the path of a file made whole.
    kind
        The kind that the recipe declares, if it does.

    Examples
    --------
    >>> found = view_of(pl.Series("age", [21, 23, 38]), {"interval": 10})
    >>> [level.size for level in found.levels], found.levels[1].nodes
    ([3, 2, 1, 1], (('[20, 29]', 2), ('[30, 39]', 1)))
    """
    name = values.name
    try:
        typed = values if kind is None else declare(values, kind)[0]
        counted = typed.drop_nulls().value_counts(sort=False, name="rows").sort(name)
        distinct, rows = counted[name], counted["rows"].to_numpy()
        hierarchy = make(spec)
    except TacitError as error:
        return HierarchyView(name, 0, error=str(error))
    lacking = as_text(distinct.filter(~_known(hierarchy, distinct)))
    try:
        tree = hierarchy.bind(distinct)
    except TacitError as error:
        some = tuple(map(str, lacking.head(_LACKING)))
        return HierarchyView(name, len(distinct), lacking=some, lacking_count=len(lacking), error=str(error))
    levels = []
    for nodes in tree.levels:
        counts = np.bincount(nodes, weights=rows, minlength=tree.nodes).astype(np.int64)
        present = np.unique(nodes)
        order = present[np.argsort(-counts[present], kind="stable")][:_NODES]
        levels.append(Level(tuple((tree.names[int(node)], int(counts[node])) for node in order), len(present)))
    paths: tuple[tuple[tuple[str, ...], int], ...] = ()
    if len(distinct) <= _PATHS:
        named = [tuple(tree.names[int(node)] for node in path) for path in tree.levels.T]
        paths = tuple(zip(named, map(int, rows), strict=True))
    return HierarchyView(name, len(distinct), tuple(levels), paths)


def _known(hierarchy: Hierarchy, distinct: pl.Series) -> pl.Series:
    try:
        return hierarchy.known(distinct)
    except (TacitError, pl.exceptions.PolarsError):
        return pl.Series([True]).new_from_index(0, len(distinct))
