"""Scratch: a private folder for what does not fit in memory, removed however a job ends."""

from __future__ import annotations

import atexit
import os
import platform
import re
import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from tacit.errors import SourceError

_HOST = re.sub(r"[^A-Za-z0-9]", "", platform.node())[:32]
"""This machine, or this container: others may use the same place, and their processes cannot be seen from here."""
_OWNED = re.compile(rf"tacit-scratch-([0-9]{{1,9}})-{_HOST}-.*", re.ASCII | re.DOTALL)
"""What such a folder is called, with the number of the process that it belongs to."""


class Scratch:
    """A folder that only its owner may read (mode 0700), with files of mode 0600.

    It is removed by `close`, at the end of the program, and when the program is asked to stop (SIGTERM). What a kill
    that cannot be caught leaves behind is removed by the next one that uses the same place.
    """

    def __init__(self, place: str | Path | None = None) -> None:
        parent = Path(place) if place is not None else Path(tempfile.gettempdir())
        try:
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _sweep(parent)
            self.folder = Path(tempfile.mkdtemp(prefix=owned_prefix(os.getpid()), dir=parent))
        except OSError as error:
            raise SourceError(
                f"There is no place for temporary files in {parent}: {error.strerror or error}.",
                hint='Name a folder with room: [engine] scratch = "...".',
            ) from None
        self._files = 0
        atexit.register(self.close)
        self._before: Any = None
        with suppress(ValueError):  # only the main thread may say what a signal does
            self._before = signal.signal(signal.SIGTERM, self._stop)

    def new(self, name: str) -> Path:
        """Make an empty file that only its owner may read, and return its path."""
        self._files += 1
        path = self.folder / f"{self._files:05d}-{name}"
        try:
            path.touch(mode=0o600, exist_ok=False)
        except OSError as error:
            raise full(error, self.folder) from None
        return path

    def close(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.close)
        if self._before is not None:
            with suppress(ValueError, TypeError):
                signal.signal(signal.SIGTERM, self._before)
            self._before = None

    def _stop(self, number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt


def owned_prefix(process: int) -> str:
    """Return how the folder of a process on this machine begins: whoever comes next can tell whether it is in use."""
    return f"tacit-scratch-{process}-{_HOST}-"


def full(error: OSError, folder: Path) -> SourceError:
    """Say that temporary files could not be written, and where there may be room."""
    return SourceError(
        f"Temporary files cannot be written in {folder.parent}: {error.strerror or error}.",
        hint='Name a folder with more room: [engine] scratch = "...". Nothing was published.',
    )


def _sweep(parent: Path) -> None:
    """Remove the folders of programs that were killed."""
    for path in parent.glob("tacit-scratch-*-*"):
        owner = _OWNED.fullmatch(path.name)
        try:
            if owner is None or path.stat().st_uid != os.getuid():
                continue
            os.kill(int(owner[1]), 0)
        except ProcessLookupError:
            shutil.rmtree(path, ignore_errors=True)
        except OSError:
            continue
