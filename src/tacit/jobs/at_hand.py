"""A table at hand: read once, then asked often, while somebody decides what its columns are and how they may blur.

What it returns is small: the first rows as text, counts, guesses. Nothing is published here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit import sources
from tacit.errors import RoleError, SourceError, TacitError
from tacit.jobs.hierarchy_view import HierarchyView, view_of
from tacit.jobs.inspect.exposure import alone_with, spreading
from tacit.jobs.inspect.guesses import guess
from tacit.jobs.inspect.job import Inspection, inspect
from tacit.jobs.inspect.missing_marks import missing_marks
from tacit.progress import Progress, part, silent
from tacit.recipes.recipe import one_table
from tacit.recipes.sections import ReadSection
from tacit.sources.rounding import guess_decimals
from tacit.table import Kind, Role, Table, as_text
from tacit.table.items import split

HEAD = 200
"""Rows that are shown, the first ones. Chosen by hand: enough to recognize a table."""

ORDERED = 60
"""Values of a column that somebody may put in an order by hand, at most. Chosen by hand."""

_BARS = 12
"""Bars of the small picture of a column."""

_CAUSES = 12
"""Quasi-identifiers that are left out one by one to see who is then alone; each takes one more grouping."""


@dataclass(frozen=True)
class ColumnLook:
    """A column as it was read, what it seems to be, and how its values are distributed.

    `bars` are counts of the most frequent values, or of equal ranges of numbers and dates from the least to the
    greatest; `others` counts the rest.
    """

    name: str
    kind: str
    stored: str
    role: Role
    reason: str
    distinct: int
    nulls: int
    bars: tuple[tuple[str, int], ...] = ()
    others: int = 0


@dataclass(frozen=True)
class TableLook:
    """What can be seen of a table at once.

    Attributes
    ----------
    place
        What the table is called.
    rows
        How many rows it has.
    columns
        Each column.
    head
        The first rows, cells as text, None where nothing stands.
    remarks
        How it was read, and what may mean that nothing is known.
    decimals
        To how many decimals columns of very fine numbers should be rounded, by name.
    """

    place: str
    rows: int
    columns: tuple[ColumnLook, ...]
    head: tuple[tuple[str | None, ...], ...]
    remarks: tuple[str, ...] = ()
    decimals: Mapping[str, int] | None = None


@dataclass(frozen=True)
class AloneLook:
    """Who is alone with all quasi-identifiers, and which of these cause it.

    `without` says for each quasi-identifier how many would be alone if an outsider did not know it.
    """

    alone: int
    units: int
    unit: str
    without: tuple[tuple[str, int], ...] = ()
    spread: tuple[str, ...] = ()


class TableAtHand:
    """The table that somebody works on; `open` reads it."""

    def __init__(self) -> None:
        self._frame = pl.DataFrame()
        self._orders: dict[str, Any] = {}
        self._made: tuple[str, Table] | None = None

    def open(self, source: Any, query: str | None, read: dict[str, Any], progress: Progress = silent) -> TableLook:
        """Read the table and look at every column."""
        options = ReadSection.model_validate(read).model_dump(exclude={"items_separator"})
        progress("reading", 0.0)
        several = isinstance(source, str) and query is None and any(mark in source for mark in "*?[")
        given = one_table(source) if several else source
        reading = sources.read_source(given, query=query, **options)
        pa.default_memory_pool().release_unused()  # what reading needed for a while would stay as long as the process
        if not reading.frame.height:
            raise SourceError("The table has no rows.", hint="Check the file or the query.")
        self._frame, self._orders, self._made = reading.frame, dict(reading.orders), None
        progress("looking at columns", 0.6)
        decimals = None if options["round"] is not None else guess_decimals(self._frame) or None
        marks = missing_marks(self._frame, options["nulls"])
        guesses = guess(self._frame, fixed={})
        columns = []
        for at, g in enumerate(guesses):
            column = self._frame[g.name]
            bars, others = _bars(column, g.kind)
            columns.append(
                ColumnLook(g.name, g.kind.value, _stored(column), g.role, g.reason, g.distinct, g.nulls, bars, others)
            )
            progress("looking at columns", 0.6 + 0.4 * (at + 1) / len(guesses))
        head = self._frame.head(HEAD)
        texts = [_texts(head[name]) for name in head.columns]
        place = Path(source).name if isinstance(source, str | os.PathLike) and "://" not in str(source) else "database"
        remarks = (*reading.remarks, *(f"{mark.sentence}." for mark in marks))
        return TableLook(place, self._frame.height, tuple(columns), tuple(zip(*texts, strict=True)), remarks, decimals)

    def alone(self, roles: dict[str, Any], progress: Progress = silent) -> AloneLook:
        """Count who is alone with all quasi-identifiers, and with all but one of them."""
        table = self.table(roles)
        names = list(table.quasi_identifiers)
        progress("who is alone", 0.1)
        everybody = alone_with(table, names)
        without = []
        for at, name in enumerate(names[:_CAUSES] if len(names) > 1 else []):
            without.append((name, alone_with(table, [other for other in names if other != name])))
            progress("which columns cause it", 0.1 + 0.9 * (at + 1) / len(names))
        without.sort(key=lambda each: each[1])
        spread = tuple(
            f"{s.value!r} is in {s.count / len(table):.1%} of the rows of {s.column!r}: groups can be "
            f"{s.largest_l}-diverse at most unless rows are withheld"
            for s in spreading(table)
        )
        return AloneLook(everybody, table.units, table.unit, tuple(without), spread)

    def inspection(self, roles: dict[str, Any], progress: Progress = silent) -> tuple[dict[str, Any], dict[str, Any]]:
        """Ask what threatens the table with these roles, and what a few ways to protect it would cost on a sample."""
        found: Inspection = inspect(self.table(roles), progress=part(progress, 0.0, 0.5))
        counted = found.as_dict()
        trials = Inspection(**{**vars(found), "progress": part(progress, 0.5, 1.0)})
        tried = trials.trials.as_dict() if found.table.quasi_identifiers else {"rows": 0, "each": []}
        return counted, {**tried, "shortfall": trials.shortfall if tried["each"] else None}

    def hierarchy(self, column: str, spec: Any, roles: dict[str, Any]) -> HierarchyView:
        """Show how a column would blur by a description as a recipe has it, and whether it covers every value."""
        values = self._frame[column]
        if column in self._items(roles):
            values = split(values, ";").explode()
        return view_of(values, spec, roles.get("kinds", {}).get(column, self._orders.get(column)))

    def values(self, column: str) -> tuple[str, ...]:
        """Return the values of a column of text, to be put in an order: first the one it has, else that of words."""
        known = self._frame[column].drop_nulls().unique()
        if len(known) > ORDERED:
            raise RoleError(
                f"Column {column!r} has {len(known):,} different values, too many to put in an order by hand.",
                hint="Write the order into the recipe, or blur the column by a hierarchy.",
            )
        order = {value: at for at, value in enumerate(self._orders.get(column, ()))}
        return tuple(sorted(map(str, known.to_list()), key=lambda value: (order.get(value, len(order)), value)))

    def person(self, row: int, names: Sequence[str]) -> dict[str, str]:
        """Return what is known of one row, the first one is 1, as text; for the data owner's eyes."""
        if not 1 <= row <= self._frame.height:
            raise SourceError(f"There is no row {row:,}.", hint=f"The table has rows 1 to {self._frame.height:,}.")
        return {name: _texts(self._frame[name][row - 1 : row])[0] or "" for name in names if name in self._frame}

    def table(self, roles: dict[str, Any]) -> Table:
        """Make the table with roles as a recipe has them; the last one is kept."""
        key = repr(sorted(roles.items()))
        if self._made is None or self._made[0] != key:
            given = {k: v for k, v in roles.items() if k not in {"missing", "allow", "hierarchies", "kinds"}}
            cells = [split(self._frame[name], ";") for name in self._items(roles)]
            self._made = None
            kinds = {**self._orders, **roles.get("kinds", {})}
            # Nothing is published from here: what is missing is counted, and what looks like a name is let through.
            self._made = (
                key,
                Table(self._frame.with_columns(cells), **given, kinds=kinds, missing="value", allow=_shown(given)),
            )
        return self._made[1]

    def _items(self, roles: Mapping[str, Any]) -> list[str]:
        items = roles.get("items") or []
        named = [] if isinstance(items, Mapping) else list(items)
        return [name for name in named if name in self._frame.columns and self._frame[name].dtype == pl.String]


