"""Whole or not at all: folders are written beside their place and moved there under a journal.

The journal is the point of no return. Killed before it is there, nothing has happened and the staged folders are swept
up by the next writer; killed after, the next reader or writer finishes the moves. Either way one sees the old state or
the new one. A reader holds the place still while it reads, so it never sees a move half done.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tacit.errors import SourceError
from tacit.regular_files import regular_bytes
from tacit.releases.locks import abandoned, hold, locked

_MARK = "tacit-staged"


@dataclass(frozen=True)
class Move:
    """A staged folder and the place it goes to."""

    staged: Path
    target: Path

    @property
    def aside(self) -> Path:
        """Where an older folder waits until the move is done."""
        return self.staged.with_name(self.staged.name + ".old")

    @property
    def is_ours(self) -> bool:
        """Whether only a writer of the target can have made it: a journal is a file, and files can be forged."""
        return self.staged.parent == self.target.parent and self.staged.name.startswith(_prefix(self.target))


class Staging:
    """Folders that are filled beside their places and moved there together; what is not moved is removed."""

    def __init__(self) -> None:
        self._moves: list[Move] = []
        self._held: list[int] = []
        self.bound = False  # the journal stands: whoever comes next finishes the moves

    def __enter__(self) -> Staging:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.bound:
            for move in self._moves:
                shutil.rmtree(move.staged, ignore_errors=True)
        for handle in self._held:
            os.close(handle)

    def folder(self, target: Path, *, mode: int = 0o777) -> Path:
        """Make an empty folder beside the target, to be filled and moved; the last one's place has the journal."""
        target.parent.mkdir(mode=mode, parents=True, exist_ok=True)
        staged = target.with_name(_prefix(target) + secrets.token_hex(8))
        with locked(target.parent):  # nobody may sweep it up before it is held
            staged.mkdir(mode=mode)
            self._moves.append(Move(staged, target))
            self._held += hold(staged)
        return staged

    def commit(self, *last: Callable[[], None]) -> None:
        """Move all folders, in order; `last` is called when nothing but the moves is left to do, and may refuse."""
        home = self._moves[-1].target
        for move in self._moves:
            for path in (*move.staged.iterdir(), move.staged):
                _sync(path)
        with locked(home.parent):
            for step in last:
                step()
            plan = [[os.path.relpath(path, home.parent) for path in (m.staged, m.target)] for m in self._moves]
            try:
                _draft(home).write_text(json.dumps(plan), encoding="utf-8")
                _sync(_draft(home))
                self.bound = True
                _draft(home).replace(_journal(home))
                _sync(home.parent)
                _forward(self._moves)
            except OSError:
                _back(self._moves)
                for path in (_journal(home), _draft(home)):
                    path.unlink(missing_ok=True)
                self.bound = False
                raise
            _finish(self._moves, home)
            self.bound = False


def recover(home: Path, *others: Path) -> None:
    """Finish what a killed writer had begun, and sweep up what it had not; the journal is at home, so home is first."""
    for target in (home, *others):
        if target.parent.is_dir() and any(entry.name.startswith(f".{target.name}.tacit-") for entry in _beside(target)):
            with locked(target.parent):
                _roll_forward(target)
                _sweep(target)


@contextmanager
def settled(home: Path) -> Iterator[None]:
    """Finish what a killed writer had begun, and keep others from moving anything while the place is read."""
    while True:
        if _journal(home).exists():
            with locked(home.parent):
                _roll_forward(home)
        with locked(home.parent, shared=True):
            if not _journal(home).exists():
                yield
                return


def _roll_forward(home: Path) -> None:
    if not _journal(home).exists():
        return
    moves = _plan(home)
    try:
        _forward(moves)
        _finish(moves, home)
    except OSError as error:
        raise SourceError(
            f"{home} is being replaced, and the move cannot be finished: {error.strerror or error}.",
            hint="Whoever publishes there must open it again.",
        ) from error


def _plan(home: Path) -> list[Move]:
    try:
        plan = json.loads(regular_bytes(_journal(home)))
        moves = [Move(*(Path(os.path.normpath(home.parent / path)) for path in pair)) for pair in plan]
    except (ValueError, TypeError):
        moves = []
    if not moves or moves[-1].target != home or not all(move.is_ours for move in moves):
        raise SourceError(
            f"{_journal(home)} is not the journal of a release of {home.name!r}.", hint="Remove it, and publish again."
        )
    return moves


def _forward(moves: Sequence[Move]) -> None:
    for move in moves:
        if not os.path.lexists(move.staged):
            continue  # this move was done before the kill
        if os.path.lexists(move.target):
            if os.path.lexists(move.aside):
                raise FileExistsError(f"{move.target} is in the way")
            move.target.replace(move.aside)
        move.staged.replace(move.target)
        _sync(move.target.parent)


def _back(moves: Sequence[Move]) -> None:
    for move in reversed(moves):
        if not os.path.lexists(move.staged):
            move.target.replace(move.staged)
        if os.path.lexists(move.aside):
            move.aside.replace(move.target)


def _finish(moves: Sequence[Move], home: Path) -> None:
    for move in moves:
        shutil.rmtree(move.aside, ignore_errors=True)
    _journal(home).unlink()


def _sweep(target: Path) -> None:
    _draft(target).unlink(missing_ok=True)
    for entry in _beside(target):
        if entry.name.startswith(_prefix(target)) and abandoned(Path(entry.path)):
            shutil.rmtree(entry.path, ignore_errors=True)


def _beside(target: Path) -> list[os.DirEntry[str]]:
    with os.scandir(target.parent) as entries:
        return list(entries)


def _prefix(target: Path) -> str:
    return f".{target.name}.{_MARK}-"


def _journal(target: Path) -> Path:
    return target.with_name(f".{target.name}.tacit-journal")


def _draft(target: Path) -> Path:
    return target.with_name(f".{target.name}.tacit-draft")


def _sync(path: Path) -> None:
    """Sync one file or folder; some file systems cannot sync a folder."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
