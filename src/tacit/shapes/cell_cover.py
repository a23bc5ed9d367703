"""Cover: which values a written cell may stand for.

Cells are read one by one, so what one cell of a column looks like does not change how the next one is read. A cell that
cannot be read in a column of numbers or dates may stand for anything: nobody is told that a person is not in a table
because a cell was written in a way that is not known here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import FlagGrid, Flags, Floats, Ints
from tacit.hierarchies import Tree
from tacit.hierarchies.labels import number
from tacit.shapes.asked_values import AskedValues, line_of
from tacit.shapes.cells import ANYTHING, NULL, OR_MISSING, Extents, extents, members, unquote
from tacit.shapes.columns import PublishedColumn
from tacit.table import Kind, as_text

MISSING = r"(?i)^(null|nan|n/?a|none|unknown|missing|\?+|-+|\.)?$"
"""How tools write that a value is not known. In somebody else's table such a cell may stand for any value."""
_RANGE = r"^[\[(\]]|^[<>]|^\d+(\.\d+)?\s*-\s*\d"
_PART_OF_NUMBER = r"^[\d.:T +\-*]*$"
_WHOLE_DAY = r"\d{4}-\d{2}-\d{2}\s*\]?$"


@dataclass(frozen=True, eq=False)
class Cover:
    """Which of some values each cell may stand for: a range of positions, or a row of a matrix.

    Attributes
    ----------
    start, stop
        Cell i stands for the values at positions `start[i]:stop[i]` (in `order`), unless `row[i] >= 0`.
    row
        Otherwise its row in `matrix`.
    matrix
        `matrix[row, position]`: may this cell be the value at this position?
    position
        The position of each value that was asked about.
    unread
        Whether the cell could not be read, or is empty in somebody else's table, and so may stand for any value.
    """

    start: Ints
    stop: Ints
    row: Ints
    matrix: FlagGrid
    position: Ints
    unread: Flags

    def matches(self) -> FlagGrid:
        """Return the whole answer, cells by values; for tests and small tables."""
        at = self.position[None, :]
        ranges = (at >= self.start[:, None]) & (at < self.stop[:, None])
        listed = self.row >= 0
        ranges[listed] = self.matrix[self.row[listed]][:, self.position]
        return ranges


def cover(labels: pl.Series, column: PublishedColumn, values: pl.Series) -> Cover:
    """Say which of the distinct `values` each distinct published cell of `labels` may stand for.

    A cell that ends in `or missing` stands for null and NaN besides. A null cell is a null, unless the column is marked
    as holding suppressed cells or is somebody else's: then it is anything. A null among the values is matched by null,
    by `*` and by a set that names it; NaN by NaN and by `*`.

    In a column of numbers or dates, a cell that is neither a number, a date or a range of them, nor a set, a prefix or
    a node, may stand for any value. So may a mark of what is missing (`NULL`, `unknown`) in somebody else's column. A
    word that is itself one of the values stands for that value only.
    """
    asked = AskedValues.of(values, column)
    also_missing = _also_missing(labels, asked, column)
    if also_missing.any():
        bare = pl.select(pl.when(pl.Series(also_missing)).then(labels.str.strip_suffix(OR_MISSING)).otherwise(labels))
        return _with_missing(cover(bare.to_series(), column, values), also_missing, asked)
    n = len(labels)
    covers = Cover(
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.full(n, -1, np.int64),
        np.zeros((0, len(values)), bool),
        asked.position,
        np.zeros(n, bool),
    )
    rest = labels.is_not_null().to_numpy().copy()
    if column.foreign:
        rest &= ~labels.is_nan().fill_null(False).to_numpy() if labels.dtype.is_float() else True
        _match_anything(covers, ~rest, asked, unread=True)
    elif column.suppressed:
        _match_anything(covers, ~rest, asked)
    else:
        _match_null(covers, ~rest, asked)
    if column.blurred and labels.dtype == pl.String:
        return _read_cells(covers, labels.str.strip_chars() if column.foreign else labels, rest, asked, column)
    _read_values(covers, *_alike(labels, rest, asked.ranked))
    return covers


