"""Locks on folders: they go with the process that holds them, and leave no file.

Where the system or the file system has no locks, everything works without them: moves are journalled all the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - other systems
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(folder: Path, *, shared: bool = False) -> Iterator[None]:
    """Keep all others from locking a folder; with `shared`, only writers are kept from it, and readers may share it."""
    handle = _open(folder)
    try:
        if fcntl is not None and handle is not None:
            with suppress(OSError):  # a network file system may refuse
                fcntl.flock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def hold(folder: Path) -> list[int]:
    """Mark a folder as in use, until the handles returned are closed or the process is gone."""
    handle = _open(folder)
    if fcntl is None or handle is None:
        return []
    with suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_SH)
    return [handle]


def abandoned(folder: Path) -> bool:
    """Whether nobody holds a folder; False where that cannot be known.

    A process number in a file would not do: it means nothing on another machine or in another container, and the system
    uses it again.
    """
    return _unheld(_open(folder))


def hold_file(handle: int) -> None:
    """Mark an open file as in use, until it is closed or the process is gone."""
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_SH)


def abandoned_file(path: Path) -> bool:
    """Whether nobody holds a file; False where that cannot be known."""
    return _unheld(_open(path, directory=False))


def _unheld(handle: int | None) -> bool:
    """Whether nobody else holds what is open here, which is closed."""
    if handle is None:
        return False
    try:
        if fcntl is None:
            return False
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(handle)


def _open(path: Path, *, directory: bool = True) -> int | None:
    only = getattr(os, "O_DIRECTORY", 0) if directory else 0
    with suppress(OSError):
        return os.open(path, os.O_RDONLY | only | getattr(os, "O_NOFOLLOW", 0))
    return None
