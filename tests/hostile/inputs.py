"""Inputs by family: each is made from a seed alone, and is a thing to do in this process."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile import corpus, wards
from tests.hostile.calls import call_input, odd
from tests.hostile.ledgers import ledger_input, together_input
from tests.hostile.mutation import WORDS, changed_bytes, changed_certificate, changed_json, changed_text

Act = Callable[[], object]


def file_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A table in a file, changed."""
    from tacit import Table
    from tacit.hierarchies import make
    from tacit.sources import read

    source = rng.choice(sorted((corpus_folder / "files").iterdir()))
    content = source.read_bytes()
    if rng.random() < 0.25:
        content = text_file(rng)
        source = corpus_folder / "files" / "people.csv"
    content = changed_bytes(content, rng) if rng.random() < 0.95 else content
    path = place / source.name
    path.write_bytes(content)
    way = rng.random()
    if source.suffix == ".sqlite":
        return lambda: read(f"sqlite:///{path}", query="SELECT * FROM people")
    if way < 0.75:
        return lambda: read(path)
    if way < 0.9:
        return lambda: Table.read(path, quasi_identifiers=["age", "zip"], sensitive="disease", identifiers="name")
    return lambda: make(path)


def text_file(rng: Random) -> bytes:
    """A csv of odd fields."""
    width, separator = rng.randrange(1, 5), rng.choice((b",", b",", b";", b"\t", b"|"))
    fields = (*WORDS, b"a", b"b", b"12", b"3.5", b"2024-01-05", b'"x,y"', b'"a""b"', b"")
    lines = [
        separator.join(rng.choice(fields)[:30] for _ in range(width)) for _ in range(rng.choice((0, 1, 3, 10, 40)))
    ]
    names = separator.join(
        rng.choice((b"a", b"b", b"c", b'"d""e"', b'f"g', b"age")) + b"%d" % at for at in range(width)
    )
    return rng.choice((b"\n", b"\r\n", b"\n", b"\r")).join([names, *lines]) + rng.choice((b"", b"\n", b"\n\n"))


def recipe_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A recipe, changed; nothing of the data is touched."""
    from tacit.recipes import Recipe

    text = corpus.recipe(rng.choice(sorted(corpus.STEPS)), kind=rng.choice(corpus.FORMATS))
    path = place / "r.toml"
    path.write_bytes(changed_text(text, rng).encode("utf-8", "surrogatepass"))

    def act() -> None:
        made = Recipe.read(path)
        _ = made.folder, made.private, made.source, made.roles(), made.method.describe(), made.ledger()

    return act


def parameter_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """Parameters of a method or a guarantee, with odd values."""
    from tacit import guarantees, methods
    from tacit.parameters import exported

    families = [
        *exported(guarantees, guarantees.Guarantee).values(),  # type: ignore[type-abstract]
        *exported(methods, methods.Method).values(),  # type: ignore[type-abstract]
    ]
    family = rng.choice(sorted(families, key=lambda each: each.name))
    given = dict(rng.choice(list(family.examples())).get_params(deep=False))
    for _ in range(rng.choice((1, 1, 2))):
        key = rng.choice([*given, "odd", "of", "k"] if rng.random() < 0.1 else list(given) or ["k"])
        given[key] = odd(rng)

    def act() -> None:
        made = family(**given)
        str(made)
        repr(made)
        json.dumps(made.describe(), allow_nan=False)

    return act


NAMES = ["age", "zip", "ill", "a b", "x;y", "=1", "über", "'q'"]
ODD_NAMES = [*NAMES, "\x1b[1m", "*", "^x$", "group", "count", "", "table"]


def frame_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A data frame of odd values, protected, written, read and judged."""
    import tacit as tc

    rows = rng.choice((0, 1, 2, 8, 8, 24))
    pools: tuple[tuple[Any, ...], ...] = (
        (1, 2, 3), (0.5, float("nan"), float("inf"), -0.0), ("a", "b", "", "\x1b", "*", "[1, 2]"), (True, False),
        (None,), (1, None), ("x", None), (2**62, -(2**62)), ([1], []), (["a", "b"], ["a"], None), (b"x",),
        (Decimal("1e50"),),
        (Decimal("NaN"), Decimal(1)), ([[1]], [[2]]), ({"a"}, {"b", "a"}), (1, "a"), (object(),), (1j,),
        ("=1+1", "\n", '"'),
    )  # fmt: skip
    usual: tuple[tuple[Any, ...], ...] = (
        (1, 2, 3), (1.5, 2.5), ("a", "b"), ("", "*", "[1, 2]", "a;b"), ("\x1b", "=1+1", "\n", '"'), (True, False),
        (2**53, 1),
    )  # fmt: skip
    odd = rng.random() < 0.4
    names = rng.sample(
        ["age", "zip", "ill", "a b", "\x1b[1m", "*", "^x$", "group", "count", "", "table"] if odd else NAMES, 3
    )
    chosen = rng.choices(pools if odd else usual, k=3)
    frame = {name: [rng.choice(pool) for _ in range(rows)] for name, pool in zip(names, chosen, strict=True)}
    if rng.random() < 0.05:
        frame[names[0]] = frame[names[0]][:-1]
    method = rng.choice(
        [
            tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]),
            tc.Anatomy(l=2),
            tc.SmallGroups(guarantee=tc.KAnonymity(k=1)),
            tc.InvariantMarginals(m=2, marginals=[[names[0]]]),
        ]
    )
    kind = rng.choice(corpus.FORMATS)

    def act() -> None:
        table = tc.Table(frame, quasi_identifiers=names[:2], sensitive=names[2])
        release = method.protect(table)
        release.write(place / "out", format=kind)
        again = tc.Release.read(place / "out")
        verdict = tc.audit(again, table)
        if verdict.holds is not True:
            raise AssertionError(f"what was written does not hold when it is read back: {verdict.findings}")

    return act


