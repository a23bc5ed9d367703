"""Command lines by a grammar: a folder is prepared, and something is done there with odd or usual words."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.hostile import corpus, wards
from tests.hostile.inputs import text_file
from tests.hostile.ledgers import months, together_input
from tests.hostile.mutation import VALUES, changed_bytes, changed_text, toml

ODD = tuple(str(value) for value in VALUES if "\0" not in str(value) and len(str(value)) < 100)
WORDS = (
    *ODD, "people.csv", "ward.csv", "r.toml", "given", "out", "missing.csv", "/dev/zero", "/dev/null", "pipe",
    "/proc/self/mem",
    "a,b", "age,,zip", "age,age", "disease", "-", "--", "=", "k=2..4", "k=1..99999999", "l=9..2", "k=2,nan", "k=inf",
    "sex=0.8,age=2", "sex=nan", "k-anonymity", "k-anonymity:k=2", "l-diversity:l=2,kind=entropy",
    "k-anonymity:k=\x1b[31m",
    "r.html", "r.md", "r.json", "r.exe", "out/r.html", "x.svg", "x.png", "1", "-1", "1e400", "latin-1", "utf-7",
    "rot13", "é", "\udc80", "👩", "\u202e", "out.private", "link", "ema-0070", "wp216", "streaming", "spark", "auto",
    "64MB", "ncp", "query-error", "model:ill", "model:", "learning", "distribution", "linkage", "pay", "name", "p1",
    "c.ledger", "given/certificate.pdf", "sensitive", "*.csv", "parts", "parts/*.csv", "[", "january",
)  # fmt: skip
OPTIONS = {
    "publish": (
        "--folder", "--overwrite", "--engine", "--profile", "--baseline", "--no-baseline", "--outside", "--population",
        "--weights", "--models", "--accept-composition", "--memory",
    ),
    "inspect": (
        "--qi", "--sensitive", "--identifiers", "--person", "--items", "--nulls", "--separator", "--encoding",
        "--decimal", "--sheet", "--known", "--population", "--weights", "--recipe", "--overwrite", "--profile",
    ),
    "audit": (
        "--qi", "--sensitive", "--items", "--person", "--victims", "--knowledge", "--claim", "--hierarchies",
        "--recipe", "--table", "--allow-unchecked", "--report", "--nulls", "--encoding", "--profile", "--population",
        "--weights", "--outside", "--ledger", "--separator", "--decimal", "--sheet",
    ),
    "compare": ("--sweep", "--against", "--by", "--picture", "--report", "--nulls", "--separator", "--encoding"),
    "recipe": ("--schema",),
    "ledger": ("--forget", "--migrate", "--person", "--picture"),
    "verify": ("--certificate", "--allow-unchecked"),
}  # fmt: skip
FLAGS = {"--overwrite", "--allow-unchecked", "--schema", "--baseline", "--no-baseline", "--accept-composition"}
FITTING = {
    "publish": (
        ["--population", "ward.csv"], ["--outside", "ward.csv"], ["--weights", "pay"], ["--models", "ill"],
        ["--models", "sensitive"], ["--baseline"], ["--profile", "ema-0070"], ["--profile", "wp216"],
        ["--profile", "eurostat-suf"], ["--engine", "streaming"], ["--engine", "local"], ["--accept-composition"],
    ),
    "inspect": (
        ["--population", "ward.csv"], ["--weights", "pay"], ["--qi", "zip,sex"], ["--recipe", "new.toml"],
        ["--known", "sex=0.8,zip=0.1"], ["--person", "pid"], ["--items", "signs"],
    ),
    "compare": (
        ["--by", "learning"], ["--by", "distribution"], ["--against", "query-error"], ["--against", "model:ill"],
        ["--report", "r.html"], ["--report", "r.json"], ["--picture", "x.svg"], ["--sweep", "k=2..3"],
    ),
    "audit": (["--report", "a.html"], ["--report", "a.json"], ["--allow-unchecked"], ["--profile", "cms"]),
    "verify": (["--certificate", "given/certificate.pdf"], ["--allow-unchecked"]),
}  # fmt: skip
"""Options as they are meant, mostly for the table of the ward."""


def make_command(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    """Prepare a folder, and say what to do there."""
    (scratch / "sex.csv").write_text("F;*\nM;*\n")
    name = rng.choice(
        ("publish",) * 3
        + ("job",) * 3
        + ("inspect", "audit", "recipe", "ledger", "compare", "verify", "together", "months", "parts", "odd")
    )
    given = _MAKERS.get(name, _odd)(rng, corpus_folder, scratch)
    if name != "odd":
        given += rng.choice(FITTING.get(given[0], ([],))) if rng.random() < 0.35 else _options(rng, given[0])
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


def _together(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    """Several releases, of which one may be changed, missing, or not a release."""
    together_input(rng, corpus_folder, scratch)  # prepares folders; what is to be done in process is left undone
    folders = sorted(path.name for path in scratch.iterdir() if path.is_dir() and path.suffix == "")
    if (scratch / "c.ledger").exists():
        return ["audit", "--ledger", "c.ledger"]
    return ["audit", *folders, *([rng.choice(WORDS)] if rng.random() < 0.1 else [])]


def _months(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    """A ledger that follows people, with its releases: read, changed, drawn, or published with again."""
    months(rng, corpus_folder, scratch)
    ways = (
        ["ledger", "c.ledger"], ["ledger", "c.ledger", "--forget", "p7"], ["ledger", "c.ledger", "--picture", "x.svg"],
        ["ledger", "c.ledger", "--forget", rng.choice(WORDS), "--forget", "p9"],
        ["ledger", "c.ledger", "--migrate", "february.csv", "--person", "name"],
        ["publish", "february.toml", "--folder", "march"], ["publish", "february.toml", "--overwrite"],
        ["publish", "january.toml", "--folder", "march", "--accept-composition"], ["audit", "january", "february"],
    )  # fmt: skip
    if rng.random() < 0.15:
        path = scratch / "february.csv"
        path.write_bytes(changed_bytes(path.read_bytes(), rng))
    return list(rng.choice(ways))


def _parts(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    """A table in several files, for an engine that reads them one after another."""
    wards.prepare(rng, scratch)
    content = (scratch / "ward.csv").read_bytes()
    folder = scratch / "parts"
    folder.mkdir()
    for at in range(rng.choice((1, 2, 3))):
        kind = rng.choice(("csv", "csv", "csv", "tsv", "parquet"))
        part = content if rng.random() < 0.8 else changed_bytes(content, rng)
        (folder / f"p{at}.{kind}").write_bytes(part)
    source = rng.choice(
        ("parts", "parts/*.csv", "parts/*", "p*/**", "parts/p[0-9].csv", "parts/", "ward.csv", "none/*")
    )
    path = scratch / "r.toml"
    text = path.read_bytes().decode("utf-8", "replace").replace('"ward.csv"', f'"{source}"', 1)
    path.write_bytes(text.encode("utf-8", "replace"))
    return ["publish", "r.toml", *rng.choice((["--engine", "streaming"], ["--engine", "streaming"], []))]


def _compare(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    (wards.prepare if rng.random() < 0.5 else _people)(rng, scratch)
    return ["compare", "r.toml", *(["--sweep", f"k={rng.choice(ODD)}"] if rng.random() < 0.3 else [])]


def _odd(rng: Random, corpus_folder: Path, scratch: Path) -> list[str]:
    _people(rng, scratch)
    first = [*OPTIONS, "studio", "certificate", "start", "--json", "--help", "--version", *ODD]
    return [rng.choice(first), *(rng.choice(WORDS) for _ in range(rng.randrange(4)))][: rng.randrange(5)]


_MAKERS: dict[str, Callable[[Random, Path, Path], list[str]]] = {
    "publish": _publish, "job": _job, "audit": _audit, "verify": _verify, "inspect": _inspect, "recipe": _recipe,
    "ledger": _ledger, "compare": _compare, "together": _together, "months": _months, "parts": _parts,
}  # fmt: skip
