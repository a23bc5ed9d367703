"""warm: compile the kernels once, so that nobody waits for it in the middle of a job.

Numba compiles a kernel when it is first called, and keeps it on disk. `python -m tacit.jobs.warm` compiles the kernels
that are listed in `tacit.kernels.entries`, those that every publication needs first, in two processes that take one
family of kernels after another; an installation does it as its last step. `--write` writes the list anew: it plays the
demonstration and a few commands, and sees what they call.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

_ROWS = 18_204  # as many as the demonstration has: smaller tables would not call every kernel
_TABLE = "age,sex,zip,disease\n" + "".join(
    f"{20 + i % 50},{'fm'[i % 2]},{10000 + 37 * (i % 30)},{'abcde'[i % 5]}\n" for i in range(400)
)
_RECIPE = """[table]
source = "people.csv"
[roles]
quasi_identifiers = ["age", "sex", "zip"]
sensitive = ["disease"]
[hierarchies]
zip = {{ prefix = 5 }}
age = {{ interval = 5 }}
[[steps]]
{step}
[output]
folder = "{name}"
"""
_STEPS = {
    "sets": 'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 5 }]\nrecode = "sets"',
    "nodes": 'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 5 }, { name = "l-diversity", l = 2 }]',
    "anatomy": 'method = "anatomy"\nl = 2',
}


def warm() -> None:
    """Compile what is listed, two families at a time, and say how far it is."""
    from tacit.kernels.entries import listed

    begun = time.monotonic()
    families: dict[str, float] = {}
    for entry in listed():
        families[entry.family] = families.get(entry.family, 0.0) + entry.seconds
    core, *others = families
    order = [core, *sorted(others, key=lambda family: -families[family])]
    _say(f"compiling kernels, once: about {sum(families.values()) / 2:.0f} s on two processors")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_compile, family) for family in order]):
            _say(f" {done.result():<18} {time.monotonic() - begun:4.0f} s")


def _compile(family: str) -> str:
    """Compile one family; what no longer fits its entry is left for its first use."""
    from tacit.kernels.entries import listed

    for entry in listed():
        if entry.family == family:
            try:
                entry.compile()
            except Exception:  # whatever Numba says of a signature that no longer fits: it stops no installation
                _say(f" {entry.kernel} has changed; it will be compiled when it is called")
    return family


def write() -> None:
    """Write the list anew, with what the commands and the demonstration call; everything is compiled for it."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["TACIT_CACHE"] = str(Path(place) / "cache")  # read when the first kernel is imported
        from tacit.kernels.entries import LIST, Entry, called

        found: dict[tuple[str, str], Entry] = {}
        for job in (_publish, _inspect, _play):
            job(Path(place))
            for entry in called():
                found.setdefault((entry.kernel, entry.signature), entry)
    for entry in found.values():
        _say(f"{entry.seconds:6.1f} s  {entry.kernel}")
    lines = [json.dumps([entry.kernel, entry.signature, entry.seconds]) for entry in found.values()]
    LIST.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _publish(place: Path) -> None:
    from tacit.jobs.publish import publish
    from tacit.recipes import Recipe

    (place / "people.csv").write_text(_TABLE)
    for name, step in _STEPS.items():
        (place / f"{name}.toml").write_text(_RECIPE.format(step=step, name=name))
        publish(Recipe.read(place / f"{name}.toml"))


def _inspect(place: Path) -> None:
    from tacit.jobs.inspect import inspect

    inspect(str(place / "people.csv"))


def _play(place: Path) -> None:
    from tacit.jobs.demo.story import ACTS, play, set_stage

    stage = set_stage(_ROWS)
    for name in ACTS:
        play(name, stage, place / "demo")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    write() if "--write" in sys.argv[1:] else warm()