def _also_missing(labels: pl.Series, asked: AskedValues, column: PublishedColumn) -> Flags:
    """Tell which cells may stand for a missing value besides what they say; no name of a node is read so."""
    has_suffix = column.kind in {Kind.NUMERIC, Kind.DATE} or column.hierarchy is not None
    if not has_suffix or not column.blurred or labels.dtype != pl.String:
        return np.zeros(len(labels), dtype=bool)
    found = _is(labels.str.ends_with(OR_MISSING))
    return found & ~_Nodes.of(labels, found, asked.ranked, column).named if found.any() else found


def _with_missing(covers: Cover, cells: Flags, asked: AskedValues) -> Cover:
    """Let some cells stand for null and NaN too: no range with the rest, so these cells are listed in the matrix."""
    where = np.flatnonzero(cells)
    at = np.arange(len(asked))[None, :]
    marks = (at >= covers.start[where, None]) & (at < covers.stop[where, None])
    listed = covers.row[where] >= 0
    marks[listed] = covers.matrix[covers.row[where][listed]]
    strange = asked.ranked.is_null()
    if asked.ranked.dtype.is_float():
        strange |= asked.ranked.is_nan().fill_null(False)
    marks[:, strange.to_numpy()] = True
    rows = covers.row.copy()
    rows[where] = len(covers.matrix) + np.arange(len(where))
    return replace(covers, row=rows, matrix=np.concatenate([covers.matrix, marks]))


def _read_cells(covers: Cover, texts: pl.Series, rest: Flags, asked: AskedValues, column: PublishedColumn) -> Cover:
    """Read cells that may be blurred, one notation after another; each takes what it can read from the rest."""
    wild = rest & _is(texts == ANYTHING)
    _match_anything(covers, wild, asked)
    rest = rest & ~wild
    if column.foreign:
        missing = rest & _is(texts.str.contains(MISSING))
        _match_anything(covers, missing, asked, unread=True)
        rest &= ~missing
    else:
        null = rest & _is((texts == NULL) | (texts == "") if column.suppressed else texts == NULL)
        _match_null(covers, null, asked)
        rest &= ~null
    nodes = _Nodes.of(texts, rest, asked.ranked, column)  # a name that looks like a range means what its node means
    # This tool quotes a value that ends with a star; other tools may write stars anywhere.
    special = nodes.named | _is(texts.str.contains(r'^[{"]|\*' if column.foreign else r'^[{"]|\*$'))
    kind = line_of(column)
    listed = rest & special
    if kind is not None:
        ranges = _ranges(texts, rest & ~special, asked, column)
        read = rest & ~special & ~np.isnan(ranges.low)
        # A text that is a range and is also written like that in the list of values stands for both.
        both = read & _is(texts.is_in(asked.texts.implode())) & (asked.ranked.dtype == pl.String)
        listed |= both
        read &= ~both
        where = np.flatnonzero(read)
        covers.start[where], covers.stop[where] = _positions(asked.keys, ranges, where)
        rest = rest & ~read
    rest &= ~listed
    rest &= ~_read_values(covers, texts, rest, asked.texts)
    if column.kind in {Kind.NUMERIC, Kind.DATE}:
        known = nodes.known_names(texts)
        if not column.foreign:
            known |= _is(texts == "NaN")  # in a column of this tool it is a value
        _match_anything(covers, rest & ~known, asked, unread=True)
    return _read_listed(covers, texts, listed, asked, nodes, column)


def _is(answer: pl.Series) -> Flags:
    return answer.fill_null(False).to_numpy()


def _match_anything(covers: Cover, where: Flags, asked: AskedValues, *, unread: bool = False) -> None:
    covers.stop[where] = len(asked)
    covers.unread[where] |= unread


def _match_null(covers: Cover, where: Flags, asked: AskedValues) -> None:
    if where.any() and asked.present < len(asked):
        covers.start[where], covers.stop[where] = asked.present, len(asked)


