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
from pathlib import Path
from random import Random

from tests.hostile import corpus
from tests.hostile.inputs import text_file
from tests.hostile.mutation import VALUES, changed_bytes, changed_text, toml
from tests.hostile.oracle import Outcome, command_line, leftovers

MEMORY = 8 << 30
"""Bytes of address space: libraries reserve far more than they use, so this only stops what grows without end."""
SECONDS = 60
"""Seconds of processor time, and twice as many of wall time, for a command on a small input."""
REALLY_STARTED = 50
"""Every so many commands, one is started as a process of its own, as a user starts it."""


def run_command(seed: int, number: int, corpus_folder: Path, scratch: Path) -> Outcome:
    """Make one command line from its number, and run it."""
    rng = Random(f"command:{seed}:{number}")  # noqa: S311
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    arguments = make_command(rng, corpus_folder, scratch)
    if number % REALLY_STARTED == 0:
        return _started(arguments, scratch)
    return forked(arguments, scratch)


def make_command(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    """Prepare a folder, and say what to do there."""
    (scratch / "people.csv").write_text(corpus.PEOPLE)
    (scratch / "sex.csv").write_text("F;*\nM;*\n")
    steps = rng.choice(("small-groups", "small-groups", "mondrian", "anatomy", "invariant"))
    text = corpus.recipe(steps, kind=rng.choice(corpus.FORMATS))
    way = rng.random()
    if way < 0.5:
        text = changed_text(text, rng)
    elif way < 0.75:
        path = scratch / "people.csv"
        path.write_bytes(changed_bytes(path.read_bytes(), rng))
    elif way < 0.8:
        (scratch / "people.csv").write_bytes(text_file(rng))
    (scratch / "r.toml").write_bytes(text.encode("utf-8", "replace"))
    release = scratch / "given"
    command = rng.choice(
        ("publish", "publish", "publish", "inspect", "audit", "audit", "recipe", "ledger", "compare", "odd")
    )
    odd = [word for value in VALUES for word in (str(value),) if "\0" not in word and len(word) < 100]
    if command == "audit":
        name = rng.choice(sorted(path.name for path in (corpus_folder / "releases").iterdir() if path.suffix == ""))
        shutil.copytree(corpus_folder / "releases" / name, release)
        victim = rng.choice(sorted(release.iterdir()))
        victim.write_bytes(changed_bytes(victim.read_bytes(), rng))
        given = (
            ["audit", "given"]
            if rng.random() < 0.6
            else ["audit", "people.csv", "--qi", "age,zip", "--sensitive", "disease"]
        )
        given += rng.choice(([], [], ["--claim", f"k-anonymity:k={rng.choice(odd)}"], ["--claim", rng.choice(odd)]))
    elif command == "inspect":
        given = [
            "inspect",
            "people.csv",
            *rng.choice(([], ["--qi", rng.choice(odd)], ["--known", f"age={rng.choice(odd)}"])),
        ]
    elif command == "recipe":
        given = rng.choice(
            (["recipe", "r.toml"], ["recipe", "r.toml"], ["recipe", "--schema"], ["recipe", rng.choice(odd)])
        )
    elif command == "ledger":
        source = next((corpus_folder / "ledgers").glob("*.ledger"))
        (scratch / "c.ledger").write_bytes(changed_bytes(source.read_bytes(), rng))
        given = ["ledger", "c.ledger"]
    elif command == "compare":
        given = ["compare", "r.toml", *rng.choice(([], ["--sweep", f"k={rng.choice(odd)}"], ["--sweep", "k=2..4"]))]
    elif command == "odd":
        given = [
            rng.choice([*odd, "publish", "--json", "--help", "--version", "audit"]) for _ in range(rng.randrange(4))
        ]
    else:
        given = ["publish", "r.toml"]
        given += rng.choice(([], [], ["--overwrite"], ["--folder", rng.choice([*odd, "x/y", "people.csv"])]))
    given += rng.choice(([], [], ["--json"], ["--quiet"])) if command != "odd" else []
    if rng.random() < 0.05:
        given.insert(rng.randrange(len(given) + 1), toml(rng.choice(VALUES)).replace("\0", ""))
    return given


def forked(arguments: list[str], scratch: Path, *, file_size: int | None = None) -> Outcome:
    """Run a command in a fork of this process; it speaks through pipes, which a full disk does not fill."""
    told, said = os.pipe(), os.pipe()
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
                _read_back(scratch)
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


def _read_back(scratch: Path) -> None:
    """Read what was accepted: it must be whole, and hold."""
    import tacit as tc

    for manifest in scratch.rglob("release.json"):
        if manifest.parent.name == "given":
            continue
        release = tc.Release.read(manifest.parent)
        if tc.audit(release).holds is False:
            raise AssertionError(f"{manifest.parent.name} does not hold when it is read back")


def _started(arguments: list[str], scratch: Path) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-m", "tacit", *arguments], cwd=scratch, capture_output=True, timeout=300, check=False
    )
    return _judged(done.returncode, done.stdout, done.stderr, scratch, arguments)