def _shown(roles: Mapping[str, Any]) -> list[str]:
    return [name for key in ("quasi_identifiers", "sensitive") for name in roles.get(key, ())]


def _texts(column: pl.Series) -> list[str | None]:
    if isinstance(column.dtype, pl.List):
        return [None if cell is None else "; ".join(map(str, cell)) for cell in column.to_list()]
    return [None if cell is None else str(cell) for cell in as_text(column).to_list()]


def _stored(column: pl.Series) -> str:
    kind = column.dtype
    if kind.is_integer():
        return "whole numbers"
    if kind.is_numeric():
        return "numbers"
    if kind == pl.Boolean:
        return "yes or no"
    if kind.is_temporal():
        return "dates" if kind == pl.Date else "times"
    return "sets" if isinstance(kind, pl.List) else "text"


def _bars(column: pl.Series, kind: Kind) -> tuple[tuple[tuple[str, int], ...], int]:
    """Count values for a small picture: ranges of numbers and dates, else the most frequent values."""
    try:
        present = column.drop_nulls()
        if not len(present) or isinstance(column.dtype, pl.List):
            return (), 0
        if kind in {Kind.NUMERIC, Kind.DATE} and present.n_unique() > _BARS:
            numbers = present.to_physical().cast(pl.Float64, strict=False).to_numpy()
            numbers = numbers[np.isfinite(numbers)]
            counts, edges = np.histogram(numbers, bins=_BARS)
            ends = pl.Series(edges).cast(pl.Int64).cast(column.dtype) if kind is Kind.DATE else pl.Series(edges)
            names = [f"{low:.4g}" if kind is Kind.NUMERIC else str(low) for low in ends]
            return tuple((f"{names[i]} to {names[i + 1]}", int(n)) for i, n in enumerate(counts)), 0
        found = present.value_counts(sort=True).head(_BARS)
        bars = tuple(zip(_texts(found[column.name]), found["count"].to_list(), strict=True))
        return tuple((str(name), int(n)) for name, n in bars), len(present) - sum(n for _, n in bars)
    except (pl.exceptions.PolarsError, TacitError, ValueError):  # a picture helps, but nothing fails for want of it
        return (), 0
