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
    if column.kind in {"numeric", "date"} and cell != "NaN" and not column.nodes and _bounds(cell, column.kind) is None:
        return True  # it cannot be read
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
    """Read a number, a date or a range of them; one that ends before it begins is none."""
    found = _written_bounds(cell, kind)
    return None if found is None or found[0] > found[2] else found


def _written_bounds(cell: str, kind: str) -> tuple[Any, bool, Any, bool] | None:
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


MISSING = {"", "null", "nan", "na", "n/a", "none", "unknown", "missing", "?", "??", "-", "--", "."}


def may_be_in_foreign(cell: str | None, value: Any, kind: str, values: list[Any]) -> bool:
    """Read one cell of somebody else's column against one value; `values` are all that are asked about.

    `kind` is what most cells of the column are about. Nothing here looks at another cell.
    """
    if cell is None or cell.strip() == "*" or cell.strip().lower() in MISSING:
        return True
    cell = cell.strip()
    texts = {written(each) for each in values if each is not None}
    if cell.startswith("{"):
        return any(_member(text, value, kind, values, texts) for text in set_members(cell))
    if cell.startswith('"'):
        return _member(json.loads(cell), value, kind, values, texts)
    if "*" in cell:
        if kind != "categorical" and not set(cell) <= set("0123456789.:T +-*"):
            return True
        return value is not None and _cut(cell, value)
    return _member(cell, value, kind, values, texts)


def _member(text: str | None, value: Any, kind: str, values: list[Any], texts: set[str]) -> bool:
    if text is None:
        return value is None
    line = "numeric" if kind == "categorical" else kind
    bounds = _bounds(text, line)
    as_words = any(isinstance(each, str) for each in values)
    if kind == "categorical" and as_words and _point(text, line) is not None:
        bounds = None  # among codes written as text, 007 is not 7
    if kind != "categorical" and bounds is None and text not in texts:
        return True
    if value is None:
        return False
    if text == written(value):
        return True
    place = _point(value, line) if isinstance(value, str) else value
    if bounds is None or place is None or isinstance(place, dt.date) != (line == "date"):
        return False
    return bool(in_range(text, place, line))


def _cut(cell: str, value: Any) -> bool:
    """Each star stands for at most one character: try all ways to leave some of them out."""
    text = written(value)
    if isinstance(value, float):
        text = text.removesuffix(".0")
    if cell.startswith("0") and isinstance(value, int | float):
        text = text.zfill(len(cell))
    if not cell:
        return not text
    if cell[0] == "*":
        return _cut_text(cell[1:], text) or (text != "" and _cut_text(cell[1:], text[1:]))
    return _cut_text(cell, text)


def _cut_text(cell: str, text: str) -> bool:
    if not cell:
        return not text
    if cell[0] == "*":
        return _cut_text(cell[1:], text) or (text != "" and _cut_text(cell[1:], text[1:]))
    return text[:1] == cell[0] and _cut_text(cell[1:], text[1:])
