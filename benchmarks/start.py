"""Start: what the first command costs, and what every command costs, in CPU seconds of all its processes.

Every command runs in a process of its own, as users run it. "First" means with an empty cache of compiled kernels, as
after an installation; "warm" means that the same command has run before. The least of three warm runs counts, because
other work on a machine only ever adds. Python's own compiled modules are kept, as they are for users. Run it with
`--only start --no-memory`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness import Benchmark, Goal
from benchmarks.mondrian import ADULT

_EIGHT = "age,sex,illness\n34,f,flu\n36,f,cold\n51,m,flu\n52,m,cough\n29,f,cold\n61,m,flu\n45,f,cough\n47,m,cold\n"
_RECIPE = """[table]
source = "eight.csv"
[roles]
quasi_identifiers = ["age", "sex"]
sensitive = ["illness"]
[[steps]]
method = "mondrian"
guarantees = [{ name = "k-anonymity", k = 2 }]
[output]
folder = "out"
"""
TACIT = (sys.executable, "-m", "tacit")
WARM = (sys.executable, "-m", "tacit.jobs.warm")
PUBLISH = (*TACIT, "publish", "eight.toml", "--overwrite", "-q")
INSPECT = (*TACIT, "inspect", "{adult}", "-q")
_QUICK = 1
"""Rows that stand for a run that only sees whether everything works."""
LOOK = (*TACIT, "inspect", "eight.csv", "-q")
GENERATE = (*INSPECT, "--recipe", "adult.toml", "--overwrite")


@dataclass(frozen=True)
class Command:
    """What is run in a folder: before, untimed; then what is measured, in a fresh cache or a warm one."""

    measured: tuple[Sequence[str], ...]
    before: tuple[Sequence[str], ...] = ()
    fresh: bool = False

    def cost(self, folder: Path, *, quick: bool) -> Mapping[str, float]:
        """Return the CPU seconds of all processes, and the seconds on the clock; quickly, those of asking for help."""
        if quick:
            return _run(((*TACIT, "--help"),), folder)
        (folder / "eight.csv").write_text(_EIGHT)
        (folder / "eight.toml").write_text(_RECIPE)
        if self.fresh:
            with tempfile.TemporaryDirectory() as cache:
                return _run(self.measured, folder, TACIT_CACHE=cache)
        for command in self.before or self.measured:
            _run((command,), folder)
        runs = [_run(self.measured, folder) for _ in range(3)]
        return min(runs, key=lambda cost: cost["cpu_s"])


def _run(commands: Sequence[Sequence[str]], folder: Path, **environment: str) -> Mapping[str, float]:
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        words = [word.format(adult=ADULT) for word in command]
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run(words, cwd=folder, env={**kept, **environment}, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu_s": cpu, "wall_s": time.monotonic() - began}


@dataclass(frozen=True)
class State:
    folder: Path
    quick: bool


def _benchmark(name: str, what: str, command: Command, cpu: float | None, wall: float | None = None) -> Benchmark:
    goals = [("CPU s of all processes", "cpu_s", cpu), ("seconds", "wall_s", wall)]
    return Benchmark(
        name=f"start-{name}",
        what=what,
        setup=lambda rows, folder: State(folder, quick=rows == _QUICK),
        ours=lambda state: state,  # the command is a process of its own, measured once below
        figures=lambda state, ours, other: command.cost(state.folder, quick=state.quick),
        rows=8,
        quick_rows=_QUICK,
        warmup=0,
        goals=tuple(_goal(label, key, limit) for label, key, limit in goals if limit is not None),
    )


def _goal(label: str, key: str, limit: float) -> Goal:
    def value(outcome: Any) -> float | None:
        return None if outcome.figures is None else outcome.figures.get(key)

    return Goal(label, value, limit)


BENCHMARKS = [
    _benchmark("kernels", "compile all listed kernels", Command((WARM,), fresh=True), 110, 60),
    _benchmark("first-publish", "first publish, mondrian, 8 rows", Command((PUBLISH,), fresh=True), 25),
    _benchmark("first-inspect", "first inspect, 8 rows", Command((LOOK,), fresh=True), 8),
    _benchmark(
        "demo",
        "compile, then the demonstration",
        Command((WARM, (*TACIT, "demo", "--folder", "demo-out", "-q")), fresh=True),
        None,
        100,
    ),
    _benchmark("publish", "publish of 8 rows, warm", Command((PUBLISH,)), 1.5),
    _benchmark("inspect", "inspect of Adult, warm", Command((INSPECT,)), 3),
    _benchmark("inspect-recipe", "inspect of Adult that writes a recipe, warm", Command((GENERATE,)), 8),
    _benchmark(
        "publish-adult",
        "publish of Adult by the generated recipe, warm",
        Command(
            ((*TACIT, "publish", "adult.toml", "--folder", "adult-out", "--overwrite", "-q"),),
            before=(GENERATE, (*TACIT, "publish", "adult.toml", "--folder", "adult-out", "--overwrite", "-q")),
        ),
        4,
    ),
]
