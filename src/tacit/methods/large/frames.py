"""Frames of a large release: parts of fragments put together, codes written as values, groups renumbered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints, offsets_of
from tacit.engines.base import TOLD, Places
from tacit.engines.keyed import Renumbering, keyed_hash
from tacit.methods.large.work import BLOB, FRAME, ORIGIN, OWNED, PART, unpacked
from tacit.releases.delimited import type_name
from tacit.releases.formats import ENDINGS, Format, write_frame
from tacit.releases.manifest import digest
from tacit.shapes import PublishedColumn, quote
from tacit.shapes.bucketized import SENSITIVE_FRAME
from tacit.shapes.cells import printed
from tacit.shapes.value_tables import COUNT, GROUP
from tacit.table import Layout


@dataclass(frozen=True, eq=False)
class FrameMaker:
    """Puts the frames of fragments together.

    Attributes
    ----------
    layout
        What the codes mean.
    columns
        What is published of the columns of each part of the shape ("" for a single table).
    groups
        Per part of the shape, how many groups each fragment has.
    key
        The secret key of the step, from which orders and numbers come.
    """

    layout: Layout
    columns: Mapping[str, tuple[PublishedColumn, ...]]
    groups: Mapping[str, Sequence[int]]
    key: bytes

    def part_of(self, frame: str) -> str:
        """Return the part of the shape that a frame belongs to."""
        return frame if frame in self.columns else ""

    def known(self, frame: str) -> dict[str, PublishedColumn]:
        """Return what is published of the columns of a frame; nothing for a table of values and counts."""
        values = frame not in self.columns and frame.startswith(SENSITIVE_FRAME)
        columns = () if values else self.columns.get(self.part_of(frame), ())
        return {column.name: column for column in columns}

    def renumbering(self, part: str) -> Renumbering:
        """Return the secret numbers of the groups of one part of the shape."""
        return Renumbering(self._own(f"group {part}"), max(1, sum(self.groups[part])))

    def numbered(self, part: str, fragment: int, numbers: Ints) -> Ints:
        """Return the public numbers of groups of a fragment; -1 stays.

        Where there are more numbers than groups, each group is renumbered once.
        """
        at, many = int(offsets_of(self.groups[part])[fragment]), self.groups[part][fragment]
        if len(numbers) > many:
            made: Ints = np.append(self.renumbering(part)(np.arange(many, dtype=np.int64) + at), -1)
            return made[numbers]
        return np.where(numbers < 0, -1, self.renumbering(part)(np.maximum(numbers, 0) + at))

    def __call__(self, frame: str, sent: pa.Table, salt: int = 0) -> pl.DataFrame:
        """Put parts of a frame together, in a random order that is the same whenever it is done."""
        part, known = self.part_of(frame), self.known(frame)
        origins = np.sort(sent.column(ORIGIN).to_numpy()).tolist()
        pieces = list(zip(origins, unpacked(sent), strict=True))
        names = pieces[0][1].column_names
        if not known and GROUP in names:
            whole = pl.DataFrame([self._column(name, part, known, pieces, None) for name in names])
            return whole.sort(whole.columns[:2])
        places = np.arange(sum(piece.num_rows for _, piece in pieces), dtype=np.int64) | (np.int64(salt) << 40)
        order = np.argsort(keyed_hash(self._own(f"order {frame}"), places), kind="stable")
        return pl.DataFrame([self._column(name, part, known, pieces, order) for name in names])

    def _column(
        self,
        name: str,
        part: str,
        known: Mapping[str, PublishedColumn],
        pieces: Sequence[tuple[int, pa.Table]],
        order: Ints | None,
    ) -> pl.Series:
        """Put a column together: numbers of groups as everybody sees them, and codes as values, in a given order."""
        columns = [piece.column(name) for _, piece in pieces]
        if name.startswith(OWNED):
            return pl.Series(name, _ordered(np.concatenate([c.to_numpy() for c in columns]), order))
        if name == GROUP and name not in known:
            numbers = [self.numbered(part, f, c.to_numpy()) for (f, _), c in zip(pieces, columns, strict=True)]
            return pl.Series(name, _ordered(np.concatenate(numbers), order))
        if any(pa.types.is_dictionary(c.type) for c in columns) or (name in known and known[name].blurred):
            return self._cells(name, columns, order)
        if (name == COUNT and name not in known) or not pa.types.is_integer(columns[0].type):
            made = pl.from_arrow(pa.chunked_array([chunk for c in columns for chunk in c.chunks], columns[0].type))
            assert isinstance(made, pl.Series)  # noqa: S101 - a column is a series
            return (made if order is None else made.gather(order)).alias(name)
        codes = np.concatenate([c.to_numpy() for c in columns])
        return self.layout.decoded(name, pl.Series(_ordered(codes, order)))

    def _cells(self, name: str, columns: Sequence[pa.ChunkedArray], order: Ints | None) -> pl.Series:
        """Put blurred cells together: of fragments that blurred the column their cells, of others the values."""
        texts, places, at = [], [], 0
        for column in columns:
            for chunk in column.chunks:
                own, mine = self._own_cells(name, chunk)
                texts.append(own)
                places.append(mine + np.int32(at))
                at += len(own)
        together = pl.concat(texts)
        return together.gather(_ordered(np.concatenate(places), order)).alias(name)

    def _own_cells(self, name: str, chunk: pa.Array) -> tuple[pl.Series, np.ndarray[tuple[int], np.dtype[np.int32]]]:
        """Return the distinct cells of a fragment, a missing one last, and the place of each row's cell among them."""
        if pa.types.is_integer(chunk.type):
            return quote(printed(self.layout.codes[name].values)), chunk.to_numpy().astype(np.int32)
        if not pa.types.is_dictionary(chunk.type):
            chunk = chunk.dictionary_encode()
        made = pl.from_arrow(chunk.dictionary)
        assert isinstance(made, pl.Series)  # noqa: S101 - an array is a series
        own = pl.concat([made.cast(pl.String), pl.Series([None], dtype=pl.String)])
        places = chunk.indices.fill_null(len(made)) if chunk.indices.null_count else chunk.indices
        return own, places.to_numpy().astype(np.int32)

    def _own(self, purpose: str) -> bytes:
        return hashlib.blake2b(purpose.encode(), key=self.key, digest_size=16).digest()


