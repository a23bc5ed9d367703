"""Why it was not cut: what a reader concludes from groups that could have been smaller.

She knows that groups are cut as finely as k-anonymity allows. Sort the g people of a group by one column. Had the
values at ranks k and g - k + 1 differed, a cut between them would have left at least k people on either side, and would
have been made. So at least g - 2k + 2 people share a value. And where an interval is as tight as it can be, both of its
ends are somebody's value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.knowledge.distribution.published_worlds import place
from tacit.shapes import Inside, Shape
from tacit.shapes.cells import is_blurred
from tacit.table import Groups, Histogram, Kind, Table, as_text

_MOST_PAIRS = 300_000_000
"""Groups times people who are looked up where several groups have the same cells: a few seconds of comparing."""


@dataclass(frozen=True)
class Uncut:
    """What she concludes of one column.

    Attributes
    ----------
    column
        The published column.
    groups
        Blurred groups of at least 2k people, of which she says that many share a value.
    cells
        How many cells that makes: g - 2k + 2 of each group.
    ends
        Groups whose interval shows two values, if it is tight.
    right
        In how many of the large groups it is true; None without the table.
    """

    column: str
    groups: int
    cells: int
    ends: int
    right: int | None = None


def uncut(shape: Shape, k: int, *, tight: bool = True) -> list[Uncut]:
    """Say what the published groups give away, to somebody who knows k, and whether intervals are tight."""
    if not shape.flat or shape.several or k < 2:
        return []
    classes, found = shape.classes, []
    for j, name in enumerate(shape.quasi_identifiers):
        blurred = is_blurred(as_text(classes.labels[name])).to_numpy()[classes.codes[:, j]]
        ordered = tight and shape.column(name).kind in {Kind.NUMERIC, Kind.DATE}
        found.append(_concluded(name, classes.weights, blurred, k, ordered))
    return [each for each in found if each.groups or each.ends]


def uncut_inside(shape: Shape, inside: Inside, table: Table, k: int, *, tight: bool = True) -> list[Uncut]:
    """Say the same with the table, and of how many groups it is true; nothing for a release without groups.

    Groups whose cells are the same are one group to a reader, and what she concludes is compared with all its people.
    Where too much would have to be looked up to tell which groups these are, nothing is said of what is true.
    """
    if inside.group is None or isinstance(inside.group, Mapping) or len(inside.kept) != len(table) or k < 2:
        return []
    kept = inside.kept & (np.asarray(inside.group) >= 0)
    said = uncut(shape, k, tight=tight)
    if not said:
        return []
    distinct, ids = np.unique(np.asarray(inside.group)[kept], return_inverse=True)
    as_cut = Groups(ids.astype(np.int64), len(distinct))
    groups = as_cut if shape.statistics.count == as_cut.count else _seen(shape, table, kept, as_cut.ids)
    if groups is None:
        return said
    sizes, found = groups.sizes(), []
    for name in table.quasi_identifiers:
        codes = table.codes(name)
        held = Histogram.of(groups.ids, groups.count, codes.codes[kept], codes.cardinality)
        blurred = held.distinct() > 1
        ordered = tight and table.column(name).kind in {Kind.NUMERIC, Kind.DATE}
        counted = _concluded(name, sizes, blurred, k, ordered)
        large = blurred & (sizes >= 2 * k)
        right = int((held.largest()[large] >= sizes[large] - 2 * k + 2).sum())
        found.append(Uncut(name, counted.groups, counted.cells, counted.ends, right))
    return [each for each in found if each.groups or each.ends]


def _seen(shape: Shape, table: Table, kept: Flags, ids: Ints) -> Groups | None:
    """Return the groups as a reader sees them, by their cells; None where that takes too long or cannot be told."""
    if shape.statistics.count * int(kept.sum()) > _MOST_PAIRS:
        return None
    return place(shape, table.frame.select(table.quasi_identifiers).filter(pl.Series(kept)), ids)


def _concluded(name: str, sizes: Ints, blurred: Flags, k: int, ordered: bool) -> Uncut:
    large = blurred & (sizes >= 2 * k)
    cells = int((sizes[large] - 2 * k + 2).sum())
    return Uncut(name, int(large.sum()), cells, int(blurred.sum()) if ordered else 0)
