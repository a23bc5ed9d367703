"""The campaign: inputs one after another in forked children, with a log from which it is resumed and replayed.

    python -m tests.hostile.campaign --inputs 1000000 --seed 1 --log hostile.log
    python -m tests.hostile.campaign --seed 1 --replay 4711
    python -m tests.hostile.campaign --commands 10000 --kills 1000 --seed 1 --log hostile.log

A log has one JSON object in a line: a fault with the number that makes it again, or a checkpoint. A campaign with the
same seed and log goes on after its last checkpoint.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.hostile import corpus
from tests.hostile.commands import run_command
from tests.hostile.inputs import family_of, make_input
from tests.hostile.kills import run_kill
from tests.hostile.oracle import Outcome, in_process
from tests.hostile.preload import one_thread, preload

STRETCH = 2_000
"""Inputs that one child takes before it is replaced: enough that loading machine code, about three seconds, is little
beside them, and few enough that a campaign that is stopped loses a minute."""
PATIENCE = 300.0
"""Seconds of wall time without an answer after which a child is ended; a busy machine may be slow."""
SECONDS = 30.0
"""Seconds of processor time that an input below a megabyte may take."""
MEMORY = 1 << 30
"""Bytes of memory by which an input may let a child grow, for a moment or for good."""
FULL = 1_500 << 20
"""Bytes of resident memory at which a child is replaced: what libraries keep from input to input piles up."""


class Log:
    """A file of faults and checkpoints."""

    def __init__(self, path: Path | None, seed: int) -> None:
        self.path = path
        self.seed = seed

    def resume(self, what: str) -> tuple[int, Counter[str]]:
        """Return where a campaign of this seed has got to, and what it counted."""
        done, counts = 0, Counter[str]()
        if self.path is not None and self.path.exists():
            for line in self.path.read_text().splitlines():
                entry = json.loads(line)
                if entry.get("seed") == self.seed and entry.get("what") == what and "done" in entry:
                    done, counts = entry["done"], Counter(entry["counts"])
        return done, counts

    def write(self, what: str, **entry: object) -> None:
        """Append a line."""
        line = json.dumps({"seed": self.seed, "what": what, **entry})
        if self.path is None:
            sys.stdout.write(line + "\n")
            return
        with self.path.open("a") as file:
            file.write(line + "\n")


def inputs(total: int, seed: int, log: Log, end: float, corpus_folder: Path, scratch: Path) -> int:
    """Run inputs in process, until all are done or the time is over; return how many faults were found."""
    done, counts = log.resume("inputs")
    faults = 0
    while done < total and time.monotonic() < end:
        upto = min(total, done + STRETCH)
        for number, outcome in _stretch(done, upto, seed, corpus_folder, scratch):
            counts[f"{family_of(number)} {outcome.kind}"] += 1
            if outcome.fault:
                faults += 1
                log.write("inputs", number=number, family=family_of(number), fault=outcome.fault)
            done = number + 1
        log.write("inputs", done=done, counts=dict(counts))
    return faults


def _stretch(start: int, upto: int, seed: int, corpus_folder: Path, scratch: Path) -> list[tuple[int, Outcome]]:
    """Let one child take inputs until it is done or dies; a death is the outcome of the input that it was at."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        os.close(ear)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(mouth, "w") as out:
            for number in range(start, upto):
                out.write(json.dumps([number, "died", ""]) + "\n")
                out.flush()
                before, begun = _forgotten_peak(), time.process_time()
                outcome = one_input(seed, number, corpus_folder, scratch)
                fault, grown, took = outcome.fault, _memory("VmHWM") - before, time.process_time() - begun
                if grown > MEMORY:
                    fault = fault or f"{grown >> 20} MB of memory"
                if took > SECONDS:
                    fault = fault or f"{took:.0f} seconds"
                out.write(json.dumps([number, outcome.kind, fault]) + "\n")
                out.flush()
                if before > FULL:
                    break
        os._exit(0)
    os.close(mouth)
    said, ended = _listen(ear, child)
    told: dict[int, Outcome] = {}
    for line in said.decode().splitlines():
        number, kind, fault = json.loads(line)
        told[number] = Outcome(kind, fault)
    return [
        (number, Outcome("died", f"{ended}") if outcome.kind == "died" else outcome) for number, outcome in told.items()
    ]


