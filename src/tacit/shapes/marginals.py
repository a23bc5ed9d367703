"""Marginals: several releases of parts of the same table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import polars as pl

from tacit.errors import RoleError
from tacit.shapes.base import Classes, FlatShape, Shape
from tacit.shapes.columns import PublishedColumn
from tacit.table import GroupStats


class Marginals(Shape):
    """Named tables, each a shape of its own; every person is in each of them."""

    name: ClassVar[str] = "marginals"

    def __init__(self, parts: Mapping[str, FlatShape]) -> None:
        if not parts:
            raise RoleError("There is no marginal.", hint="Name at least one list of columns.")
        self.parts = dict(parts)

    @property
    def columns(self) -> tuple[PublishedColumn, ...]:
        """The columns of all parts, each once."""
        found: dict[str, PublishedColumn] = {}
        for part in self.parts.values():
            found |= {column.name: column for column in part.columns if column.name not in found}
        return tuple(found.values())

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return one frame per marginal."""
        return {name: part.frames()["table"] for name, part in self.parts.items()}

    @property
    def rows(self) -> int:
        """How many people are published."""
        return max(part.rows for part in self.parts.values())

    @cached_property
    def statistics(self) -> GroupStats:
        """The groups of the first marginal; a guarantee over several asks each part."""
        return self._first.statistics

    @cached_property
    def classes(self) -> Classes:
        """The classes of the first marginal; an adversary over several asks each part."""
        return self._first.classes

    def whereabouts(self, group: int) -> str:
        """Name a group of the first marginal."""
        return self._first.whereabouts(group)

    def dictionary(self, name: str) -> pl.Series:
        """Return the published values of a sensitive column."""
        return self._first.dictionary(name)

    @property
    def _first(self) -> FlatShape:
        return next(iter(self.parts.values()))
