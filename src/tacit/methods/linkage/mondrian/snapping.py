"""Snapping: intervals that end at cut points of the column, which are nobody's value in particular.

A tight interval shows two values of people in the group. Here the ends are round numbers in regular steps, the same for
all groups: an interval is the smallest one between them that holds the group.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable

import numpy as np
import polars as pl

_STEPS = 20
"""Steps that the range of a column has at most. More steps lose less information and leave fewer values that an end may
stand for. On Adult with k = 5 twenty steps raise the NCP from .0126 to .0166; docs/threats/learning.md."""

_MONTHLY, _YEARLY = 120, 20 * 365
"""Days. A column of dates that spans more than the first is cut at months, more than the second at years, and one that
spans less at weeks."""

Snap = Callable[[int, int], tuple[str, str]]
"""Takes the codes of the least and the largest value of a group, and returns the ends of its interval as text."""


def snapping(values: pl.Series) -> Snap | None:
    """Return how intervals of a column of numbers or dates are written; None where there is nothing to cut."""
    present = values.drop_nulls()
    if present.dtype.is_float():
        present = present.filter(present.is_finite())
    if len(present) < 2:
        return None
    if present.dtype in (pl.Date, pl.Datetime):
        return _by_calendar(values.cast(pl.Date), present.cast(pl.Date))
    return _by_step(values, present)


def _by_step(values: pl.Series, present: pl.Series) -> Snap:
    numbers = values.cast(pl.Float64).to_numpy()
    step = _round_step(float(present.max()) - float(present.min()), whole=present.dtype.is_integer())  # type: ignore[arg-type]
    digits = max(0, -math.floor(math.log10(step)))

    def snap(low: int, high: int) -> tuple[str, str]:
        return _text(numbers[low], step, digits, down=True), _text(numbers[high], step, digits, down=False)

    return snap


def _round_step(span: float, *, whole: bool) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that divides the span into few enough steps."""
    power = 10.0 ** math.floor(math.log10(span / _STEPS)) if span > 0 else 1.0
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if span / (factor * power) <= _STEPS)
    return max(step, 2.0) if whole else step  # steps of one would be the values themselves


def _text(value: float, step: float, digits: int, *, down: bool) -> str:
    if not math.isfinite(value):
        return f"{value}"
    number = math.floor(value / step) if down else math.ceil(value / step)
    while True:  # a quotient that was rounded may be one step off
        text = f"{number * step:.{digits}f}"
        if float(text) <= value if down else float(text) >= value:
            return text
        number += -1 if down else 1


def _by_calendar(values: pl.Series, present: pl.Series) -> Snap:
    days = values.to_list()
    span = int(np.ptp(present.to_physical().to_numpy()))
    period = _week if span <= _MONTHLY else _month if span <= _YEARLY else _year

    def snap(low: int, high: int) -> tuple[str, str]:
        return period(days[low])[0].isoformat(), period(days[high])[1].isoformat()

    return snap


def _week(day: dt.date) -> tuple[dt.date, dt.date]:
    begin = day - dt.timedelta(days=day.weekday())
    return begin, begin + dt.timedelta(days=6)


def _month(day: dt.date) -> tuple[dt.date, dt.date]:
    after = (day.replace(day=28) + dt.timedelta(days=4)).replace(day=1)
    return day.replace(day=1), after - dt.timedelta(days=1)


def _year(day: dt.date) -> tuple[dt.date, dt.date]:
    return day.replace(month=1, day=1), day.replace(month=12, day=31)
