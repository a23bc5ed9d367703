"""How a tree grows: layers of labels over the same leaves, each coarser than the one below, become nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import HierarchyError
from tacit.hierarchies.base import column
from tacit.hierarchies.tree import ROOT, Tree

Reals = npt.NDArray[np.float64]
Array = TypeVar("Array", bound=npt.NDArray[Any])


@dataclass(frozen=True, eq=False)
class Layer:
    """One level of a hierarchy over the leaves of the domain.

    Parameters
    ----------
    codes
        For each leaf of the domain, which of the layer's names it has.
    names
        The labels, all different and all used.
    low, high
        The numeric extent of each label, from `low` to `high`. If they are not given, a label extends from the
        smallest to the largest number below it.
    """

    codes: npt.NDArray[np.int64]
    names: Sequence[str]
    low: Reals | None = None
    high: Reals | None = None

    @classmethod
    def of(cls, labels: pl.Series) -> Layer:
        """Give the labels of the leaves numbers in the order of their first appearance."""
        names = labels.unique(maintain_order=True)
        return cls(labels.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64), names.to_list())

    @classmethod
    def of_leaves(cls, names: pl.Series, extent: Reals | None = None) -> Layer:
        """Make the lowest layer, in which every label is different."""
        return cls(np.arange(len(names)), names.to_list(), extent, extent)


def grow(layers: Sequence[Layer], values: pl.Series, bound: npt.NDArray[np.int64] | None = None) -> Tree:
    """Turn layers, leaves first and the root left out, into a tree over the bound values.

    A label that is repeated in the next layer for the same leaves is the same node, and a label ``*`` is the root.
    A label that returns for other leaves would be ambiguous when published: the lowest node keeps it (so a value is
    always published under its own name), the others get `` (level i)`` after it.

    Parameters
    ----------
    layers
        Each must be a coarsening of the one before.
    values
        The column's values.
    bound
        The leaf of each value; None if the values are the leaves.

    Examples
    --------
    >>> values = pl.Series("pet", ["cat", "dog", "trout"])
    >>> kinds = pl.Series(["mammal", "mammal", "trout"])
    >>> tree = grow([Layer.of_leaves(values), Layer.of(kinds)], values)
    >>> tree.names
    ('*', 'mammal', 'trout', 'cat', 'dog')
    >>> tree.levels.tolist()
    [[3, 4, 2], [1, 1, 2], [0, 0, 0]]
    """
    domain = len(layers[0].codes)
    bound = np.arange(domain) if bound is None else bound
    if ROOT in layers[0].names and layers[0].names.index(ROOT) in bound:
        raise HierarchyError(
            f"{column(values)} has the value {ROOT!r}, which is also how a fully blurred value is published.",
            hint=f"Give that value another name, or read it as missing (nulls = [{ROOT!r}]).",
        )
    extents = _extents(layers)
    names, level_of = [ROOT], [len(layers)]
    parents, sizes = [np.array([-1])], np.array([domain])
    lows, highs = [extents[-1][0]], [extents[-1][1]]
    above = np.zeros(domain, dtype=np.int64)
    levels = [above[bound]]
    for level, layer in reversed(list(enumerate(layers))):
        size = np.bincount(layer.codes, minlength=len(layer.names))
        over = np.zeros(len(layer.names), dtype=np.int64)
        over[layer.codes] = above
        same = sizes[over] == size
        for code in np.flatnonzero(same).tolist():
            same[code] = layer.names[code] == names[over[code]] and (level > 0 or over[code] > 0)
        if level > 0 and ROOT in layer.names:
            code = layer.names.index(ROOT)
            same[code], over[code] = True, 0
        new = ~same
        node = over.copy()
        node[new] = np.arange(len(names), len(names) + new.sum())
        names += [layer.names[code] for code in np.flatnonzero(new).tolist()]
        level_of += [level] * int(new.sum())
        for code in np.flatnonzero(same & (over > 0)).tolist():
            level_of[over[code]] = level
        parents.append(over[new])
        sizes = np.concatenate([sizes, size[new]])
        lows.append(extents[level][0][new])
        highs.append(extents[level][1][new])
        above = node[layer.codes]
        levels.append(above[bound])
    measured = layers[0].low is not None
    return Tree(
        names=_distinct(names, level_of),
        parent=_fixed(np.concatenate(parents).astype(np.int32)),
        levels=_fixed(np.array(levels[::-1], dtype=np.int32)),
        leaves=_fixed(sizes.astype(np.int64)),
        low=_fixed(np.concatenate(lows)) if measured else None,
        high=_fixed(np.concatenate(highs)) if measured else None,
    )


def _extents(layers: Sequence[Layer]) -> list[tuple[Reals, Reals]]:
    """Give the extent of every label, layer by layer, and at the end the root's; NaN where there is no number."""
    extents = []
    everything = Layer(np.zeros(len(layers[0].codes), dtype=np.int64), [ROOT])
    low = high = np.full(len(layers[0].codes), np.nan)
    for layer in [*layers, everything]:
        if layer.low is not None and layer.high is not None:
            lowest, highest = layer.low, layer.high
        else:
            lowest, highest = np.full((2, len(layer.names)), np.nan)
            np.fmin.at(lowest, layer.codes, low)
            np.fmax.at(highest, layer.codes, high)
        extents.append((lowest, highest))
        low, high = lowest[layer.codes], highest[layer.codes]
    return extents


def _distinct(names: list[str], level_of: list[int]) -> tuple[str, ...]:
    """Make the names differ: the root and the leaves keep theirs, and of two other nodes the lower one does."""
    if len(set(names)) == len(names):
        return tuple(names)
    taken, distinct = {ROOT}, []
    for name, level in zip(names[:0:-1], level_of[:0:-1], strict=True):
        while name in taken:
            name = f"{name} (level {level})"  # noqa: PLW2901
        taken.add(name)
        distinct.append(name)
    return (ROOT, *reversed(distinct))


def _fixed(array: Array) -> Array:
    array.setflags(write=False)
    return array
