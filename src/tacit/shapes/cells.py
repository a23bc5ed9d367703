"""Cells: how a blurred value is written, and which values a written cell may stand for.

A cell is a value as it is, an interval `[20, 29]`, a set `{flu, cold}`, the name of a node of a hierarchy, or `*`. A
value that could be mistaken for one of these is written in double quotes, so that reading gives back what was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import FlagGrid, Flags, Floats, Ints
from tacit.hierarchies import Tree
from tacit.hierarchies.labels import number
from tacit.hierarchies.matching import read_as
from tacit.shapes.columns import PublishedColumn
from tacit.table import Kind, as_text

ANYTHING = "*"
NULL = "null"
_AMBIGUOUS = r'^[\[{"(\]]|^\*|\*$|[,{}]|^\s|\s$|^$|^null$'
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ZONE = r"(?:Z|[-+]\d{2}:?\d{2})"
_DATE = rf"\d{{4}}-\d{{2}}-\d{{2}}(?:[T ][\d:.]+{_ZONE}?)?"
_INFINITE = r"[-+]?inf"
_INTERVAL = rf"^([\[\](])\s*({_NUMBER}|{_DATE}|{_INFINITE})\s*,\s*({_NUMBER}|{_DATE}|{_INFINITE})\s*([\])\[])$"
_WHOLE_DAY = r"\d{4}-\d{2}-\d{2}\s*\]?$"
_DASH = r"^(\d+(?:\.\d+)?)\s*-\s*(\d+(?:\.\d+)?)$"
_BOUND = rf"^(<=|>=|<|>)\s*({_NUMBER})$"


def quote(texts: pl.Series) -> pl.Series:
    """Write values so that none can be read as a blurred cell.

    Examples
    --------
    >>> quote(pl.Series(["flu", "*", "[1, 2]", "a, b"])).to_list()
    ['flu', '"*"', '"[1, 2]"', '"a, b"']
    """
    risky = texts.str.contains(_AMBIGUOUS).fill_null(False)
    if not risky.any():
        return texts
    quoted = pl.Series([json.dumps(text, ensure_ascii=False) for text in texts.filter(risky)], dtype=pl.String)
    where = pl.Series(np.flatnonzero(risky.to_numpy()))
    return texts.clone().scatter(where, quoted)


def unquote(text: str) -> str:
    """Read one value back.

    Examples
    --------
    >>> unquote('"*"'), unquote("flu")
    ('*', 'flu')
    """
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except json.JSONDecodeError:
            return text
    return text


def interval(low: object, high: object) -> str:
    """Write a closed interval; one value stands for itself."""
    return f"{low}" if low == high else f"[{low}, {high}]"


def among(texts: Sequence[str | None]) -> str:
    """Write a set; one value stands for itself, null is a bare `null`.

    Examples
    --------
    >>> among(["flu"]), among(["cold", "a, b"])
    ('flu', '{cold, "a, b"}')
    """
    parts = quote(pl.Series(texts, dtype=pl.String)).fill_null(NULL).to_list()
    return parts[0] if len(parts) == 1 else "{" + ", ".join(parts) + "}"


def members(cell: str) -> list[str | None]:
    """Read a set back; a bare null is null.

    Examples
    --------
    >>> members('{cold, "a, b"}')
    ['cold', 'a, b']
    """
    parts = re.findall(r'[ \t]*("(?:[^"\\]|\\.)*"|[^,]+)', cell[1:-1])
    words = [part.strip(" \t") for part in parts]
    return [None if word == NULL else unquote(word) for word in words if word]


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
    """

    start: Ints
    stop: Ints
    row: Ints
    matrix: FlagGrid
    position: Ints

    def matches(self) -> FlagGrid:
        """Return the whole answer, cells by values; for tests and small tables."""
        at = self.position[None, :]
        ranges = (at >= self.start[:, None]) & (at < self.stop[:, None])
        listed = self.row >= 0
        ranges[listed] = self.matrix[self.row[listed]][:, self.position]
        return ranges


