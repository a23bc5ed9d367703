"""What every shape offers: its public frames, and the two views of them that guarantees and adversaries read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import polars as pl

from tacit.arrays import Floats, Ints, offsets_of
from tacit.errors import RoleError
from tacit.hierarchies import Tree
from tacit.shapes.cell_cover import Cover, cover
from tacit.shapes.cells import ANYTHING
from tacit.shapes.columns import PublishedColumn, named
from tacit.table import Cells, Codes, Groups, GroupStats, Histogram, People, Role, encode
from tacit.table.cells import CodeGrid

Columns = tuple[PublishedColumn, ...]
TABLE_FRAME = "table"

_MOST_KEPT = 4_000_000
"""Cells times values, a byte each, up to which it is kept which values the cells of a column may stand for. More memory
would spare larger tables the reading of their cells; chosen by hand."""


@dataclass(frozen=True, eq=False)
class ExpectedCounts:
    """The expected number of rows of each value of a sensitive column in each class; entries sorted by class."""

    offsets: Ints
    values: Ints
    weights: Floats
    dictionary: pl.Series

    def shown(self) -> ExpectedCounts:
        """Leave suppressed cells out: a blank cell does not say which value was there."""
        seen = self.dictionary.is_not_null().to_numpy()[self.values]
        before = offsets_of(seen)
        return ExpectedCounts(before[self.offsets], self.values[seen], self.weights[seen], self.dictionary)


@dataclass(frozen=True, eq=False)
class Classes:
    """Rows that an outsider cannot tell apart: the same cells, and the same chances for every sensitive value.

    Attributes
    ----------
    cells
        The distinct rows as they are published, numbers of groups included where they are published.
    names
        The quasi-identifiers, which are the first columns of the cells.
    spreads
        What may stand behind a row of the class, per sensitive column.
    """

    cells: Cells
    names: tuple[str, ...]
    spreads: Mapping[str, ExpectedCounts]
    _covers: dict[str, tuple[pl.Series, PublishedColumn, Cover]] = field(default_factory=dict, repr=False)

    def cover(self, name: str, column: PublishedColumn, values: pl.Series) -> Cover:
        """Say which values each cell of a quasi-identifier may stand for; see `tacit.shapes.cover`.

        Several measures ask that of the same values of a table, so the last answer of each column is kept.
        """
        asked, as_column, known = self._covers.get(name, (None, None, None))
        if known is not None and asked is values and as_column is column:
            return known
        found = cover(self.labels[name], column, values)
        if found.matrix.size <= _MOST_KEPT:
            self._covers[name] = (values, column, found)
        return found

    @property
    def labels(self) -> Mapping[str, pl.Series]:
        """The distinct published cells of each quasi-identifier."""
        return {name: self.cells.dictionaries[name] for name in self.names}

    @property
    def codes(self) -> CodeGrid:
        """Of each class, its cell in each quasi-identifier."""
        return self.cells.codes[:, : len(self.names)]

    @property
    def weights(self) -> Ints:
        """The number of rows of each class."""
        return self.cells.weights

    def places(self, names: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """Return the cell of each class in some quasi-identifiers, as kernels take it: class after class."""
        places = np.empty((len(self.cells), len(names)), dtype=np.int64)
        for j, name in enumerate(names):
            places[:, j] = self.cells.column(name)
        return places


class FrameReader(Protocol):
    """Reads the files of a release back, one frame at a time."""

    @property
    def names(self) -> frozenset[str]:
        """The names of all frames of the release."""
        ...

    def __call__(self, name: str, columns: Columns) -> pl.DataFrame:
        """Read one frame; `columns` says what is known of its columns."""
        ...


DescribeColumn = Callable[[pl.Series, Role], PublishedColumn]
"""Says of a column of a foreign frame, and the role it was given, how its cells are read."""


class Shape(ABC):
    """What an outsider sees: one or more frames, and what is published about their columns.

    Other rooms ask a shape by the verbs and properties below, never by its class. A new shape is one module here and
    one line in `tacit.shapes.__all__`: files are read back, and foreign frames recognized, by asking every shape there.
    """

    name: ClassVar[str]
    sentence: ClassVar[str] = ""
    """What a report says of the shape."""
    several: ClassVar[bool] = False
    """Whether it consists of several tables about the same people, listed in `parts`."""
    flat: ClassVar[bool] = False
    """Whether it is one frame in which a row is a person beside her sensitive values."""
    grouped: ClassVar[bool] = True
    """Whether people are published in groups: blurred cells or group numbers. False where rows are as they were."""
    shows_members: ClassVar[bool] = False
    """Whether the frames say of every person, by a group number beside her cells, in which group she is."""

    @property
    @abstractmethod
    def columns(self) -> tuple[PublishedColumn, ...]:
        """The published columns of the table behind the frames."""

    @abstractmethod
    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the public frames by name."""

    @classmethod
    @abstractmethod
    def restore(cls, columns: Mapping[str, Columns], frame: FrameReader) -> Shape:
        """Make the shape again from its files; `columns` are those of each part, as in `parts`."""

    @classmethod
    def foreign(
        cls, frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], describe: DescribeColumn
    ) -> Shape | None:
        """Make the shape of frames that somebody else published; None where they are not of this shape.

        A single frame that was given without a name is called "".
        """
        return None

    @property
    def parts(self) -> Mapping[str, Shape]:
        """The tables that a reader may look into one by one, by name; a single one has the empty name."""
        return {"": self}

    @property
    @abstractmethod
    def rows(self) -> int:
        """How many people are in the frames."""

    @property
    def counterfeits(self) -> int:
        """How many rows are nobody's; which ones is not published."""
        return 0

    @property
    def group_counterfeits(self) -> Ints:
        """How many rows of each group of `statistics` are nobody's, as published."""
        return np.zeros(self.statistics.count, dtype=np.int64)

    @property
    @abstractmethod
    def people(self) -> pl.DataFrame:
        """The frame in which every row is a person; of several tables, the first one's."""

    @property
    @abstractmethod
    def membership(self) -> Groups:
        """The group of every row of `people`, numbered as in `statistics`."""

    @property
    def numbers(self) -> pl.Series | None:
        """The published number of each group of `statistics`, in ascending order; None where groups have none."""
        return None

    def frame_columns(self, frame: str) -> dict[str, PublishedColumn]:
        """Return what is published about the columns of one frame; nothing for a table of values and counts."""
        return {column.name: column for column in self.columns}

    @cached_property
    @abstractmethod
    def statistics(self) -> GroupStats:
        """Group sizes and sensitive histograms, counted from the frames."""

    @cached_property
    @abstractmethod
    def classes(self) -> Classes:
        """The rows that an outsider cannot tell apart, from the frames."""

    @cached_property
    def totals(self) -> GroupStats:
        """All published rows as one group."""
        histograms = {name: _whole(histogram) for name, histogram in self.statistics.histograms.items()}
        return GroupStats(np.array([self.rows], dtype=np.int64), histograms, self.statistics.trees)

    @cached_property
    def shown_statistics(self) -> GroupStats:
        """The statistics without suppressed sensitive values: what is known of each group, and no more."""
        histograms = dict(self.statistics.histograms)
        for name in [name for name in histograms if self.column(name).suppressed]:
            whole = histograms[name]
            shown = self.dictionary(name).is_not_null().to_numpy()[whole.values]
            group, value, count = whole.entry_groups()[shown], whole.values[shown], whole.counts[shown]
            histograms[name] = Histogram.from_entries(group, value, count, whole.groups, whole.cardinality)
        return GroupStats(self.statistics.sizes, histograms, self.statistics.trees)

    domains: Mapping[str, pl.Series] = MappingProxyType({})
    """The values of sensitive columns in their order, where the frames are a piece of a larger release."""

    def among(self, domains: Mapping[str, pl.Series]) -> Self:
        """Return the shape as a piece of a larger one, in which sensitive columns have these values in this order."""
        shape = copy(self)
        for name in [name for name in vars(shape) if isinstance(getattr(type(shape), name, None), cached_property)]:
            del shape.__dict__[name]  # it was computed with the codes of the piece alone
        shape.domains = domains
        return shape

    persons: People | None = None
    """Whose row each row of `people` is, in a table that another tool published with several rows of a person."""

    @property
    def shows_people(self) -> bool:
        """Whether the files say whose row a row is."""
        return self.persons is not None

    def owned(self, persons: People | None) -> Self:
        """Return the shape with its rows said to be of these persons."""
        shape = copy(self)
        shape.persons = persons
        return shape

    def row_values(self, name: str) -> np.ndarray[tuple[int], np.dtype[Any]] | None:
        """Return the code of a sensitive column for each row of `people`; None where they are published apart."""
        return None

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The published quasi-identifiers."""
        return named(self.columns, Role.QUASI_IDENTIFIER)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The published sensitive columns."""
        return named(self.columns, Role.SENSITIVE)

    @property
    def items(self) -> tuple[str, ...]:
        """The published set-valued attributes, each once, whether written as lists or as a column per item."""
        names = [column.item_of or column.name for column in self.columns if column.role is Role.ITEMS]
        return tuple(dict.fromkeys(names))

    def column(self, name: str) -> PublishedColumn:
        """Return what is published about one column."""
        for column in self.columns:
            if column.name == name:
                return column
        raise RoleError.missing_column(name, [column.name for column in self.columns], place="the release")

    @property
    def suppressed_group(self) -> int | None:
        """The group of `statistics` whose rows show no quasi-identifier, in a table that another tool published.

        Such tools write a row that they withhold with `*` in every quasi-identifier. None where there is no such group,
        or nothing besides it.
        """
        return None

    @abstractmethod
    def whereabouts(self, group: int) -> str:
        """Say which group of `statistics` is meant, in words that an outsider could use."""

    @abstractmethod
    def dictionary(self, name: str) -> pl.Series:
        """Return the value behind each code that `statistics` uses for a sensitive column."""


