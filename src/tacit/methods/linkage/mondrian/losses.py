"""Losses: what the rows of each group would lose, from codes alone, before any cell is written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tacit.arrays import Floats, Ints
from tacit.measures.ncp import cell_losses, set_losses, width_losses
from tacit.methods.linkage.mondrian.attributes import Attribute
from tacit.shapes import PublishedColumn
from tacit.table import Groups, Histogram, Kind


def group_losses(attributes: Sequence[Attribute], groups: Groups) -> Floats:
    """Return what a row of each group loses, summed over quasi-identifiers."""
    total = np.zeros(groups.count)
    for attribute in attributes:
        total += _losses(attribute, groups)
    return total


def _losses(attribute: Attribute, groups: Groups) -> Floats:
    """Return what a row of each group loses of one quasi-identifier: the NCP of the cell that would be written."""
    from tacit.kernels.spans import spans

    codes = attribute.codes
    low, high = spans(groups.ids, codes.codes, groups.count, codes.cardinality)
    if codes.cardinality <= 1 or (low == high).all():
        return np.zeros(groups.count)
    if attribute.by_hierarchy:
        losses = _of_nodes(attribute, attribute.nodes(groups, high))
    elif not attribute.column.kind.is_ordered:
        inside = groups.ids >= 0
        members = Histogram.of(groups.ids[inside], groups.count, codes.codes[inside], codes.cardinality)
        losses = set_losses(np.diff(members.offsets), codes.cardinality)
    else:
        losses = _of_ranges(attribute, low, high)
    losses[low == high] = 0.0
    return losses


def _of_ranges(attribute: Attribute, low: Ints, high: Ints) -> Floats:
    if attribute.column.kind is Kind.ORDERED:
        losses = set_losses(high - low + 1, attribute.codes.cardinality)
    else:
        numbers = attribute.numbers()
        finite = numbers[np.isfinite(numbers)]
        tree, hierarchy = attribute.codes.tree, attribute.codes.hierarchy
        least, largest = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
        if tree is not None and hierarchy is not None and hierarchy.spec() is None and tree.low is not None:
            assert tree.high is not None  # noqa: S101 - the two come together
            least, largest = float(tree.low[0]), float(tree.high[0])
        flat = largest <= least
        losses = np.zeros(len(low)) if flat else width_losses(numbers[low], numbers[high], least, largest)
    losses[attribute.strange[high]] = 1.0  # a number and no number: the cell is "*"
    return np.clip(losses, 0.0, 1.0)


def _of_nodes(attribute: Attribute, nodes: Ints) -> Floats:
    tree = attribute.codes.tree
    assert tree is not None  # noqa: S101 - by_hierarchy says so
    distinct, place = np.unique(nodes, return_inverse=True)
    names = pl.Series([tree.names[node] for node in distinct.tolist()], dtype=pl.String)
    return cell_losses(names, PublishedColumn.of(attribute.column, blurred=True), attribute.codes)[place]