def _alike(cells: pl.Series, rest: Any, values: pl.Series) -> tuple[pl.Series, Any, pl.Series]:
    """Bring cells and values to one type, in which what is equal means the same."""
    if cells.dtype == values.dtype:
        return cells, rest, values
    measured = [number(each) for each in (cells, values)]
    if measured[0] is None or measured[1] is None:
        return as_text(cells), rest, as_text(values)
    return pl.Series(measured[0]), rest, pl.Series(measured[1]).set(values.is_null(), None)


def _ranges(texts: pl.Series, rest: Flags, asked: AskedValues, column: PublishedColumn) -> Extents:
    """Read cells that are a number, a date or a range of them; NaN for those that are none."""
    kind = line_of(column) or Kind.NUMERIC
    ranges = extents(texts, kind)
    if column.kind not in {Kind.NUMERIC, Kind.DATE} and asked.ranked.dtype == pl.String:
        # Among codes written as text, 007 is not 7: only what is plainly a range is read as one.
        ranges.low[~_is(texts.str.contains(_RANGE))] = np.nan
    ranges.low[~rest] = np.nan
    if asked.ranked.dtype != pl.Datetime:
        return ranges
    whole = ranges.right & _is(texts.str.contains(_WHOLE_DAY))  # a day without a time of day is all of it
    return replace(ranges, high=np.where(whole, ranges.high + 1.0, ranges.high), right=ranges.right & ~whole)


def _positions(keys: Floats, ranges: Extents, where: Ints) -> tuple[Ints, Ints]:
    """Return the first position in each range and the one after the last."""
    low, high, left, right = (each[where] for each in (ranges.low, ranges.high, ranges.left, ranges.right))
    start = np.where(left, np.searchsorted(keys, low, "left"), np.searchsorted(keys, low, "right"))
    stop = np.where(right, np.searchsorted(keys, high, "right"), np.searchsorted(keys, high, "left"))
    return start, np.maximum(start, stop)


def _read_values(covers: Cover, cells: pl.Series, rest: Any, ranked: pl.Series) -> Flags:
    """Match cells that are one of the values; return which were matched."""
    read = np.zeros(len(cells), dtype=bool)
    open_cells = np.flatnonzero(rest)
    if not len(open_cells):
        return read
    known = pl.DataFrame({"value": ranked, "at": np.arange(len(ranked))}).drop_nulls("value").unique("value")
    asked = pl.DataFrame({"value": cells.gather(open_cells)})
    at = asked.join(known, on="value", how="left", maintain_order="left")["at"]
    if cells.dtype.is_float():  # whether a join finds NaN equal to NaN depends on how it is carried out
        at = at.set(asked["value"].is_nan(), known.filter(pl.col("value").is_nan())["at"].max())
    hit = at.is_not_null().to_numpy()
    where, place = open_cells[hit], at.drop_nulls().to_numpy()
    covers.start[where], covers.stop[where] = place, place + 1
    read[where] = True
    return read


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The inner nodes of a hierarchy, bound to those of the values that have a place in it."""

    tree: Tree | None
    known: Flags
    named: Flags
    listed: bool = False

    @classmethod
    def of(cls, texts: pl.Series, rest: Any, ranked: pl.Series, column: PublishedColumn) -> _Nodes:
        present = ranked.drop_nulls().alias(column.name)
        nothing = np.zeros(len(texts), dtype=bool)
        if column.hierarchy is None or not rest.any():
            return cls(None, np.zeros(len(present), dtype=bool), nothing)
        known = column.hierarchy.known(present).to_numpy().copy()
        if present.dtype.is_float():
            known &= present.is_finite().to_numpy()  # NaN is a value, but no hierarchy has a place for it
        tree = column.hierarchy.bind(present.filter(pl.Series(known)))
        inner = {tree.names[node] for node in np.unique(tree.parent) if node >= 0}
        named = texts.is_in(list(inner)).fill_null(False).to_numpy() & rest
        return cls(tree, known, named, column.hierarchy.spec() is None)

    def known_names(self, texts: pl.Series) -> Flags:
        """Tell which cells the hierarchy may have a name for that covers none of the values.

        One that lists its values names all of its nodes. One that is a rule may make any name.
        """
        if self.tree is None:
            return np.zeros(len(texts), dtype=bool)
        return _is(texts.is_in(list(self.tree.names))) if self.listed else np.ones(len(texts), dtype=bool)

    def under(self, cell: str) -> Flags:
        """Tell which values a node's name may stand for."""
        marks = np.zeros(len(self.known), dtype=bool)
        node = None if self.tree is None else self.tree.node(cell)
        if self.tree is not None and node is not None:
            marks[self.known] = self.tree.contains(node)
        return marks


