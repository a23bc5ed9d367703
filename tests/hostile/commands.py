"""Command lines: a fork of a process that has imported everything runs one, under limits of memory and time."""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random

from tests.hostile.command_lines import make_command
from tests.hostile.oracle import Outcome, command_line, leftovers

MEMORY = 8 << 30
"""Bytes of address space: libraries reserve far more than they use, so this only stops what grows without end."""
SECONDS = 60
"""Seconds of processor time, and twice as many of wall time, for a command on a small input."""
REALLY_STARTED = 80
"""Every so many commands, one is started as a process of its own, as a user starts it."""
APART = {"studio", "demo", "start"}
"""Commands that serve or play for long; they have campaigns of their own."""


def run_command(seed: int, number: int, corpus_folder: Path, scratch: Path) -> Outcome:
    """Make one command line from its number, and run it."""
    rng = Random(f"command:{seed}:{number}")  # noqa: S311
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    arguments = make_command(rng, corpus_folder, scratch)
    if arguments and arguments[0] in APART and "--help" not in arguments:
        arguments = [*arguments[:1], "--help", *arguments[1:]]
    if number % REALLY_STARTED == 0:
        return _started(arguments, scratch)
    return forked(arguments, scratch)


def forked(arguments: list[str], scratch: Path, *, file_size: int | None = None) -> Outcome:
    """Run a command in a fork of this process; it speaks through pipes, which a full disk does not fill."""
    told, said = os.pipe(), os.pipe()
    before = _manifests(scratch)
    child = os.fork()
    if not child:
        code = 99
        try:
            _limited(file_size)
            os.chdir(scratch)
            os.dup2(told[1], 1)
            os.dup2(said[1], 2)
            for handle in (*told, *said):
                os.close(handle)
            sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
            sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
            from tacit import cli

            code = cli.run(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
            if code == 0 and arguments[0] == "publish" and file_size is None:
                _read_back(scratch, before)
        except SystemExit as stop:
            code = int(stop.code or 0)
        except BaseException as error:
            os.write(2, f"Traceback: {type(error).__name__}: {error}\n".encode())
        os._exit(code)
    for handle in (told[1], said[1]):
        os.close(handle)
    out, err, late = _heard(told[0], said[0], child)
    _, status = os.waitpid(child, 0)
    code = -signal.SIGALRM if late else os.waitstatus_to_exitcode(status)
    return _judged(code, out, err, scratch, arguments)


def _heard(out: int, err: int, child: int) -> tuple[bytes, bytes, bool]:
    """Read both pipes to their ends; end a child that takes too long."""
    parts: dict[int, list[bytes]] = {out: [], err: []}
    open_, end, late = {out, err}, time.monotonic() + 4 * SECONDS, False
    while open_:
        ready, _, _ = select.select(list(open_), [], [], max(0.0, end - time.monotonic()))
        if not ready and not late:
            os.kill(child, signal.SIGKILL)
            late, end = True, time.monotonic() + SECONDS
        for pipe in ready:
            part = os.read(pipe, 1 << 16)
            parts[pipe].append(part)
            if not part:
                open_.discard(pipe)
                os.close(pipe)
    return b"".join(parts[out]), b"".join(parts[err]), late


def _limited(file_size: int | None) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    if file_size is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _judged(code: int, out: bytes, err: bytes, scratch: Path, arguments: list[str]) -> Outcome:
    outcome = command_line(code, out, err)
    if not outcome.fault and (left := leftovers(scratch)):
        outcome = Outcome("fault", f"left behind: {left}")
    return Outcome(outcome.kind, outcome.fault and f"{arguments}: {outcome.fault}")


def _manifests(scratch: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in scratch.rglob("release.json")}


def _read_back(scratch: Path, before: Mapping[Path, bytes]) -> None:
    """Read what was accepted: it must be whole, and hold."""
    import tacit as tc

    for manifest, content in _manifests(scratch).items():
        if before.get(manifest) == content:
            continue
        release = tc.Release.read(manifest.parent)
        if tc.audit(release).holds is False:
            raise AssertionError(f"{manifest.parent.name} does not hold when it is read back")


def _started(arguments: list[str], scratch: Path) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-m", "tacit", *arguments], cwd=scratch, capture_output=True, timeout=300, check=False
    )
    return _judged(done.returncode, done.stdout, done.stderr, scratch, arguments)
