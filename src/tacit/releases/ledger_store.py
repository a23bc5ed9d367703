"""The file of a ledger: SQLite, append-only, every line sealed by a hash over it and all lines before it."""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tacit.borders import first_line
from tacit.errors import LedgerConflict, SourceError, shown
from tacit.releases.ledger_schema import check_line
from tacit.releases.locks import abandoned_file, hold_file
from tacit.releases.packing import packed, unpacked

_APPLICATION = 0x74616369  # "taci" in ASCII: it marks the file as a ledger, so that it is told from other databases
_VERSION = 1
_WAIT = 2.0
"""Seconds that a writer waits for another process to finish its commit, which takes far less; a longer wait would only
delay the error where a process hangs. The value was chosen, not measured."""

_CLOCK = timedelta(minutes=2)
"""How far clocks of machines that share a ledger may differ. Chosen by hand: synchronized clocks differ by less than a
second."""

_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
CREATE TABLE line (
    number INTEGER PRIMARY KEY AUTOINCREMENT, series TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
    content BLOB NOT NULL, seal BLOB NOT NULL
);
CREATE TRIGGER no_change BEFORE UPDATE ON line BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER no_removal BEFORE DELETE ON line BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
"""


@dataclass(frozen=True, eq=False)
class Line:
    """One line: what kind, for which series, and its content (JSON values and arrays)."""

    series: str
    kind: str
    content: Mapping[str, Any]
    number: int = 0
    at: str = ""


class Remembered(dict[str, Any]):
    """What a step keeps in a ledger; where something is missing that was kept, the ledger is damaged."""

    def __missing__(self, key: str) -> Any:
        raise SourceError(
            f"The ledger is damaged: it does not hold {key!r} of what a step drew.", hint="Take it back from a backup."
        )


class LedgerStore:
    """Reads all lines, appends some, and refuses a file that is damaged."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[Line]:
        """Return every line, seals checked; none where there is no file yet."""
        if not self._is_made():
            return []
        with self._connected() as connection:
            connection.execute("BEGIN")  # one view of it, whoever writes meanwhile
            return self._lines(connection)

    def append(self, lines: Sequence[Line], check: Callable[[list[Line]], None]) -> None:
        """Append lines in one transaction; `check` sees what is there by then, and may refuse.

        Nobody else writes from before the check until after the commit.
        """
        self._make()
        self._sweep()
        with self._connected() as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                raise self._busy(error) from None
            try:
                known = self._lines(connection)
                check(known)
                seal = _last_seal(connection)
                at = self._now(known)
                for line in lines:
                    content = packed(line.content)
                    seal = _sealed(seal, line.series, at, line.kind, content)
                    connection.execute(
                        "INSERT INTO line (series, at, kind, content, seal) VALUES (?, ?, ?, ?, ?)",
                        (line.series, at, line.kind, content, seal),
                    )
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _now(self, known: list[Line]) -> str:
        """Return the time; it must not be before that of the last line, or nobody could tell what came first."""
        now = datetime.now(UTC)
        last = datetime.fromisoformat(known[-1].at).astimezone(UTC) if known else now
        if last - now > _CLOCK:
            raise LedgerConflict(
                f"The clock of this machine says {now:%Y-%m-%d %H:%M}, and the ledger {self.path.name} was written at "
                f"{last:%Y-%m-%d %H:%M}, which would be later.",
                hint="Nothing was written; set the clock, then publish again.",
            )
        return max(now, last).isoformat(timespec="seconds")

    def _is_made(self) -> bool:
        """Tell whether there is a ledger; one that cannot be looked for may be there, and is never taken for new."""
        try:
            return self.path.exists()
        except OSError as error:
            raise SourceError(
                f"The ledger {shown(self.path)} cannot be looked for: {error.strerror}.",
                hint="Name another file, or ask for permission to read its folder.",
            ) from None

    def _make(self) -> None:
        """Make an empty ledger beside its place and move it there: an empty file is then never ours, but damage."""
        if self._is_made():
            return
        place = self.path.resolve()  # a link stays what it is
        draft = place.with_name(f"{self._drafts(place)}{secrets.token_hex(8)}")
        held: list[int] = []
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            held.append(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            hold_file(held[0])
            with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
                connection.executescript(_SCHEMA)
            with suppress(FileExistsError):  # somebody else was faster
                os.link(draft, place)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise SourceError(f"The ledger {self.path} cannot be written: {reason}.") from None
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            for handle in held:
                os.close(handle)

    def _sweep(self) -> None:
        """Remove the drafts of those who were killed while they made the ledger."""
        place = self.path.resolve()
        with suppress(OSError), os.scandir(place.parent) as entries:
            for entry in [entry for entry in entries if entry.name.startswith(self._drafts(place))]:
                if abandoned_file(Path(entry.path)):
                    Path(entry.path).unlink(missing_ok=True)

    @staticmethod
    def _drafts(place: Path) -> str:
        return f".{place.name}.tacit-new-"

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        if not self.path.is_file():
            raise SourceError(f"The ledger {self.path} is not a file.", hint="Name another file.")
        if os.name == "posix" and self.path.stat().st_mode & 0o077:
            try:
                self.path.chmod(0o600)
            except OSError as error:
                raise SourceError(
                    f"The ledger {self.path} can be read by others: {error.strerror}.", hint="Set its mode to 0600."
                ) from None
        try:
            connection = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)
        except sqlite3.Error as error:
            raise self._damaged(error) from None
        try:
            connection.execute("PRAGMA synchronous = FULL")
            yield connection
        except sqlite3.OperationalError as error:
            raise self._busy(error) from None
        except (sqlite3.DatabaseError, UnicodeError, OverflowError) as error:
            raise self._damaged(error) from None
        finally:
            connection.close()

    def _lines(self, connection: sqlite3.Connection) -> list[Line]:
        if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise SourceError(f"{self.path} is not a ledger.", hint="Name another file.")
        if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            raise SourceError(f"{self.path} has a version that is not known.", hint="Update tacit.")
        defect = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if defect != "ok":
            raise self._damaged(defect)
        lines: list[Line] = []
        seal = b""
        for number, series, at, kind, content, sealed in connection.execute(
            "SELECT number, series, at, kind, content, seal FROM line ORDER BY number"
        ):
            if not all(isinstance(part, str | bytes) for part in (series, at, kind, content)):
                raise self._damaged(f"line {number} is not as it was written")
            seal = _sealed(seal, series, at, kind, content)
            if seal != sealed or number != len(lines) + 1:
                raise self._damaged(f"line {number} is not as it was written")
            lines.append(self._line(series, kind, content, number, at))
        counted = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'line'").fetchone()
        if counted is not None and counted[0] != len(lines):
            raise self._damaged(f"{counted[0]} lines were written and {len(lines)} are left")
        return lines

    def _line(self, series: Any, kind: Any, content: Any, number: int, at: Any) -> Line:
        """Read one line, which must hold what lines of its kind hold."""
        if not all(isinstance(part, str) for part in (series, kind, at)) or not isinstance(content, bytes):
            raise self._damaged(f"line {number} is not as it was written")
        try:
            held = unpacked(content)
        except ValueError as error:
            raise self._damaged(f"a line cannot be read ({error})") from None
        try:
            check_line(kind, at, held)
        except (ValueError, TypeError) as error:
            raise self._damaged(f"line {number} cannot be understood ({first_line(error)})") from None
        return Line(series, kind, held, number, at)

    def _busy(self, error: sqlite3.Error) -> LedgerConflict | SourceError:
        said = str(error)
        if any(word in said for word in ("readonly", "unable to open", "full", "disk I/O", "permission")):
            return SourceError(
                f"The ledger {self.path} cannot be written: {said}.",
                hint="It is not damaged, and nothing was changed; check permissions and the disk.",
            )
        if "locked" in said or "busy" in said:
            return LedgerConflict(
                f"Another process is writing to the ledger {self.path.name}.",
                hint="Nothing was written; wait until it is done, then protect again.",
            )
        return self._damaged(error)

    def _damaged(self, reason: object) -> SourceError:
        return SourceError(
            f"The ledger {self.path} is damaged: {reason}.",
            hint="Nothing was changed; take it back from a backup. Do not start a new one: it would not know what was "
            "published.",
        )


def _last_seal(connection: sqlite3.Connection) -> bytes:
    last = connection.execute("SELECT seal FROM line ORDER BY number DESC LIMIT 1").fetchone()
    return b"" if last is None else bytes(last[0])


def _sealed(before: bytes, *parts: str | bytes) -> bytes:
    seal = hashlib.sha256(before)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        seal.update(len(raw).to_bytes(8, "big") + raw)
    return seal.digest()
