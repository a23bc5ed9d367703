"""Whole or not at all: folders are written beside their place and moved there under a journal.

The journal is the point of no return. Killed before it is there, nothing has happened and the staged folders are swept
up by the next writer; killed after, the next reader or writer finishes the moves. Either way one sees the old state or
the new one.
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

try:
    import fcntl
except ImportError:  # pragma: no cover - other systems have no such lock; moves are still journalled
    fcntl = None  # type: ignore[assignment]

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


def stage(target: Path, *, mode: int = 0o777) -> Path:
    """Make an empty folder beside the target, to be filled and moved."""
    folder = target.parent / f".{target.name}.{_MARK}-{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir(mode=mode, parents=True)
    return folder


def commit(moves: Sequence[Move], *, before: Callable[[], None] | None = None) -> None:
    """Move all folders, in order; `before` runs (a ledger commits) once nothing but the moves is left to do."""
    home = moves[-1].target
    for move in moves:
        _sync(move.staged)
    with _locked(home.parent):
        if before is not None:
            before()
        journal = _journal(home)
        plan = [[os.path.relpath(path, home.parent) for path in (move.staged, move.target)] for move in moves]
        draft = journal.with_name(journal.name + ".draft")
        draft.write_text(json.dumps(plan), encoding="utf-8")
        _sync(draft)
        draft.replace(journal)
        _sync(home.parent)
        _roll_forward(home)


def recover(target: Path) -> None:
    """Finish what a killed writer had begun, and sweep up what it had not."""
    if not target.parent.is_dir():
        return
    if _journal(target).exists():
        with _locked(target.parent):
            if _journal(target).exists():
                _roll_forward(target)
    for stale in target.parent.glob(f".{_escaped(target.name)}.{_MARK}-*"):
        owner = stale.name.split(f"{_MARK}-")[1].split("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(stale, ignore_errors=True)


def discard(folders: Sequence[Path]) -> None:
    """Remove staged folders that will not be moved."""
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _roll_forward(home: Path) -> None:
    journal = _journal(home)
    plan = json.loads(journal.read_text(encoding="utf-8"))
    moves = [Move(home.parent / staged, home.parent / target) for staged, target in plan]
    for move in moves:
        if not move.staged.exists():
            continue  # this move was done before the kill
        if move.target.exists():
            move.target.replace(move.aside)
        move.staged.replace(move.target)
        _sync(move.target.parent)
    for move in moves:
        shutil.rmtree(move.aside, ignore_errors=True)
    journal.unlink()


def _journal(target: Path) -> Path:
    return target.parent / f".{target.name}.tacit-journal"


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _sync(path: Path) -> None:
    paths = [path, *path.iterdir()] if path.is_dir() else [path]
    for each in paths:
        with suppress(OSError):  # some file systems cannot sync a folder
            handle = os.open(each, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder against other writers; the lock goes with the process and leaves no file."""
    if fcntl is None:  # pragma: no cover
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
