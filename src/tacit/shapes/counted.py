"""Counted: what an outsider sees of a release that no memory holds, as far as counts tell it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import polars as pl

from tacit.errors import RoleError
from tacit.shapes.base import Classes, Columns, FrameReader, Shape
from tacit.shapes.columns import PublishedColumn
from tacit.table import Groups, GroupStats


class Counted(Shape):
    """The columns of a release, how many rows it has, and its sensitive values; its frames are in files.

    It is no shape that is published: guarantees and adversaries that only count can ask it.
    """

    name: ClassVar[str] = "counted"

    def __init__(
        self, columns: tuple[PublishedColumn, ...], rows: int, totals: GroupStats, values: Mapping[str, pl.Series]
    ) -> None:
        self._columns = columns
        self._rows = rows
        self._totals = totals
        self._values = values

    @classmethod
    def restore(cls, columns: Mapping[str, Columns], frame: FrameReader) -> Shape:
        """Refuse: it has no files."""
        raise RoleError("Counts of a release are not a release.")

    @property
    def columns(self) -> tuple[PublishedColumn, ...]:
        """The published columns."""
        return self._columns

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return no frame: they are in files."""
        return {}

    @property
    def rows(self) -> int:
        """How many people are in the files."""
        return self._rows

    @property
    def people(self) -> pl.DataFrame:
        """Nobody: the rows are in files."""
        raise RoleError("The rows of a large release are in its files.", hint="Read some of them.")

    @property
    def membership(self) -> Groups:
        """No groups: the rows are in files."""
        raise RoleError("The rows of a large release are in its files.", hint="Read some of them.")

    @cached_property
    def statistics(self) -> GroupStats:
        """All rows as one group."""
        return self._totals

    @cached_property
    def totals(self) -> GroupStats:
        """All rows as one group."""
        return self._totals

    @cached_property
    def classes(self) -> Classes:
        """No classes: the rows are in files."""
        raise RoleError("The rows of a large release are in its files.", hint="Read some of them.")

    def whereabouts(self, group: int) -> str:
        """Name the one group."""
        return "all rows"

    def dictionary(self, name: str) -> pl.Series:
        """Return the published values of a sensitive column."""
        return self._values[name]