def cover(labels: pl.Series, column: PublishedColumn, values: pl.Series) -> Cover:
    """Say which of the distinct `values` each distinct published cell of `labels` may stand for.

    A null cell is a null, unless the column is marked as holding suppressed cells: then it is anything. A null among
    the values is matched by null, by `*` and by a set that names it; NaN by NaN and by `*`.
    """
    numeric = column.kind in {Kind.NUMERIC, Kind.DATE}
    # Numbers, then NaN, then null; or texts, then null.
    order = (values if numeric else as_text(values)).arg_sort(nulls_last=True).to_numpy()
    ranked = values.gather(order)
    position = np.empty(len(values), dtype=np.int64)
    position[order] = np.arange(len(values))
    n = len(labels)
    found = Cover(
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.full(n, -1, np.int64),
        np.zeros((0, len(values)), bool),
        position,
    )
    open_cells = labels.is_not_null().to_numpy().copy()
    if column.suppressed:
        found.stop[~open_cells] = len(values)
    else:
        _match_null(found, ~open_cells, ranked)
    texts = as_text(labels)
    if column.suppressed and column.blurred:
        own = (texts == "").fill_null(False).to_numpy()
        _match_null(found, own, ranked)
        open_cells &= ~own
    if column.blurred and labels.dtype == pl.String:
        wild = (texts == ANYTHING).fill_null(False).to_numpy()
        found.stop[wild] = len(values)
        null = (texts == NULL).fill_null(False).to_numpy()
        _match_null(found, null, ranked)
        open_cells &= ~(wild | null)
        nodes = _Nodes.of(texts, open_cells, ranked, column)  # a name that looks like a range means what its node means
        if numeric:
            open_cells &= ~_read_intervals(found, texts, open_cells & ~nodes.named, ranked, column.kind)
        special = texts.str.contains(r'^[{"]|\*$').fill_null(False).to_numpy()
        open_cells &= ~_read_values(found, texts, open_cells & ~nodes.named & ~special, as_text(ranked))
        return _read_listed(found, texts, open_cells, ranked, nodes, column.kind)
    _read_values(found, *_alike(labels, open_cells, ranked))
    return found


def _alike(cells: pl.Series, rest: Any, values: pl.Series) -> tuple[pl.Series, Any, pl.Series]:
    """Bring cells and values to one type, in which what is equal means the same."""
    if cells.dtype == values.dtype:
        return cells, rest, values
    measured = [number(each) for each in (cells, values)]
    if measured[0] is None or measured[1] is None:
        return as_text(cells), rest, as_text(values)
    return pl.Series(measured[0]), rest, pl.Series(measured[1]).set(values.is_null(), None)


def _match_null(found: Cover, where: np.ndarray[Any, Any], ranked: pl.Series) -> None:
    at = np.flatnonzero(ranked.is_null().to_numpy())
    if where.any() and len(at):
        found.start[where], found.stop[where] = at[0], at[-1] + 1


def _set_ranges(
    found: Cover, where: Any, keys: Any, low: Any, high: Any, *, left: Any = True, right: Any = True
) -> None:
    start = np.where(left, np.searchsorted(keys, low, "left"), np.searchsorted(keys, low, "right"))
    stop = np.where(right, np.searchsorted(keys, high, "right"), np.searchsorted(keys, high, "left"))
    found.start[where] = start
    found.stop[where] = np.maximum(start, stop)


@dataclass(frozen=True, eq=False)
class Extents:
    """Cells as ranges of numbers (days for dates); NaN where a cell is not one."""

    low: Floats
    high: Floats
    left: Flags
    right: Flags


def extents(texts: pl.Series, kind: Kind) -> Extents:
    """Read every way in which tools write a number, a date or a range of them.

    Examples
    --------
    >>> found = extents(pl.Series(["[20, 29]", "[20, 30[", "20-29", "<18", "35", "flu"]), Kind.NUMERIC)
    >>> found.low.tolist(), found.high.tolist(), found.right.tolist()
    ([20.0, 20.0, 20.0, -inf, 35.0, nan], [29.0, 30.0, 29.0, 18.0, 35.0, nan], [True, False, True, False, True, True])
    """
    plain = _number(texts, kind)
    found = Extents(plain.copy(), plain.copy(), np.ones(len(texts), dtype=bool), np.ones(len(texts), dtype=bool))
    opened, low, high, closed = _extract(texts, _INTERVAL, 4)
    where = np.flatnonzero(opened.is_not_null().to_numpy())
    if len(where):
        found.low[where], found.high[where] = _number(low.gather(where), kind), _number(high.gather(where), kind)
        found.left[where] = (opened.gather(where) == "[").to_numpy()
        found.right[where] = (closed.gather(where) == "]").to_numpy()
    if kind is not Kind.NUMERIC:
        return found
    low, high = _extract(texts, _DASH, 2)
    where = np.flatnonzero(low.is_not_null().to_numpy())
    found.low[where], found.high[where] = _number(low.gather(where), kind), _number(high.gather(where), kind)
    sign, edge = _extract(texts, _BOUND, 2)
    where = np.flatnonzero(sign.is_not_null().to_numpy())
    if len(where):
        signs, at = sign.gather(where), _number(edge.gather(where), kind)
        below, strict = signs.str.starts_with("<").to_numpy(), (signs.str.len_chars() == 1).to_numpy()
        found.low[where], found.high[where] = np.where(below, -np.inf, at), np.where(below, at, np.inf)
        found.left[where], found.right[where] = below | ~strict, ~below | ~strict
    return found


