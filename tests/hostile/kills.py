"""Kills: a writer dies at a moment or at a step, or finds the disk full; then one sees the old state or the new one."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile import corpus
from tests.hostile.commands import forked
from tests.hostile.full_disks import Disk
from tests.hostile.oracle import Outcome, leftovers

STEPS = ("mkdir", "fsync", "replace", "rename", "unlink", "rmdir", "link", "open", "write")
LONGEST = 1.5
"""Seconds within which a writer is killed: on a busy machine a publication takes about that long."""


@dataclass(frozen=True)
class Scenario:
    """What is published when the writer dies.

    Attributes
    ----------
    steps
        The steps of the recipe, a name of `corpus.STEPS`.
    more
        Further sections of the recipe.
    overwrite
        Whether there may be an older release, which is replaced.
    places
        The folders of the releases.
    in_python
        Whether `Release.write` is called, instead of the command line.
    """

    steps: str = "small-groups"
    more: str = ""
    overwrite: bool = True
    places: tuple[str, ...] = ("out",)
    in_python: bool = False

    def recipe(self, kind: str, certificate: bool) -> str:
        """Write the recipe."""
        plain = "" if certificate else "[report]\ncertificate = false\n"
        text = corpus.recipe(self.steps, kind=kind, more=self.more + plain)
        if "[batches]" in self.more:
            text = text.replace('"age", "zip", "sex"]', '"age", "zip"]').replace("k = 2", "k = 1")
        return text.replace('identifiers = ["name"]', 'person = "name"') if self.steps == "people" else text


LEDGER = '[ledger]\npath = "c.ledger"\n'
SCENARIOS = {
    "first": Scenario(overwrite=False),
    "overwrite": Scenario(),
    "ledger": Scenario(steps="invariant", more=LEDGER),
    "people": Scenario(steps="people", more=LEDGER),
    "batches": Scenario(more='[batches]\ncolumn = "sex"\n', places=("out/F", "out/M")),
    "write": Scenario(in_python=True),
}


def run_kill(seed: int, number: int, corpus_folder: Path, scratch: Path) -> Outcome:
    """Let one writer die, and look at what it left."""
    rng = Random(f"kill:{seed}:{number}")  # noqa: S311
    name = sorted(SCENARIOS)[number % len(SCENARIOS)]
    scenario = SCENARIOS[name]
    way = WAYS[number // len(SCENARIOS) % len(WAYS)]
    with Disk.at(scratch, small=way == "disk") as disk:
        kind, certificate = rng.choice(corpus.FORMATS), rng.random() < 0.15
        old = scenario.overwrite and rng.random() < 0.8
        fault = _prepared(scenario, kind, certificate, old, scratch)
        if fault:
            return Outcome("fault", f"{name}: {fault}")
        before = _digests(scratch, scenario)
        how, fault = _die(scenario, way, disk, scratch, rng)
        found = _found(scratch, scenario, before)
        fault = fault or _looked_at(scratch, name, before)
    return Outcome(f"{name}, {how.split()[0]}, {found}", fault and f"{name}, {how}, {found}: {fault}")


def _prepared(scenario: Scenario, kind: str, certificate: bool, old: bool, scratch: Path) -> str:
    """Fill the folder with a table, a recipe, and perhaps an older release; one that was made before is copied."""
    (scratch / "people.csv").write_text(corpus.PEOPLE)
    text = scenario.recipe(kind, certificate)
    (scratch / "r.toml").write_text(text)
    if not old:
        return ""
    kept = scratch.with_name("prepared") / hashlib.sha256(text.encode()).hexdigest()[:16]
    if not kept.exists():
        first = forked(["publish", "r.toml"], scratch)
        if first.fault or first.kind != "accepted":
            return f"the first release failed: {first}"
        shutil.copytree(scratch, kept)
    else:
        shutil.copytree(kept, scratch, dirs_exist_ok=True)
    return ""


def _die(scenario: Scenario, way: str, disk: Disk, scratch: Path, rng: Random) -> tuple[str, str]:
    """Let the writer die; return how, and what was wrong with it."""
    arguments = ["publish", "r.toml", *(["--overwrite"] if scenario.overwrite else [])]
    act = _writes if scenario.in_python else _publishes
    if way == "disk":
        left = disk.leave(rng.choice((0, 0, 4, 8, 16, 32, 64, 128)))
        full = forked(arguments, scratch)
        disk.widen()
        return f"disk-full ({left} kB left)", full.fault
    if way == "file":
        limit = rng.choice((0, 1, 100, 1_000, 3_000, 10_000, 30_000))
        return f"file-limit ({limit} bytes)", forked(arguments, scratch, file_size=limit).fault
    if way == "step":
        return f"step {_killed_at_a_step(act, arguments, scratch, rng.randrange(1, 90))}", ""
    if way == "writing":
        return f"writing {_killed_while_writing(act, arguments, scratch, rng.uniform(0.0, 0.2)):.3f} s", ""
    return f"moment {_killed_at_a_moment(act, arguments, scratch, rng.uniform(0.0, LONGEST)):.3f} s", ""


WAYS = ("step", "writing", "moment", "step", "disk", "writing", "step", "file")


def _publishes(arguments: list[str]) -> None:
    from tacit import cli

    cli.run(arguments)


def _writes(arguments: list[str]) -> None:
    from tacit.recipes import Recipe

    recipe = Recipe.read(Path("r.toml"))
    release = recipe.method.protect(recipe.table())
    release.write("out", format=recipe.sections.output.format, overwrite=True)


Act = Callable[[list[str]], None]


def _child(act: Act, arguments: list[str], scratch: Path, ready: Callable[[], None]) -> int:
    """Fork a writer that speaks to nobody; `ready` is called in it before it begins."""
    child = os.fork()
    if not child:
        try:
            _quietly(scratch)
            ready()
            act(arguments)
        finally:
            os._exit(0)
    return child


def _before_writing(call: Callable[[], None]) -> None:
    """Call something once, at the first change that a writer makes."""
    from tacit.releases import staging

    begun, called = staging.Staging.folder, []

    def folder(*args: Any, **kwargs: Any) -> Any:
        if not called:
            called.append(True)
            call()
        return begun(*args, **kwargs)

    staging.Staging.folder = folder  # type: ignore[method-assign]


def _killed_at_a_step(act: Act, arguments: list[str], scratch: Path, step: int) -> int:
    count = 0

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)

        return wrapped

    def armed() -> None:
        for name in STEPS:
            setattr(os, name, dying(getattr(os, name)))

    os.waitpid(_child(act, arguments, scratch, lambda: _before_writing(armed)), 0)
    return step


def _killed_while_writing(act: Act, arguments: list[str], scratch: Path, seconds: float) -> float:
    ear, mouth = os.pipe()
    child = _child(act, arguments, scratch, lambda: _before_writing(lambda: os.close(mouth)))
    os.close(mouth)
    os.read(ear, 1)  # ends when the writer begins to write, or has ended without
    os.close(ear)
    return _killed(child, seconds)


def _killed_at_a_moment(act: Act, arguments: list[str], scratch: Path, seconds: float) -> float:
    return _killed(_child(act, arguments, scratch, lambda: None), seconds)


def _killed(child: int, seconds: float) -> float:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(min(0.002, max(0.0, end - time.monotonic())))
        if os.waitpid(child, os.WNOHANG)[0]:
            return seconds
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return seconds


def _quietly(scratch: Path) -> None:
    os.chdir(scratch)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _digests(scratch: Path, scenario: Scenario) -> dict[str, str]:
    """The manifests that are there, by folder."""
    manifests = {place: scratch / place / "release.json" for place in scenario.places}
    return {place: hashlib.sha256(path.read_bytes()).hexdigest() for place, path in manifests.items() if path.is_file()}


def _found(scratch: Path, scenario: Scenario, before: dict[str, str]) -> str:
    """Say in which state the writer left the folders, so that the counts tell whether all of them were met."""
    if [*scratch.rglob(".*.tacit-journal")]:
        return "moving"
    changed = "new" if _digests(scratch, scenario) != before else "old"
    return f"{changed} and staged" if [*scratch.rglob(".*.tacit-staged-*")] else changed


def _looked_at(scratch: Path, name: str, before: dict[str, str]) -> str:
    """Say what is wrong with what is left; another process looks, and then publishes again."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        told = ""
        try:
            _quietly(scratch)
            told = _state(scratch, name, before)
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        os.write(mouth, told[:2000].encode("utf-8", "replace"))
        os._exit(0)
    os.close(mouth)
    with os.fdopen(ear) as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    return told if os.waitstatus_to_exitcode(status) == 0 else f"looking at it ended with {status}: {told}"


