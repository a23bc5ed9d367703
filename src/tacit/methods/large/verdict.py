"""The verdict on a large release: counts of what was written against counts of the table, and verdicts of workers."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.adversaries import EligibilityAdversary, Notice
from tacit.arrays import Ints
from tacit.audits import Audit
from tacit.engines.base import ColumnRoute
from tacit.errors import AuditFailed
from tacit.guarantees import Finding, Guarantee, MInvariance, RRobustness
from tacit.guarantees.evidence import CountedEvidence, CountedSteps
from tacit.guarantees.finding import PartVerdict, worst
from tacit.guarantees.quasi_sensitive.base import QSGuarantee
from tacit.guarantees.skew import Eligibility, LDichotomy
from tacit.measures import Utility
from tacit.methods.large.costs import utility_of
from tacit.methods.large.group_parts import GroupParts
from tacit.methods.large.judging import (
    FILES,
    CountedFile,
    JudgedFiles,
    JudgedPiece,
    JudgePiece,
    ReadPieces,
    together,
)
from tacit.methods.large.judging_parts import CountFiles, JudgePart, ReadFiles
from tacit.methods.large.people import all_together, recoded, same_people, with_known_people
from tacit.methods.large.protecting import distribution_of
from tacit.methods.large.release import LargeRelease
from tacit.methods.large.sampling import PIECE, learned, linked, sample_of_part, sample_of_piece
from tacit.methods.large.work import ABOUT, BLOB, INSIDE, PART, SENT, Only
from tacit.shapes import Published, shape_classes
from tacit.shapes.base import bound
from tacit.shapes.counted import Counted
from tacit.table import GroupStats, Histogram, PeopleCounts
from tacit.table.groups import Unit


@dataclass(frozen=True, eq=False)
class Verdict:
    """The audit of a large release, and a sample of whole groups of it, which reports and readers look at.

    `cost` is exact, of all written rows; None where no groups were looked at, because nothing is claimed of any.
    """

    audit: Audit
    sample: Published | None
    counts: Mapping[str, Ints]
    pieces: int
    cost: Utility | None


@dataclass(frozen=True, eq=False)
class WrittenCounts:
    """What was counted in the written files.

    Attributes
    ----------
    rows
        How many rows each frame has.
    after
        How many rows have each sensitive value, in the codes of the table.
    values
        The published values of each sensitive column, in their order.
    people
        How many people are published, in the codes of the table, where people have several rows.
    """

    rows: Mapping[str, int]
    after: Mapping[str, Ints]
    values: Mapping[str, pl.Series]
    people: PeopleCounts | None = None


def judge(
    release: LargeRelease, written: pa.Table, folder: Path, inside: pa.Table, private: Path, kind: str
) -> Verdict:
    """Judge every claim of a release by the files that were written.

    Parameters
    ----------
    release
        What was made.
    written, folder
        The files of its frames, and where they are.
    inside, private
        The files of its private part, and where they are.
    kind
        The format of the frames.
    """
    if release.whole_groups and not shape_classes()[release.shape[0]].several:
        found = _by_parts(release, written, folder, private, kind)
    else:
        found = _by_pieces(release, written, folder, inside, private, kind)
    counted, totals, sample = found.counted, found.totals, found.sample
    judged = [piece for told in found.told for piece in told.judged]
    steps, mismatch = _steps(release, counted)
    misplaced = sum(told.misplaced for told in found.told)
    if mismatch is None and misplaced:
        mismatch = f"{misplaced:,} groups are not whole in one file"
    findings = tuple(
        _finding(
            release, number, [p for p in judged if p.claim == number], counted, totals, steps, mismatch, found.pieces
        )
        for number in range(len(release.claims))
    )
    warnings = [Notice("method", text) for text in release.warnings]
    warnings += EligibilityAdversary().warn(_published(release, counted, totals))
    warnings += linked(sample)
    beliefs, notices = learned(sample)
    audit = Audit(findings, (*warnings, *notices), beliefs)
    cost = utility_of([told.cost for told in found.told], release.large.layout, _people(release, counted), release.size)
    return Verdict(audit, sample, counted.after, max(1, found.pieces), cost)


@dataclass(frozen=True, eq=False)
class FoundInFiles:
    """What was counted and judged in the written files."""

    counted: WrittenCounts
    totals: GroupStats
    told: Sequence[JudgedFiles]
    sample: Published | None
    pieces: int


def _in_groups(release: LargeRelease) -> bool:
    """Whether a claim is about groups, so that counts of values do not do."""
    return any(not isinstance(claim.guarantee, Eligibility | LDichotomy) for claim in release.claims)


def _work(release: LargeRelease, counted: WrittenCounts, totals: GroupStats) -> JudgePiece:
    """Return what judges groups."""
    known = next(
        (distribution_of(s.method, release.large) for s in release.steps if hasattr(s.method, "min_support")), None
    )
    believed = {i: step.believed for i, step in enumerate(release.steps) if step.believed is not None}
    layout = release.large.layout
    return JudgePiece(release.shape, release.claims, release.method, counted.values, totals, known, layout, believed)


def _by_parts(release: LargeRelease, written: pa.Table, folder: Path, private: Path, kind: str) -> FoundInFiles:
    """Judge part by part: a group is in one of them, which is checked."""
    owned = str(private) if release.large.layout.several_rows else None
    engine, read = release.large.engine, ReadFiles(release.maker, kind, owned)
    files = _files(written, folder, None, folder, by_part=True)
    opened = engine.fragments(engine.read(files), ColumnRoute("row", release.parts))
    counted = _counted(release, engine.collect(engine.map(opened, CountFiles(read), SENT, keep=True)))
    totals = _totals(release, counted)
    if not _in_groups(release):
        return FoundInFiles(counted, totals, (), None, 0)
    groups = GroupParts(release.large.layout, release.key, release.parts)
    work = JudgePart(read, _work(release, counted, totals), groups)
    told = _told(engine.collect(engine.map(opened, work, SENT, keep=True)))
    first = files.filter(pa.array(files.column("row").to_numpy() == files.column("row").to_numpy().min()))
    return FoundInFiles(counted, totals, told, sample_of_part(release, read, first, groups), len(told))


def _by_pieces(
    release: LargeRelease, written: pa.Table, folder: Path, inside: pa.Table, private: Path, kind: str
) -> FoundInFiles:
    """Cut the files into pieces of whole groups, and judge these."""
    engine, claims = release.large.engine, release.claims
    several = len(release.shape[1]) > 1 or any(isinstance(c.guarantee, MInvariance) for c in claims)
    pieces = 0
    if _in_groups(release):
        pieces = len(release.about) if several else -(-release.rows // min(PIECE, engine.fragment_rows))
    files = _files(written, folder, inside if several else None, private)
    read = ReadPieces(release.maker, kind, pieces, several)
    cut = engine.map(engine.fragments(engine.read(files), ColumnRoute("row", files.num_rows)), read, SENT, keep=True)
    counted = _counted(release, engine.collect(engine.map(cut, Only(frozenset([ABOUT])), SENT)))
    totals = _totals(release, counted)
    if not pieces:
        return FoundInFiles(counted, totals, (), None, 0)
    rest = engine.map(cut, Only(frozenset([ABOUT]), inverted=True), SENT)
    work = _work(release, counted, totals)
    told = engine.collect(engine.map(engine.fragments(rest, ColumnRoute(PART, pieces)), work, SENT, keep=True))
    return FoundInFiles(counted, totals, _told(told), sample_of_piece(release, engine, rest), pieces)


def _told(sent: pa.Table) -> list[JudgedFiles]:
    """Read what workers told of the pieces they judged."""
    return [pickle.loads(blob.as_py()) for blob in sent.column(BLOB)]  # noqa: S301 - our own workers wrote it


def _files(
    written: pa.Table, folder: Path, inside: pa.Table | None, private: Path, *, by_part: bool = False
) -> pa.Table:
    """List the files that are to be read, each under a number of its own or under that of its part."""
    rows = [
        {"path": str(folder / file["path"]), "frame": file["frame"], "rows": file["rows"], "columns": file["columns"]}
        for file in written.to_pylist()
    ]
    if inside is not None:
        rows += [
            {"path": str(private / file["path"]), "frame": INSIDE, "rows": file["rows"], "columns": ""}
            for file in inside.to_pylist()
        ]
    numbers = written.column("part").to_pylist() if by_part else range(len(rows))
    return pa.Table.from_pylist([{"row": i, **row} for i, row in zip(numbers, rows, strict=True)], schema=FILES)


def _counted(release: LargeRelease, told: pa.Table) -> WrittenCounts:
    """Add up what was counted in the files."""
    layout = release.large.layout
    rows: dict[str, int] = {}
    after = {name: np.zeros(layout.codes[name].cardinality, dtype=np.int64) for name in layout.sensitive}
    seen: dict[str, str] = {}
    people: list[PeopleCounts] = []
    for blob in told.column(BLOB):
        file: CountedFile = pickle.loads(blob.as_py())  # noqa: S301 - our own workers wrote it
        rows[file.frame] = rows.get(file.frame, 0) + file.rows
        people += [] if file.people is None else [file.people]
        for name, counts in file.values.items():
            # Of several marginals the first; each is judged by itself.
            if seen.setdefault(name, file.frame) == file.frame:
                np.add.at(after[name], layout.coded_values(name, counts["value"]), counts["count"].to_numpy())
    values_of = {name: layout.codes[name].values.gather(np.flatnonzero(many)) for name, many in after.items()}
    known = {n: v.drop_nulls() for n, v in values_of.items()}
    return WrittenCounts(rows, after, known, all_together(people) if people else None)


def _totals(release: LargeRelease, counted: WrittenCounts) -> GroupStats:
    """Return all published rows as one group, in the codes of what is published."""
    histograms, trees = {}, {}
    for name, many in counted.after.items():
        present = many[many > 0]
        places = np.arange(len(present), dtype=np.int64)
        histograms[name] = Histogram.from_entries(np.zeros_like(places), places, present, 1, len(present))
        column = next(c for part in release.shape[1].values() for c in part if c.name == name)
        tree = bound(column, counted.values[name])
        if tree is not None and len(counted.values[name]) == len(present):
            trees[name] = tree
    people = counted.people
    for name, many in counted.after.items():
        if people is not None:
            people = recoded(people, np.cumsum(many > 0) - 1, int((many > 0).sum()), name)
    unit: Unit = "people" if release.large.persons == "one row" else "rows"
    return GroupStats(np.array([_people(release, counted)], dtype=np.int64), histograms, trees, people, unit)


def _people(release: LargeRelease, counted: WrittenCounts) -> int:
    """Return how many rows the frame of people has."""
    return counted.rows.get(release.names[0], 0)


def _steps(release: LargeRelease, counted: WrittenCounts) -> tuple[CountedSteps, str | None]:
    """Return what the steps withheld: counts of what each got, less counts of what it left."""
    large, mismatch = release.large, None
    withheld: dict[int, GroupStats | Literal["apart"]] = {}
    domains = {}
    for index, step in enumerate(release.steps):
        last = index + 1 == len(release.steps)
        after = counted.after if last else step.after
        rows = step.rows_before - (_people(release, counted) if last else step.rows_after)
        left = {name: many - (after or {})[name] for name, many in step.before.items()}
        if rows < 0 or any((many < 0).any() for many in left.values()):
            mismatch = "a value is published more often than the table has it"
            left, rows = {name: np.maximum(many, 0) for name, many in left.items()}, max(rows, 0)
        withheld[index] = "apart" if step.judged == "apart" and rows else large.layout.whole(left, rows)
    if mismatch is None and _people(release, counted) != release.rows:
        mismatch = "other rows were written than were made"
    if mismatch is None and large.layout.several_rows and not same_people(release.steps[0].people, counted.people):
        mismatch = "somebody is in several files, or with other rows than the table has of her"
    for name in large.layout.sensitive:
        encoded = large.layout.codes[name]
        listed = encoded.hierarchy is not None and encoded.tree is not None and encoded.hierarchy.spec() is None
        declared = encoded.cardinality if name in large.layout.head._domains else None
        if listed and encoded.tree is not None:
            declared = encoded.tree.domain_size + (encoded.null is not None)
        domains[name] = declared
    return CountedSteps(release.steps[0].before, counted.after, domains, withheld), mismatch


def _published(release: LargeRelease, counted: WrittenCounts, totals: GroupStats) -> Published:
    """Return the release as counts."""
    columns: dict[str, Any] = {c.name: c for part in release.shape[1].values() for c in part}
    whole = {
        name: release.large.layout.codes[name].values.gather(np.flatnonzero(many))
        for name, many in counted.after.items()
    }
    shape = Counted(tuple(columns.values()), _people(release, counted), totals, whole)
    return Published(
        shape,
        release.claims,
        release.method,
        None,
        release.size,
        release.warnings,
        release.reproducible,
        release.large.persons,
    )


def _finding(
    release: LargeRelease,
    number: int,
    judged: Sequence[JudgedPiece],
    counted: WrittenCounts,
    totals: GroupStats,
    steps: CountedSteps,
    mismatch: str | None,
    pieces: int,
) -> Finding:
    """Put the verdicts of all pieces on one claim together."""
    claim = release.claims[number]
    guarantee = claim.guarantee
    if not isinstance(guarantee, Guarantee):
        raise AuditFailed(f"{guarantee!r} is claimed, which is not a guarantee.")
    if isinstance(guarantee, MInvariance | RRobustness | QSGuarantee):
        finding = worst([part.finding for part in judged if part.finding is not None])
        hidden = steps.withheld[claim.step]
        word: PartVerdict = (
            "apart" if isinstance(hidden, str) else "none" if not int(hidden.sizes[0]) else "not checked"
        )
        finding = finding.but(withheld=word)
        if pieces > 1:
            finding = replace(finding, sentence=f"judged in {pieces:,} pieces; where it is closest: {finding.sentence}")
    else:
        deciding, places = together(judged, totals) if judged else (totals, ())
        evidence = CountedEvidence(
            _published(release, counted, totals),
            deciding=deciding,
            everybody=totals,
            places=places,
            published_reference=with_known_people(
                release.large.layout.whole(counted.after, int(totals.sizes[0])), counted.people
            ),
            steps=steps,
        )
        finding = guarantee.check(evidence, claim)
        broken, groups = sum(part.broken for part in judged), sum(part.groups for part in judged)
        if broken:
            finding = replace(
                finding.but(published="fails"), sentence=f"{broken:,} of {groups:,} groups break it; {finding.sentence}"
            )
    if mismatch is not None:
        finding = replace(finding.but(replayed="fails"), sentence=f"{mismatch}; {finding.sentence}")
    return finding
