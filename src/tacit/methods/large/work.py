"""What a worker does: the local method inside one fragment, and its frames cut into the parts they are written in.

A worker may do its work twice. So it draws nothing: its generator comes from a secret key and the fragment's number.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints
from tacit.engines import LocalEngine
from tacit.engines.base import FRAGMENT, ROW
from tacit.engines.keyed import keyed_hash
from tacit.guarantees import Guarantee
from tacit.methods.base import Job, Method, Outcome
from tacit.methods.large.group_parts import GroupParts
from tacit.progress import silent
from tacit.randomness import Randomness
from tacit.shapes import Judged, Shape
from tacit.shapes.value_tables import GROUP
from tacit.table import GroupStats, Layout
from tacit.table.layout import MORE, PERSON

FRAME, PART, ORIGIN, BLOB = "frame", "part", "origin", "blob"
ABOUT, INSIDE, ONWARD = "\0about", "\0inside", "\0onward"
"""What is sent beside the frames: what a fragment tells of itself, its private part, its rows for the next step."""
OWNED = "\1of:"
"""How columns of a frame begin that go to the private part: which row of the table a published row is, and whose."""
SENT = pa.schema(
    [
        pa.field(FRAME, pa.string()),
        pa.field(PART, pa.int32()),
        pa.field(ORIGIN, pa.int32()),
        pa.field(BLOB, pa.large_binary()),
    ]
)
"""What workers send: parts of frames, as Arrow."""


@dataclass(frozen=True)
class AboutFragment:
    """What a fragment tells of itself.

    Attributes
    ----------
    fragment, rows, kept
        Its number, how many rows it has, and how many of them are published or go on.
    shape
        The shape without its frames: its class, and the columns of its parts.
    groups
        How many groups each frame with group numbers has, by the name of the marginal ("" for a single table).
    guarantees, judged, warnings, remarks
        As in `Outcome`.
    """

    fragment: int
    rows: int
    kept: int
    shape: tuple[str, Mapping[str, Any]] | None
    groups: Mapping[str, int]
    guarantees: tuple[Guarantee, ...]
    judged: Judged
    warnings: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class FragmentWork:
    """The method, and all that a worker needs to run it in a fragment.

    Attributes
    ----------
    method, layout
        What to do, and what the codes mean.
    key
        The secret key of the step.
    reference, planned
        The statistics of the whole table, and what was planned from them.
    parts
        In how many parts frames are written; None where the rows go on to a next step.
    whole_groups
        Whether a group is in one part, where a shape is a single table.
    """

    method: Method
    layout: Layout
    key: bytes
    reference: GroupStats | None
    planned: Any
    parts: int | None
    whole_groups: bool = False

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Protect one fragment."""
        fragment = int(rows.column(FRAGMENT)[0].as_py())
        number = rows.column(ROW).to_numpy()
        order = np.argsort(number, kind="stable")  # the same, whatever order the rows arrived in
        rows = rows.take(pa.array(order)) if (np.diff(order) < 0).any() else rows
        number = number[order]
        table = self.layout.table(rows)
        job = Job(LocalEngine(), self._randomness(fragment), silent, reference=self.reference, planned=self.planned)
        outcome = self.method.run(table, job)
        if self.parts is None:
            onward = rows.filter(pa.array(outcome.kept))
            sent = [(ONWARD, 0, onward.select(self.layout.schema.names))]
            return _sent(fragment, sent, self._about(fragment, outcome, None, {}))
        shape = outcome.publish()
        sent = []
        for name, frame in shape.frames().items():
            parts = self._parts_of(fragment, name, frame, shape)
            whose = self._owned(rows, outcome) if self.layout.several_rows else {}
            sent += cut(name, frame.with_columns(**whose), parts, self.parts)
        inside, groups = _inside(number, outcome)
        sent.append((INSIDE, 0, inside))
        return _sent(fragment, sent, self._about(fragment, outcome, shape, groups))

    def _owned(self, rows: pa.Table, outcome: Outcome) -> dict[str, pl.Series]:
        """Say of every published row which row of the table it is, and whose; it goes to the private part."""
        assert outcome.order is not None  # noqa: S101 - methods that count people say it
        behind = np.flatnonzero(outcome.kept)[outcome.order]
        return {OWNED + name: pl.Series(rows.column(name).to_numpy()[behind]) for name in (ROW, PERSON, MORE)}

    def _randomness(self, fragment: int) -> Randomness:
        digest = hashlib.blake2b(fragment.to_bytes(8, "little"), key=self.key, digest_size=16).digest()
        return Randomness.make(int.from_bytes(digest, "little"))

    def _parts_of(self, fragment: int, name: str, frame: pl.DataFrame, shape: Shape) -> Ints:
        """Return the part of each row of a frame: that of its group, or one by a keyed hash of the row's place."""
        assert self.parts is not None  # noqa: S101 - the last step
        if self.whole_groups and not shape.several:
            groups = GroupParts(self.layout, self.key, self.parts)
            if GROUP not in frame.columns or GROUP in shape.frame_columns(name):
                return groups.part(groups.of_coded_rows(frame, shape.quasi_identifiers))
            numbers = frame[GROUP].to_numpy()
            own = groups.of_numbers(fragment, np.arange(int(numbers.max(initial=-1)) + 1, dtype=np.int64))
            return np.asarray(groups.part(own)[numbers], dtype=np.int64)
        own_key = hashlib.blake2b(name.encode(), key=self.key, digest_size=16).digest()
        places = np.arange(frame.height, dtype=np.int64) | (np.int64(fragment) << 40)
        return (keyed_hash(own_key, places) % np.uint64(self.parts)).astype(np.int64)

    def _about(self, fragment: int, outcome: Outcome, shape: Shape | None, groups: Mapping[str, int]) -> AboutFragment:
        described = None if shape is None else (shape.name, {name: part.columns for name, part in shape.parts.items()})
        return AboutFragment(
            fragment,
            len(outcome.kept),
            int(outcome.kept.sum()),
            described,
            groups,
            outcome.guarantees,
            outcome.judged,
            outcome.warnings,
            tuple(str(remark) for remark in outcome.remarks),
        )