def _read_listed(
    covers: Cover, texts: pl.Series, rest: Flags, asked: AskedValues, nodes: _Nodes, column: PublishedColumn
) -> Cover:
    """Match sets, quoted values, nodes and prefixes: few distinct cells, whatever the number of rows."""
    where = np.flatnonzero(rest)
    if not len(where):
        return covers
    measured = column.kind in {Kind.NUMERIC, Kind.DATE}
    matrix = np.zeros((len(where), len(asked)), dtype=bool)
    sets: dict[int, list[str | None]] = {}
    for i, cell in enumerate(texts.gather(where)):
        if nodes.named[where[i]]:
            matrix[i, : asked.present] = nodes.under(cell)
        elif cell.startswith("{") and cell.endswith("}"):
            sets[i] = members(cell)
        elif cell.startswith('"'):
            sets[i] = [unquote(cell)]
        elif ANYTHING not in cell:
            sets[i] = [cell]
        elif measured and not re.search(_PART_OF_NUMBER, cell):
            matrix[i], covers.unread[where[i]] = True, True
        else:
            matrix[i, : asked.present] = _masked(cell, asked)
    lost = _mark_members(matrix, sets, asked, column)
    covers.unread[where[lost]] = True
    covers.row[where] = np.arange(len(where))
    return replace(covers, matrix=matrix)


def _mark_members(
    matrix: FlagGrid, sets: dict[int, list[str | None]], asked: AskedValues, column: PublishedColumn
) -> Ints:
    """Mark the members of all sets at once, by their text, and numbers and ranges by what they mean: 30 is 30.0.

    Return the sets with a member that cannot be read; they may stand for any value.
    """
    listed = pl.DataFrame(
        {"cell": list(sets), "text": list(sets.values())}, schema={"cell": pl.Int64, "text": pl.List(pl.String)}
    ).explode("text", empty_as_null=False)
    matrix[listed.filter(pl.col("text").is_null())["cell"].to_numpy(), asked.present :] = True
    listed = listed.drop_nulls()
    words = asked.texts.head(asked.present)
    known = pl.DataFrame({"text": words, "at": np.arange(len(words))})
    hits = listed.join(known, on="text")
    matrix[hits["cell"].to_numpy(), hits["at"].to_numpy()] = True
    if line_of(column) is None:
        return np.zeros(0, np.int64)
    texts, cell = listed["text"], listed["cell"].to_numpy()
    ranges = _ranges(texts, np.ones(len(texts), bool), asked, column)
    read = ~np.isnan(ranges.low)
    start, stop = _positions(asked.keys, ranges, np.flatnonzero(read))
    for i, first, end in zip(cell[read], start, stop, strict=True):
        matrix[i, first:end] = True
    if column.kind not in {Kind.NUMERIC, Kind.DATE}:
        return np.zeros(0, np.int64)
    lost = np.unique(cell[~read & ~_is(texts.is_in(words.implode()))])
    matrix[lost] = True
    return lost


def _masked(cell: str, asked: AskedValues) -> Flags:
    """Match `130**`: every star stands for at most one character, also where no hierarchy is declared."""
    words = asked.short().head(asked.present)
    if cell.startswith("0") and asked.ranked.dtype.is_numeric():
        words = words.str.zfill(len(cell))  # a postcode that was read as a number has lost its first zero
    pattern = "".join(".?" if sign == ANYTHING else re.escape(sign) for sign in cell)
    return words.str.contains(f"(?s)^(?:{pattern})$").to_numpy()
