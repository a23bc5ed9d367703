"""Kills: a writer dies at a moment or at a step, or finds the disk full; then one sees the old state or the new one."""

from __future__ import annotations

import hashlib
import json
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
    command
        What the writer that dies does, if it is not to publish the recipe.
    """

    steps: str = "small-groups"
    more: str = ""
    overwrite: bool = True
    places: tuple[str, ...] = ("out",)
    in_python: bool = False
    command: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """The command line of the writer that dies."""
        return list(self.command) or ["publish", "r.toml", *(["--overwrite"] if self.overwrite else [])]

    def recipe(self, kind: str, certificate: bool) -> str:
        """Write the recipe."""
        plain = "" if certificate else "[report]\ncertificate = false\n"
        text = corpus.recipe(self.steps, kind=kind, more=self.more + plain)
        if "[batches]" in self.more:
            text = text.replace('"age", "zip", "sex"]', '"age", "zip"]').replace("k = 2", "k = 1")
        return text.replace('identifiers = ["name"]', 'person = "name"') if self.steps == "people" else text


NO_PRIVATE = "there is no private part of it here to check"
LEDGER = '[ledger]\npath = "c.ledger"\n'
STREAMING = '[engine]\nname = "streaming"\nfragment_rows = 1000\nscratch = "scratch"\n'
SCENARIOS = {
    "first": Scenario(overwrite=False),
    "overwrite": Scenario(),
    "ledger": Scenario(steps="invariant", more=LEDGER),
    "people": Scenario(steps="people", more=LEDGER),
    "batches": Scenario(more='[batches]\ncolumn = "sex"\n', places=("out/F", "out/M")),
    "write": Scenario(in_python=True),
    "streaming": Scenario(steps="mondrian", more=STREAMING),
    "month": Scenario(
        steps="people", more=LEDGER, places=("out", "next"), command=("publish", "next.toml", "--folder", "next")
    ),
    "forget": Scenario(steps="people", more=LEDGER, command=("ledger", "c.ledger", "--forget", "p7")),
    "migrate": Scenario(
        steps="invariant",
        more=LEDGER,
        command=("ledger", "c.ledger", "--migrate", "r.toml", "--person", "name"),
    ),
}


def run_kill(seed: int, number: int, corpus_folder: Path, scratch: Path) -> Outcome:
    """Let one writer die, and look at what it left."""
    rng = Random(f"kill:{seed}:{number}")  # noqa: S311
    name = sorted(SCENARIOS)[number % len(SCENARIOS)]
    scenario = SCENARIOS[name]
    way = WAYS[number // len(SCENARIOS) % len(WAYS)]
    with Disk.at(scratch, small=way == "disk") as disk:
        kind, certificate = rng.choice(corpus.FORMATS), rng.random() < 0.15
        old = bool(scenario.command) or (scenario.overwrite and rng.random() < 0.8)
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
    (scratch / "next.csv").write_text(corpus.month_of(corpus.MONTHS[1]))
    (scratch / "next.toml").write_text(text.replace('"people.csv"', '"next.csv"'))
    if not old:
        return ""
    kept = _kept(scratch, text)
    if not kept.exists():
        first = forked(["publish", "r.toml"], scratch)
        if first.fault or first.kind != "accepted":
            return f"the first release failed: {first}"
        shutil.copytree(scratch, kept)
    else:
        shutil.copytree(kept, scratch, dirs_exist_ok=True)
    return ""


def _kept(scratch: Path, *told: object) -> Path:
    """Where something is kept that was made once, by what it was made from."""
    return scratch.with_name("prepared") / hashlib.sha256(repr(told).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Course:
    """How a writer goes that nobody kills: how many steps it has, and how many seconds before and while it writes."""

    steps: int
    before: float
    writing: float


def _course(scenario: Scenario, scratch: Path) -> Course:
    """Let a writer go to its end once, in a copy of the folder, and remember how it went."""
    there = sorted(path.name for path in scratch.iterdir())
    kept = _kept(scratch, scenario, there, (scratch / "r.toml").read_text()).with_suffix(".course")
    if not kept.exists():
        copy = scratch.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(scratch, copy)
        ear, mouth = os.pipe()
        begun = time.monotonic()
        writing: list[float] = [begun]
        act = _writes if scenario.in_python else _publishes

        def told(arguments: list[str]) -> None:
            act(arguments)
            os.write(mouth, json.dumps([count[0], writing[-1] - begun, time.monotonic() - writing[-1]]).encode())

        count = [0]

        def armed() -> None:
            writing.append(time.monotonic())
            _count_steps(count, 0)

        os.waitpid(_child(told, scenario.arguments, copy, lambda: _before_writing(armed)), 0)
        os.close(mouth)
        with os.fdopen(ear) as pipe:
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(pipe.read())
        shutil.rmtree(copy, ignore_errors=True)
    return Course(*json.loads(kept.read_text() or "[90, 1.0, 0.2]"))


def _die(scenario: Scenario, way: str, disk: Disk, scratch: Path, rng: Random) -> tuple[str, str]:
    """Let the writer die; return how, and what was wrong with it."""
    arguments = scenario.arguments
    if way == "disk":
        left = disk.leave(rng.choice((0, 0, 4, 8, 16, 32, 64, 128)))
        full = forked(arguments, scratch)
        disk.widen()
        return f"disk-full ({left} kB left)", full.fault
    if way == "file":
        limit = rng.choice((0, 1, 100, 1_000, 3_000, 10_000, 30_000))
        return f"file-limit ({limit} bytes)", forked(arguments, scratch, file_size=limit).fault
    act = _writes if scenario.in_python else _publishes
    course = _course(scenario, scratch)
    if way == "step":
        step = rng.randrange(1, max(2, course.steps + 1))
        died = _killed_at_a_step(scenario, act, scratch, step)
        return (f"step {step} of {course.steps}" if died else f"finished before step {step} of {course.steps}"), ""
    seconds = rng.uniform(0.0, course.writing if way == "writing" else course.before + course.writing)
    if way == "writing":
        died = _killed_while_writing(scenario, act, scratch, seconds)
    else:
        died = _killed(_child(act, arguments, scratch, lambda: None), seconds)
    return (f"{way} {seconds:.3f} s" if died else f"finished before {way} {seconds:.3f} s"), ""


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
    from tacit.releases import ledger_key, ledger_store, staging

    called: list[bool] = []

    def first(owner: Any, name: str) -> None:
        begun = getattr(owner, name)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if not called:
                called.append(True)
                call()
            return begun(*args, **kwargs)

        setattr(owner, name, wrapped)

    first(staging.Staging, "folder")
    first(ledger_key.LedgerKey, "keep")
    first(ledger_store.LedgerStore, "append")


def _count_steps(count: list[int], last: int) -> None:
    """Count the calls that change something, and die at the last one."""

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            count[0] += 1
            if count[0] == last:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)

        return wrapped

    for name in STEPS:
        setattr(os, name, dying(getattr(os, name)))


def _killed_at_a_step(scenario: Scenario, act: Act, scratch: Path, step: int) -> bool:
    child = _child(act, scenario.arguments, scratch, lambda: _before_writing(lambda: _count_steps([0], step)))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def _killed_while_writing(scenario: Scenario, act: Act, scratch: Path, seconds: float) -> bool:
    ear, mouth = os.pipe()
    child = _child(act, scenario.arguments, scratch, lambda: _before_writing(lambda: os.close(mouth)))
    os.close(mouth)
    os.read(ear, 1)  # ends when the writer begins to write, or has ended without
    os.close(ear)
    return _killed(child, seconds)


def _killed(child: int, seconds: float) -> bool:
    """Kill a child after some time; tell whether it was still there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(min(0.002, max(0.0, end - time.monotonic())))
        if os.waitpid(child, os.WNOHANG)[0]:
            return False
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


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
    from tacit.releases.verification import verify

    scenario = SCENARIOS[name]
    for told in scenario.places:
        place = scratch / told
        if told in before or place.exists() or (place.with_name(f".{place.name}.tacit-journal")).exists():
            release = tc.Release.read(place)
            if verify(place).unchecked[:1] == (NO_PRIVATE,) or verify(place).holds is False:
                return f"{told} has lost its private part, or a file of it: {verify(place)}"
            if tc.audit(release).holds is False:
                return f"{told} does not hold"
    if open_ := [path.name for path in _private_files(scratch) if stat.S_IMODE(path.stat().st_mode) & 0o077]:
        return f"others may read {open_}"
    if "[ledger]" in scenario.more and (fault := _ledger_fault(scratch)):
        return fault
    again = scenario.arguments if scenario.command else ["publish", "r.toml", "--overwrite"]
    done = cli.run([*again, *(["--overwrite"] if name == "month" else []), "--quiet"])
    if done != 0 and not (name == "migrate" and _follows(scratch)):
        return "it cannot be done again"
    homes = [scratch, *(scratch / f"{place}{end}" for place in scenario.places for end in ("", ".private"))]
    left = [entry for home in homes for entry in leftovers(home)]
    left += [path.name for path in (scratch / "scratch").glob("*")]
    return f"left behind: {left}" if left else ""


def _follows(scratch: Path) -> bool:
    """Whether the ledger follows people by now: then it cannot be made to a second time."""
    from tacit.jobs.ledger import read_ledger

    return read_ledger(scratch / "c.ledger").series[0].people == 60


def _private_files(scratch: Path) -> list[Path]:
    """All files that only their owner may read: private parts, staged or not, and ledgers with what belongs to them."""
    folders = [*scratch.glob("*.private*"), *(scratch / "scratch").glob("*")]
    inside = [path for folder in folders for path in (folder, *folder.rglob("*"))]
    return [path for path in (*inside, *scratch.glob("*c.ledger*")) if not path.is_symlink()]


def _ledger_fault(scratch: Path) -> str:
    import tacit as tc

    entries = tc.Ledger(scratch / "c.ledger").entries() if (scratch / "c.ledger").exists() else ()
    known = {Path(entry.folder).name for entry in entries if entry.in_place}
    there = {path.parent.name for path in scratch.glob("*/release.json") if not path.parent.name.startswith(".")}
    return f"the ledger does not know the releases {sorted(there - known)}" if there - known else ""
