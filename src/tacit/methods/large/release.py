"""LargeRelease: what a method made of a large table, still where the rows are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tacit.arrays import Ints
from tacit.engines.base import ROW, Rows
from tacit.guarantees import Guarantee
from tacit.knowledge.quasi_sensitive import ExactBelief
from tacit.methods.base import Method
from tacit.methods.large.frames import FrameMaker, split_owned
from tacit.methods.large.work import ABOUT, FRAME, INSIDE, ORIGIN, SENT, AboutFragment, Only, merged_shape, unpacked
from tacit.releases import Release
from tacit.shapes import Claim, Inside, Judged, Remark, Shape, Withheld, shape_classes
from tacit.shapes.value_tables import GROUP
from tacit.table import PeopleCounts

if TYPE_CHECKING:
    from tacit.methods.large.table import LargeTable


@dataclass(frozen=True, eq=False)
class StepDone:
    """What one step did, in counts.

    Attributes
    ----------
    method
        The step.
    before, after
        How many rows have each sensitive value before and after it; None where only what is written tells.
    rows_before, rows_after
        How many rows there were, and are left.
    guarantees, judged, warnings, remarks
        As in `Outcome`.
    people
        How many people there were before it, where people have several rows.
    believed
        What is believed of all rows before it, where the step compares groups with that.
    """

    method: Method
    before: Mapping[str, Ints]
    after: Mapping[str, Ints] | None
    rows_before: int
    rows_after: int
    guarantees: tuple[Guarantee, ...]
    judged: Judged
    warnings: tuple[str, ...]
    remarks: tuple[str, ...]
    people: PeopleCounts | None = None
    believed: ExactBelief | None = None


@dataclass(frozen=True, eq=False)
class LargeRelease:
    """A release that no memory has to hold: its frames are parts at the engine until they are written.

    Attributes
    ----------
    large
        The table it is of.
    sent, about
        What the workers sent: parts of frames and of the private part; and what fragments told of themselves.
    steps
        What each step did, in counts.
    method, claims, reproducible
        As in `Published`.
    key, parts, whole_groups
        The secret key of the last step, in how many parts frames are written, and whether a group is in one of them.
    """

    large: LargeTable
    sent: Rows
    about: tuple[AboutFragment, ...]
    steps: tuple[StepDone, ...]
    method: Mapping[str, Any]
    key: bytes
    parts: int
    whole_groups: bool
    claims: tuple[Claim, ...]
    reproducible: bool

    @property
    def size(self) -> int:
        """How many rows the table has."""
        return len(self.large)

    @property
    def rows(self) -> int:
        """How many rows are published."""
        return self.steps[-1].rows_after

    @cached_property
    def shape(self) -> tuple[str, dict[str, tuple[Any, ...]]]:
        """The name of the shape, and what is published of the columns of its parts."""
        return merged_shape(list(self.about))

    @cached_property
    def maker(self) -> FrameMaker:
        """What puts frames together."""
        last = max(each.fragment for each in self.about)
        groups = {part: [0] * (last + 1) for part in self.about[0].groups}
        for each in self.about:
            for part, many in each.groups.items():
                groups[part][each.fragment] = many
        return FrameMaker(self.large.layout, self.shape[1], groups, self.key)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the frames."""
        counted = self.large.engine.count(self.sent, [FRAME])
        found = {str(name) for name in counted[FRAME].to_list() if not str(name).startswith("\0")}
        declared = [name for name in self.shape[1] if name in found]
        return (*declared, *sorted(found - set(declared)))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the steps say of their own limits."""
        return tuple(text for step in self.steps for text in step.warnings)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the steps tell the data owner, and nobody else."""
        return tuple(text for step in self.steps for text in step.remarks)

    def collected(self, table: Any = None) -> Release:
        """Bring everything into memory, as a release like any other; for a table that fits there."""
        engine = self.large.engine
        sent = engine.collect(engine.map(self.sent, Only(frozenset([ABOUT]), inverted=True), SENT))
        names = np.array(sent.column(FRAME).to_pylist(), dtype=object)
        frames = {name: self.maker(name, sent.filter(pa.array(names == name))) for name in self.names}
        inside = self._inside(sent.filter(pa.array(names == INSIDE)), table)
        for name, frame in frames.items():
            frames[name], owned = split_owned(frame)
            if owned is not None:
                place = np.full(self.size, -1, dtype=np.int64)
                place[owned[ROW].to_numpy()] = np.arange(owned.height)
                inside = replace(inside, place=place)
        return Release(
            shape=restored(self.shape, frames),
            claims=self.claims,
            method=self.method,
            inside=inside,
            size=self.size,
            warnings=self.warnings,
            reproducible=self.reproducible,
            persons=self.large.persons,
        )

    def _inside(self, sent: pa.Table, table: Any) -> Inside:
        """Align the private part with the rows of the table, whose numbers are their places."""
        kept = np.zeros(self.size, dtype=bool)
        reached = np.zeros(self.size, dtype=bool)
        groups: dict[str, Ints] = {}
        order = np.sort(sent.column(ORIGIN).to_numpy())
        for fragment, part in zip(order.tolist(), unpacked(sent), strict=True):
            rows = part.column("row").to_numpy()
            reached[rows] = True
            kept[rows] = part.column("kept").to_numpy()
            for name in [name for name in part.column_names if name.startswith(f"{GROUP}:")]:
                marginal = name.removeprefix(f"{GROUP}:")
                mine = groups.setdefault(marginal, np.full(self.size, -1, dtype=np.int64))
                mine[rows] = self.maker.numbered(marginal, fragment, part.column(name).to_numpy())
        withheld: tuple[Withheld, ...] = (Withheld(len(self.steps) - 1, reached & ~kept, self.steps[-1].judged),)
        if (~reached).any():
            # Which of several earlier steps withheld a row is known to the engine alone; the first is named.
            earlier = [i for i, step in enumerate(self.steps) if step.rows_before > step.rows_after]
            withheld = (Withheld(earlier[0], ~reached, self.steps[earlier[0]].judged), *withheld)
        for mine in groups.values():
            mine[~kept] = -1
        group = None if not groups else groups.get("", groups)
        columns = tuple(column.name for column in self.large.layout.head.columns)
        cells = np.broadcast_to(np.False_, (self.size, len(columns)))
        remarks = tuple(Remark.of(remark) for remark in self.remarks)
        return Inside(kept, group, cells, columns, _once(withheld), remarks, table)


def restored(shape: tuple[str, Mapping[str, Any]], frames: Mapping[str, Any]) -> Shape:
    """Make a shape of frames in memory."""
    return shape_classes()[shape[0]].restore(shape[1], _Frames(frames))


@dataclass(frozen=True)
class _Frames:
    """Frames in memory, read like those of files."""

    frames: Mapping[str, Any]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.frames)

    def __call__(self, name: str, columns: Any) -> Any:
        return self.frames[name]


def _once(withheld: tuple[Withheld, ...]) -> tuple[Withheld, ...]:
    """Unite what one step withheld."""
    steps: dict[int, Withheld] = {}
    for hidden in withheld:
        before = steps.get(hidden.step)
        rows = hidden.rows if before is None else before.rows | hidden.rows
        steps[hidden.step] = Withheld(hidden.step, rows, hidden.judged)
    return tuple(steps[step] for step in sorted(steps))
