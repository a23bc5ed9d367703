"""Comparable columns: which columns have few enough values to be compared value by value.

A comparison takes a cell for each published label and each value of the table. A column of a hundred thousand values
would take ten thousand million cells, and nobody would read the picture.
"""

from __future__ import annotations

from tacit.shapes import Shape
from tacit.table import Kind, Table

_CELLS = 4_000_000
"""Labels times values of a comparison, eight bytes each: about 32 MB. Chosen by hand as what every machine has."""


def comparable(part: Shape, table: Table, *, numbers: bool = False) -> list[str]:
    """Return the quasi-identifiers that can be compared; with `numbers`, also those that have a size to ask for."""
    names = []
    for name in part.quasi_identifiers:
        if name not in table.quasi_identifiers:
            continue
        size = len(part.classes.labels[name]) * table.codes(name).cardinality
        if size <= _CELLS or (numbers and table.column(name).kind in {Kind.NUMERIC, Kind.DATE}):
            names.append(name)
    return names


def left_out(part: Shape, table: Table) -> list[str]:
    """Return the quasi-identifiers that both have and that have too many values."""
    kept = comparable(part, table)
    return [name for name in part.quasi_identifiers if name in table.quasi_identifiers and name not in kept]
