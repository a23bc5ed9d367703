"""Command lines by a grammar: a folder is prepared, and something is done there with odd or usual words."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.hostile import corpus, wards
from tests.hostile.inputs import text_file
from tests.hostile.mutation import VALUES, changed_bytes, changed_text, toml

ODD = tuple(str(value) for value in VALUES if "\0" not in str(value) and len(str(value)) < 100)
WORDS = (
    *ODD, "people.csv", "ward.csv", "r.toml", "given", "out", "missing.csv", "/dev/zero", "/dev/null", "pipe",
    "/proc/self/mem",
    "a,b", "age,,zip", "age,age", "disease", "-", "--", "=", "k=2..4", "k=1..99999999", "l=9..2", "k=2,nan", "k=inf",
    "sex=0.8,age=2", "sex=nan", "k-anonymity", "k-anonymity:k=2", "l-diversity:l=2,kind=entropy",
    "k-anonymity:k=\x1b[31m",
    "r.html", "r.md", "r.json", "r.exe", "out/r.html", "x.svg", "x.png", "1", "-1", "1e400", "latin-1", "utf-7",
    "rot13", "é", "\udc80", "👩", "\u202e", "out.private", "link", "ema-0070", "streaming", "spark", "auto", "64MB",
)  # fmt: skip
OPTIONS = {
    "publish": ("--folder", "--overwrite", "--engine", "--memory", "--seed", "--profile"),
    "inspect": (
        "--qi", "--sensitive", "--identifiers", "--person", "--items", "--nulls", "--separator", "--encoding",
        "--decimal", "--sheet", "--known", "--population", "--recipe", "--overwrite", "--profile",
    ),
    "audit": (
        "--qi", "--sensitive", "--items", "--person", "--victims", "--knowledge", "--claim", "--hierarchies",
        "--recipe", "--table", "--allow-unchecked", "--report", "--nulls", "--encoding", "--profile", "--population",
    ),
    "compare": ("--sweep", "--against", "--picture", "--profile"),
    "recipe": ("--schema",),
    "ledger": (),
    "verify": ("--certificate", "--allow-unchecked"),
}  # fmt: skip
FLAGS = {"--overwrite", "--allow-unchecked", "--schema"}


def make_command(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    """Prepare a folder, and say what to do there."""
    (scratch / "sex.csv").write_text("F;*\nM;*\n")
    name = rng.choice(
        ("publish",) * 4 + ("job",) * 3 + ("inspect", "audit", "audit", "recipe", "ledger", "compare", "verify", "odd")
    )
    given = _MAKERS.get(name, _odd)(rng, corpus_folder, scratch)
    if name != "odd":
        given += _options(rng, given[0])
        given += rng.choice(([], [], ["--json"], ["--quiet"]))
    if rng.random() < 0.04:
        given.insert(rng.randrange(len(given) + 1), toml(rng.choice(VALUES)).replace("\0", ""))
    return given


def _options(rng: Random, command: str) -> list[str]:
    """Usually none; at times an option with a word that may or may not fit."""
    known = OPTIONS.get(command, ())
    given: list[str] = []
    for option in rng.sample(known, min(len(known), rng.choice((0, 0, 0, 0, 1, 2)))):
        given += [option] if option in FLAGS else [option, rng.choice(WORDS)]
    return given


def _people(rng: Random, scratch: Path) -> None:
    """The table of sixty people and a recipe for it, of which one is changed."""
    (scratch / "people.csv").write_text(corpus.PEOPLE)
    steps = rng.choice(("small-groups", "small-groups", "mondrian", "anatomy", "invariant"))
    more = "" if rng.random() < 0.04 else "[report]\ncertificate = false\n"
    text = corpus.recipe(steps, kind=rng.choice(corpus.FORMATS), more=more)
    way = rng.random()
    if way < 0.5:
        text = changed_text(text, rng)
    elif way < 0.75:
        path = scratch / "people.csv"
        path.write_bytes(changed_bytes(path.read_bytes(), rng))
    elif way < 0.8:
        (scratch / "people.csv").write_bytes(text_file(rng))
    (scratch / "r.toml").write_bytes(text.encode("utf-8", "replace"))


def _publish(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    _people(rng, scratch)
    return ["publish", "r.toml"]


def _job(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    wards.prepare(rng, scratch)
    return ["publish", "r.toml"]


def _given(rng: Random, corpus_folder: Path, scratch: Path) -> None:
    """A release as it was published, with one of its files changed."""
    releases = sorted(
        path.name for path in (corpus_folder / "releases").iterdir() if path.is_dir() and path.suffix == ""
    )
    name = rng.choice(releases)
    for suffix in ("", ".private"):
        shutil.copytree(corpus_folder / "releases" / f"{name}{suffix}", scratch / f"given{suffix}")
    if rng.random() < 0.8:
        victim = rng.choice(sorted((scratch / rng.choice(("given", "given", "given.private"))).iterdir()))
        victim.write_bytes(changed_bytes(victim.read_bytes(), rng))
    if rng.random() < 0.1:
        (scratch / "given" / rng.choice(("odd", "certificate.pdf", "\x1b[31m", "=1+1.csv"))).write_bytes(
            b"%PDF-1.7 odd"
        )


def _audit(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    if rng.random() < 0.6:
        _given(rng, corpus_folder, scratch)
        return ["audit", "given"]
    _people(rng, scratch)
    given = ["audit", "people.csv", "--qi", "age,zip", "--sensitive", "disease"]
    return given + rng.choice(([], ["--claim", f"k-anonymity:k={rng.choice(ODD)}"], ["--claim", "k-anonymity:k=2"]))


def _verify(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    _given(rng, corpus_folder, scratch)
    return ["verify", "given"]


def _inspect(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    if rng.random() < 0.5:
        source = rng.choice(sorted((corpus_folder / "files").iterdir()))
        (scratch / source.name).write_bytes(changed_bytes(source.read_bytes(), rng))
        return ["inspect", source.name]
    wards.prepare(rng, scratch)
    return ["inspect", "ward.csv"]


def _recipe(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    (wards.prepare if rng.random() < 0.5 else _people)(rng, scratch)
    return ["recipe", rng.choice(("r.toml", "r.toml", rng.choice(WORDS)))]


def _ledger(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    source = next((corpus_folder / "ledgers").glob("*.ledger"))
    (scratch / "c.ledger").write_bytes(changed_bytes(source.read_bytes(), rng))
    return ["ledger", "c.ledger"]


def _compare(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    (wards.prepare if rng.random() < 0.5 else _people)(rng, scratch)
    return ["compare", "r.toml", *(["--sweep", f"k={rng.choice(ODD)}"] if rng.random() < 0.3 else [])]


def _odd(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    _people(rng, scratch)
    first = [*OPTIONS, "studio", "certificate", "start", "--json", "--help", "--version", *ODD]
    return [rng.choice(first), *(rng.choice(WORDS) for _ in range(rng.randrange(4)))][: rng.randrange(5)]


_MAKERS: dict[str, Callable[[Random, Path, Path], list[str]]] = {
    "publish": _publish, "job": _job, "audit": _audit, "verify": _verify, "inspect": _inspect, "recipe": _recipe,
    "ledger": _ledger, "compare": _compare,
}  # fmt: skip
