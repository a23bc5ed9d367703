"""Judging a large release: what was written is counted again, piece by piece, where the files are.

A piece has whole groups. Workers judge the groups of their pieces; only verdicts, the groups that decide, and counts of
values come back. Fragments are never trusted: pieces are cut out of the written files by what everybody can read there.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints, offsets_of
from tacit.guarantees import Evidence, Finding, GroupGuarantee, Guarantee, MInvariance, RRobustness
from tacit.guarantees.finding import worst
from tacit.guarantees.published_people import PublishedPeople
from tacit.guarantees.quasi_sensitive.base import QSGuarantee
from tacit.guarantees.skew import Eligibility
from tacit.knowledge.distribution import Distribution
from tacit.knowledge.quasi_sensitive import ExactBelief, Prior, prior_from, published_sets
from tacit.methods.large.costs import PieceCost
from tacit.methods.large.frames import FrameMaker
from tacit.methods.large.people import left_over, stacked, with_lengths
from tacit.methods.large.release import restored
from tacit.methods.large.work import ABOUT, BLOB, FRAME, INSIDE, PART, SENT, packed
from tacit.releases.formats import read_frame
from tacit.shapes import Claim, Inside, Published, Shape
from tacit.shapes.value_tables import COUNT, GROUP
from tacit.table import GroupStats, Histogram, Layout, People, PeopleCounts

FILES = pa.schema(
    [
        pa.field("row", pa.int64()),
        pa.field("path", pa.string()),
        pa.field("frame", pa.string()),
        pa.field("rows", pa.int64()),
        pa.field("columns", pa.string()),
    ]
)
"""The files that are judged, one row each."""


@dataclass(frozen=True, eq=False)
class ReadPieces:
    """Reads a written file, counts its sensitive values, and cuts it into pieces of whole groups.

    Attributes
    ----------
    maker
        What is published of the columns.
    kind
        The format of the files.
    pieces
        How many pieces there are; 0 where only values are counted.
    by_component
        Whether groups that overlap between marginals stay in one piece.
    """

    maker: FrameMaker
    kind: str
    pieces: int
    by_component: bool

    def __call__(self, files: pa.Table) -> pa.Table:
        """Read the files of one worker."""
        import json

        names: list[str] = []
        parts: list[int] = []
        blobs: list[bytes] = []
        for file in files.to_pylist():
            name = file["frame"]
            if name == INSIDE:
                import pyarrow.parquet as pq

                frame = pl.from_arrow(pq.read_table(file["path"]))
                assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a file holds a table
                frame = frame.filter(pl.col("kept"))
            else:
                columns = json.loads(file["columns"])
                frame = read_frame(Path(file["path"]), self.kind, self.maker.known(name), columns, file["rows"])
                names, parts = [*names, ABOUT], [*parts, 0]
                blobs.append(pickle.dumps(counted_values(self.maker, name, frame)))
            for piece, rows in self._cut(name, frame) if self.pieces else ():
                names, parts = [*names, name], [*parts, piece]
                blobs.append(packed(rows))
        number = int(files.column("row")[0].as_py())
        return pa.Table.from_arrays(
            [
                pa.array(names, pa.string()),
                pa.array(parts, pa.int32()),
                pa.array(np.full(len(names), number, dtype=np.int32)),
                pa.array(blobs, pa.large_binary()),
            ],
            schema=SENT,
        )

    def _cut(self, name: str, frame: pl.DataFrame) -> list[tuple[int, pa.Table]]:
        piece = self._piece(name, frame)
        order = np.argsort(piece, kind="stable")
        ends = np.cumsum(np.bincount(piece, minlength=self.pieces))
        whole = frame[order].to_arrow(compat_level=pl.CompatLevel.oldest())
        return [
            (p, whole.slice(start, end - start))
            for p, (start, end) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True))
            if end > start
        ]

    def _piece(self, name: str, frame: pl.DataFrame) -> Ints:
        """Return the piece of each row: the same for all rows of a group, in whatever file they are."""
        if self.pieces == 1:
            return np.zeros(frame.height, dtype=np.int64)
        known = self.maker.known(name)
        own = GROUP if name != INSIDE else next(c for c in frame.columns if c.startswith(f"{GROUP}:"))
        if own in frame.columns and own not in known:
            numbers = frame[own].to_numpy()
            if not self.by_component:
                return np.asarray(numbers % self.pieces, dtype=np.int64)
            part = name if name != INSIDE else own.removeprefix(f"{GROUP}:")
            ends = offsets_of(self.maker.groups[part])[1:]
            fragment = np.searchsorted(ends, self.maker.renumbering(part).undone(numbers), side="right")
            return np.asarray(fragment % self.pieces, dtype=np.int64)
        cells = [c.name for c in known.values() if c.role.value == "quasi-identifier" and c.name in frame.columns]
        if not cells:
            return np.zeros(frame.height, dtype=np.int64)
        hashes = frame.select(cells).hash_rows(seed=7).to_numpy()
        return (hashes % np.uint64(self.pieces)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class CountedFile:
    """What was counted in a written file: its rows, its sensitive values and, where they are known, its people."""

    frame: str
    rows: int
    values: Mapping[str, pl.DataFrame]
    people: PeopleCounts | None = None


def counted_values(maker: FrameMaker, name: str, frame: pl.DataFrame) -> CountedFile:
    """Count the rows and the sensitive values of a file."""
    counted = {}
    for column in maker.layout.sensitive:
        if column in frame.columns:
            many = pl.col(COUNT).sum() if not maker.known(name) else pl.len().cast(pl.Int64)
            counted[column] = frame.group_by(column).agg(many.alias(COUNT)).rename({column: "value"})
    return CountedFile(name, frame.height, counted)


@dataclass(frozen=True, eq=False)
class JudgedPiece:
    """What a worker tells of one claim in one piece: a verdict, or the groups that decide and how many break it."""

    claim: int
    finding: Finding | None = None
    groups: int = 0
    broken: int = 0
    deciding: GroupStats | None = None
    places: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class JudgedFiles:
    """What a worker tells of a piece: verdicts, what it cost, and how many groups belong elsewhere."""

    judged: tuple[JudgedPiece, ...] = ()
    cost: PieceCost | None = None
    misplaced: int = 0


@dataclass(frozen=True, eq=False)
class JudgePiece:
    """Judges the groups of one piece.

    Attributes
    ----------
    shape
        The name of the shape, and what is published of its columns.
    claims, method
        What is claimed, and what made the release.
    values
        The published values of every sensitive column, in their order.
    totals
        All published rows as one group.
    known
        What an adversary knows of the whole table, where a claim is about that.
    layout
        The values of the table, against which the cells of a piece cost something.
    believed
        Per step, what was believed of all its rows, where groups are compared with that.
    """

    shape: tuple[str, Mapping[str, Any]]
    claims: tuple[Claim, ...]
    method: Mapping[str, Any]
    values: Mapping[str, pl.Series]
    totals: GroupStats
    known: Distribution | None
    layout: Layout
    believed: Mapping[int, ExactBelief]

    def told(
        self, shape: Shape, inside: Inside | None, misplaced: int = 0, people: People | None = None
    ) -> JudgedFiles:
        """Judge all claims about the groups of a piece, and add up what they cost; a cost decides nothing."""
        judged = tuple(self._judged(shape, inside, people))
        try:
            cost = PieceCost.of(shape, self.layout)
        except Exception:
            return JudgedFiles(judged, None, misplaced)
        return JudgedFiles(judged, cost, misplaced)

    def among(self, shape: Shape) -> Shape:
        """Return a piece as one of the whole release, whose sensitive values have codes of their own."""
        return shape if shape.several else shape.among(self.values)

    def __call__(self, sent: pa.Table) -> pa.Table:
        """Judge all claims in one piece."""
        frames: dict[str, list[pl.DataFrame]] = {}
        for name, blob in zip(sent.column(FRAME).to_pylist(), sent.column(BLOB), strict=True):
            if name != ABOUT:
                frame = pl.from_arrow(pa.ipc.open_stream(blob.as_buffer()).read_all())
                assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table is a frame
                frames.setdefault(name, []).append(frame)
        whole = {name: pl.concat(parts) for name, parts in frames.items()}
        inside = _inside(whole.pop(INSIDE, None))
        told = self.told(self.among(restored(self.shape, whole)), inside) if whole else JudgedFiles()
        piece = sent.column(PART)[0].as_py()
        return pa.Table.from_arrays(
            [
                pa.array([ABOUT]),
                pa.array([piece], pa.int32()),
                pa.array([piece], pa.int32()),
                pa.array([pickle.dumps(told)], pa.large_binary()),
            ],
            schema=SENT,
        )

    def _prior(self, guarantee: QSGuarantee, step: int) -> Prior | None:
        """Return what was believed beforehand; None where it plays no part."""
        return prior_from(self.believed[step]) if guarantee.needs_table else guarantee.believed(None)

    def _judged(self, shape: Shape, inside: Inside | None, people: People | None = None) -> list[JudgedPiece]:
        """Judge all claims about the groups of a piece."""
        published = Published(shape, self.claims, self.method, inside, size=shape.rows)
        judged = []
        for number, claim in enumerate(self.claims):
            guarantee = claim.guarantee
            assert isinstance(guarantee, Guarantee)  # noqa: S101 - methods claim guarantees
            if isinstance(guarantee, MInvariance):
                finding = guarantee.check(Evidence(published), claim)
                judged.append(JudgedPiece(number, finding, shape.statistics.count))
            elif isinstance(guarantee, RRobustness):
                informed = guarantee.model_copy(update={"distribution": self.known})
                finding = informed.check(Evidence(replace(published, inside=None)), claim)
                judged.append(JudgedPiece(number, finding, shape.statistics.count))
            elif isinstance(guarantee, QSGuarantee):
                evidence = Evidence(replace(published, inside=None))
                found = [
                    guarantee.judge_part(part, self._prior(guarantee, claim.step), "none", "none", evidence)
                    for part in published_sets(shape, guarantee.column)
                ]
                judged.append(JudgedPiece(number, worst(found), shape.statistics.count))
            elif isinstance(guarantee, GroupGuarantee) and not isinstance(guarantee, Eligibility):
                judged.append(_by_groups(number, guarantee, published, self.totals, people))
        return judged


def _inside(frame: pl.DataFrame | None) -> Inside | None:
    """Read the private part of a piece: everybody in it is published."""
    if frame is None:
        return None
    groups = {c.removeprefix(f"{GROUP}:"): frame[c].to_numpy() for c in frame.columns if c.startswith(f"{GROUP}:")}
    kept = np.ones(frame.height, dtype=bool)
    group = groups[""] if set(groups) == {""} else groups
    return Inside(kept, group, np.zeros((frame.height, 0), dtype=bool), ())


def _by_groups(
    number: int, guarantee: GroupGuarantee, published: Published, totals: GroupStats, people: People | None
) -> JudgedPiece:
    """Judge the groups of a piece against all published rows, and choose those that decide."""
    stats = _widened(with_people(published.shape, people), totals)
    held = guarantee.satisfied(stats, totals)
    posterior = guarantee.posterior(stats)
    chosen = {int(np.argmax(posterior)), *np.flatnonzero(~held)[:1].tolist()} if stats.count else set()
    if stats.count:
        chosen.add(_extreme(guarantee, stats, totals))
    deciding = np.array(sorted(chosen), dtype=np.int64)
    return JudgedPiece(
        number,
        groups=stats.count,
        broken=int((~held).sum()),
        deciding=stats.take(deciding),
        places=tuple(published.shape.whereabouts(int(group)) for group in deciding),
    )


def _widened(stats: GroupStats, totals: GroupStats) -> GroupStats:
    """Say that there are as many values as in the whole release; a piece may lack the missing one, which is last."""
    histograms = {
        name: replace(histogram, cardinality=totals.histograms[name].cardinality)
        for name, histogram in stats.histograms.items()
    }
    if stats.people is None or totals.people is None:
        return replace(stats, histograms=histograms, unit=totals.unit)
    of_people = {
        name: replace(histogram, cardinality=totals.histograms[name].cardinality)
        for name, histogram in stats.people.histograms.items()
    }
    people = with_lengths(replace(stats.people, histograms=of_people), totals.people.lengths)
    return replace(stats, histograms=histograms, people=people, unit=totals.unit)


def with_people(shape: Shape, people: People | None) -> GroupStats:
    """Return the statistics of the groups of a piece, with their people where it is known whose the rows are."""
    stats = shape.statistics
    if people is None:
        return stats
    values = {name: codes for name in shape.sensitive if (codes := shape.row_values(name)) is not None}
    return replace(stats, people=PublishedPeople(people, values).counts(shape, shape.membership))


def _extreme(guarantee: GroupGuarantee, stats: GroupStats, totals: GroupStats) -> int:
    """Find the group by which a measure of all of them is what it is: of two halves, the one that has the same."""
    chosen = np.arange(stats.count)
    wanted = guarantee.measure(with_rest(stats, totals))
    while len(chosen) > 1:
        half = chosen[: len(chosen) // 2]
        same = guarantee.measure(with_rest(stats.take(half), totals)) == wanted
        chosen = half if same else chosen[len(half) :]
    return int(chosen[0])


def with_rest(stats: GroupStats, totals: GroupStats) -> GroupStats:
    """Add one more group: all rows of the totals that are in none of these."""
    rest = int(totals.sizes[0]) - int(stats.sizes.sum())
    if rest <= 0:
        return stats
    histograms = {}
    for name, histogram in stats.histograms.items():
        left = totals.histograms[name].totals() - histogram.totals()
        present = np.flatnonzero(left)
        zeros = np.zeros(len(present), dtype=np.int64)
        other = Histogram.from_entries(zeros, present, left[present], 1, histogram.cardinality)
        histograms[name] = Histogram.stacked([histogram, other])
    people = stats.people
    if people is not None and totals.people is not None:
        people = stacked([people, left_over(totals.people, people)])
    return replace(stats, sizes=np.append(stats.sizes, rest), histograms=histograms, people=people)


def together(parts: Sequence[JudgedPiece], totals: GroupStats) -> tuple[GroupStats, tuple[str, ...]]:
    """Put the deciding groups of all pieces together, all other rows as one more group."""
    known = [part for part in parts if part.deciding is not None]
    sizes = np.concatenate([np.zeros(0, np.int64), *(p.deciding.sizes for p in known if p.deciding is not None)])
    histograms = {
        name: Histogram.stacked([p.deciding.histograms[name] for p in known if p.deciding is not None])
        for name in totals.histograms
    }
    counted = [p.deciding.people for p in known if p.deciding is not None and p.deciding.people is not None]
    stats = replace(totals, sizes=sizes, histograms=histograms, people=stacked(counted) if counted else None)
    whole = with_rest(stats, totals)
    return replace(whole, stands_for=sum(p.groups for p in parts)), tuple(place for p in known for place in p.places)
