"""Hierarchies that list their values, in the format of the ARX anonymization tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.calls import checked_call
from tacit.errors import HierarchyError
from tacit.hierarchies.base import Hierarchy
from tacit.hierarchies.cells import read_cells, write_cells
from tacit.hierarchies.growth import Layer, grow
from tacit.hierarchies.matching import extent, listed, match
from tacit.hierarchies.tree import ROOT, Tree


class TreeHierarchy(Hierarchy):
    """Each row is the path of one value: the value, what it blurs into, and so on up to the root.

    The root is named ``*``: the last column if it is the same in all rows, otherwise a column that is added. The rows
    are the domain: a value that the table lacks still counts as a leaf. A label that is repeated at the next level
    for the same values is one node. If a label names different sets of values at two levels, the higher of the two
    nodes is published as ``label (level i)``. A ``*`` before the last column means the root, so only ``*`` may
    follow it.

    Parameters
    ----------
    rows
        The paths, all of one length; cells that are not text are converted. The same row twice counts once.
    source
        What to call the hierarchy in messages.
    lines
        The line of each row in its file, for messages.

    Examples
    --------
    >>> hierarchy = TreeHierarchy([["cat", "mammal"], ["dog", "mammal"], ["trout", "fish"]])
    >>> tree = hierarchy.bind(pl.Series("pet", ["cat", "trout"]))
    >>> [tree.names[node] for node in tree.levels[:, 0]], tree.domain_size
    (['cat', 'mammal', '*'], 3)
    """

    @checked_call()
    def __init__(
        self,
        rows: Iterable[Sequence[object]],
        *,
        source: str = "the hierarchy",
        lines: Sequence[int] | None = None,
    ) -> None:
        self._source = source
        self._lines = lines
        self._frame = self._checked(self._rooted(self._cells(list(rows))))

    @classmethod
    def read(cls, path: str | PathLike[str]) -> TreeHierarchy:
        """Read a file without header, cells separated by ``;`` (or ``,`` or tabs), leaf first."""
        rows, lines = read_cells(Path(path))
        return cls(rows, source=f"the hierarchy file {str(path)!r}", lines=lines)

    @classmethod
    def from_mapping(cls, paths: Mapping[object, object]) -> TreeHierarchy:
        """Take what each value blurs into: a list of labels, or a single one.

        Examples
        --------
        >>> TreeHierarchy.from_mapping({"cat": "mammal", "trout": "fish"}).rows
        [('cat', 'mammal', '*'), ('trout', 'fish', '*')]
        """
        return cls([(value, *(path if isinstance(path, (list, tuple)) else [path])) for value, path in paths.items()])

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The paths, each value once, root last."""
        return self._frame.rows()

    def __repr__(self) -> str:
        return f"TreeHierarchy({len(self._frame)} values, height {self._frame.width - 1})"

    def write(self, path: str | PathLike[str]) -> None:
        """Write the paths to a file that ``read`` and ARX can read."""
        write_cells(Path(path), self.rows)

    def bind(self, values: pl.Series) -> Tree:
        """Build the tree of the whole domain; a value without a row is an error."""
        leaves, *above = self._frame.get_columns()
        bound = match(leaves, values, place=self._source)
        layers = [Layer.of_leaves(leaves, extent(leaves, values.dtype)), *(Layer.of(labels) for labels in above[:-1])]
        return grow(layers, values, bound)

    def known(self, values: pl.Series) -> pl.Series:
        """Tell which values have a row."""
        return listed(self._frame.to_series(0), values)

    def spec(self) -> None:
        """Return None: the paths are data, and a description must not hold data."""
        return

    def _cells(self, rows: list[Sequence[object]]) -> pl.DataFrame:
        if not rows:
            raise HierarchyError(f"{self._start()} is empty.", hint="Give one row per value: value;group;...;*")
        width = len(rows[0])
        for number, row in enumerate(rows):
            if isinstance(row, str) or len(row) != width or width == 0:
                raise HierarchyError(
                    f"{self._at(number)} has {len(row)} cells ({_shown(row)}), the first row has {width}.",
                    hint="Give every value the same number of levels; repeat a label to skip one.",
                )
        columns = []
        for level, cells in enumerate(zip(*rows, strict=True)):
            if any(cell is None for cell in cells):
                raise self._blank(level, cells.index(None), rows)
            columns.append(pl.Series(str(level), [str(cell) for cell in cells], dtype=pl.String))
        while len(columns) > 1 and (columns[-1] == "").all():  # a separator at the end of every line
            columns.pop()
        for level, labels in enumerate(columns[1:], start=1):
            if (labels == "").any():
                raise self._blank(level, (labels == "").arg_max() or 0, rows)
        return pl.DataFrame(columns)

    def _rooted(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Make the last column ``*``, and those just before it that say the same."""
        last = frame.to_series(-1)
        if frame.width == 1 or last.n_unique() > 1:
            return frame.with_columns(pl.lit(ROOT).alias(str(frame.width)))
        same = takewhile(lambda name: (frame[name] == last[0]).all(), reversed(frame.columns[1:]))
        return frame.with_columns(pl.lit(ROOT).alias(name) for name in same)

    def _checked(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Refuse what is not a tree; drop rows that are repeated."""
        codes = [Layer.of(labels).codes for labels in frame.get_columns()]
        first = _first(codes[0])
        for level in range(1, frame.width):
            clash = np.flatnonzero(codes[level][first] != codes[level])
            if len(clash):
                one, other = int(first[clash[0]]), int(clash[0])
                raise HierarchyError(
                    f"{self._at(other)} gives {frame[other, 0]!r} another path than {self._at(one, start=False)}: "
                    f"{_shown(frame.row(other))} and {_shown(frame.row(one))}.",
                    hint="Keep one of them.",
                )
        for level in range(1, frame.width - 1):
            first = _first(codes[level])
            clash = np.flatnonzero(codes[level + 1][first] != codes[level + 1])
            if len(clash):
                one, other = int(first[clash[0]]), int(clash[0])
                raise HierarchyError(
                    f"{self._at(other)} puts {frame[other, level]!r} (level {level}) under "
                    f"{frame[other, level + 1]!r}, {self._at(one, start=False)} under {frame[one, level + 1]!r}.",
                    hint="In a tree a label has one parent: name the two differently.",
                )
            astray = ((frame.to_series(level) == ROOT) & (frame.to_series(level + 1) != ROOT)).arg_true()
            if len(astray):
                raise HierarchyError(
                    f"{self._at(astray[0])} puts {ROOT!r} under {frame[astray[0], level + 1]!r}: "
                    f"{_shown(frame.row(astray[0]))}.",
                    hint=f"{ROOT!r} stands for all values, so only {ROOT!r} may follow it.",
                )
        return frame.unique(subset="0", keep="first", maintain_order=True)

    def _start(self) -> str:
        return self._source[0].upper() + self._source[1:]

    def _at(self, row: int, *, start: bool = True) -> str:
        """Name a row: by its line in a file, else by its number."""
        where = f"line {self._lines[row]}" if self._lines is not None else f"row {row + 1}"
        return f"{self._start()}, {where}," if start else where

    def _blank(self, level: int, row: int, rows: list[Sequence[object]]) -> HierarchyError:
        return HierarchyError(
            f"{self._at(row)} has an empty cell at level {level} ({_shown(rows[row])}).",
            hint="Repeat the label of the level below to skip a level.",
        )


def _first(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each row, the first row with the same code."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return first[inverse]


def _shown(row: Sequence[object]) -> str:
    return ";".join(map(str, row)) if not isinstance(row, str) else repr(row)
