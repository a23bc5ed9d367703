"""Cuts: a small tree that routes rows into fragments that fit in memory.

It is made where the job is planned, from a sample of the rows. Every cut halves the people of its node along the
quasi-identifier in which they differ most, as Mondrian's cuts do, so that similar people stay together. Then all rows
are counted: a fragment in which the guarantees do not hold is united with its neighbour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from tacit.arrays import Flags, Floats, Ints
from tacit.engines.base import Places


@dataclass(frozen=True, eq=False)
class Axis:
    """How a quasi-identifier may be cut.

    Attributes
    ----------
    column
        What its codes are called among coded rows.
    position
        The place of every code along the axis.
    block
        The finest pieces that may be cut off: places of one block stay together.
    width
        How far apart two neighbouring places are, as a share of the whole axis; cumulated.
    """

    column: str
    position: Ints
    block: Ints
    width: Floats


@dataclass(frozen=True, eq=False)
class Cuts:
    """A tree of cuts. Node i sends rows whose place on its axis is below `at[i]` to `left[i]`, others to `right[i]`.

    Attributes
    ----------
    axes
        The quasi-identifiers.
    axis, at, left, right
        Of each node its axis (-1: a leaf), its limit, and the nodes below.
    fragment
        Of each node the fragment of its rows, where it is a leaf.

    Examples
    --------
    >>> axis = Axis("c0", np.arange(4), np.arange(4), np.linspace(0, 1, 4))
    >>> cuts = Cuts.plan([axis], np.array([[0], [1], [2], [3]]), 2.0, enough=1)
    >>> cuts.count, cuts(pa.table({"c0": pa.array([3, 0, 1], pa.int32())})).tolist()
    (2, [1, 0, 0])
    """

    axes: tuple[Axis, ...]
    axis: Ints
    at: Ints
    left: Ints
    right: Ints
    fragment: Ints

    @classmethod
    def plan(cls, axes: Sequence[Axis], sample: np.ndarray[Any, Any], most: float, *, enough: int) -> Cuts:
        """Cut a sample until no piece has more than `most` of its rows, or a cut would leave fewer than `enough`.

        `sample` has the codes of its rows, one column per axis.
        """
        places = [axis.position[sample[:, j]] for j, axis in enumerate(axes)]
        nodes: list[list[int]] = []

        def grow(rows: Ints) -> int:
            me = len(nodes)
            nodes.append([-1, 0, -1, -1])
            cut = _best(axes, [place[rows] for place in places], enough) if len(rows) > most else None
            if cut is not None:
                j, limit = cut
                below = places[j][rows] < limit
                nodes[me] = [j, limit, grow(rows[below]), grow(rows[~below])]
            return me

        grow(np.arange(len(sample)))
        axis, at, left, right = np.array(nodes, dtype=np.int64).T
        return cls(tuple(axes), axis, at, left, right, np.zeros(len(nodes), np.int64))._numbered()

    @property
    def count(self) -> int:
        """How many fragments there are."""
        return int(self.fragment.max(initial=0)) + 1

    def __call__(self, batch: pa.Table, /) -> Places:
        """Return the fragment of each row."""
        node = np.zeros(batch.num_rows, dtype=np.int64)
        places = [axis.position[batch.column(axis.column).to_numpy()] for axis in self.axes]
        while True:
            inner = np.flatnonzero(self.axis[node] >= 0)
            if not len(inner):
                return self.fragment[node].astype(np.int32)
            for j in np.unique(self.axis[node[inner]]).tolist():
                mine = inner[self.axis[node[inner]] == j]
                at = node[mine]
                node[mine] = np.where(places[j][mine] < self.at[at], self.left[at], self.right[at])

    def united(self, sound: Callable[[Flags], bool]) -> Cuts:
        """Unite fragments with their neighbours until each satisfies `sound`, which is asked of sets of fragments."""
        axis = self.axis.copy()

        def settle(node: int) -> Flags:
            """Return the fragments below a node, which all are sound if any set above can be."""
            mine = np.zeros(self.count, dtype=bool)
            if axis[node] < 0:
                mine[self.fragment[node]] = True
                return mine
            below = [settle(int(self.left[node])), settle(int(self.right[node]))]
            if not all(sound(part) for part in below):
                axis[node] = -1
            return below[0] | below[1]

        settle(0)
        return replace(self, axis=axis)._numbered()

    def _numbered(self) -> Cuts:
        """Number the leaves that can be reached, from the left to the right."""
        fragment = np.full(len(self.axis), -1, dtype=np.int64)
        stack, number = [0], 0
        while stack:
            node = stack.pop()
            if self.axis[node] < 0:
                fragment[node], number = number, number + 1
            else:
                stack += [int(self.right[node]), int(self.left[node])]
        return replace(self, fragment=fragment)


def _best(axes: Sequence[Axis], places: Sequence[Ints], enough: int) -> tuple[int, int] | None:
    """Return axis and limit of the cut nearest to the middle of the widest axis that can be cut; None if none can."""
    widths = [axis.width[place.max()] - axis.width[place.min()] for axis, place in zip(axes, places, strict=True)]
    for j in np.argsort(-np.array(widths), kind="stable").tolist():
        place = places[j]
        counts = np.bincount(place, minlength=len(axes[j].width))
        before = np.cumsum(counts) - counts
        allowed = np.flatnonzero(_starts(axes[j].block, place))
        allowed = allowed[(before[allowed] >= enough) & (len(place) - before[allowed] >= enough)]
        if len(allowed):
            return j, int(allowed[np.argmin(np.abs(before[allowed] - len(place) / 2))])
    return None


def _starts(block: Ints, place: Ints) -> Flags:
    """Say at which places a block begins: where the blocks of a node differ, at the highest level that does."""
    starts = np.zeros(len(block), dtype=bool)
    starts[1:] = block[1:] != block[:-1]
    starts[: int(place.min()) + 1] = False
    return starts
