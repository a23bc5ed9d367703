"""What a published cell may stand for, one cell and one value at a time, by the sentences of the contract."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Column:
    kind: str = "categorical"
    blurred: bool = True
    suppressed: bool = False
    nodes: Mapping[str, frozenset[Any]] = field(default_factory=dict)


def may_be(cell: Any, value: Any, column: Column) -> bool:
    if cell is None:
        return column.suppressed or value is None
    if not column.blurred:
        return value is not None and same(cell, value)
    if column.suppressed and cell == "":
        return value is None
    if cell == "*":
        return True
    if cell == "null":
        return value is None
    if cell in column.nodes:
        return value is not None and value in column.nodes[cell]
    if cell.startswith("{"):
        wanted = set_members(cell)
        if value is None:
            return None in wanted
        return any(text is not None and means(text, value, column) for text in wanted)
    if value is None:
        return False
    if column.kind in {"numeric", "date"} and (inside := in_range(cell, value, column.kind)) is not None:
        return inside
    if cell.startswith('"'):
        return written(value) == json.loads(cell)
    stars = len(cell) - len(cell.rstrip("*"))
    if stars:
        return written(value).startswith(cell[: len(cell) - stars]) and len(written(value)) <= len(cell)
    return means(cell, value, column)


def means(text: str, value: Any, column: Column) -> bool:
    if column.kind == "numeric" and not isinstance(value, str):
        try:
            return same(float(text), value)
        except ValueError:
            return False
    return text == written(value)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return bool(one == other)


def written(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def in_range(cell: str, value: Any, kind: str) -> bool | None:
    """None if the cell is not a number, a date or a range of them."""
    bounds = _bounds(cell, kind)
    if bounds is None:
        return None
    low, left, high, right = bounds
    if isinstance(value, float) and math.isnan(value):
        return False
    above = value >= low if left else value > low
    below = value <= high if right else value < high
    return above and below


def _bounds(cell: str, kind: str) -> tuple[Any, bool, Any, bool] | None:
    if (exact := _point(cell, kind)) is not None:
        return exact, True, exact, True
    if cell and cell[0] in "[](" and cell[-1] in "])[" and cell.count(",") == 1:
        low, high = (_point(part.strip(), kind) for part in cell[1:-1].split(","))
        return None if low is None or high is None else (low, cell[0] == "[", high, cell[-1] == "]")
    if kind == "date":
        return None
    if found := re.fullmatch(r"([\d.]+)\s*-\s*([\d.]+)", cell):
        return float(found[1]), True, float(found[2]), True
    if found := re.fullmatch(r"(<=|<|>=|>)\s*(.+)", cell):
        edge, closed = float(found[2]), found[1].endswith("=")
        return (-math.inf, True, edge, closed) if found[1][0] == "<" else (edge, closed, math.inf, True)
    return None


def _point(text: str, kind: str) -> Any:
    try:
        point = dt.date.fromisoformat(text) if kind == "date" else float(text)
    except ValueError:
        return None
    return None if isinstance(point, float) and math.isnan(point) else point


def set_members(cell: str) -> list[str | None]:
    """Read a set character by character."""
    found: list[str | None] = []
    inner, at = cell[1:-1], 0
    while at < len(inner):
        if inner[at] in ", \t":
            at += 1
        elif inner[at] == '"':
            text, length = json.JSONDecoder().raw_decode(inner[at:])
            found.append(text)
            at += length
        else:
            end = inner.find(",", at)
            end = len(inner) if end < 0 else end
            word = inner[at:end].rstrip(" \t")
            found.append(None if word == "null" else word)
            at = end
    return found
