"""Marginals: several releases of parts of the same table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.errors import RoleError
from tacit.shapes.base import TABLE_FRAME, Classes, Columns, DescribeColumn, FlatShape, FrameReader, Shape
from tacit.shapes.bucketized import QI_FRAME, SENSITIVE_FRAME, Bucketized
from tacit.shapes.columns import PublishedColumn
from tacit.shapes.generalized import Blur, foreign_rows
from tacit.shapes.value_tables import COUNTERFEITS, GROUP
from tacit.table import Groups, GroupStats, Role, Table, encode


@dataclass(frozen=True, eq=False)
class ExtraRows:
    """Rows of nobody: each looks like a row of the table, whose group it is in, but for its sensitive value."""

    like: Ints
    values: pl.Series


class Marginal(FlatShape):
    """Some of the columns, blurred; groups are the published group numbers or, without such, rows with equal cells.

    Two groups may have equal cells. Only their numbers tell them apart, and a check of m-invariance needs them.
    """

    name: ClassVar[str] = "marginal"

    @classmethod
    def publish(
        cls,
        table: Table,
        kept: Flags,
        order: Ints,
        names: Collection[str],
        blurs: Mapping[str, Blur],
        group: Ints,
        extra: ExtraRows | None = None,
    ) -> Marginal:
        """Publish the kept rows in a given order: the named columns, the sensitive ones and the group's number.

        With `extra`, rows that are nobody's are shuffled in: `order` then counts them after the kept rows.
        """
        shown = [c for c in table.columns if c.name in names or c.role is Role.SENSITIVE]
        own = (GROUP,) if extra is None else (GROUP, COUNTERFEITS)
        for column in shown:
            if column.name in own:
                raise RoleError(
                    f"A marginal has a column of its own named {column.name!r}, and so has the table.",
                    hint=f"Rename the column {column.name!r}.",
                )
        everyone = np.flatnonzero(kept)
        rows = (everyone if extra is None else np.concatenate([everyone, extra.like]))[order]
        series = [pl.Series(GROUP, group[rows])]
        if extra is not None:
            many = np.bincount(group[extra.like], minlength=int(group.max(initial=-1)) + 1)
            series.append(pl.Series(COUNTERFEITS, many[group[rows]]))
        for column in shown:
            blur = blurs.get(column.name)
            if extra is not None and column.role is Role.SENSITIVE:
                values = table.frame[column.name].gather(everyone).extend(extra.values).gather(order)
            else:
                values = table.frame[column.name].gather(rows) if blur is None else blur.cells(rows)
            series.append(values.alias(column.name))
        columns = tuple(PublishedColumn.of(column, blurred=column.name in blurs) for column in shown)
        return cls(pl.DataFrame(series), columns)

    @cached_property
    def numbers(self) -> pl.Series | None:
        """The published number of each group, in the order of `groups`; None where there are no numbers."""
        return None if not self._numbered else encode(self._frame[GROUP]).values

    @cached_property
    def groups(self) -> Groups:
        """Rows with one number; without numbers, rows with equal cells."""
        if not self._numbered:
            return self._by_cells()
        encoded = encode(self._frame[GROUP])
        return Groups(encoded.codes.astype(np.int64), encoded.cardinality)

    @property
    def rows(self) -> int:
        """How many people are published."""
        return self._frame.height - self.counterfeits

    @property
    def counterfeits(self) -> int:
        """How many rows are nobody's."""
        return int(self.group_counterfeits.sum())

    @cached_property
    def group_counterfeits(self) -> Ints:
        """How many rows of each group are nobody's, as published."""
        own = COUNTERFEITS in self._frame.columns and all(column.name != COUNTERFEITS for column in self.columns)
        if not own or not self._frame[COUNTERFEITS].dtype.is_integer():
            return np.zeros(self.groups.count, dtype=np.int64)
        said = self._frame[COUNTERFEITS].fill_null(0).to_numpy()[self.groups.first()].astype(np.int64)
        return np.clip(said, 0, self.groups.sizes())  # a file of others may say anything

    @property
    def _numbered(self) -> bool:
        return GROUP in self._frame.columns and all(column.name != GROUP for column in self.columns)