def release_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A release with something changed, its digests made to match or not; read and judged."""
    import tacit as tc

    public = released(rng, corpus_folder, place)
    hidden = public.with_name("out.private")
    about = json.loads((public / "release.json").read_bytes())
    secret = json.loads((hidden / "private.json").read_bytes())
    way = rng.random()
    if way < 0.5:
        about = changed_json(about, rng)
    elif way < 0.75:
        entry = rng.choice([entry for _, entry in sorted(about["files"].items())])
        entry = rng.choice(entry.get("parts") or [entry])
        path = public / entry["path"]
        path.write_bytes(changed_bytes(path.read_bytes(), rng))
        entry["sha256"] = _digest(path)
    elif way < 0.88:
        secret = changed_json(secret, rng)
    else:
        path = rng.choice(sorted(hidden.glob("inside*.parquet")))
        path.write_bytes(changed_bytes(path.read_bytes(), rng))
        if path.name in secret["files"]:
            secret["files"][path.name] = _digest(path)
    if rng.random() < 0.9 or way < 0.75:
        (public / "release.json").write_text(json.dumps(about, ensure_ascii=rng.random() < 0.5))
        if isinstance(secret, dict) and "release" in secret and rng.random() < 0.8:
            secret["release"] = _digest(public / "release.json")
        (hidden / "private.json").write_text(json.dumps(secret))
    if rng.random() < 0.05:
        journal = rng.choice(["", "[]", "[[]]", json.dumps([[".out.tacit-staged-1", "out"]]), "\0", "{}"])
        (place / ".out.tacit-journal").write_text(journal)

    def act() -> None:
        release = tc.Release.read(public)
        tc.audit(release)

    return act


def verify_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A release with changed metadata, manifests or certificates, checked against its digests."""
    from tacit.releases.verification import verify

    public = released(rng, corpus_folder, place)
    folder = public if rng.random() < 0.8 else public.with_name("out.private")
    names = ("certificate.pdf", "certificate.pdf", "croissant.json", "dcat.jsonld", "release.json", "private.json")
    there = [folder / name for name in names if (folder / name).is_file()]
    victim = rng.choice(there or sorted(folder.iterdir()))
    if victim.name == "certificate.pdf" and rng.random() < 0.6:
        victim.write_bytes(changed_certificate(victim.read_bytes(), rng))
    elif victim.suffix in {".json", ".jsonld"} and rng.random() < 0.6:
        victim.write_text(json.dumps(changed_json(json.loads(victim.read_bytes()), rng)))
    else:
        victim.write_bytes(changed_bytes(victim.read_bytes(), rng))
    kept = rng.choice((None, None, victim, public / "release.json", place / "none.pdf"))

    def act() -> None:
        from tacit.jobs.terminal.verify import verdict, verification_lines

        found = verify(public, certificate=kept)
        json.dumps(found.as_dict())
        verdict(found)
        verification_lines(found)

    return act


def released(rng: Random, corpus_folder: Path, place: Path) -> Path:
    """Copy a release of the corpus with its private part; return the public folder."""
    name = rng.choice(sorted(path.name for path in (corpus_folder / "releases").iterdir() if _is_release(path)))
    shutil.copytree(corpus_folder / "releases" / name, place / "out")
    shutil.copytree(corpus_folder / "releases" / f"{name}.private", place / "out.private")
    return place / "out"


