"""Attributes: how each quasi-identifier is laid out for the kernels, and how its blur is written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Flags, Floats, Ints, offsets_of, places_of
from tacit.methods.linkage.mondrian.snapping import snapping
from tacit.shapes import ANYTHING, Blur, among, interval, quote
from tacit.shapes.cells import NULL, OR_MISSING, printed
from tacit.table import Codes, Column, Groups, Histogram, Kind

if TYPE_CHECKING:
    from tacit.kernels.mondrian.space import Hierarchical, Nominal, Numeric

Recode = Literal["auto", "sets", "hierarchy"]
Bounds = Literal["tight", "snapped"]
"""Where intervals end: at the least and largest value of the group, or at cut points that are nobody's value."""
RECODES = (
    '"auto" (nodes for columns with a hierarchy, intervals and sets for the others), "sets" (intervals and sets for '
    'all columns), or "hierarchy" (another word for "auto")'
)
"""What the parameter `recode` of a method may be, and what it means."""


@dataclass(frozen=True, eq=False)
class Attribute:
    """A quasi-identifier to be blurred.

    Attributes
    ----------
    column, codes
        What it is.
    by_hierarchy
        Whether cells are nodes of its hierarchy rather than intervals or sets.
    """

    column: Column
    codes: Codes
    by_hierarchy: bool

    @classmethod
    def of(cls, column: Column, codes: Codes, recode: Recode) -> Attribute:
        """Choose the hierarchy of a column that has one, unless sets are asked for."""
        return cls(column, codes, recode != "sets" and codes.tree is not None)

    @property
    def strange(self) -> Flags:
        """Which codes stand apart from all others: null, and NaN among numbers."""
        apart = self.codes.values.is_null()
        if self.codes.values.dtype.is_float():
            apart |= self.codes.values.is_nan().fill_null(False)
        return np.asarray(apart.to_numpy(), dtype=np.bool_)

    def layout(self) -> Numeric | Nominal | Hierarchical:
        """Lay the attribute out for the kernels."""
        from tacit.kernels.mondrian.space import Nominal, Numeric

        if self.by_hierarchy:
            return self._tree()
        if self.column.kind in {Kind.NUMERIC, Kind.DATE}:
            numbers = self.numbers()
            return Numeric(numbers, self._span(numbers))
        if self.column.kind is Kind.ORDERED:
            ranks = np.where(self.strange, np.nan, np.arange(self.codes.cardinality, dtype=np.float64))
            return Numeric(ranks, float(max(1, int((~self.strange).sum()) - 1)))
        return Nominal(self.codes.cardinality, self.codes.cardinality)

    def numbers(self) -> Floats:
        """Return the number behind each code (days for dates), NaN for null."""
        physical = self.codes.values.to_physical().cast(pl.Float64)
        return physical.fill_null(float("nan")).to_numpy().copy()

    def _span(self, numbers: np.ndarray[Any, Any]) -> float:
        tree, hierarchy = self.codes.tree, self.codes.hierarchy
        if tree is not None and hierarchy is not None and hierarchy.spec() is None and tree.low is not None:
            assert tree.high is not None  # noqa: S101 - the two come together
            return float(tree.high[0] - tree.low[0])
        known = numbers[np.isfinite(numbers)]
        return float(known.max() - known.min()) if len(known) else 0.0

    def _tree(self) -> Hierarchical:
        from tacit.kernels.mondrian.space import Hierarchical

        tree = self.codes.tree
        assert tree is not None  # noqa: S101 - by_hierarchy says so
        if self.codes.null is None:
            return Hierarchical(tree.levels, tree.leaves, tree.domain_size)
        # Null is a leaf of its own, right under the root.
        own = np.full((tree.height + 1, 1), 0, dtype=tree.levels.dtype)
        own[:-1] = tree.nodes
        levels = np.concatenate([tree.levels, own], axis=1)
        return Hierarchical(levels, np.append(tree.leaves, 1), tree.domain_size + 1)

    def blur(self, groups: Groups, bounds: Bounds = "tight") -> Blur | None:
        """Write the cell of every group; None where every cell is the value itself."""
        from tacit.kernels.spans import spans

        low, high = spans(groups.ids, self.codes.codes, groups.count, self.codes.cardinality)
        if (low == high).all():
            return None
        inside = groups.ids >= 0
        ids, codes = (groups.ids, self.codes.codes) if inside.all() else (groups.ids[inside], self.codes.codes[inside])
        if self.by_hierarchy:
            labels, of_group = self._nodes(*self.nodes(groups, low, high), low, high)
        elif self.column.kind.is_ordered:
            labels, of_group = self._ranges(low, self.highest_number(groups, low, high), high, bounds)
        else:
            labels, of_group = self._sets(ids, codes, groups.count)
        return Blur(labels.alias(self.column.name), of_group.astype(np.uint32), groups.ids)

    def _exact(self) -> pl.Series:
        """Write each value as itself."""
        return quote(self._texts())

    @cached_property
    def _exact_cells(self) -> list[str | None]:
        return self._exact().to_list()

    def _texts(self) -> pl.Series:
        """Write each value like the data: years as integers, days as dates."""
        return printed(self.codes.values)

    def highest_number(self, groups: Groups, low: Ints, high: Ints) -> Ints:
        """Return the largest code of each group that does not stand apart, the least code where all do."""
        from tacit.kernels.spans import spans

        if not self.strange[high[high >= 0]].any():
            return high
        plain = np.where(self.strange[self.codes.codes], -1, groups.ids)
        numbers: Ints = spans(plain, self.codes.codes, groups.count, self.codes.cardinality)[1]
        return np.maximum(numbers, low)

    def _ranges(self, low: Ints, middle: Ints, high: Ints, bounds: Bounds) -> tuple[pl.Series, Ints]:
        """Write the range from the least to the largest value, and whether one is missing besides."""
        snap = snapping(self.codes.values) if bounds == "snapped" and self.column.kind is not Kind.ORDERED else None
        size = self.codes.cardinality + 1  # a group without rows has -1
        alike = Groups.of([low + 1, middle + 1, high + 1], [size] * 3)
        one = alike.first()
        texts, exact, strange = self._texts().to_list(), self._exact().to_list(), self.strange
        cells: list[str | None] = []
        for a, b, c in zip(low[one].tolist(), middle[one].tolist(), high[one].tolist(), strict=True):
            if a == c:
                cells.append(exact[a])
            elif self.column.kind is Kind.ORDERED:
                cells.append(among([*texts[a : b + 1], *([None] if c != b else [])]))
            elif strange[a]:  # a null and a NaN: there is no number to write
                cells.append(ANYTHING)
            else:
                written = (texts[a], texts[b]) if snap is None or a == b else snap(a, b)
                cells.append(interval(*written) + (OR_MISSING if c != b else ""))
        return pl.Series(cells, dtype=pl.String), alike.ids

    def nodes(self, groups: Groups, low: Ints, high: Ints) -> tuple[Ints, Flags]:
        """Return the lowest node above the values of each group, and whether a value is missing besides."""
        tree = self.codes.tree
        assert tree is not None  # noqa: S101 - by_hierarchy says so
        present = groups.ids >= 0
        if self.codes.null is not None:
            present &= self.codes.codes != self.codes.null
        nodes = tree.lcas(self.codes.codes[present], groups.ids[present], groups.count).astype(np.int64)
        if self.codes.null is None:
            return nodes, np.zeros(groups.count, dtype=bool)
        also_missing = (low != high) & (high == self.codes.null)
        if any(name.endswith(OR_MISSING) for name in tree.names):  # a node of this name is another thing
            nodes[also_missing] = 0
        return nodes, also_missing & (np.array(tree.names)[nodes] != ANYTHING)  # which says it already

    def node_cell(self, node: int, also_missing: bool) -> str:
        """Write a node, and that a value may be missing besides. Then it may be a leaf, which is written as a value."""
        tree = self.codes.tree
        assert tree is not None  # noqa: S101 - by_hierarchy says so
        if not also_missing:
            return tree.names[node]
        leaf = np.flatnonzero(tree.levels[0] == node)
        return str(tree.names[node] if not len(leaf) else self._exact_cells[int(leaf[0])]) + OR_MISSING

    def _nodes(self, nodes: Ints, also_missing: Flags, low: Ints, high: Ints) -> tuple[pl.Series, Ints]:
        tree = self.codes.tree
        assert tree is not None  # noqa: S101 - by_hierarchy says so
        keys = 2 * np.where(low == high, tree.nodes + low, nodes) + also_missing
        distinct, of_group = np.unique(keys, return_inverse=True)
        exact = self._exact().to_list()
        cells = [
            exact[key // 2 - tree.nodes] if key // 2 >= tree.nodes else self.node_cell(key // 2, bool(key % 2))
            for key in distinct.tolist()
        ]
        return pl.Series(cells, dtype=pl.String), of_group

    def _sets(self, ids: Ints, codes: Any, count: int) -> tuple[pl.Series, Ints]:
        from tacit.kernels.lists import number_lists

        members = Histogram.of(ids, count, codes, self.codes.cardinality)
        of_group, one = number_lists(members.offsets, members.values)
        exact = self._exact()
        offsets = members.offsets
        lengths = offsets[one + 1] - offsets[one]
        entries = places_of(offsets[one], lengths)
        words = exact.fill_null(NULL).gather(members.values[entries]).to_arrow()
        # From buffers: PyArrow would import pandas to look at an array of NumPy.
        cuts = pa.py_buffer(offsets_of(lengths))
        lists = pa.Array.from_buffers(pa.large_list(words.type), len(lengths), [None, cuts], children=[words])
        joined = pl.DataFrame(
            {
                "several": pl.Series(_Lists(lists)),
                "one": exact.gather(members.values[offsets[one]]),
                "many": lengths > 1,
            }
        )
        several = pl.concat_str(pl.lit("{"), pl.col("several").list.join(", "), pl.lit("}"))
        cells = joined.select(pl.when("many").then(several).otherwise("one")).to_series()
        return cells, of_group


class _Lists:
    """An array of Arrow as any library of data frames takes it; given as it is, Polars imports all of PyArrow."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        """Hand the array over."""
        return self.array.__arrow_c_array__(requested_schema)
