"""Counted: the columns of a table as codes, and how often their combinations occur."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.errors import RoleError
from tacit.table.cell_cache import CellCache
from tacit.table.cells import Cells
from tacit.table.codes import Codes, encode
from tacit.table.columns import Columns
from tacit.table.groups import Groups, GroupStats
from tacit.table.items import ItemSets
from tacit.table.kinds import Kind
from tacit.table.people_counts import PeopleCounts


class Counted(Columns):
    """Columns that can be counted: codes are made once, and cells that are asked for again are kept."""

    _domains: dict[str, pl.Series]
    _codes: dict[str, Codes]
    _cells: CellCache | None

    def codes(self, name: str) -> Codes:
        """Return a column as codes; they are made once."""
        if name not in self._codes:
            column = self.column(name)
            if column.kind is Kind.ITEMS:
                raise RoleError(f"Column {name!r} holds sets.", hint="Ask for `item_sets`.")
            self._codes[name] = encode(self._frame[name], domain=self._domains.get(name), hierarchy=column.hierarchy)
        return self._codes[name]

    def counts(self, name: str, rows: Flags | None = None) -> Ints:
        """Count each code of a column, over all rows or some."""
        encoded = self.codes(name)
        codes = encoded.codes if rows is None or rows.all() else encoded.codes[rows]
        return np.bincount(codes, minlength=encoded.cardinality).astype(np.int64)

    def domain_size(self, name: str) -> int | None:
        """Return how many values the declared domain of a column has, None where only the table tells.

        An order declares a domain, and so does a hierarchy that lists its values.
        """
        encoded = self.codes(name)
        if encoded.hierarchy is not None and encoded.tree is not None and encoded.hierarchy.spec() is None:
            return encoded.tree.domain_size + (encoded.null is not None)
        return encoded.cardinality if name in self._domains else None

    def item_sets(self, name: str) -> ItemSets:
        """Return a set-valued column as codes."""
        if self.column(name).kind is not Kind.ITEMS:
            raise RoleError(f"Column {name!r} does not hold sets.", hint="Name it in `items`.")
        return self._sets[name]

    def cells(self, names: Sequence[str] | None = None) -> Cells:
        """Count the distinct combinations of these columns, by default of all quasi-identifiers.

        The histograms of a cell are those of the sensitive columns. What is asked for again is counted once.
        """
        if self._cells is None:
            self._cells = CellCache(self.quasi_identifiers, self._nbytes())
        chosen = self.quasi_identifiers if names is None else tuple(names)
        cells = self._cells.get(chosen)
        if cells is None:
            columns = {name: self.codes(name) for name in chosen}
            sensitive = {name: self.codes(name) for name in self.sensitive}
            cells = Cells.of(columns, sensitive, rows=len(self), people=self.people)
            self._cells.keep(chosen, cells)
        return cells

    def groups(self, names: Sequence[str] | None = None) -> Groups:
        """Group the rows that agree on these columns, by default on all quasi-identifiers: every cell is a group."""
        return self.cells(names).members

    def _nbytes(self) -> int:
        """Estimate how many bytes the table has, values and codes."""
        return int(self._frame.estimated_size()) + sum(codes.codes.nbytes for codes in self._codes.values())

    def statistics(self, groups: Groups) -> GroupStats:
        """Count every sensitive column in every group."""
        encoded = {name: self.codes(name) for name in self.sensitive}
        trees = {name: c.tree for name, c in encoded.items() if c.tree is not None}
        counted = {name: (c.codes, c.cardinality) for name, c in encoded.items()}
        people = None if self.people is None else PeopleCounts.of(groups, self.people, counted)
        return GroupStats.of(groups, counted, trees, people, self.unit)

    def whole(self, rows: Flags | None = None) -> GroupStats:
        """Count every sensitive column over all rows, or over some, as one group."""
        return self.statistics(Groups.whole(len(self)) if rows is None else Groups(np.where(rows, 0, -1), 1))
