"""The space of the quasi-identifiers: where each value stands and what a blur over several values costs.

Every attribute is brought to *positions*: numeric values by rank, leaves of a tree in depth-first order, nominal
values as they come. A group is then an interval of positions (numeric and tree) or a set of them (nominal), and
the least tree node over a group is the one over its first and last position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import offsets_of
from tacit.kernels.compiling import compiled

__all__ = ["NOMINAL", "NUMERIC", "TREE", "Hierarchical", "Nominal", "Numeric", "Space", "attribute_width", "space_of"]

NUMERIC, NOMINAL, TREE = 0, 1, 2
_TABLE = 128
"""The most leaves of a tree whose widths are kept as a table of pairs, which takes 128 KB at most. In larger trees the
lowest common node is searched level by level, which takes longer and no memory. Chosen by trial."""


class Numeric(NamedTuple):
    """A numeric attribute: the value behind each code (NaN is a value of its own) and the range of the table."""

    values: NDArray[np.float64]
    span: float


class Nominal(NamedTuple):
    """An attribute without order or hierarchy: how many codes there are, and the size of its domain."""

    codes: int
    domain: int


class Hierarchical(NamedTuple):
    """An attribute with a hierarchy: `levels[h, code]` is the node above a code, `leaves[node]` its leaves."""

    levels: NDArray[np.integer[Any]]
    leaves: NDArray[np.integer[Any]]
    domain: int


class Space(NamedTuple):
    """The attributes as flat arrays; attribute `a` owns `start[a] .. start[a + 1]` of those that list values."""

    kind: NDArray[np.int8]
    start: NDArray[np.int64]
    position: NDArray[np.int32]  # of a code
    value: NDArray[np.float64]  # at a position, scaled so that the range is 1 (numeric only)
    unit: NDArray[np.float64]  # what one more distinct value costs (nominal only)
    table_start: NDArray[np.int64]  # where an attribute's table of widths begins; -1: it has none
    table: NDArray[np.float64]  # per pair of positions: the width of what lies between
    depth: NDArray[np.int64]  # levels of an attribute
    path: NDArray[np.int32]  # [level, position]: the node above
    share: NDArray[np.float64]  # [level, position]: what that node costs


def _numeric(attribute: Numeric) -> tuple[NDArray[np.int32], NDArray[np.float64], list[NDArray[np.int64]]]:
    raw = np.asarray(attribute.values, dtype=np.float64)
    order = np.argsort(raw, kind="stable")  # NaN last
    position = np.empty(len(raw), dtype=np.int32)
    position[order] = np.arange(len(raw), dtype=np.int32)
    known = raw[order]
    base = known[0] if len(known) and not np.isnan(known[0]) else 0.0
    scaled = (known - base) / attribute.span if attribute.span > 0 else np.zeros(len(known))
    # A group of NaN and numbers is as wide as can be: NaN stands more than one range beyond all numbers.
    scaled[np.isnan(known)] = float(np.nanmax(scaled, initial=0.0)) + 1.0
    # Ranks are halved again and again. No such hierarchy is published; pooling uses it to try near values together.
    ranks = np.arange(len(raw), dtype=np.int64)
    halvings = [ranks]
    while len(raw) and halvings[-1][-1] > 0:
        halvings.append(halvings[-1] >> (2 if len(halvings) == 1 else 1))
    return position, scaled, halvings


def _tree_table(path: NDArray[np.int32], share: NDArray[np.float64]) -> NDArray[np.float64]:
    height, leaves = path.shape
    table = np.repeat(share[height - 1][:, None], leaves, axis=1)
    for level in range(height - 2, -1, -1):
        same = path[level][:, None] == path[level][None, :]
        table[same] = np.repeat(share[level][:, None], leaves, axis=1)[same]
    return table.ravel()


def space_of(attributes: Sequence[Numeric | Nominal | Hierarchical]) -> Space:
    """Lay the attributes out as flat arrays.

    Examples
    --------
    >>> s = space_of([Numeric(np.array([30.0, 10.0, 20.0]), 20.0), Nominal(3, 3)])
    >>> s.position.tolist(), s.value[:3].tolist(), s.unit.tolist()
    ([2, 0, 1, 0, 1, 2], [0.0, 0.5, 1.0], [0.0, 0.5])
    """
    q = len(attributes)
    kind = np.zeros(q, dtype=np.int8)
    unit = np.zeros(q)
    table_start = np.full(q, -1, dtype=np.int64)
    positions, values, tables = [], [], [np.zeros(1)]
    paths: list[list[NDArray[np.int64]]] = []
    shares: list[list[NDArray[np.float64]]] = []
    for a, attribute in enumerate(attributes):
        if isinstance(attribute, Numeric):
            position, value, levels = _numeric(attribute)
            costs = []
            for level in levels:
                first = np.concatenate([[True], level[1:] != level[:-1]])
                begin = np.flatnonzero(first)
                end = np.append(begin[1:], len(level)) - 1
                costs.append(np.minimum(1.0, value[end] - value[begin])[np.cumsum(first) - 1])
        elif isinstance(attribute, Nominal):
            kind[a] = NOMINAL
            position = np.arange(attribute.codes, dtype=np.int32)
            value = np.zeros(attribute.codes)
            unit[a] = 1.0 / (attribute.domain - 1) if attribute.domain > 1 else 0.0
            levels = [np.arange(attribute.codes, dtype=np.int64), np.zeros(attribute.codes, dtype=np.int64)]
            costs = [np.zeros(attribute.codes), np.full(attribute.codes, (attribute.codes - 1) * unit[a])]
        else:
            kind[a] = TREE
            nodes = np.asarray(attribute.levels, dtype=np.int64)
            order = np.lexsort(nodes)
            position = np.empty(nodes.shape[1], dtype=np.int32)
            position[order] = np.arange(nodes.shape[1], dtype=np.int32)
            value = np.zeros(nodes.shape[1])
            per_leaf = 1.0 / (attribute.domain - 1) if attribute.domain > 1 else 0.0
            levels = list(nodes[:, order])
            costs = [(np.asarray(attribute.leaves)[level] - 1) * per_leaf for level in levels]
            if len(np.unique(levels[-1])) > 1:
                levels.append(np.zeros_like(levels[-1]))
                costs.append(np.full(len(position), 1.0 if attribute.domain > 1 else 0.0))
            if len(position) <= _TABLE:
                table_start[a] = sum(map(len, tables))
                tables.append(_tree_table(np.array(levels, dtype=np.int32), np.array(costs)))
        positions.append(position)
        values.append(value)
        paths.append(levels)
        shares.append(costs)
    start = offsets_of([len(p) for p in positions])
    depth = np.array([len(levels) for levels in paths], dtype=np.int64)
    path = np.zeros((int(depth.max(initial=1)), int(start[-1])), dtype=np.int32)
    share = np.zeros(path.shape)
    for a in range(q):
        for row in range(len(path)):
            at = min(row, len(paths[a]) - 1)
            path[row, start[a] : start[a + 1]] = paths[a][at]
            share[row, start[a] : start[a + 1]] = shares[a][at]
    return Space(
        kind,
        start,
        np.concatenate(positions).astype(np.int32) if q else np.zeros(0, dtype=np.int32),
        np.concatenate(values) if q else np.zeros(0),
        unit,
        table_start,
        np.concatenate(tables),
        depth,
        path,
        share,
    )


@compiled(borrows=True, forceinline=True)
def attribute_width(space: Space, a: int, low: int, high: int) -> float:
    """Return what the positions `low .. high` of a numeric or tree attribute cost: 0 for one value, 1 for all."""
    at = space.start[a]
    if space.kind[a] == NUMERIC:
        return min(1.0, space.value[at + high] - space.value[at + low])
    begin = space.table_start[a]
    if begin >= 0:
        return float(space.table[begin + low * (space.start[a + 1] - at) + high])
    level = 0
    while space.path[level, at + low] != space.path[level, at + high]:
        level += 1
    return float(space.share[level, at + low])