def _state(scratch: Path, name: str, before: dict[str, str]) -> str:
    """Look for the old state or the new one, whole, and publish again over it."""
    import tacit as tc
    from tacit import cli

    scenario = SCENARIOS[name]
    for told in scenario.places:
        place = scratch / told
        if told in before or place.exists() or (place.with_name(f".{place.name}.tacit-journal")).exists():
            release = tc.Release.read(place)
            if release.inside is None:
                return f"{told} has lost its private part"
            if tc.audit(release).holds is False:
                return f"{told} does not hold"
    if open_ := [path.name for path in _private_files(scratch) if stat.S_IMODE(path.stat().st_mode) & 0o077]:
        return f"others may read {open_}"
    if "[ledger]" in scenario.more and (fault := _ledger_fault(scratch)):
        return fault
    if cli.run(["publish", "r.toml", "--overwrite", "--quiet"]) != 0:
        return "it cannot be published again"
    left = [entry for place in (scratch, scratch / "out", scratch / "out.private") for entry in leftovers(place)]
    return f"left behind: {left}" if left else ""


def _private_files(scratch: Path) -> list[Path]:
    """All files that only their owner may read: private parts, staged or not, and ledgers with what belongs to them."""
    inside = [path for folder in scratch.glob("*out.private*") for path in (folder, *folder.rglob("*"))]
    return [path for path in (*inside, *scratch.glob("*c.ledger*")) if not path.is_symlink()]


def _ledger_fault(scratch: Path) -> str:
    import tacit as tc

    entries = tc.Ledger(scratch / "c.ledger").entries() if (scratch / "c.ledger").exists() else ()
    there = (scratch / "out" / "release.json").exists()
    if there and not any(entry.in_place for entry in entries):
        return "the ledger does not know the release that is there"
    return ""
