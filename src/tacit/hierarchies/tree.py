"""A hierarchy bound to the values of one column: from here on there are only integers and published names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacit.errors import HierarchyError

Codes = npt.NDArray[np.integer]

ROOT = "*"


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes that the distinct values of a column may blur into.

    A node that stands at several levels (a short path) is one node, so a value's node may stay the same from one
    level to the next. Parents come before their children: ``parent[i] < i``.

    Parameters
    ----------
    names
        The published name of every node, all different; node 0 is the root and is named ``*``.
    parent
        ``int32[nodes]``, the root's is -1.
    levels
        ``int32[height + 1, values]``: the node of each bound value at level 0 (its leaf) to height (the root).
    leaves
        ``int64[nodes]``: leaves of the domain under the node. The domain is what the hierarchy lists, present in the
        table or not; a hierarchy that is a rule (intervals, prefixes, dates) lists nothing, so there it is the table's.
    low, high
        ``float64[nodes]``: the numeric extent of a node, days since 1970 for dates; both None where values are nominal.
        NaN is possible only for a node without a bound value under it.

    Examples
    --------
    >>> import polars as pl
    >>> from tacit.hierarchies import Intervals
    >>> tree = Intervals(width=5).bind(pl.Series("age", [21, 23, 38]))
    >>> tree.names[tree.lca(np.array([0, 1]))], tree.names[tree.lca(np.array([0, 2]))]
    ('[20, 24]', '[20, 39]')
    """

    names: tuple[str, ...]
    parent: npt.NDArray[np.int32]
    levels: npt.NDArray[np.int32]
    leaves: npt.NDArray[np.int64]
    low: npt.NDArray[np.float64] | None = None
    high: npt.NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        return f"Tree({self.levels.shape[1]} values, {self.nodes} nodes, height {self.height})"

    @property
    def height(self) -> int:
        """The level at which every value is the root."""
        return len(self.levels) - 1

    @property
    def nodes(self) -> int:
        """How many nodes there are, the root and unused leaves included."""
        return len(self.names)

    @property
    def domain_size(self) -> int:
        """How many leaves the domain has."""
        return int(self.leaves[0])

    @cached_property
    def depth(self) -> npt.NDArray[np.int32]:
        """Steps from each node up to the root, ``int32[nodes]``."""
        depth = np.zeros(self.nodes, dtype=np.int32)
        above = self.parent
        while (above >= 0).any():
            depth += above >= 0
            above = np.where(above >= 0, self.parent[above], -1)
        return depth

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """The bound values in an order in which the values under any node are neighbours."""
        return np.lexsort(self.levels)

    @cached_property
    def position(self) -> npt.NDArray[np.int64]:
        """Where each bound value stands in ``order``."""
        position = np.empty(len(self.order), dtype=np.int64)
        position[self.order] = np.arange(len(self.order))
        return position

    @cached_property
    def _node_of_name(self) -> dict[str, int]:
        return {name: node for node, name in enumerate(self.names)}

    def node(self, name: str) -> int | None:
        """Return the node published under this name, None if there is none."""
        return self._node_of_name.get(name)

    def contains(self, node: int) -> npt.NDArray[np.bool_]:
        """Tell which bound values lie under a node, ``bool[values]``."""
        below: npt.NDArray[np.bool_] = (self.levels == node).any(axis=0)
        return below

    def lca(self, codes: Codes) -> int:
        """Return the lowest node that covers all these values (given by their indices)."""
        if len(codes) == 0:
            raise HierarchyError("No value was given, so there is no lowest common ancestor.")
        return int(self.lcas(codes, np.zeros(len(codes), dtype=np.int64), 1)[0])

    def lcas(self, codes: Codes, groups: Codes, count: int) -> npt.NDArray[np.int32]:
        """Return the lowest common ancestor of each of ``count`` groups at once; -1 for a group without a value.

        Values under a node are neighbours in ``order``, so the first and the last of a group decide for all of it.

        Parameters
        ----------
        codes
            Value indices, one per row.
        groups
            The group of each row, 0 .. count - 1.
        count
            How many groups there are.
        """
        place = self.position[codes]
        first = np.full(count, len(self.order), dtype=np.int64)
        last = np.full(count, -1, dtype=np.int64)
        np.minimum.at(first, groups, place)
        np.maximum.at(last, groups, place)
        filled = np.flatnonzero(last >= 0)
        one, other = self.levels[:, self.order[first[filled]]], self.levels[:, self.order[last[filled]]]
        ancestors = np.full(count, -1, dtype=np.int32)
        ancestors[filled] = one[(one == other).argmax(axis=0), np.arange(len(filled))]
        return ancestors

    def loss(self) -> npt.NDArray[np.float64]:
        """Tell what is lost when a value is published as a node, from 0 for a leaf to 1 for the root."""
        return self._loss

    @cached_property
    def _loss(self) -> npt.NDArray[np.float64]:
        loss = (self.leaves - 1) / (self.domain_size - 1) if self.domain_size > 1 else np.zeros(self.nodes)
        loss.setflags(write=False)
        return loss
