"""Bucketized: who is in a group, and what is in a group, but not who has what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints, offsets_of, places_of
from tacit.errors import RoleError
from tacit.shapes.base import Classes, Columns, DescribeColumn, ExpectedCounts, FrameReader, Shape, bound
from tacit.shapes.columns import PublishedColumn, visible
from tacit.shapes.generalized import Blur
from tacit.shapes.value_tables import COUNT, GROUP, check_people, same_numbers, value_table
from tacit.table import Cells, Codes, Groups, GroupStats, Histogram, Role, Table, encode

QI_FRAME, SENSITIVE_FRAME = "quasi_identifiers", "sensitive"


class Bucketized(Shape):
    """A table of quasi-identifiers with group numbers, and per sensitive column a table of group, value and count."""

    name: ClassVar[str] = "bucketized"
    sentence: ClassVar[str] = "Who is in a group and which sensitive values are in it are published in separate tables."
    shows_members: ClassVar[bool] = True

    def __init__(
        self, people: pl.DataFrame, sensitive: Mapping[str, pl.DataFrame], columns: tuple[PublishedColumn, ...]
    ) -> None:
        self._people = people
        self._sensitive = dict(sensitive)
        self._columns = columns

    @classmethod
    def publish(
        cls,
        table: Table,
        kept: Flags,
        order: Ints,
        group: Ints,
        names: Collection[str] | None = None,
        blurs: Mapping[str, Blur] | None = None,
        changed: Collection[str] = (),
    ) -> Bucketized:
        """Publish the kept rows in a given order; `group` is the public number of each row's group.

        With `names`, these columns and the sensitive ones are published, and no others; some may be blurred. `changed`
        are the columns in which the method changed values.
        """
        blurs = blurs or {}
        for column in visible(table):
            if column.name in {GROUP, COUNT}:
                raise RoleError(
                    f"A bucketized release has columns of its own named {GROUP!r} and {COUNT!r}, and so has the table.",
                    hint=f"Rename the column {column.name!r}.",
                )
        rows = np.flatnonzero(kept)[order]
        columns = tuple(
            replace(PublishedColumn.of(column, blurred=column.name in blurs), changed=column.name in changed)
            for column in visible(table)
            if names is None or column.name in names or column.role is Role.SENSITIVE
        )
        cells = [pl.Series(GROUP, group[rows])]
        for column in columns:
            if column.role is not Role.SENSITIVE:
                blur = blurs.get(column.name)
                values = table.frame[column.name].gather(rows) if blur is None else blur.cells(rows, coded=table.coded)
                cells.append(values.alias(column.name))
        people = pl.DataFrame(cells)
        sensitive = {}
        for name in table.sensitive:
            counted = pl.DataFrame({GROUP: group[rows], name: table.frame[name].gather(rows)})
            # Sorted by group and value: the order of an aggregation would otherwise echo that of the rows.
            sensitive[name] = counted.group_by(GROUP, name).agg(pl.len().cast(pl.Int64).alias(COUNT)).sort(GROUP, name)
        return cls(people, sensitive, columns)

    @classmethod
    def restore(cls, columns: Mapping[str, Columns], frame: FrameReader) -> Bucketized:
        """Read the table of people and the tables of values."""
        return cls.restore_part(QI_FRAME, columns[""], frame)

    @classmethod
    def restore_part(cls, people: str, columns: Columns, frame: FrameReader) -> Bucketized:
        """Read a table of people that may have any name, and the tables of values beside it."""
        names = [column.name for column in columns if column.role is Role.SENSITIVE]
        tables = {name: frame(value_frame(name, len(names)), ()) for name in names}
        return cls(frame(people, columns), tables, columns)

    @classmethod
    def foreign(
        cls, frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], describe: DescribeColumn
    ) -> Bucketized | None:
        """Take a frame `quasi_identifiers` and frames of values, all with a column `group`."""
        if QI_FRAME not in frames:
            return None
        people = frames[QI_FRAME]
        values = {name: frame for name, frame in frames.items() if name.startswith(SENSITIVE_FRAME)}
        _check_foreign({QI_FRAME: people, **values}, roles)
        tables = {name: value_table(name, values) for name, role in roles.items() if role is Role.SENSITIVE}
        shown = [name for name in people.columns if name in roles]
        columns = [describe(people[name], roles[name]) for name in shown]
        columns += [describe(table[name], Role.SENSITIVE) for name, table in tables.items()]
        if any(table[GROUP].dtype != people[GROUP].dtype for table in tables.values()):
            people = people.with_columns(same_numbers(people[GROUP]))
            tables = {name: table.with_columns(same_numbers(table[GROUP])) for name, table in tables.items()}
        for name, table in tables.items():
            check_people(people, name, table)
        return cls(people.select(GROUP, *shown), tables, tuple(columns))

    @property
    def columns(self) -> tuple[PublishedColumn, ...]:
        """The published columns of the table behind the frames."""
        return self._columns

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the table of quasi-identifiers and the tables of sensitive values."""
        tables = {value_frame(name, len(self._sensitive)): frame for name, frame in self._sensitive.items()}
        return {QI_FRAME: self._people.clone(), **{name: frame.clone() for name, frame in tables.items()}}

    @property
    def rows(self) -> int:
        """How many people are published."""
        return self._people.height

    @cached_property
    def _numbers(self) -> Codes:
        return encode(pl.concat([self._people[GROUP], *(frame[GROUP] for frame in self._sensitive.values())]))

    @cached_property
    def _values(self) -> dict[str, Codes]:
        return {name: encode(frame[name], domain=self.domains.get(name)) for name, frame in self._sensitive.items()}

    @property
    def people(self) -> pl.DataFrame:
        """The table of quasi-identifiers and group numbers."""
        return self._people

    @property
    def numbers(self) -> pl.Series:
        """The published number of each group."""
        return self._numbers.values

    def frame_columns(self, frame: str) -> dict[str, PublishedColumn]:
        """Return what is published about the columns of the table of people; nothing for a table of values."""
        return {} if frame.startswith(SENSITIVE_FRAME) else super().frame_columns(frame)

    @property
    def membership(self) -> Groups:
        """The group of each row of the table of people, numbered as in `statistics`."""
        return Groups(self._numbers.codes[: self._people.height].astype(np.int64), self._numbers.cardinality)

    @cached_property
    def statistics(self) -> GroupStats:
        """Sizes from the table of people, histograms from the tables of values."""
        numbers, at = self._numbers, self._people.height
        sizes = np.bincount(numbers.codes[:at], minlength=numbers.cardinality).astype(np.int64)
        histograms = {}
        for name, frame in self._sensitive.items():
            group = numbers.codes[at : at + frame.height].astype(np.int64)
            at += frame.height
            values = self._values[name]
            counts = frame[COUNT].cast(pl.Int64).to_numpy()
            histograms[name] = Histogram.from_entries(
                group, values.codes.astype(np.int64), counts, numbers.cardinality, values.cardinality
            )
        trees = {n: tree for n, c in self._values.items() if (tree := bound(self.column(n), c.values)) is not None}
        return GroupStats(sizes, histograms, trees)

    @cached_property
    def classes(self) -> Classes:
        """People with equal quasi-identifiers in one group; behind each stands the group's distribution."""
        encoded = {name: encode(self._people[name]) for name in self.quasi_identifiers}
        number = Codes(self._numbers.codes[: self._people.height], self._numbers.values)
        cells = Cells.of({**encoded, GROUP: number}, {}, rows=self.rows)
        sizes, bucket = cells.weights, cells.column(GROUP).astype(np.int64)
        spreads = {}
        for name, histogram in self.statistics.histograms.items():
            lengths = histogram.distinct()[bucket]
            offsets = offsets_of(lengths)
            entries = places_of(histogram.offsets[bucket], lengths)
            share = histogram.counts[entries] / np.repeat(histogram.sizes()[bucket], lengths)
            weights = share * np.repeat(sizes, lengths)
            spreads[name] = ExpectedCounts(offsets, histogram.values[entries], weights, self._values[name].values)
        return Classes(replace(cells, histograms={}, ids=None), self.quasi_identifiers, spreads)

    def whereabouts(self, group: int) -> str:
        """Name a group by its public number."""
        return f"group {self._numbers.values[group]}"

    def dictionary(self, name: str) -> pl.Series:
        """Return the published values of a sensitive column."""
        return self._values[name].values


def value_frame(name: str, columns: int) -> str:
    """Name the table of values of a sensitive column, one of several."""
    return SENSITIVE_FRAME if columns == 1 else f"{SENSITIVE_FRAME}_{name}"


def _check_foreign(frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role]) -> None:
    """Raise where group numbers are missing, or a column stands where its role has no place."""
    for name, frame in frames.items():
        if GROUP not in frame.columns:
            raise RoleError.missing_column(GROUP, frame.columns, place=f"the frame {name!r} of a bucketized release")
        if frame[GROUP].null_count():
            raise RoleError(f"The column {GROUP!r} of {name!r} holds nulls.", hint="Every row belongs to a group.")
    for name, role in roles.items():
        if name in {GROUP, COUNT}:
            raise RoleError(f"Column {name!r} is a bucketized release's own; it has no role.", hint="Rename it.")
        if (name in frames[QI_FRAME].columns) == (role is Role.SENSITIVE):
            why = "shows whose it is" if role is Role.SENSITIVE else "is missing"
            raise RoleError(f"The {role} column {name!r} {why} in {QI_FRAME!r}.", hint="Give it as it was published.")
