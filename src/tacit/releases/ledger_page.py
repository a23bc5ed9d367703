"""A page of a ledger: what one job reads of it, and what `write` commits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import LedgerConflict
from tacit.releases.ledger_store import LedgerStore, Line
from tacit.shapes import Published
from tacit.table import Histogram, Table

BUCKETS = "buckets"
_GROUPINGS = ("anatomy", BUCKETS)
"""Draws of who is with whom: two of them together tell more than either."""


def told(path: Path, series: str) -> str:
    """Name a ledger in a sentence."""
    return f"The ledger {path.name}" + (f" ({series})" if series else "")


class LedgerPage:
    """The ledger as it was when a job began, and what the job's steps want remembered.

    A step finds what it drew before with `recall`, and keeps a new draw with `remember`; both are under a key of the
    step's own and the digest of the table that the step was given. Nothing is written until the release is.
    """

    def __init__(self, store: LedgerStore, series: str, table: Table, lines: list[Line]) -> None:
        self._store = store
        self._series = series
        self._digests: dict[int, tuple[Table, str]] = {}
        self._known = {line.content["key"]: line.content for line in lines if line.kind == "draw"}
        self._drawn: dict[str, dict[str, Any]] = {}
        self._used: set[str] = set()
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
        self._same_table(lines)

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
        found = self._drawn.get(key, self._known.get(key))
        if found is None:
            return None
        self._used.add(key)
        if found["table"] != self.digest(table):
            raise LedgerConflict(
                f"{self._name}: the rows that reach the step of {key!r} are not those of the earlier releases.",
                hint="Use the same steps with the same parameters as before, or begin a new ledger for a new table.",
            )
        return {name: value for name, value in found.items() if name not in {"key", "table"}}

    def remember(self, key: str, table: Table, **content: Any) -> None:
        """Keep what a step drew: arrays and JSON values by name."""
        self._used.add(key)
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
        return bool((_signatures(mine, theirs, codes.codes[inside.kept], codes.cardinality)).all())

    def commit(self, release: Published, *, folder: str, digest: str) -> None:
        """Write down what was drawn and what is published, if the ledger still is as it was read."""
        inside = release.inside
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
            "folder": folder,
            "release": digest,
        }
        followed = inside is not None and inside.bucket is not None
        self._store.append(
            [*lines, self._line("release", content)],
            lambda written: self._still(written, content["kept"], followed=followed),
        )
        self._known |= self._drawn
        self._drawn, self._begun = {}, True
        self.releases += 1

    def _fits(self, lines: list[Line], kept: Any, *, followed: bool) -> None:
        """Refuse what would tell, beside the earlier releases, who was withheld or who was with whom."""
        if any(line.kind == "release" and not np.array_equal(kept, line.content["kept"]) for line in lines):
            raise LedgerConflict(
                f"{self._name}: this release withholds other rows than the earlier ones, and both together would show "
                "what was withheld.",
                hint="Nothing was written; begin with the step that withheld rows before, with the same parameters.",
            )
        known = {*self._drawn, *(line.content["key"] for line in lines if line.kind == "draw")}
        drawn = [key for key in _GROUPINGS if key in known]
        unused = [key for key in drawn if key not in self._used]
        if len(drawn) > 1 or (unused and not (followed and drawn == [BUCKETS])):
            raise LedgerConflict(
                f"{self._name}: the earlier releases put people into groups that this one does not keep.",
                hint="Nothing was written; publish with the same method, or hand out the files that are there.",
            )

    def _still(self, lines: list[Line], kept: Any, *, followed: bool) -> None:
        """Refuse what does not fit the ledger as it is now: somebody else may have written since it was read."""
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
        self._fits(mine, kept, followed=followed)

    def _same_table(self, lines: list[Line]) -> None:
        for line in lines:
            if line.kind == "table" and line.content["digest"] != self._input:
                before, now = line.content["rows"], self._rows
                rows = f"it had {before:,} rows, now {now:,}" if before != now else f"it still has {now:,} rows"
                raise LedgerConflict(
                    f"{self._name} is about another table: names, roles, values or the order of rows changed since "
                    f"{line.at[:10]} ({rows}).",
                    hint="Give the table as it was, or begin a new ledger; releases of both together are then not "
                    "protected.",
                )

    def _line(self, kind: str, content: Mapping[str, Any]) -> Line:
        return Line(self._series, kind, content)

    @property
    def _name(self) -> str:
        return told(self._store.path, self._series)


def _signatures(one: Any, other: Any, sensitive: Any, values: int) -> Any:
    """Tell of every row whether its bucket has the same values in both."""
    from tacit.kernels.lists import number_lists

    count = int(one.max(initial=-1)) + 1
    both = np.concatenate([one, other + count])
    found = Histogram.of(both, int(both.max(initial=-1)) + 1, np.concatenate([sensitive, sensitive]), values)
    ids, _ = number_lists(found.offsets, found.values)
    return ids[one] == ids[other + count]


def _equal(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(one[key], other[key]) if isinstance(one[key], np.ndarray) else one[key] == other[key]
        for key in one
    )
