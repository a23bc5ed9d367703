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
from pathlib import Path

from tests.hostile import corpus
from tests.hostile.commands import run_command
from tests.hostile.inputs import family_of, make_input
from tests.hostile.kills import run_kill
from tests.hostile.oracle import Outcome, in_process

STRETCH = 400
"""Inputs that one child takes before it is replaced: enough to pay for starting it, few enough that memory that a
library keeps does not pile up."""
PATIENCE = 300.0
"""Seconds of wall time without an answer after which a child is ended; a busy machine may be slow."""
MEMORY = 1_100 << 20
"""Bytes of resident memory that a child may reach: a gigabyte above what the imports take is more than a small input
needs."""


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


def inputs(total: int, seed: int, log: Log, corpus_folder: Path, scratch: Path) -> int:
    """Run inputs in process; return how many faults were found."""
    done, counts = log.resume("inputs")
    faults = 0
    while done < total:
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
                outcome = one_input(seed, number, corpus_folder, scratch)
                fault = outcome.fault
                resident = _resident()
                if resident > MEMORY and not fault:
                    fault = f"{resident >> 20} MB of memory"
                out.write(json.dumps([number, outcome.kind, fault]) + "\n")
                out.flush()
                if resident > MEMORY:
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
    return in_process(make_input(seed, number, corpus_folder, scratch))


def _resident() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def others(
    what: str, total: int, seed: int, log: Log, run: Callable[[int, int, Path, Path], Outcome], *places: Path
) -> int:
    """Run commands or kills one by one; return how many faults were found."""
    done, counts = log.resume(what)
    faults = 0
    for number in range(done, total):
        outcome = run(seed, number, *places)
        counts[outcome.kind] += 1
        if outcome.fault:
            faults += 1
            log.write(what, number=number, fault=outcome.fault)
        if number % 50 == 49 or number == total - 1:
            log.write(what, done=number + 1, counts=dict(counts))
    return faults


def imported() -> None:
    """Import what the children need, and run none of it."""
    import importlib

    for name in (
        "numba", "pyarrow.feather", "pyarrow.parquet", "tacit.cli", "tacit.jobs.publish", "tacit.jobs.audit",
        "tacit.jobs.compare", "tacit.jobs.inspect", "tacit.jobs.ledger", "tacit.recipes", "tacit.report.documents",
        "tacit.kernels.grouping", "tacit.kernels.linkage", "zoneinfo", "sqlite3",
    ):  # fmt: skip
        importlib.import_module(name)
    import tacit

    _ = [getattr(tacit, name) for name in dir(tacit)]


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=0, help="inputs in process")
    parser.add_argument("--commands", type=int, default=0, help="command lines, each in a process of its own")
    parser.add_argument("--kills", type=int, default=0, help="writers that are killed, or find the disk full")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=None)
    parser.add_argument("--corpus", type=Path, default=None, help="where the files to begin from are kept, or made")
    parser.add_argument("--replay", type=int, default=None, help="run one input here, and show how it fails")
    given = parser.parse_args()
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    imported()
    log = Log(given.log, given.seed)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tacit-hostile-", dir=_fast_place()) as folder:
        place = Path(folder)
        kept, scratch = given.corpus or place / "corpus", place / "scratch"
        if not kept.exists():
            corpus.make(kept)
        if given.replay is not None:
            scratch.mkdir()
            make_input(given.seed, given.replay, kept, scratch)()
            return 0
        faults = inputs(given.inputs, given.seed, log, kept, scratch)
        faults += others("commands", given.commands, given.seed, log, run_command, kept, scratch)
        faults += others("kills", given.kills, given.seed, log, run_kill, kept, scratch)
    sys.stdout.write(f"{faults} faults in {time.monotonic() - begun:.0f} seconds\n")
    return 1 if faults else 0


def _fast_place() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


if __name__ == "__main__":
    sys.exit(main())