def _number(texts: pl.Series, kind: Kind) -> Floats:
    if kind is Kind.DATE:
        local = texts.str.replace(rf"([T ][\d:.]+){_ZONE}$", "$1")
        days = _numbers(read_as(local, pl.Datetime("us")))
        endless = texts.str.extract(rf"^({_INFINITE})$").cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return np.where(np.isnan(endless), days, endless)
    return texts.cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy().copy()


def _read_intervals(found: Cover, texts: pl.Series, rest: Any, ranked: pl.Series, kind: Kind) -> np.ndarray[Any, Any]:
    """Match cells that are a number, a date or a range of them; return which were read."""
    ranges = extents(texts, kind)
    high, right = ranges.high, ranges.right
    if ranked.dtype == pl.Datetime:  # a day without a time of day is all of it
        whole = right & texts.str.contains(_WHOLE_DAY).fill_null(False).to_numpy()
        high, right = np.where(whole, high + 1.0, high), right & ~whole
    read = rest & ~np.isnan(ranges.low)
    where = np.flatnonzero(read)
    keys = _numbers(ranked)
    keys = keys[~np.isnan(keys)]
    _set_ranges(found, where, keys, ranges.low[where], high[where], left=ranges.left[where], right=right[where])
    return np.asarray(read)


def _numbers(values: pl.Series) -> Floats:
    found = number(values)
    return np.full(len(values), np.nan) if found is None else found


def _extract(texts: pl.Series, pattern: str, groups: int) -> list[pl.Series]:
    return [texts.str.extract(pattern, group) for group in range(1, groups + 1)]


def _read_values(found: Cover, cells: pl.Series, rest: Any, ranked: pl.Series) -> np.ndarray[Any, Any]:
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
    found.start[where], found.stop[where] = place, place + 1
    read[where] = True
    return read


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The inner nodes of a hierarchy, bound to those of the values that have a place in it."""

    tree: Tree | None
    known: np.ndarray[Any, Any]
    named: np.ndarray[Any, Any]

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
        return cls(tree, known, named)

    def under(self, cell: str) -> np.ndarray[Any, Any]:
        """Tell which values a node's name may stand for."""
        marks = np.zeros(len(self.known), dtype=bool)
        node = None if self.tree is None else self.tree.node(cell)
        if self.tree is not None and node is not None:
            marks[self.known] = self.tree.contains(node)
        return marks


def _read_listed(found: Cover, texts: pl.Series, rest: Any, ranked: pl.Series, nodes: _Nodes, kind: Kind) -> Cover:
    """Match sets, quoted values, nodes and prefixes: few distinct cells, whatever the number of rows."""
    where = np.flatnonzero(rest)
    if not len(where):
        return found
    present = ranked.drop_nulls()
    words = as_text(present)
    matrix = np.zeros((len(where), len(ranked)), dtype=bool)
    sets: dict[int, list[str | None]] = {}
    for i, cell in enumerate(texts.gather(where)):
        if nodes.named[where[i]]:
            matrix[i, : len(words)] = nodes.under(cell)
        elif cell.startswith("{") and cell.endswith("}"):
            sets[i] = members(cell)
        elif cell.startswith('"'):
            sets[i] = [unquote(cell)]
        elif cell.endswith(ANYTHING):
            matrix[i, : len(words)] = _prefixed(cell, words)
    numbers = _numbers(present) if kind in {Kind.NUMERIC, Kind.DATE} else None
    _mark_members(matrix, sets, words, numbers, kind)
    found.row[where] = np.arange(len(where))
    return replace(found, matrix=matrix)


def _mark_members(
    matrix: np.ndarray[Any, Any], sets: dict[int, list[str | None]], words: pl.Series, numbers: Any, kind: Kind
) -> None:
    """Mark the members of all sets at once, by their text, and numbers also by what they count: 30 is 30.0."""
    told = pl.DataFrame(
        {"cell": list(sets), "text": list(sets.values())}, schema={"cell": pl.Int64, "text": pl.List(pl.String)}
    ).explode("text", empty_as_null=False)
    matrix[told.filter(pl.col("text").is_null())["cell"].to_numpy(), len(words) :] = True
    told = told.drop_nulls()
    hits = told.join(pl.DataFrame({"text": words, "at": np.arange(len(words))}), on="text")
    matrix[hits["cell"].to_numpy(), hits["at"].to_numpy()] = True
    if numbers is None or not len(numbers):
        return
    meant = _number(told["text"], kind)
    at = np.minimum(np.searchsorted(numbers, meant), len(numbers) - 1)  # numbers ascend, NaN is last
    same = numbers[at] == meant
    matrix[told["cell"].to_numpy()[same], at[same]] = True


def _prefixed(cell: str, words: pl.Series) -> np.ndarray[Any, Any]:
    """Match `130**`: the convention for postcodes, also where no hierarchy is declared."""
    return (words.str.starts_with(cell.rstrip(ANYTHING)) & (words.str.len_chars() <= len(cell))).to_numpy()
