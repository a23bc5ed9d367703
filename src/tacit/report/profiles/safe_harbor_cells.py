"""Cells that safe harbor looks at closely: places, dates, ages, and codes of one person each."""

from __future__ import annotations

import re

import polars as pl

from tacit.shapes.bounds import ends_of
from tacit.table import Kind, as_text

_RESTRICTED = frozenset(
    (
        "036",
        "059",
        "063",
        "102",
        "203",
        "556",
        "692",
        "790",
        "821",
        "823",
        "830",
        "831",
        "878",
        "879",
        "884",
        "890",
        "893",
    )
)
"""First three digits of ZIP codes with 20,000 people or fewer, by the census of 2000, as the guidance of the Office for
Civil Rights (2012) lists them. Newer census data, where there are any, take their place."""

_OLDEST = 89
"""The largest age that may be published by itself, in years."""

_AGE = re.compile(r"(^|_)(age|alter|edad|idade|eta|leeftijd)(_|$)|age_at")
_YEAR_ONLY = r"^\D*\d{4}\D*$|^\[\d{4}-01-01, \d{4}-12-31\]$|^\*$"
_DATED = r"\d{4}-\d{1,2}(-\d{1,2})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"


def places(cells: pl.Series, named: bool) -> str | None:
    """Say why a column that is named like a place tells more than the first three digits of a ZIP code."""
    texts = as_text(cells).drop_nulls().unique()
    texts = texts.filter(texts != "*")
    digits = texts.str.extract(r"^(\d+)\D*$", 1)
    if not len(texts):
        return None
    if digits.null_count():
        return "it is a place that may be smaller than a state"
    if int(digits.str.len_chars().max() or 0) > 3:  # type: ignore[arg-type]
        return "more than three digits of a ZIP code"
    small = sorted(_RESTRICTED & set(digits.to_list()))
    return f"areas of 20,000 people or fewer by the census of 2000: {', '.join(small)}" if small else None


def dates_and_ages(cells: pl.Series, named: bool) -> str | None:
    """Say why a column tells days or months of people, or how old they are above 89."""
    return dates(cells) or ages(cells)


def dates(cells: pl.Series) -> str | None:
    """Say why a column tells days or months of people."""
    if cells.dtype in (pl.Date, pl.Datetime):
        known = cells.drop_nulls()
        whole = ((known.dt.month() == 1) & (known.dt.day() == 1)).all()
        return None if not len(known) or whole else "it holds dates finer than a year"
    if cells.dtype != pl.String:
        return None
    texts = cells.drop_nulls().unique()
    dated = texts.filter(texts.str.contains(_DATED))
    finer = dated.filter(~dated.str.contains(_YEAR_ONLY))
    return "it holds dates finer than a year" if 2 * len(dated) > len(texts) and len(finer) else None


def ages(cells: pl.Series) -> str | None:
    """Say why a column of ages tells apart people above 89; one cell for all of them is allowed."""
    if _AGE.search(cells.name.lower()) is None:
        return None
    distinct = cells.drop_nulls().unique()
    if not (distinct.dtype.is_numeric() or distinct.dtype == pl.String):
        return None
    low, _ = ends_of(distinct, Kind.NUMERIC)
    old = int((low > _OLDEST).sum())
    return f"ages above {_OLDEST} are told apart" if old > 1 else None


def distinct_codes(cells: pl.Series, named: bool) -> str | None:
    """Say why a column that is named like a key may be one: each value stands in one row."""
    known = cells.drop_nulls()
    return "every row has a value of its own" if len(known) > 1 and known.n_unique() == len(known) else None