def bound(column: PublishedColumn, values: pl.Series) -> Tree | None:
    """Bind the hierarchy of a sensitive column to its published values; None where a value has no place in it."""
    if column.hierarchy is None or values.null_count() or not column.hierarchy.known(values).all():
        return None
    return column.hierarchy.bind(values.alias(column.name))


def _whole(histogram: Histogram) -> Histogram:
    """Count the values of all groups together, as one group."""
    totals = histogram.totals()
    present = np.flatnonzero(totals)
    return Histogram.from_entries(
        np.zeros(len(present), dtype=np.int64), present, totals[present], 1, histogram.cardinality
    )


class FlatShape(Shape):
    """A shape with one frame in which a row is a person: classes are rows with equal quasi-identifier cells."""

    flat: ClassVar[bool] = True

    def __init__(self, frame: pl.DataFrame, columns: tuple[PublishedColumn, ...]) -> None:
        self._frame = frame
        self._columns = columns

    @classmethod
    def restore(cls, columns: Mapping[str, Columns], frame: FrameReader) -> Shape:
        """Read the one frame."""
        known = columns[""]
        return cls(frame(TABLE_FRAME, known), known)

    @property
    def columns(self) -> tuple[PublishedColumn, ...]:
        """The published columns."""
        return self._columns

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the one frame."""
        return {TABLE_FRAME: self._frame.clone()}

    @property
    def rows(self) -> int:
        """How many people are published."""
        return self._frame.height

    @property
    def people(self) -> pl.DataFrame:
        """The one frame."""
        return self._frame

    @property
    def membership(self) -> Groups:
        """The group of every row."""
        return self.groups

    @cached_property
    def _codes(self) -> dict[str, Codes]:
        names = self.quasi_identifiers + self.sensitive
        return {name: encode(self._frame[name], domain=self.domains.get(name)) for name in names}

    @cached_property
    def groups(self) -> Groups:
        """Rows with equal cells, numbered by cell."""
        return self._by_cells()

    def _by_cells(self) -> Groups:
        encoded = [self._codes[name] for name in self.quasi_identifiers]
        return Groups.of([c.codes for c in encoded], [c.cardinality for c in encoded], rows=self._frame.height)

    @cached_property
    def statistics(self) -> GroupStats:
        """Sizes and sensitive histograms of rows with equal cells."""
        encoded = {name: self._codes[name] for name in self.sensitive}
        trees = {name: tree for name, c in encoded.items() if (tree := bound(self.column(name), c.values)) is not None}
        return GroupStats(self._cells.weights, self._cells.histograms, trees)

    @cached_property
    def _cells(self) -> Cells:
        columns = {name: self._codes[name] for name in self.quasi_identifiers}
        sensitive = {name: self._codes[name] for name in self.sensitive}
        return Cells.of(columns, sensitive, rows=self.rows, groups=self.groups)

    @cached_property
    def classes(self) -> Classes:
        """Rows with equal cells; what stands behind them is what is published beside them."""
        spreads = {}
        for name, h in self.statistics.histograms.items():
            counts = ExpectedCounts(h.offsets, h.values, h.counts.astype(np.float64), self._codes[name].values)
            spreads[name] = counts.shown() if self.column(name).suppressed else counts
        return Classes(self._cells, self.quasi_identifiers, spreads)

    @property
    def suppressed_group(self) -> int | None:
        """The group of rows with `*` in every quasi-identifier, if another tool published them besides other rows."""
        names = self.quasi_identifiers
        if not names or self.groups.count < 2 or not all(self.column(name).foreign for name in names):
            return None
        first = self._frame.select(names)[self.groups.first()]
        if not all(dtype == pl.String for dtype in first.dtypes):
            return None
        blank = first.select(pl.all_horizontal(pl.all().str.strip_chars() == ANYTHING)).to_series().fill_null(False)
        return int(blank.arg_max() or 0) if blank.any() else None

    def whereabouts(self, group: int) -> str:
        """Name a group by its cells."""
        row = self._frame.row(int(self.groups.first()[group]), named=True)
        cells = {name: repr(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
        return ", ".join(f"{name} {cells[name]}" for name in self.quasi_identifiers) or "all rows"

    def dictionary(self, name: str) -> pl.Series:
        """Return the published values of a sensitive column."""
        return self._codes[name].values

    def row_values(self, name: str) -> np.ndarray[tuple[int], np.dtype[Any]] | None:
        """Return the code of a sensitive column for each row."""
        return self._codes[name].codes
