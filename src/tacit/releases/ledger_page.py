"""A page of a ledger: what one job reads of it, and what `write` commits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import LedgerConflict
from tacit.releases.ledger_grouping import grouping_digest, value_sets
from tacit.releases.ledger_people import PEOPLE, LedgerPeople
from tacit.releases.ledger_store import LedgerStore, Line
from tacit.shapes import Published
from tacit.table import Table

BUCKETS = "buckets"
"""The key under which buckets of marginals are kept; a release that was made without the ledger may begin it with its
own."""

IF_NOT_COMPARABLE = (
    "hand out the files that are there; or, if nobody has been given any of them, remove them and begin a new ledger "
    "with a new release"
)
"""What the owner of a ledger can do that was begun by a version which did not note how people were grouped."""


def ledger_name(path: Path, series: str) -> str:
    """Name a ledger in a sentence."""
    return f"The ledger {path.name}" + (f" ({series})" if series else "")


class LedgerPage:
    """The ledger as it was when a job began, and what the job's steps want remembered.

    A step finds what it drew before with `recall`, and keeps a new draw with `remember`; both are under a key of the
    step's own and the digest of the table that the step was given. Nothing is written until the release is.
    """

    def __init__(self, store: LedgerStore, series: str, table: Table, lines: list[Line], *, keyed: bool) -> None:
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
        self.releases = sum(line.kind == "release" for line in lines)
        self._people = self._follow(table, lines, keyed)
        self._same_table(lines)

    @property
    def path(self) -> Path:
        """Where the ledger is."""
        return self._store.path

    @property
    def people(self) -> LedgerPeople | None:
        """The people whom the ledger follows, or would follow from now on; None for a table that must not change."""
        return self._people

    def _follow(self, table: Table, lines: list[Line], keyed: bool) -> LedgerPeople | None:
        """Open the memory of people, if the table says who they are and the ledger was not begun without them."""
        followed = any(line.kind == PEOPLE for line in lines)
        if followed and table.person is None:
            raise LedgerConflict(
                f"{self._name} follows people from release to release, and this table does not say who they are.",
                hint=f"Name the person column: {next(c.content['person'] for c in lines if c.kind == PEOPLE)!r}.",
            )
        if table.person is None or len(table.sensitive) != 1 or (lines and not followed):
            return None
        return LedgerPeople(self._store.path, self._series, table.person, table.sensitive[0], lines, keyed=keyed)

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
        if draw is None:
            return None
        if draw["table"] != self.digest(table):
            raise LedgerConflict(
                f"{self._name}: the rows that reach the step of {key!r} are not those of the earlier releases.",
                hint="Use the same steps with the same parameters as before, or begin a new ledger for a new table.",
            )
        return {name: value for name, value in draw.items() if name not in {"key", "table"}}

    def remember(self, key: str, table: Table, **content: Any) -> None:
        """Keep what a step drew: arrays and JSON values by name."""
        self._drawn[key] = {"key": key, "table": self.digest(table), **content}

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

    def commit(self, release: Published, *, folder: str, digest: str) -> None:
        """Write down what was drawn and what is published, if the ledger still is as it was read."""
        inside = release.inside
        if self._people is not None and (self._people.remembers or self._people.releases):
            self._commit_people(release, self._people, folder=folder, digest=digest)
            return
        if inside is not None and inside.bucket is not None and not self._drawn and BUCKETS not in self._known:
            part = None if inside.table is None or inside.kept.all() else inside.table.filter(inside.kept)
            source = self._input if part is None else part.digest()
            self._drawn[BUCKETS] = {"key": BUCKETS, "table": source, "bucket": inside.bucket[inside.kept]}
        kept = np.ones(self._rows, dtype=bool) if inside is None else inside.kept
        lines = [self._line("draw", content) for content in self._drawn.values()]
        if not self._begun:
            lines.insert(0, self._line("table", self._about))
        content = {
            "method": dict(release.method or {}),
            "frames": {name: list(frame.columns) for name, frame in release.frames().items()},
            "rows": self._rows,
            "withheld": int((~kept).sum()),
            "kept": np.packbits(kept),
            "grouping": grouping_digest(release),
            "folder": folder,
            "release": digest,
        }
        self._store.append(
            [*lines, self._line("release", content)], lambda written: self._check_unchanged(written, content)
        )
        self._known |= self._drawn
        self._drawn, self._begun = {}, True
        self.releases += 1

    def _commit_people(self, release: Published, people: LedgerPeople, *, folder: str, digest: str) -> None:
        """Write down who was published for the first time, and the release, if nobody else has written meanwhile."""
        if self._drawn and people.remembers:
            raise LedgerConflict(
                f"{self._name} would follow people from release to release, and {', '.join(map(repr, self._drawn))} "
                "draws rows of one table that must not change.",
                hint="Publish with invariant-marginals alone; or leave the person column out, for a table that stays "
                "as it is.",
            )
        added = people.commit(release)
        content = {
            "method": dict(release.method or {}),
            "frames": {name: list(frame.columns) for name, frame in release.frames().items()},
            "rows": self._rows,
            "withheld": self._rows - release.shape.rows,
            "counterfeits": release.shape.counterfeits,
            "newcomers": len(added["signature"]),
            "folder": folder,
            "release": digest,
        }
        first = [] if self._begun else [self._line("table", self._about)]

        def check(lines: list[Line]) -> None:
            people.check_unchanged([line for line in lines if line.series == self._series])

        self._store.append([*first, self._line(PEOPLE, added), self._line("release", content)], check)
        self._begun = True
        self.releases += 1

    def _check_together(self, lines: list[Line], content: Mapping[str, Any]) -> None:
        """Refuse a release that would tell, read beside any earlier one, who was withheld or who was with whom.

        Every pair of releases is compared alike: it does not matter which of them was first.
        """
        published = [line.content for line in lines if line.kind == "release"]
        if any(not np.array_equal(content["kept"], each["kept"]) for each in published):
            raise LedgerConflict(
                f"{self._name}: this release withholds other rows than the earlier ones, and both together would show "
                "what was withheld.",
                hint="Nothing was written; begin with the step that withheld rows before, with the same parameters.",
            )
        if any("grouping" not in each for each in published):
            raise LedgerConflict(
                f"{self._name}: an earlier release was written by a version that did not note how people were grouped, "
                "so it is not known what a reader of both would learn.",
                hint=f"Nothing was written; {IF_NOT_COMPARABLE}.",
            )
        if any(content["grouping"] is None or each["grouping"] != content["grouping"] for each in published):
            raise LedgerConflict(
                f"{self._name}: the earlier releases put people into groups that this one does not keep; whoever finds "
                "somebody in both keeps only the values that both allow.",
                hint="Nothing was written; publish with the same method, or hand out the files that are there.",
            )

    def _check_unchanged(self, lines: list[Line], content: Mapping[str, Any]) -> None:
        """Refuse a release that does not fit the ledger as it is now: another process may have written meanwhile."""
        mine = [line for line in lines if line.series == self._series]
        self._same_table(mine)
        for line in mine:
            if line.kind != "draw":
                continue
            key = line.content["key"]
            if key in self._drawn or (key in self._known and not _equal(line.content, self._known[key])):
                raise LedgerConflict(
                    f"{self._name} was written by somebody else since this release was made: it holds other draws of "
                    f"{key!r}.",
                    hint="Nothing was written; protect the table again.",
                )
        self._check_together(mine, content)

    def _same_table(self, lines: list[Line]) -> None:
        """Refuse a table that is not the one that the ledger was begun with, unless people are followed."""
        for line in lines if self._people is None else ():
            if line.kind == "table" and line.content["digest"] != self._input:
                before, now = line.content["rows"], self._rows
                rows = f"it had {before:,} rows, now {now:,}" if before != now else f"it still has {now:,} rows"
                raise LedgerConflict(
                    f"{self._name} is about another table: names, roles, values or the order of rows changed since "
                    f"{line.at[:10]} ({rows}).",
                    hint="Give the table as it was, or begin a new ledger; releases of both together are then not "
                    "protected. A ledger that is begun with a person column follows a table that changes.",
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