def _listen(ear: int, child: int) -> tuple[bytes, str]:
    """Read what a child says until it is gone; one that is silent for long is ended."""
    said, reason = b"", ""
    with os.fdopen(ear, "rb", buffering=0) as pipe:
        while True:
            ready, _, _ = select.select([pipe], [], [], PATIENCE)
            if not ready:
                os.kill(child, signal.SIGKILL)
                reason = f"no answer within {PATIENCE:.0f} seconds"
                break
            part = pipe.read(1 << 16)
            if not part:
                break
            said += part
    _, status = os.waitpid(child, 0)
    return said.rpartition(b"\n")[0], reason or f"ended with {os.waitstatus_to_exitcode(status)}"


def one_input(seed: int, number: int, corpus_folder: Path, scratch: Path) -> Outcome:
    """Make one input in an empty folder and run it."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)

    def act() -> None:  # what fails while the input is made is a fault too, of the campaign
        make_input(seed, number, corpus_folder, scratch)()

    return in_process(act)


def _forgotten_peak() -> int:
    """Let the system forget the most memory that this process had, where it can; return what it has now."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def _memory(what: str) -> int:
    """Read a figure of this process's memory, in bytes; 0 where the system does not tell."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(what):
                return int(line.split()[1]) << 10
    return 0


def others(
    what: str,
    total: int,
    seed: int,
    log: Log,
    end: float,
    run: Callable[[int, int, Path, Path], Outcome],
    *places: Path,
) -> int:
    """Run commands or kills one by one, until all are done or the time is over; return how many faults were found."""
    done, counts = log.resume(what)
    faults = 0
    for number in range(done, total):
        outcome = run(seed, number, *places)
        counts[outcome.kind] += 1
        if outcome.fault:
            faults += 1
            log.write(what, number=number, fault=outcome.fault)
        over = time.monotonic() >= end
        if over or number % 50 == 49 or number == total - 1:
            log.write(what, done=number + 1, counts=dict(counts))
        if over:
            break
    return faults


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=0, help="inputs in process")
    parser.add_argument("--commands", type=int, default=0, help="command lines, each in a process of its own")
    parser.add_argument("--kills", type=int, default=0, help="writers that are killed, or find the disk full")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after that long; the log goes on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=None)
    parser.add_argument("--corpus", type=Path, default=None, help="where the files to begin from are kept, or made")
    parser.add_argument("--replay", type=int, default=None, help="run one input here, and show how it fails")
    given = parser.parse_args()
    one_thread()
    preload()
    log = Log(given.log, given.seed)
    begun = time.monotonic()
    end = begun + given.seconds
    with tempfile.TemporaryDirectory(prefix="tacit-hostile-", dir=_fast_place()) as folder:
        place = Path(folder)
        beside = given.log.with_name(f"{given.log.name}.corpus") if given.log else place / "corpus"
        kept, scratch = given.corpus or beside, place / "scratch"
        if not kept.exists():
            corpus.make(kept)
        if given.replay is not None:
            scratch.mkdir()
            make_input(given.seed, given.replay, kept, scratch)()
            return 0
        faults = inputs(given.inputs, given.seed, log, end, kept, scratch)
        faults += others("commands", given.commands, given.seed, log, end, run_command, kept, scratch)
        faults += others("kills", given.kills, given.seed, log, end, run_kill, kept, scratch)
    sys.stdout.write(f"{faults} faults in {time.monotonic() - begun:.0f} seconds\n")
    return 1 if faults else 0


def _fast_place() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


if __name__ == "__main__":
    sys.exit(main())