def _ordered(values: np.ndarray[Any, Any], order: Ints | None) -> np.ndarray[Any, Any]:
    return values if order is None else values[order]


def split_owned(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """Part what is published from what says whose the rows are, where that is known."""
    hidden = [name for name in frame.columns if name.startswith(OWNED)]
    whose = frame.select(pl.col(name).alias(name.removeprefix(OWNED)) for name in hidden)
    return frame.drop(hidden), whose if hidden else None


def people_file(folder: str | Path, part: int) -> Path:
    """Return where the private part says whose the rows of a written part are."""
    return Path(folder) / f"people-{part:05d}.parquet"


@dataclass(frozen=True, eq=False)
class WriteFrame:
    """A sink: puts a part of a frame together and writes it as a file.

    Whose the rows are is written, in the same order, to a file of the private part.
    """

    maker: FrameMaker
    names: tuple[str, ...]
    stems: tuple[str, ...]
    folder: str
    kind: Format
    parts: int
    private: str

    def __call__(self, sent: pa.Table) -> pa.Table:
        """Write one part; a file that an earlier try left is replaced."""
        name, part = str(sent.column(FRAME)[0].as_py()), int(sent.column(PART)[0].as_py())
        frame, whose = split_owned(self.maker(name, sent, salt=part))
        stem = self.stems[self.names.index(name)]
        number = "" if self.parts == 1 else f"-{part:05d}"
        path = Path(self.folder) / f"{stem}{number}.{ENDINGS[self.kind]}"
        trial = path.with_name(f".{path.name}.{id(sent)}")
        write_frame(frame, trial, self.kind, self.maker.known(name))
        trial.replace(path)
        about = [[column, type_name(frame[column].dtype)] for column in frame.columns]
        if whose is not None:
            private = people_file(self.private, part)
            trial = private.with_name(f".{private.name}.{id(sent)}")
            trial.touch(mode=0o600)
            whose.write_parquet(trial)
            trial.replace(private)
        return pa.Table.from_arrays(
            [
                pa.array([name]),
                pa.array([part], pa.int32()),
                pa.array([path.name]),
                pa.array([frame.height], pa.int64()),
                pa.array([digest(path)]),
                pa.array([json.dumps(about)]),
            ],
            schema=TOLD,
        )


@dataclass(frozen=True, eq=False)
class WriteInside:
    """A sink of the private part: which row is published, and in which group; nothing of a row itself."""

    maker: FrameMaker
    folder: str

    def __call__(self, sent: pa.Table) -> pa.Table:
        """Write the private part of one fragment."""
        import pyarrow.parquet as pq

        fragment = int(sent.column(ORIGIN)[0].as_py())
        inside = pa.ipc.open_stream(sent.column(BLOB)[0].as_buffer()).read_all()
        for name in [name for name in inside.column_names if name.startswith(f"{GROUP}:")]:
            part = name.removeprefix(f"{GROUP}:")
            numbers = self.maker.numbered(part, fragment, inside.column(name).to_numpy())
            inside = inside.set_column(inside.column_names.index(name), name, pa.array(numbers))
        path = Path(self.folder) / f"inside-{fragment:05d}.parquet"
        trial = path.with_name(f".{path.name}.{id(sent)}")
        trial.touch(mode=0o600)
        pq.write_table(inside, trial)
        trial.replace(path)
        return pa.Table.from_arrays(
            [
                pa.array([""]),
                pa.array([fragment], pa.int32()),
                pa.array([path.name]),
                pa.array([inside.num_rows], pa.int64()),
                pa.array([digest(path)]),
                pa.array([""]),
            ],
            schema=TOLD,
        )


@dataclass(frozen=True)
class PartRoute:
    """Routes what was sent to the part of the frame it belongs to."""

    names: tuple[str, ...]
    parts: int

    @property
    def count(self) -> int:
        """How many parts all frames have together."""
        return len(self.names) * self.parts

    def __call__(self, sent: pa.Table, /) -> Places:
        """Return the part of each."""
        place = {name: i for i, name in enumerate(self.names)}
        frame = np.array([place[name] for name in sent.column(FRAME).to_pylist()], dtype=np.int32)
        return np.asarray(frame * np.int32(self.parts) + sent.column(PART).to_numpy(), dtype=np.int32)
