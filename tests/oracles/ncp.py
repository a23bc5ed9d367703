"""The normalized certainty penalty, one cell at a time, by the sentences of its definition."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracles.cells import Column, _bounds, may_be
from tests.oracles.grouping import key


def place(value: Any) -> float | None:
    """Where a value stands on a line; None for null, NaN and what has no place."""
    if isinstance(value, dt.date):
        return float((value - dt.date(1970, 1, 1)).days)
    if value is None or isinstance(value, str) or not math.isfinite(value):
        return None
    return float(value)


def cell_loss(cell: Any, column: Column, values: Sequence[Any], leaves: Mapping[str, int] | None = None) -> float:
    """`values` are all of the table's column; `leaves` are those under each node and, under `*`, the whole domain."""
    distinct = list({key(value): value for value in values}.values())
    if len(distinct) <= 1:
        return 0.0
    if cell is None and column.suppressed:
        return 1.0
    if not column.blurred or cell is None:
        return 0.0
    if cell == "*":
        return 1.0
    if leaves is not None and cell in leaves:
        return (leaves[cell] - 1) / (leaves["*"] - 1)
    meant = [value for value in distinct if may_be(cell, value, column)]
    if column.kind == "categorical":
        return max(0, len(meant) - 1) / (len(distinct) - 1)
    places = [at for at in map(place, distinct) if at is not None]
    if not places or min(places) == max(places):
        return 0.0
    low, high = min(places), max(places)
    bounds = None if cell in column.nodes else _bounds(cell, column.kind)
    if bounds is not None:
        first, last = (place(bounds[0]), place(bounds[2]))
        first = low if first is None else first
        last = high if last is None else last
        width = min(last, high) - max(first, low)
    else:
        inside = [at for at in map(place, meant) if at is not None]
        width = max(inside) - min(inside) if inside else 0.0
    return min(1.0, max(0.0, width / (high - low)))
