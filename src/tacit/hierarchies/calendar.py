"""Dates that blur into months, quarters, years."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.calls import checked_class
from tacit.errors import HierarchyError, nearest
from tacit.hierarchies.base import Hierarchy, column
from tacit.hierarchies.growth import Layer, grow
from tacit.hierarchies.labels import number, text
from tacit.hierarchies.tree import Tree

Days = npt.NDArray[np.int64]

MONTHS: Final = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
WEEKDAY_OF_DAY_0: Final = 3  # 1970-01-01 was a Thursday, ISO weeks begin on Monday


@checked_class
@dataclass(frozen=True, kw_only=True)
class Calendar(Hierarchy):
    """A day blurs into ``2024-03``, ``2024-Q1``, ``2024``, ``2020s``, or into its ISO week ``2024-W09``.

    A column with a time of day first blurs into the day. Extents are in days since 1970: from the first day of a
    period to its last for dates, to the beginning of the next period for dates with a time.

    Parameters
    ----------
    levels
        Some of month, quarter, year, decade, from fine to coarse; or week alone, since a week may lie in two months
        and in two years.

    Examples
    --------
    >>> from datetime import date
    >>> tree = Calendar().bind(pl.Series("born", [date(2024, 3, 5)]))
    >>> [tree.names[node] for node in tree.levels[:, 0]]
    ['2024-03-05', '2024-03', '2024-Q1', '2024', '*']
    """

    levels: tuple[str, ...] = ("month", "quarter", "year")

    def __post_init__(self) -> None:
        if isinstance(self.levels, str) or not all(isinstance(level, str) for level in self.levels):
            raise HierarchyError(
                f"The levels of a calendar hierarchy are {self.levels!r}.",
                hint='Give a list such as ["month", "year"].',
            )
        object.__setattr__(self, "levels", tuple(self.levels))  # a recipe gives a list
        for level in self.levels:
            if level not in MONTHS and level != "week":
                raise HierarchyError(
                    f"A calendar hierarchy has no level {level!r}.",
                    hint=nearest(level, ["week", *MONTHS], what="Levels"),
                )
        if self.levels != ("week",) and self.levels != tuple(level for level in MONTHS if level in self.levels):
            raise HierarchyError(
                f"The calendar levels {', '.join(self.levels)} do not nest.",
                hint="Give some of month, quarter, year, decade in this order, or week alone.",
            )
        if not self.levels:
            raise HierarchyError("A calendar hierarchy has no levels.", hint="Leave them out, or use a flat hierarchy.")

    def bind(self, values: pl.Series) -> Tree:
        """Build the tree; the column must hold dates."""
        if values.dtype not in (pl.Date, pl.Datetime):
            raise HierarchyError(
                f"{column(values)} has type {values.dtype}; a calendar hierarchy needs dates.",
                hint="Read the column as dates.",
            )
        timed = values.dtype == pl.Datetime
        dates = values.dt.date() if timed else values
        days = dates.to_physical().to_numpy().astype(np.int64)
        layers = [Layer.of_leaves(text(values), number(values))]
        periods = ("day", *self.levels) if timed else self.levels
        layers += [_layer(level, days, timed=timed) for level in periods]
        return grow(layers, values)

    def spec(self) -> dict[str, object]:
        """Describe the hierarchy."""
        return {"calendar": list(self.levels)}


def _layer(level: str, days: Days, *, timed: bool) -> Layer:
    index, start, name = _periods(level, days)
    present, codes = np.unique(index, return_inverse=True)
    return Layer(
        codes.astype(np.int64),
        name(present),
        start(present).astype(np.float64),
        start(present + 1).astype(np.float64) - (0 if timed else 1),
    )


def _periods(level: str, days: Days) -> tuple[Days, Callable[[Days], Days], Callable[[Days], list[str]]]:
    """Find the numbers of the periods that the days lie in, and how a number gives the first day and the name."""
    if level == "day":
        return days, lambda index: index, lambda index: np.datetime_as_string(_as_days(index)).tolist()
    if level == "week":
        return (days + WEEKDAY_OF_DAY_0) // 7, lambda index: index * 7 - WEEKDAY_OF_DAY_0, _week_names
    months = MONTHS[level]

    def start(index: Days) -> Days:
        return (index * months - 1970 * 12).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)

    def name(index: Days) -> list[str]:
        year, month = np.divmod(index * months, 12)
        match level:
            case "month":
                return [f"{y:04d}-{m + 1:02d}" for y, m in zip(year, month, strict=True)]
            case "quarter":
                return [f"{y:04d}-Q{m // 3 + 1}" for y, m in zip(year, month, strict=True)]
            case "year":
                return [f"{y:04d}" for y in year]
        return [f"{y:04d}s" for y in year]

    return (_as_days(days).astype("datetime64[M]").astype(np.int64) + 1970 * 12) // months, start, name


def _week_names(index: Days) -> list[str]:
    thursday = _as_days(
        index * 7
        # An ISO week belongs to the year of its Thursday. Week 0 is that of day 0, 1970-01-01, which was a Thursday.
    )
    year = thursday.astype("datetime64[Y]")
    week = (thursday - year.astype("datetime64[D]")).astype(np.int64) // 7 + 1
    return [f"{y + 1970:04d}-W{w:02d}" for y, w in zip(year.astype(np.int64), week, strict=True)]


def _as_days(days: Days) -> npt.NDArray[np.datetime64]:
    return days.astype("datetime64[D]")
