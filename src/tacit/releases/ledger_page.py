"""A page of a ledger: what one job reads of it, and what `write` commits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import LedgerConflict, RoleError
from tacit.releases.composition import Composition
from tacit.releases.earlier_releases import EarlierReleases
from tacit.releases.ledger_grouping import grouping_digest, value_sets
from tacit.releases.ledger_people import PEOPLE, LedgerPeople
from tacit.releases.ledger_store import LedgerStore, Line, Remembered
from tacit.releases.packing import packed
from tacit.releases.private_draws import DRAWS_FILE, PrivateDraws
from tacit.releases.shown_groups import SHOWN_FILE, ShownGroups
from tacit.shapes import Published, Shape
from tacit.table import Table

BUCKETS = "buckets"
"""The key under which buckets of marginals are kept; a release that was made without the ledger may begin it with its
own."""


def ledger_name(path: Path, series: str) -> str:
    """Name a ledger in a sentence."""
    return f"The ledger {path.name}" + (f" ({series})" if series else "")


@dataclass(frozen=True, eq=False)
class _Judged:
    """What was judged, and the verdict; it holds for fewer claims too."""

    shape: Shape
    claims: frozenset[str]
    shown: ShownGroups | None
    composition: Composition


class LedgerPage:
    """The ledger as it was when a job began, and what the job's steps want remembered.

    A step finds what it drew before with `recall`, and keeps a new draw with `remember`; both are under a key of the
    step's own and the digest of the table that the step was given. Nothing is written until the release is. What must
    survive the files of a release is kept in the ledger itself; what only a repetition would draw again lies in the
    private part of the release.
    """

    def __init__(
        self,
        store: LedgerStore,
        series: str,
        table: Table,
        lines: list[Line],
        *,
        keyed: bool,
        all_new: bool = False,
    ) -> None:
        self._all_new = all_new
        self._store = store
        self._series = series
        self._digests: dict[int, tuple[Table, str]] = {}
        self._known = {line.content["key"]: line.content for line in lines if line.kind == "draw"}
        self._drawn: dict[str, dict[str, Any]] = {}
        self._input = self.digest(table)
        self._rows = len(table)
        self._about = {
            "digest": self._input,
            "rows": len(table),
            "quasi_identifiers": list(table.quasi_identifiers),
            "sensitive": list(table.sensitive),
        }
        self._begun = any(line.kind == "table" for line in lines)
        self._lines = [line for line in lines if line.kind == "release"]
        self._people = self._follow(table, lines, keyed)
        self._same_table(lines)
        self._private = PrivateDraws(self._lines)
        self._judged: _Judged | None = None

    @property
    def path(self) -> Path:
        """Where the ledger is."""
        return self._store.path

    @property
    def releases(self) -> int:
        """How many releases there are."""
        return len(self._lines)

    @property
    def people(self) -> LedgerPeople | None:
        """The people whom the ledger follows, or would follow from now on; None for a table that must not change."""
        return self._people

    def _follow(self, table: Table, lines: list[Line], keyed: bool) -> LedgerPeople | None:
        """Open the memory of people, if the table says who they are and the ledger was not begun without them."""
        named = [line.content.get("person") for line in lines if line.kind in {PEOPLE, "table"}]
        followed = next((name for name in named if name is not None), None)
        if followed is not None and table.person is None:
            raise LedgerConflict(
                f"{self._name} follows people from release to release, and this table does not say who they are.",
                hint=f"Name the person column: {followed!r}.",
            )
        if table.person is None or (named and followed is None):
            return None
        if followed not in {None, table.person}:
            raise LedgerConflict(
                f"{self._name} follows people by the person column {followed!r}, and this table has {table.person!r}.",
                hint="Name the same person column as before, or begin a new ledger for another table.",
            )
        if table.people is not None:
            if followed is None:
                return None  # the rows of such a table are known by their places, and must not change
            raise RoleError(
                f"The person column {table.person!r} does not tell rows apart: somebody has several rows.",
                hint=f"Keep one row of each person, for instance frame.unique({table.person!r}, keep='last').",
            )
        sensitive = table.sensitive[0] if len(table.sensitive) == 1 else None
        people = LedgerPeople(self._store.path, self._series, table.person, sensitive, lines, keyed=keyed)
        people.all_new = self._all_new
        people.recall(table)  # refuses whoever is to be forgotten
        return people

    def digest(self, table: Table) -> str:
        """Return the fingerprint of a table, computed once."""
        if id(table) not in self._digests:
            self._digests[id(table)] = (table, table.digest())  # the table is held, so its id stays its own
        return self._digests[id(table)][1]

    def recall(self, key: str, table: Table) -> dict[str, Any] | None:
        """Return what a step remembered under this key, for this table; None if nothing.

        Raises
        ------
        LedgerConflict
            If it remembered something for another table: an earlier step now works otherwise.
        """
        draw = self._drawn.get(key, self._known.get(key))
        if draw is None or (self._people is not None and draw["table"] != self.digest(table)):
            return self._private.recall(key, self.digest(table))
        if draw["table"] != self.digest(table):
            raise LedgerConflict(
                f"{self._name}: the rows that reach the step of {key!r} are not those of the earlier releases.",
                hint="Use the same steps with the same parameters as before, or begin a new ledger for a new table.",
            )
        return Remembered({name: value for name, value in draw.items() if name not in {"key", "table"}})

    def remember(self, key: str, table: Table, *, permanent: bool = True, **content: Any) -> None:
        """Keep what a step drew: arrays and JSON values by name.

        What is permanent is kept in the ledger; of a table that may change, nothing is. The rest lies in the private
        part of the release, and is gone with it.
        """
        if permanent and self._people is None:
            self._drawn[key] = {"key": key, "table": self.digest(table), **content}
        else:
            self._private.remember(key, self.digest(table), content)

    def follows(self, release: Published) -> bool:
        """Whether everybody has the values in her bucket that she has in the ledger's."""
        inside, known = release.inside, self._known.get(BUCKETS)
        if inside is None or inside.table is None or inside.bucket is None or known is None:
            return False
        mine, theirs = inside.bucket[inside.kept], known["bucket"].astype(np.int64)
        if len(mine) != len(theirs) or len(inside.table.sensitive) != 1:
            return False
        codes = inside.table.codes(inside.table.sensitive[0])
        sensitive = codes.codes[inside.kept].astype(np.int64)
        count = int(mine.max(initial=-1)) + 1
        both = np.concatenate([mine, theirs + count])
        sets = value_sets(both, np.concatenate([sensitive, sensitive]), codes.cardinality)
        return bool((sets[: len(mine)] == sets[len(mine) :]).all())

    def judge(self, release: Published) -> Composition:
        """Judge a release beside those that the ledger knows; computed once for what it shows and claims."""
        return self._judge(release).composition

    def papers(self, release: Published) -> dict[str, bytes]:
        """Return what lies in the private part, so that later releases can be read beside this one."""
        shown = self._judge(release).shown
        papers = {} if shown is None else {SHOWN_FILE: packed(shown.plain())}
        return papers | ({DRAWS_FILE: self._private.packed()} if self._private.drawn else {})

    def _judge(self, release: Published) -> _Judged:
        claims = frozenset(map(str, release.guarantees))
        known = self._judged
        if known is None or known.shape is not release.shape or not claims <= known.claims:
            shown = self._shown(release)
            others = EarlierReleases(self._name, self._lines, self._people, self._every_release)
            known = _Judged(release.shape, claims, shown, others.judge(release, self._input, shown))
            self._judged = known
        return known

    def _every_release(self) -> set[str]:
        """Return the digests of the releases of all series, as they stand in the file now."""
        return {line.content["release"] for line in self._store.read() if line.kind == "release"}

    def _shown(self, release: Published) -> ShownGroups | None:
        table = None if release.inside is None else release.inside.table
        hashes = None if self._people is None or table is None else self._people.hashed(table)
        return ShownGroups.of(release, hashes)

    def commit(
        self, release: Published, *, folder: str, digest: str, private: str | None, papers: Mapping[str, bytes]
    ) -> None:
        """Write down what was drawn and what is published, if the ledger still is as it was read."""
        composition = self.judge(release)
        inside = release.inside
        if (
            self._people is None
            and inside is not None
            and inside.bucket is not None
            and not self._drawn
            and BUCKETS not in self._known
        ):
            part = None if inside.table is None or inside.kept.all() else inside.table.filter(inside.kept)
            source = self._input if part is None else part.digest()
            self._drawn[BUCKETS] = {"key": BUCKETS, "table": source, "bucket": inside.bucket[inside.kept]}
        kept = np.ones(self._rows, dtype=bool) if inside is None else inside.kept
        lines = [self._line("draw", content) for content in self._drawn.values()]
        followed: dict[str, Any] = {"kept": np.packbits(kept)}
        about = self._about
        if self._people is not None:
            about = {**about, "person": self._people.person}
            followed = {"counterfeits": release.shape.counterfeits}
            if self._people.remembers:
                added = self._people.commit(release)
                lines.append(self._line(PEOPLE, added))
                followed |= {"newcomers": len(added["signature"]), "invariant": self._people.invariant}
            self._people.key.keep()
        if not self._begun:
            lines.insert(0, self._line("table", about))
        content = {
            "method": dict(release.method or {}),
            "frames": {name: list(frame.columns) for name, frame in release.frames().items()},
            "rows": self._rows,
            "withheld": int((~kept).sum()),
            "grouping": grouping_digest(release),
            "claims": [claim.guarantee.describe() for claim in release.claims],
            "table": self._input,
            "folder": folder,
            "release": digest,
            "private": private,
            "papers": {name: hashlib.sha256(paper).hexdigest() for name, paper in papers.items()},
            "draws": self._private.drawn,
            "together": composition.plain(),
            **followed,
        }
        self._store.append([*lines, self._line("release", content)], self._check_unchanged)
        self._known |= self._drawn
        self._drawn, self._begun, self._judged = {}, True, None
        self._lines.append(self._line("release", content))
        if self._people is not None and self._people.remembers:
            self._people.committed()

    def _check_unchanged(self, lines: list[Line]) -> None:
        """Refuse a release that does not fit the ledger as it is now: another process may have written meanwhile."""
        mine = [line for line in lines if line.series == self._series]
        self._same_table(mine)
        if self._people is not None:
            self._people.check_unchanged(mine)
        for line in mine:
            if line.kind != "draw":
                continue
            key = line.content["key"]
            if key in self._drawn or (key in self._known and not _equal(line.content, self._known[key])):
                raise self._overtaken(f": it holds other draws of {key!r}")
        if sum(line.kind == "release" for line in mine) != len(self._lines):
            raise self._overtaken("")

    def _overtaken(self, what: str) -> LedgerConflict:
        return LedgerConflict(
            f"{self._name} was written by somebody else since this release was made{what}.",
            hint="Nothing was written; protect the table again.",
        )

    def _same_table(self, lines: list[Line]) -> None:
        """Refuse a table that is not the one that the ledger was begun with, unless people are followed."""
        for line in lines if self._people is None else ():
            if line.kind == "table" and line.content["digest"] != self._input:
                before, now = line.content["rows"], self._rows
                rows = f"it had {before:,} rows, now {now:,}" if before != now else f"it still has {now:,} rows"
                raise LedgerConflict(
                    f"{self._name} is about another table: names, roles, values or the order of rows changed since "
                    f"{line.at[:10]} ({rows}).",
                    hint="Give the table as it was; or bring the ledger over to people with `tacit ledger FILE "
                    "--migrate OLD_TABLE --person COLUMN`, which then follows a table that changes; or begin a new "
                    "ledger: releases of both together are then not protected.",
                )

    def _line(self, kind: str, content: Mapping[str, Any]) -> Line:
        return Line(self._series, kind, content)

    @property
    def _name(self) -> str:
        return ledger_name(self._store.path, self._series)


def _equal(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two contents of lines are the same, arrays included."""
    return one.keys() == other.keys() and all(
        np.array_equal(one[key], other[key]) if isinstance(one[key], np.ndarray) else one[key] == other[key]
        for key in one
    )