def _inside(number: Ints, outcome: Outcome) -> tuple[pa.Table, dict[str, int]]:
    """Lay out the private part of a fragment, and count its groups."""
    group = outcome.group
    named = {} if group is None else {"": group} if isinstance(group, np.ndarray) else dict(group)
    columns = {ROW: number, "kept": outcome.kept}
    columns |= {f"{GROUP}:{name}": np.asarray(numbers, dtype=np.int64) for name, numbers in named.items()}
    return pa.table(columns), {name: int(numbers.max(initial=-1)) + 1 for name, numbers in named.items()}


def cut(name: str, frame: pl.DataFrame, part: Ints, parts: int) -> list[tuple[str, int, pa.Table]]:
    """Cut a frame into its parts; blurred cells are codes, with those of the distinct cells that a part has."""
    narrow = part.astype(np.int16) if parts < 1 << 15 else part  # numpy sorts whole numbers of 16 bits by counting
    order = np.argsort(narrow, kind="stable")
    ends = np.cumsum(np.bincount(part, minlength=parts))
    whole = frame[order]
    cells = {
        c.name: c.dtype.categories.to_arrow(compat_level=pl.CompatLevel.oldest())
        for c in whole
        if isinstance(c.dtype, pl.Enum)
    }
    places = {n: whole[n].to_physical().to_arrow().cast(pa.int32()) for n in cells}
    plain = whole.drop(list(cells)).to_arrow(compat_level=pl.CompatLevel.oldest())
    found = []
    for p, (start, end) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)):
        if end == start:
            continue
        columns = {
            n: _own_cells(places[n].slice(start, end - start), cells[n])
            if n in cells
            else plain.column(n).slice(start, end - start)
            for n in whole.columns
        }
        found.append((name, p, pa.table(columns)))
    return found


def _own_cells(places: pa.Array, cells: pa.Array) -> pa.DictionaryArray:
    """Leave out the cells that no row has."""
    shown = places.fill_null(len(cells)).to_numpy() if places.null_count else places.to_numpy()
    used = np.flatnonzero(np.bincount(shown, minlength=len(cells) + 1)[: len(cells)])
    again = np.full(len(cells) + 1, -1, dtype=np.int32)
    again[used] = np.arange(len(used), dtype=np.int32)
    mine = again[shown]
    return pa.DictionaryArray.from_arrays(pa.array(mine, mask=mine < 0), cells.take(pa.array(used)))


def _sent(fragment: int, tables: list[tuple[str, int, pa.Table]], about: AboutFragment) -> pa.Table:
    names = [*(name for name, _, _ in tables), ABOUT]
    parts = [*(part for _, part, _ in tables), 0]
    blobs = [*(packed(table) for _, _, table in tables), pickle.dumps(about)]
    return pa.Table.from_arrays(
        [
            pa.array(names, pa.string()),
            pa.array(parts, pa.int32()),
            pa.array(np.full(len(names), fragment, dtype=np.int32)),
            pa.array(blobs, pa.large_binary()),
        ],
        schema=SENT,
    )


def packed(table: pa.Table) -> bytes:
    """Write a table as Arrow, a little compressed."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def unpacked(sent: pa.Table) -> list[pa.Table]:
    """Read the tables that were sent, in the order of their fragments."""
    order = np.argsort(sent.column(ORIGIN).to_numpy(), kind="stable")
    blobs = sent.column(BLOB)
    return [pa.ipc.open_stream(blobs[int(i)].as_buffer()).read_all() for i in order]


@dataclass(frozen=True)
class Only:
    """Keeps what was sent under one name, or under all but some."""

    names: frozenset[str]
    inverted: bool = False

    def __call__(self, sent: pa.Table) -> pa.Table:
        """Return the rows that are kept."""
        chosen = np.isin(np.array(sent.column(FRAME).to_pylist(), dtype=object), list(self.names))
        return sent.filter(pa.array(chosen != self.inverted))


@dataclass(frozen=True)
class Onward:
    """Reads the rows that go on to the next step."""

    layout: Layout

    def __call__(self, sent: pa.Table) -> pa.Table:
        """Return coded rows."""
        chosen = Only(frozenset([ONWARD]))(sent)
        schema = self.layout.schema
        return pa.concat_tables([schema.empty_table(), *(t.cast(schema) for t in unpacked(chosen))])


def told(sent: pa.Table) -> list[AboutFragment]:
    """Read what fragments told of themselves."""
    blobs = Only(frozenset([ABOUT]))(sent).column(BLOB)
    about = [pickle.loads(blob.as_py()) for blob in blobs]  # noqa: S301 - our own workers wrote it
    return sorted(about, key=lambda each: each.fragment)


def merged_shape(about: list[AboutFragment]) -> tuple[str, dict[str, tuple[Any, ...]]]:
    """Return the shape of all fragments: a column is blurred if it is in one of them."""
    shapes = [each.shape for each in about if each.shape is not None]
    name, first = shapes[0]
    merged = {}
    for part, columns in first.items():
        merged[part] = tuple(
            replace(
                column,
                blurred=any(other[part][j].blurred for _, other in shapes),
                suppressed=any(other[part][j].suppressed for _, other in shapes),
            )
            for j, column in enumerate(columns)
        )
    return name, merged
