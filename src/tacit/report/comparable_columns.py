"""Scope: which columns are coarse enough to be compared value by value.

Comparing takes a cell for each published label and each value of the table, so that a column of hundred thousand values
would take ten thousand million; nobody would read the picture either.
"""

from __future__ import annotations

from tacit.shapes import Shape
from tacit.table import Kind, Table

_CELLS = 4_000_000


def comparable(part: Shape, table: Table, *, numbers: bool = False) -> list[str]:
    """Return the quasi-identifiers that can be compared; with `numbers`, also those that have a size to ask for."""
    found = []
    for name in part.quasi_identifiers:
        if name not in table.quasi_identifiers:
            continue
        size = len(part.classes.labels[name]) * table.codes(name).cardinality
        if size <= _CELLS or (numbers and table.column(name).kind in {Kind.NUMERIC, Kind.DATE}):
            found.append(name)
    return found


def left_out(part: Shape, table: Table) -> list[str]:
    """Return the quasi-identifiers that both have and that have too many values."""
    kept = comparable(part, table)
    return [name for name in part.quasi_identifiers if name in table.quasi_identifiers and name not in kept]
