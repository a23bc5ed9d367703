"""Judging parts of whole groups: each written part is read once more, and judged by itself.

Nothing has to be brought together: a group is in one part. That it is, is not trusted either: the part of every group
is computed again from its cells or its number as they were written.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Flags, offsets_of
from tacit.engines.keyed import Numbers
from tacit.guarantees import GroupGuarantee
from tacit.methods.large.frames import FrameMaker, people_file
from tacit.methods.large.group_parts import GroupParts
from tacit.methods.large.judging import JudgePiece, counted_values
from tacit.methods.large.release import restored
from tacit.methods.large.work import ABOUT, SENT
from tacit.releases.formats import read_frame
from tacit.shapes import Shape
from tacit.shapes.value_tables import COUNT
from tacit.table import Groups, People, PeopleCounts
from tacit.table.layout import people_of


@dataclass(frozen=True, eq=False)
class ReadFiles:
    """Reads written files of a large release.

    Attributes
    ----------
    maker
        What is published of the columns.
    kind
        The format of the files.
    private
        The folder that says whose the rows are, where people have several.
    """

    maker: FrameMaker
    kind: str
    private: str | None = None

    def people(self, part: int) -> People | None:
        """Read whose the rows of a part are; None where a row is a person, or nothing says whose it is."""
        if self.private is None:
            return None
        import pyarrow.parquet as pq

        return people_of(pq.read_table(people_file(self.private, part)))

    def frame(self, file: Mapping[str, Any], only: set[str] | None = None, *, coded: bool = False) -> pl.DataFrame:
        """Read one file, or some of its columns; texts as codes, if asked."""
        types = json.loads(file["columns"])
        chosen = None if only is None else [name for name, _ in types if name in only]
        known = self.maker.known(file["frame"])
        return read_frame(Path(file["path"]), self.kind, known, types, file["rows"], only=chosen, coded=coded)

    def shape(self, shape: tuple[str, Mapping[str, Any]], files: pa.Table, *, coded: bool = False) -> Shape:
        """Read the files of one part."""
        frames = {file["frame"]: self.frame(file, coded=coded) for file in files.to_pylist()}
        return restored(shape, frames)


@dataclass(frozen=True, eq=False)
class CountFiles:
    """Counts the rows and the sensitive values of written files; no other column is read."""

    read: ReadFiles

    def __call__(self, files: pa.Table) -> pa.Table:
        """Count in the files of one worker."""
        told = []
        for file in files.to_pylist():
            name = file["frame"]
            types = json.loads(file["columns"])
            only = {*self.read.maker.layout.sensitive, *([COUNT] if not self.read.maker.known(name) else [])}
            only = only & {column for column, _ in types} or {types[0][0]}
            frame = self.read.frame(file, only)
            counted = counted_values(self.read.maker, name, frame)
            told.append(replace(counted, people=self._people(frame, int(file["row"]))))
        return _told(files, told)

    def _people(self, frame: pl.DataFrame, part: int) -> PeopleCounts | None:
        """Count the people of a part as one group, in the codes of the table."""
        people, layout = self.read.people(part), self.read.maker.layout
        if people is None:
            return None
        values = {
            name: (layout.coded_values(name, frame[name]), layout.codes[name].cardinality) for name in layout.sensitive
        }
        return PeopleCounts.of(Groups.whole(frame.height), people, values)


@dataclass(frozen=True, eq=False)
class JudgePart:
    """Judges the groups of one part, and whether each of them belongs there."""

    read: ReadFiles
    judge: JudgePiece
    groups: GroupParts

    def __call__(self, files: pa.Table) -> pa.Table:
        """Judge all claims in one part."""
        # What is claimed of groups alone needs their cells told apart; other claims are about what the cells say.
        coded = all(isinstance(claim.guarantee, GroupGuarantee) for claim in self.judge.claims)
        shape = self.judge.among(self.read.shape(self.judge.shape, files, coded=coded))
        part = int(files.column("row")[0].as_py())
        hashes = hashes_of(shape, self.read.maker, self.groups)
        misplaced = int((self.groups.part(hashes) != part).sum())
        return _told(files, [self.judge.told(shape, None, misplaced, self.read.people(part))])


def hashes_of(shape: Shape, maker: FrameMaker, groups: GroupParts) -> Numbers:
    """Hash the groups of a written part as their fragments did."""
    if shape.numbers is None:
        classes = shape.classes
        blurred = {name: shape.column(name).blurred for name in classes.names}
        return groups.of_cells(classes.labels, np.asarray(classes.codes), blurred)
    before = maker.renumbering("").undone(shape.numbers.to_numpy())
    ends = offsets_of(maker.groups[""])
    fragment = np.searchsorted(ends[1:], before, side="right")
    hashes = np.zeros(len(before), dtype=np.uint64)
    for each in np.unique(fragment).tolist():
        mine = fragment == each
        hashes[mine] = groups.of_numbers(each, before[mine] - ends[each])
    return hashes


def sampled(shape: Shape, chosen: Flags) -> dict[str, pl.DataFrame]:
    """Return the frames of a shape with some of its groups."""
    if shape.numbers is None:
        kept = chosen[shape.membership.ids]
        return {name: frame.filter(pl.Series(kept)) for name, frame in shape.frames().items()}
    numbers = shape.numbers.filter(pl.Series(chosen))
    return {name: frame.filter(frame["group"].is_in(numbers.implode())) for name, frame in shape.frames().items()}


def _told(files: pa.Table, told: list[Any]) -> pa.Table:
    number = int(files.column("row")[0].as_py())
    many = len(told)
    return pa.Table.from_arrays(
        [
            pa.array([ABOUT] * many, pa.string()),
            pa.array([0] * many, pa.int32()),
            pa.array([number] * many, pa.int32()),
            pa.array([pickle.dumps(each) for each in told], pa.large_binary()),
        ],
        schema=SENT,
    )
