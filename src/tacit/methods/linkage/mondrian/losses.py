"""Losses: what the rows of each group would lose, from codes alone, before any cell is written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tacit.arrays import Flags, Floats, Ints
from tacit.measures.ncp import cell_losses, missing_losses, set_losses, width_losses
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
        losses = _of_nodes(attribute, *attribute.nodes(groups, low, high))
    elif not attribute.column.kind.is_ordered:
        inside = groups.ids >= 0
        members = Histogram.of(groups.ids[inside], groups.count, codes.codes[inside], codes.cardinality)
        losses = set_losses(np.diff(members.offsets), codes.cardinality)
    else:
        losses = _of_ranges(attribute, low, attribute.highest_number(groups, low, high), high)
    losses[low == high] = 0.0
    return losses


def _of_ranges(attribute: Attribute, low: Ints, middle: Ints, high: Ints) -> Floats:
    """Return what ranges from `low` to `middle` lose; where `high` is another code, a value is missing besides."""
    missing = middle != high
    if attribute.column.kind is Kind.ORDERED:
        losses = set_losses(middle - low + 1 + missing, attribute.codes.cardinality)
    else:
        numbers = attribute.numbers()
        finite = numbers[np.isfinite(numbers)]
        tree, hierarchy = attribute.codes.tree, attribute.codes.hierarchy
        least, largest = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
        if tree is not None and hierarchy is not None and hierarchy.spec() is None and tree.low is not None:
            assert tree.high is not None  # noqa: S101 - the two come together
            least, largest = float(tree.low[0]), float(tree.high[0])
        flat = largest <= least
        losses = np.zeros(len(low)) if flat else width_losses(numbers[low], numbers[middle], least, largest)
        losses += missing_losses(missing, attribute.codes.cardinality)
        losses[attribute.strange[low] & missing] = 1.0  # null and NaN: the cell is "*"
    return np.clip(losses, 0.0, 1.0)


def _of_nodes(attribute: Attribute, nodes: Ints, also_missing: Flags) -> Floats:
    distinct, place = np.unique(2 * nodes + also_missing, return_inverse=True)
    cells = [attribute.node_cell(key // 2, bool(key % 2)) for key in distinct.tolist()]
    names = pl.Series(cells, dtype=pl.String)
    return cell_losses(names, PublishedColumn.of(attribute.column, blurred=True), attribute.codes)[place]
