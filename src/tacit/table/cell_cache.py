"""Which cells a table keeps: those that are asked for again, and never more than a share of its own size."""

from __future__ import annotations

from collections import OrderedDict

from tacit.table.cells import Cells

Columns = tuple[str, ...]

_SPARE = 20
"""What is asked for once is kept as long as all that is kept takes at most one part in so many of the table: that costs
next to nothing, and it may be asked for again. A smaller number keeps more of what nobody asks for again."""
_MOST = 2
"""What is asked for again is kept as long as all that is kept takes at most one part in so many of the table; beyond
that, what was not asked for the longest is let go."""


class CellCache:
    """The cells of a table by sets of columns, within bounds.

    The cells of `main`, which nearly everybody asks for, are always kept. Others are kept if they are small, or asked
    for a second time. What was let go is counted again, at the price of one more pass over the rows.

    Parameters
    ----------
    main
        The columns that are asked for most: the quasi-identifiers.
    size
        How many bytes the table has.

    Examples
    --------
    >>> import polars as pl
    >>> from tacit.table.codes import encode
    >>> cells = Cells.of({"town": encode(pl.Series(["Ulm", "Bonn"]))}, {}, rows=2)
    >>> cache = CellCache(("age",), size=100)
    >>> cache.keep(("town",), cells), cache.get(("town",)) is None  # asked for once, and not small
    (None, True)
    >>> cache.keep(("town",), cells), cache.get(("town",)) is cells
    (None, True)
    """

    def __init__(self, main: Columns, size: int) -> None:
        self._main, self._size = main, size
        self._asked: set[Columns] = set()
        self._kept: OrderedDict[Columns, Cells] = OrderedDict()

    def get(self, columns: Columns) -> Cells | None:
        """Return what is kept for these columns."""
        found = self._kept.get(columns)
        if found is not None:
            self._kept.move_to_end(columns)
        return found

    def keep(self, columns: Columns, cells: Cells) -> None:
        """Take notice of cells that were counted, and keep them if they are worth their room."""
        again = columns in self._asked
        self._asked.add(columns)
        if columns == self._main or (self._taken() + cells.nbytes) * _SPARE <= self._size:
            self._kept[columns] = cells
        elif again and cells.nbytes * _MOST <= self._size:
            self._kept[columns] = cells
            self._let_go()

    def _taken(self) -> int:
        return sum(cells.nbytes for columns, cells in self._kept.items() if columns != self._main)

    def _let_go(self) -> None:
        while self._taken() * _MOST > self._size:
            del self._kept[next(columns for columns in self._kept if columns != self._main)]