def _is_release(path: Path) -> bool:
    return path.is_dir() and not path.name.endswith(".private")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def job_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A whole job: a recipe of every section is followed, and what was published is read back and judged."""
    import tacit as tc
    from tacit.jobs.publish import Publication, publish
    from tacit.recipes import Recipe

    path = wards.prepare(rng, place)

    def act() -> None:
        done = publish(Recipe.read(path))
        for part in done.parts:
            if part.release is None or part.written is None:
                continue
            again = tc.Release.read(part.written.folder)
            alone = again.inside is None and isinstance(part, Publication)  # parts of a large one are not read back
            if alone or tc.audit(again).holds is False:
                raise AssertionError(f"{part.written.folder.name} does not hold when it is read back")
        if left := [*place.rglob(".*tacit-*")]:
            raise AssertionError(f"left behind: {[entry.name for entry in left]}")

    return act


def knowledge_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A hierarchy, a label table or a distribution in a file, changed."""
    import tacit as tc
    from tacit.hierarchies import make
    from tacit.knowledge.quasi_sensitive import as_label_table

    texts = {
        "ill.csv": wards.ILLNESSES, "labels.csv": wards.LABELS,
        "labels.json": json.dumps({"flu": ["cough"], "cold": []}),
        "known.csv": "zip,ill,probability\n100,flu,0.5\n100,cold,0.5\n101,flu,1\n",
    }  # fmt: skip
    name = rng.choice(sorted(texts))
    path = place / name
    content = text_file(rng) if rng.random() < 0.2 else changed_bytes(texts[name].encode(), rng)
    path.write_bytes(content)
    if name == "ill.csv":
        return lambda: make(path)
    if name == "known.csv":
        return lambda: tc.RRobustness(r=2, distribution=str(path))
    return lambda: as_label_table(path)


def foreign_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """Frames that somebody else published, with odd cells, judged by odd claims."""
    import tacit as tc

    cells = (
        "[20, 29]",
        "{a, b}",
        "*",
        "20-29",
        "1**",
        "",
        "[20,",
        "]",
        "{",
        "\x1b",
        "NaN",
        "2024-01",
        "<20",
        ">=5",
        "a",
        "[1, 1e999]",
    )
    rows = rng.choice((0, 1, 4, 12))
    names = rng.sample(ODD_NAMES, 3)
    frame = {name: [rng.choice(cells) for _ in range(rows)] for name in names}
    frame[names[2]] = [rng.choice("xyz") for _ in range(rows)]
    given: Any = (
        frame if rng.random() < 0.7 else {rng.choice(("t", "quasi_identifiers", "sensitive", "")): frame, "u": frame}
    )
    claims = rng.sample(
        [tc.KAnonymity(k=2), tc.LDiversity(l=2), tc.TCloseness(t=0.5), tc.MInvariance(m=2), tc.RRobustness(r=2),
         tc.BetaLikeness(beta=1), tc.DeltaDisclosure(delta=1), tc.Eligibility(l=2), tc.KEAnonymity(k=2, e=1)], 2
    )  # fmt: skip

    def act() -> None:
        release = tc.Release.foreign(given, quasi_identifiers=names[:2], sensitive=names[2])
        tc.audit(release, claims=claims)

    return act


FAMILIES: dict[str, tuple[int, Callable[[Random, Path, Path], Act]]] = {
    "parameters": (26, parameter_input),
    "files": (26, file_input),
    "recipes": (14, recipe_input),
    "releases": (10, release_input),
    "ledgers": (4, ledger_input),
    "verified": (3, verify_input),
    "together": (1, together_input),
    "knowledge": (6, knowledge_input),
    "foreign": (2, foreign_input),
    "frames": (2, frame_input),
    "jobs": (2, job_input),
    "calls": (4, call_input),
}
"""Families by name, with how many of a hundred inputs they make: the cheap ones make more."""


def family_of(number: int) -> str:
    """Return the family of an input: every hundred has the same mixture."""
    at = number * 37 % 100  # 37 and 100 have no common divisor, so the families take turns
    for name, (share, _) in FAMILIES.items():
        if at < share:
            return name
        at -= share
    raise AssertionError("the shares are of a hundred")


def make_input(seed: int, number: int, corpus_folder: Path, place: Path) -> Act:
    """Make one input from its number; the same numbers make the same input."""
    name = family_of(number)
    return FAMILIES[name][1](Random(f"{seed}:{number}"), corpus_folder, place)  # noqa: S311
