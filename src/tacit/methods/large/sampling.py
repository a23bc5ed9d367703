"""A sample of whole groups of a large release: what readers are asked about, and reports are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.adversaries import LinkageAdversary, Notice
from tacit.adversaries.learning import promised
from tacit.audits import READER
from tacit.engines.base import Rows
from tacit.errors import RoleError, TacitError
from tacit.methods.large.group_parts import GroupParts
from tacit.methods.large.judging_parts import ReadFiles, hashes_of, sampled
from tacit.methods.large.release import LargeRelease, restored
from tacit.methods.large.work import BLOB, FRAME, INSIDE, PART, SENT
from tacit.shapes import Published, Shape

PIECE = 500_000
"""Rows of a piece that is judged at a time, about; also of the sample that reports are made from. Chosen by hand."""


def sample_of_part(release: LargeRelease, read: ReadFiles, files: pa.Table, groups: GroupParts) -> Published:
    """Read whole groups of one part into memory, for reports and readers."""
    shape = read.shape(release.shape, files)
    pieces = -(-shape.rows // PIECE)
    if pieces > 1:
        hashes = hashes_of(shape, release.maker, groups) // np.uint64(release.parts)
        shape = restored(release.shape, sampled(shape, hashes % np.uint64(pieces) == 0))
    return _sample(release, shape)


class _OfPiece:
    """Keeps what belongs to one piece."""

    def __init__(self, piece: int) -> None:
        self.piece = piece

    def __call__(self, sent: pa.Table) -> pa.Table:
        return sent.filter(pa.array(sent.column(PART).to_numpy() == self.piece))


def sample_of_piece(release: LargeRelease, engine: Any, cut: Rows) -> Published | None:
    """Read one piece of whole groups into memory, for reports and readers; None where pieces are too large."""
    if len(release.shape[1]) > 1 and release.rows > PIECE:
        return None
    sent = engine.collect(engine.map(cut, _OfPiece(0), SENT))
    frames: dict[str, list[pl.DataFrame]] = {}
    for name, blob in zip(sent.column(FRAME).to_pylist(), sent.column(BLOB), strict=True):
        if name != INSIDE:
            frame = pl.from_arrow(pa.ipc.open_stream(blob.as_buffer()).read_all())
            assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table is a frame
            frames.setdefault(name, []).append(frame)
    if set(frames) != set(release.names):
        return None
    return _sample(release, restored(release.shape, {name: pl.concat(parts) for name, parts in frames.items()}))


def _sample(release: LargeRelease, shape: Shape) -> Published:
    """Return some groups of a release as a release; whether they are all of it, its size says."""
    size = release.size if shape.rows == release.rows else None
    return Published(shape, release.claims, release.method, None, size, release.warnings, release.reproducible)


def linked(sample: Published | None) -> list[Notice]:
    """Ask somebody who looks people up by their quasi-identifiers, in the sample."""
    if sample is None:
        return []
    try:
        found = LinkageAdversary().warn(sample)
    except TacitError:  # there is nothing to look up
        return []
    return [replace(notice, sentence=_prefix(sample) + notice.sentence) for notice in found]


def _prefix(sample: Published) -> str:
    return "" if sample.size is not None else f"in a sample of {sample.shape.rows:,} rows: "


def learned(sample: Published | None) -> tuple[Any, list[Notice]]:
    """Ask somebody who learns from the files, in the sample; no claim is about her, so nothing stops here."""
    if sample is None:
        return None, []
    try:
        beliefs = READER.attack(sample)
        notices = READER.notices(beliefs, promised(sample))
    except RoleError:  # there are no groups to learn from
        return None, []
    except (Exception, MemoryError) as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return None, [Notice(READER.name, f"what a reader could learn from the files was not computed: {reason}")]
    return beliefs, [replace(notice, sentence=_prefix(sample) + notice.sentence) for notice in notices]
