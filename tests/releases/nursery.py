"""Processes that are made to die: forked from one that has imported everything and run nothing.

Polars and Numba do not survive a fork once their threads run, so the process that forks is never the one that tests.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

STEPS = ("mkdir", "fsync", "replace", "rename", "unlink", "rmdir")
KILLED = 77


class Nursery:
    """A process that forks on request."""

    def __init__(self) -> None:
        root = Path(__file__).parents[2]
        self._server = subprocess.Popen(
            [sys.executable, "-c", "from tests.releases.nursery import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        assert self._say("ready") == "yes"

    def start(self, task: str, *args: Any) -> int:
        """Let a child do something; return its number."""
        return int(self._say("start", task, *[str(a) if isinstance(a, Path) else a for a in args]))

    def end(self, child: int) -> tuple[int, str]:
        """Wait for a child; return how it ended (minus the signal) and what it said."""
        code, told = self._say("end", child)
        return int(code), str(told)

    def batch(self, task: str, calls: Iterable[Sequence[Any]]) -> list[tuple[int, str]]:
        """Let several children do something at once, to their ends."""
        return [self.end(child) for child in [self.start(task, *call) for call in calls]]

    def run(self, task: str, *args: Any) -> tuple[int, str]:
        """Let a child do something, to its end."""
        return self.end(self.start(task, *args))

    def kill(self, child: int) -> tuple[int, str]:
        """Kill a child outright."""
        os.kill(child, signal.SIGKILL)
        return self.end(child)

    def close(self) -> None:
        """Send everybody home."""
        if self._server.stdin is not None and self._server.stdout is not None:
            self._server.stdin.close()
            self._server.wait()
            self._server.stdout.close()

    def _say(self, *words: Any) -> Any:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(words) + "\n")
        self._server.stdin.flush()
        return json.loads(self._server.stdout.readline())


def serve() -> None:
    """Be the process that forks."""
    import glob
    import zoneinfo

    import numba
    import pyarrow.feather
    import pyarrow.parquet
    from tests.releases import releases_made

    import tacit.kernels.grouping
    import tacit.kernels.linkage

    del glob, zoneinfo, numba, pyarrow, tacit, releases_made  # a child that may not read the library has it all

    pipes: dict[int, int] = {}
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        word, *args = json.loads(line)
        told: Any = "yes"
        if word == "start":
            mouth, ear = os.pipe()
            told = os.fork()
            if not told:
                os.close(mouth)
                _live(ear, *args)
            os.close(ear)
            pipes[told] = mouth
        elif word == "end":
            _, status = os.waitpid(args[0], 0)
            with os.fdopen(pipes.pop(args[0])) as pipe:
                told = os.waitstatus_to_exitcode(status), pipe.read()
        answer.write(json.dumps(told) + "\n")
        answer.flush()


def _live(ear: int, task: str, *args: Any) -> None:
    try:
        told = str(TASKS[task](*args))
    except BaseException as error:  # the one who asked looks at it
        told = f"{type(error).__name__}: {error}"
    os.write(ear, told.encode())
    os._exit(0)


def write(place: str, rows: int, options: dict[str, Any]) -> str:
    """Write a release of so many rows."""
    from tests.releases.releases_made import protected

    protected(rows=rows).write(Path(place) / "out", **options)
    return "written"


def write_until(place: str, rows: int, options: dict[str, Any], step: int, names: list[str] | None = None) -> str:
    """Write a release, but die before the n-th change of the file system, or of these kinds of changes."""
    from tests.releases.releases_made import protected

    release = protected(rows=rows)
    count = 0

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if count == step:
                os._exit(KILLED)
            return real(*args, **kwargs)

        return wrapped

    for name in names or STEPS:
        setattr(os, name, dying(getattr(os, name)))
    release.write(Path(place) / "out", **options)
    return str(count)


def write_again_and_again(place: str, options: dict[str, Any], times: int, pause: float = 0.0) -> str:
    """Overwrite a release with others of 21, 24, 27 ... rows."""
    from tests.releases.releases_made import protected

    made = [protected(rows=rows) for rows in (21, 24, 27, 30)]
    for i in range(times):
        made[i % len(made)].write(Path(place) / "out", overwrite=True, **options)
        time.sleep(pause)
    return "written"


def read(place: str) -> str:
    """Read a release, and say how large it is."""
    from tacit import Release

    return str(Release.read(Path(place) / "out").size)


def read_as_nobody(place: str, private: str | None) -> str:
    """Read a release as a user without rights, and say whether its inside is seen."""
    from tacit import Release

    os.setgid(65534)
    os.setuid(65534)
    return str(Release.read(Path(place) / "out", private=private).inside)


def write_as_nobody(place: str) -> str:
    """Write a release as a user without rights."""
    os.setgid(65534)
    os.setuid(65534)
    return write(place, 20, {})


TASKS: dict[str, Callable[..., object]] = {
    "write": write,
    "write_until": write_until,
    "write_again_and_again": write_again_and_again,
    "read": read,
    "read_as_nobody": read_as_nobody,
    "write_as_nobody": write_as_nobody,
}
