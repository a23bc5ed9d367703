"""Cells: how a blurred value is written, and how a written cell is read.

A cell is a value as it is, an interval `[20, 29]`, a set `{flu, cold}`, the name of a node of a hierarchy, or `*`.
Among numbers, dates and nodes it may be followed by `or missing`. A value that could be mistaken for one of these is
written in double quotes, so that reading gives back what was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Flags, Floats
from tacit.hierarchies.labels import number
from tacit.hierarchies.matching import read_as
from tacit.table import Kind, as_text

ANYTHING = "*"
NULL = "null"
EXACT = 2**53
"""From here on a float has no digit for the ones."""
OR_MISSING = " or missing"
"""What follows a cell that may also stand for a value that is missing."""
_AMBIGUOUS = r'^[\[{"(\]]|^\*|\*$|[,{}]|^\s|\s$|^$|^null$| or missing$'
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ZONE = r"(?:Z|[-+]\d{2}:?\d{2})"
_DATE = rf"\d{{4}}-\d{{2}}-\d{{2}}(?:[T ][\d:.]+{_ZONE}?)?"
_INFINITE = r"[-+]?inf"
_INTERVAL = rf"^([\[\](])\s*({_NUMBER}|{_DATE}|{_INFINITE})\s*,\s*({_NUMBER}|{_DATE}|{_INFINITE})\s*([\])\[])$"
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


def is_blurred(texts: pl.Series) -> pl.Series:
    """Tell which cells are an interval, a set, a cut value or `*`, by how they are written.

    Examples
    --------
    >>> is_blurred(pl.Series(["[1, 2]", "{a, b}", "130**", "20-29", "<18", "*", "flu", "30"])).to_list()
    [True, True, True, True, True, True, False, False]
    """
    written = texts.str.contains(rf"{_INTERVAL}|^\{{.*\}}$|^\S*\*+$|{_BOUND}").fill_null(False)
    return written | ~pl.Series(np.isnan(_widths(texts)))


def _widths(texts: pl.Series) -> Floats:
    """Return the width of cells such as `20-29`; NaN for every other."""
    low, high = (part.cast(pl.Float64).fill_null(float("nan")).to_numpy() for part in _extract(texts, _DASH, 2))
    return np.where(low < high, high - low, np.nan)


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


def printed(values: pl.Series) -> pl.Series:
    """Write the values of a column as people write them: whole floats as integers, moments at midnight as days.

    Examples
    --------
    >>> printed(pl.Series([1987.0, None])).to_list(), printed(pl.Series([1.5, 2.0])).to_list()
    (['1987', None], ['1.5', '2.0'])
    """
    known = values.drop_nulls()
    if known.is_empty():
        return as_text(values)
    if values.dtype.is_float():
        finite = known.filter(known.is_finite())
        if len(finite) and ((finite == finite.round()) & (finite.abs() < EXACT)).all():
            return as_text(values).str.strip_suffix(".0")
    elif isinstance(values.dtype, pl.Datetime) and (known == known.dt.truncate("1d")).all():
        return as_text(values.dt.date())
    return as_text(values)


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
class Extents:
    """Cells as ranges of numbers (days for dates); NaN where a cell is not one.

    Attributes
    ----------
    low, high
        The ends of the range, equal for a single number.
    left, right
        Whether the ends belong to it.
    """

    low: Floats
    high: Floats
    left: Flags
    right: Flags


def extents(texts: pl.Series, kind: Kind) -> Extents:
    """Read every way in which tools write a number, a date or a range of them.

    Examples
    --------
    >>> bounds = extents(pl.Series(["[20, 29]", "[20, 30[", "20-29", "<18", "35", "flu"]), Kind.NUMERIC)
    >>> bounds.low.tolist(), bounds.high.tolist(), bounds.right.tolist()
    ([20.0, 20.0, 20.0, -inf, 35.0, nan], [29.0, 30.0, 29.0, 18.0, 35.0, nan], [True, False, True, False, True, True])

    A range that ends before it begins is none, such as a postcode `13053-1234`. Of `[20, 29] or missing` the range is
    read.
    """
    texts = texts.str.strip_suffix(OR_MISSING)
    plain = line(texts, kind)
    bounds = Extents(plain.copy(), plain.copy(), np.ones(len(texts), dtype=bool), np.ones(len(texts), dtype=bool))
    opened, low, high, closed = _extract(texts, _INTERVAL, 4)
    where = np.flatnonzero(opened.is_not_null().to_numpy())
    if len(where):
        bounds.low[where], bounds.high[where] = line(low.gather(where), kind), line(high.gather(where), kind)
        bounds.left[where] = (opened.gather(where) == "[").to_numpy()
        bounds.right[where] = (closed.gather(where) == "]").to_numpy()
    if kind is Kind.NUMERIC:
        _read_dashes_and_bounds(texts, bounds)
    wrong = ~(bounds.low <= bounds.high)
    bounds.low[wrong] = bounds.high[wrong] = np.nan
    return bounds


def _read_dashes_and_bounds(texts: pl.Series, bounds: Extents) -> None:
    """Read `20-29` and `<18`, which only numbers are written as."""
    kind = Kind.NUMERIC
    low, high = _extract(texts, _DASH, 2)
    where = np.flatnonzero(low.is_not_null().to_numpy())
    bounds.low[where], bounds.high[where] = line(low.gather(where), kind), line(high.gather(where), kind)
    sign, edge = _extract(texts, _BOUND, 2)
    where = np.flatnonzero(sign.is_not_null().to_numpy())
    if len(where):
        signs, at = sign.gather(where), line(edge.gather(where), kind)
        below, strict = signs.str.starts_with("<").to_numpy(), (signs.str.len_chars() == 1).to_numpy()
        bounds.low[where], bounds.high[where] = np.where(below, -np.inf, at), np.where(below, at, np.inf)
        bounds.left[where], bounds.right[where] = below | ~strict, ~below | ~strict


def line(texts: pl.Series, kind: Kind) -> Floats:
    """Read texts as numbers, or as dates in days since 1970; NaN where a text is none."""
    if kind is Kind.DATE:
        local = texts.str.replace(rf"([T ][\d:.]+){_ZONE}$", "$1")
        days = number(read_as(local, pl.Datetime("us")))
        endless = texts.str.extract(rf"^({_INFINITE})$").cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return endless if days is None else np.where(np.isnan(endless), days, endless)
    return texts.cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy().copy()


def _extract(texts: pl.Series, pattern: str, groups: int) -> list[pl.Series]:
    return [texts.str.extract(pattern, group) for group in range(1, groups + 1)]