class Marginals(Shape):
    """Named tables, each a shape of its own; every person is in each of them."""

    name: ClassVar[str] = "marginals"
    sentence: ClassVar[str] = "Several tables about the same people are published."
    several: ClassVar[bool] = True

    @classmethod
    def restore(cls, columns: Mapping[str, Columns], frame: FrameReader) -> Marginals:
        """Read every marginal; where there are more frames than marginals, these are tables of values."""
        if frame.names <= columns.keys():
            return cls({name: Marginal(frame(name, known), known) for name, known in columns.items()})
        return cls({name: Bucketized.restore_part(name, known, frame) for name, known in columns.items()})

    @classmethod
    def foreign(
        cls, frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], describe: DescribeColumn
    ) -> Marginals | None:
        """Take several named frames; some may be tables of values by group, which all others then share."""
        if "" in frames or QI_FRAME in frames:
            return None
        tables = {name: frame for name, frame in frames.items() if name.startswith(SENSITIVE_FRAME) and GROUP in frame}
        if len(tables) in {0, len(frames)}:
            return cls({name: _foreign_marginal(name, frame, roles, describe) for name, frame in frames.items()})
        parts = {}
        for name, frame in frames.items():
            if name not in tables:
                mine = {c: role for c, role in roles.items() if role is Role.SENSITIVE or c in frame.columns}
                part = Bucketized.foreign({QI_FRAME: frame, **tables}, mine, describe)
                assert part is not None  # noqa: S101 - the frame of people is there
                parts[name] = part
        return cls(parts)

    def __init__(self, parts: Mapping[str, FlatShape | Bucketized]) -> None:
        if not parts:
            raise RoleError("There is no marginal.", hint="Name at least one list of columns.")
        for name, part in parts.items():
            if part.shows_members and name.startswith(SENSITIVE_FRAME):
                raise RoleError(
                    f"A marginal is named {name!r}, which is the table of sensitive values.", hint="Name it otherwise."
                )
        self._parts = dict(parts)

    @property
    def parts(self) -> Mapping[str, FlatShape | Bucketized]:
        """The marginals by name."""
        return self._parts

    @property
    def columns(self) -> tuple[PublishedColumn, ...]:
        """The columns of all parts, each once."""
        columns: dict[str, PublishedColumn] = {}
        for part in self.parts.values():
            columns |= {column.name: column for column in part.columns if column.name not in columns}
        return tuple(columns.values())

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return one frame per marginal; bucketized ones share their tables of sensitive values."""
        people: dict[str, pl.DataFrame] = {}
        shared: dict[str, pl.DataFrame] = {}
        for name, part in self.parts.items():
            frames = part.frames()
            people[name] = frames.pop(QI_FRAME if part.shows_members else TABLE_FRAME)
            shared |= frames
        return people | shared

    @property
    def rows(self) -> int:
        """How many people are published."""
        return max(part.rows for part in self.parts.values())

    @property
    def counterfeits(self) -> int:
        """How many rows of each marginal are nobody's."""
        return max(part.counterfeits for part in self.parts.values())

    @property
    def people(self) -> pl.DataFrame:
        """The people of the first marginal."""
        return self._first.people

    @property
    def membership(self) -> Groups:
        """The groups of the people of the first marginal."""
        return self._first.membership

    @property
    def numbers(self) -> pl.Series | None:
        """The published group numbers of the first marginal."""
        return self._first.numbers

    def frame_columns(self, frame: str) -> dict[str, PublishedColumn]:
        """Return what is published about the columns of one marginal; nothing for a table of values."""
        part = self.parts.get(frame)
        return {} if part is None else {column.name: column for column in part.columns}

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
    def _first(self) -> FlatShape | Bucketized:
        return next(iter(self.parts.values()))


def _foreign_marginal(name: str, frame: pl.DataFrame, roles: Mapping[str, Role], describe: DescribeColumn) -> Marginal:
    """Take one marginal, with the numbers of its groups if these were published."""
    rows, columns = foreign_rows(name, frame, roles, describe)
    own = (GROUP, COUNTERFEITS) if GROUP in frame.columns else ()
    numbered = [frame[name] for name in own if name in frame.columns and name not in roles]
    return Marginal(rows.with_columns(numbered), columns)
