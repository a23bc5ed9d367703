"""Ledgers and series of releases, with changed bytes, changed lines, or changed files beside them."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from tests.hostile import corpus
from tests.hostile.mutation import changed_bytes, changed_json

Act = Callable[[], object]
Change = Callable[[str, str, bytes], tuple[str, str, bytes]]


def ledger_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A ledger with changed bytes, or with lines that are sealed again after a change."""
    import tacit as tc
    from tacit.jobs.ledger import forget_people, migrate_ledger, read_ledger

    rows = next((corpus_folder / "ledgers").glob("*.ledger"))
    path = place / "c.ledger"
    source = rows if rng.random() < 0.6 else corpus_folder / "months" / "c.ledger"
    shutil.copy(source, path)
    if source != rows:
        key = source.with_name("c.ledger.key").read_bytes()
        (place / "c.ledger.key").write_bytes(key if rng.random() < 0.9 else changed_bytes(key, rng))
    if rng.random() < 0.4:
        path.write_bytes(changed_bytes(path.read_bytes(), rng))
    elif rng.random() < 0.9:
        _resealed(path, rng)
    way = rng.random()

    def act() -> None:
        if way < 0.4:
            tc.Ledger(path).entries()
            view = read_ledger(path)
            view.picture()
            json.dumps(view.as_dict(), default=str)
        elif way < 0.6:
            forget_people(path, [rng.choice(("p1", "p2", "", "nobody", "\x1b"))])
        elif way < 0.75:
            migrate_ledger(path, corpus_folder / "people.csv", rng.choice(("name", "name", "age", "odd")))
        else:
            table = tc.Table.read(
                corpus_folder / "people.csv",
                identifiers="name",
                quasi_identifiers=["age", "zip", "sex"],
                sensitive="disease",
            )
            tc.Ledger(path).open(table)

    return act


def together_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """Several releases, or all of a ledger, with changed files; read together."""
    from tacit.jobs.audit import read_published
    from tacit.jobs.audit_together import audit_ledger, audit_together
    from tacit.jobs.terminal.together import together_lines

    if rng.random() < 0.5:
        ledger = months(rng, corpus_folder, place)

        def judge() -> None:
            together_lines(audit_ledger(ledger))

        return judge
    names = sorted(path.name for path in (corpus_folder / "releases").iterdir() if path.suffix == "")
    folders = []
    for at, name in enumerate(rng.sample(names, rng.choice((2, 2, 3)))):
        hidden = rng.random() < 0.5
        for suffix in ("", ".private") if hidden else ("",):
            shutil.copytree(corpus_folder / "releases" / f"{name}{suffix}", place / f"{at}{suffix}")
        folders.append(place / f"{at}")
    if rng.random() < 0.7:
        victim = rng.choice(sorted(rng.choice(folders).iterdir()))
        victim.write_bytes(changed_bytes(victim.read_bytes(), rng))

    def act() -> None:
        result = audit_together(
            folders, lambda folder: read_published(folder, quasi_identifiers=[], sensitive=[], items=[])[0]
        )
        json.dumps(result.as_dict(), default=str)
        together_lines(result)

    return act


def months(rng: Random, corpus_folder: Path, place: Path) -> Path:
    """Copy a table that changes, with its releases and its ledger, of which something is changed; return the ledger."""
    shutil.copytree(corpus_folder / "months", place, dirs_exist_ok=True)
    ledger, old = place / "c.ledger", str(corpus_folder / "months").encode()

    def moved(when: str, kind: str, content: bytes) -> tuple[str, str, bytes]:
        head, cut, rest = zlib.decompress(content).partition(b"\n")
        return when, kind, zlib.compress(head.replace(old, str(place).encode()) + cut + rest, 1)

    sealed_again(ledger, moved)
    way = rng.random()
    if way < 0.3:
        _resealed(ledger, rng)
    elif way < 0.8:
        month = rng.choice(corpus.MONTHS)
        folder = place / rng.choice((month, f"{month}.private"))
        victim = rng.choice([*sorted(folder.iterdir()), ledger, place / "c.ledger.key"])
        victim.write_bytes(changed_bytes(victim.read_bytes(), rng))
    elif way < 0.9:
        shutil.rmtree(place / f"{rng.choice(corpus.MONTHS)}{rng.choice(('', '.private'))}")
    return ledger


def _resealed(path: Path, rng: Random) -> None:
    """Change what one line says, and seal all as if nothing had happened."""
    with closing(sqlite3.connect(path)) as connection:
        (many,) = connection.execute("SELECT count(*) FROM line").fetchone()
    chosen, at = rng.randrange(many), iter(range(many))
    sealed_again(path, lambda *line: _changed_line(rng, *line) if next(at) == chosen else line)


def sealed_again(path: Path, change: Change) -> None:
    """Change lines, and seal them."""
    from tacit.releases import ledger_store as store

    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        rows = connection.execute("SELECT number, series, at, kind, content FROM line ORDER BY number").fetchall()
        made = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'no_change'").fetchone()[0]
        connection.execute("DROP TRIGGER no_change")
        seal = b""
        for number, series, *told in rows:
            when, kind, content = change(*told)
            seal = store._sealed(seal, series, when, kind, content)
            connection.execute(
                "UPDATE line SET at = ?, kind = ?, content = ?, seal = ? WHERE number = ?",
                (when, kind, content, seal, number),
            )
        connection.execute(made)


def _changed_line(rng: Random, when: str, kind: str, content: bytes) -> tuple[str, str, bytes]:
    head, _, rest = zlib.decompress(content).partition(b"\n")
    if rng.random() < 0.8:
        head = json.dumps(changed_json(json.loads(head), rng)).encode()
    else:
        rest = changed_bytes(rest, rng)
    return (
        rng.choice((when, when, "odd", "", "9999-12-31T23:59:59+00:00")),
        rng.choice((kind, kind, kind, "odd", "table", "draw", "release", "people")),
        zlib.compress(head + b"\n" + rest, 1),
    )
