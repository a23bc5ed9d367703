"""Kills: a writer dies at a moment or at a step, or finds the disk full; then one sees the old state or the new one."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile import corpus
from tests.hostile.commands import forked
from tests.hostile.oracle import Outcome, leftovers

STEPS = ("mkdir", "fsync", "replace", "rename", "unlink", "rmdir", "link", "open")
KILLED = 77
SCENARIOS = {
    "first": ([], ""),
    "overwrite": (["--overwrite"], ""),
    "ledger": (["--overwrite"], '[ledger]\npath = "c.ledger"\n'),
    "batches": (["--overwrite"], '[batches]\ncolumn = "sex"\n'),
}


def run_kill(seed: int, number: int, corpus_folder: Path, scratch: Path) -> Outcome:
    """Let one writer die, and look at what it left."""
    rng = Random(f"kill:{seed}:{number}")  # noqa: S311
    name = sorted(SCENARIOS)[number % len(SCENARIOS)]
    options, more = SCENARIOS[name]
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    (scratch / "people.csv").write_text(corpus.PEOPLE)
    steps = "invariant" if name == "ledger" else "small-groups"
    text = corpus.recipe(steps, kind=rng.choice(corpus.FORMATS), more=more)
    if name == "batches":
        text = text.replace('"age", "zip", "sex"]', '"age", "zip"]').replace("k = 2", "k = 1")
    (scratch / "r.toml").write_text(text)
    old = name != "first" and rng.random() < 0.8
    if old:
        first = forked(["publish", "r.toml"], scratch)
        if first.fault or first.kind != "accepted":
            return Outcome("fault", f"{name}: the first release failed: {first}")
    arguments = ["publish", "r.toml", *options]
    way = number // len(SCENARIOS) % 3
    if way == 0:
        how = "disk full"
        full = forked(arguments, scratch, file_size=rng.choice((0, 1, 100, 1_000, 3_000, 10_000, 30_000)))
        if full.fault:
            return Outcome("fault", f"{name}, {how}: {full.fault}")
    elif way == 1:
        how = f"step {_killed_at_a_step(arguments, scratch, rng.randrange(1, 60))}"
    else:
        how = f"{_killed_at_a_moment(arguments, scratch, rng.uniform(0.0, 1.2)):.3f} s"
    fault = _looked_at(scratch, name, old)
    return Outcome(name, fault and f"{name}, {how}: {fault}")


def _killed_at_a_step(arguments: list[str], scratch: Path, step: int) -> int:
    child = os.fork()
    if not child:
        _quietly(scratch)
        count = 0

        def dying(real: Callable[..., Any]) -> Callable[..., Any]:
            def wrapped(*args: Any, **kwargs: Any) -> Any:
                nonlocal count
                count += 1
                if count == step:
                    os._exit(KILLED)
                return real(*args, **kwargs)

            return wrapped

        from tacit import cli
        from tacit.releases import staging

        begun = staging.Staging.folder

        def folder(*args: Any, **kwargs: Any) -> Any:  # count from the first change that a writer makes
            if os.mkdir.__name__ != "wrapped":
                for name in STEPS:
                    setattr(os, name, dying(getattr(os, name)))
            return begun(*args, **kwargs)

        staging.Staging.folder = folder  # type: ignore[method-assign]
        os._exit(cli.run(arguments))
    os.waitpid(child, 0)
    return step


def _killed_at_a_moment(arguments: list[str], scratch: Path, seconds: float) -> float:
    child = os.fork()
    if not child:
        _quietly(scratch)
        from tacit import cli

        os._exit(cli.run(arguments))
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return seconds


def _quietly(scratch: Path) -> None:
    os.chdir(scratch)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _looked_at(scratch: Path, name: str, old: bool) -> str:
    """Say what is wrong with what is left; another process looks, and then publishes again."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        told = ""
        try:
            _quietly(scratch)
            told = _state(scratch, name, old)
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        os.write(mouth, told[:2000].encode("utf-8", "replace"))
        os._exit(0)
    os.close(mouth)
    with os.fdopen(ear) as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    return told if os.waitstatus_to_exitcode(status) == 0 else f"looking at it ended with {status}: {told}"


def _state(scratch: Path, name: str, old: bool) -> str:
    import tacit as tc
    from tacit import cli

    places = [scratch / "out"] if name != "batches" else [scratch / "out" / sex for sex in "FM"]
    for place in places:
        if old or place.exists() or (place.with_name(f".{place.name}.tacit-journal")).exists():
            release = tc.Release.read(place)
            if release.inside is None:
                return f"{place.name} has lost its private part"
            if tc.audit(release).holds is False:
                return f"{place.name} does not hold"
    if name == "ledger":
        entries = tc.Ledger(scratch / "c.ledger").entries() if (scratch / "c.ledger").exists() else ()
        if len(entries) < (1 if (scratch / "out" / "release.json").exists() else 0):
            return "a release that the ledger does not know"
        if (scratch / "out").exists() and not any(entry.in_place for entry in entries):
            return "the ledger does not know the release that is there"
    if cli.run(["publish", "r.toml", "--overwrite", "--quiet"]) != 0:
        return "it cannot be published again"
    left = [*leftovers(scratch), *(leftovers(scratch / "out") if name == "batches" else [])]
    left += leftovers(scratch / "out.private") if name == "batches" else []
    return f"left behind: {left}" if left else ""
