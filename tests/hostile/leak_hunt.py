"""A hunt for leaks that shares no code with the package: it publishes by the command line, and searches every byte.

    python -m tests.hostile.leak_hunt --formats csv parquet arrow

A table is made in which almost every value is a word that occurs nowhere else. Whatever the private part says was
withheld or suppressed, and whatever only the input knows (names, paths, digests, the counts of values, the order of
rows), must be in no public file: not as text, not compressed, not encoded, not in statistics or metadata.
"""

from __future__ import annotations

import argparse
import base64
import csv
import gzip
import hashlib
import io
import json
import os
import platform
import re
import stat
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

ROWS = 360
USER = "canaryuser"
FOLDER = "canarypath"
LABELS = "label,items\nflu,cough;fever\ncold,cough\nmumps,fever;rash\n"
ILLS = ("flu", "cold", "gout", "mumps", "croup", "yaws")
STEPS = {
    "small-groups": 'method = "small-groups"\nguarantee = { name = "k-anonymity", k = 2 }',
    "mondrian": 'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 3 }, { name = "l-diversity", l = 2 }]',
    "mondrian-sets": 'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 4 }]\nrecode = "sets"',
    "mondrian-snapped": 'method = "mondrian"\nguarantees = [{ name = "t-closeness", t = 0.5 }]\nbounds = "snapped"\n'
    "allow_withheld = 0.2",
    "anatomy": 'method = "anatomy"\nl = 2',
    "anatomy-random": 'method = "anatomy"\nl = 2\nbuckets = "random"',
    "shift": 'method = "shift-suppression"\nl = 4',
    "shift-top": 'method = "shift-suppression"\nl = 4\nhide = "top"\n[[steps]]\nmethod = "anatomy"\nl = 4',
    "r": 'method = "r-suppression"\nl = 4',
    "safe-d": 'method = "safe-d-suppression"\nl = 4',
    "unsafe-d": 'method = "unsafe-d-suppression"\nl = 4',
    "all": 'method = "suppress-all"\nl = 4',
    "art": 'method = "art"\nr = 1.5\nmin_support = 3',
    "injector": 'method = "injector"\nl = 2',
    "mask": 'method = "mask"\nk = 2\nl = 2\nprotected = ["gout"]',
    "angel": 'method = "angel"\nl = 2\nmarginals = [["zip"], ["sex"]]',
    "invariant": 'method = "invariant-marginals"\nm = 2\nmarginals = { a = ["zip"], b = ["sex"] }',
    "ke": 'method = "ke-permutation"\nk = 2\ne = 2',
    "values": 'method = "value-suppression"\ndelta = 0.4\nrisk = { known = { sex = 0.8, zip = 0.3, town = 0.9 } }',
    "quasi-sensitive": 'method = "quasi-sensitive"\n'
    'guarantee = { name = "qs-diversity", c = 1, l = 2, knowledge = "labels.csv" }\ntime_bound = 0.5',
}
LARGE = ("small-groups", "mondrian", "anatomy", "shift", "invariant")
"""Those that are also published out of memory."""


def rows() -> list[dict[str, str]]:
    """People of whom most are alone with something."""
    rng = Random(20)  # noqa: S311
    people = []
    for at in range(ROWS):
        town = f"townq{rng.randrange(40):03d}w" if at % 9 else f"lonelyq{at:03d}w"
        people.append(
            {
                "name": f"nameq{at:03d}w",
                "note": f"noteq{at:03d}w",
                "ord": str(10_000 + 7 * at),
                "zip": f"zipq{at % 12:02d}w" if at % 11 else f"rareq{at:03d}w",
                "sex": "FM"[at % 2],
                "town": town,
                "pay": str(rng.randrange(100, 160)),
                "signs": ";".join(rng.sample(("cough", "fever", "rash"), rng.randrange(3))),
                "ill": ILLS[0] if at * 7 % 20 < 9 else ILLS[1 + rng.randrange(5)],
            }
        )
    return people


def recipe(name: str, kind: str, large: bool) -> str:
    """Say how the table is published."""
    known = '["zip", "sex"]' if name in {"small-groups", "art", "injector"} else '["ord", "zip", "sex", "town"]'
    hidden = '["pay"]' if name == "ke" else '["ill"]'
    items = 'items = ["signs"]\n' if name == "quasi-sensitive" else ""
    engine = '[engine]\nname = "streaming"\nfragment_rows = 1000\nscratch = "scratch"\n' if large else ""
    return (
        f'[table]\nsource = "canarysource.csv"\n[roles]\nidentifiers = ["name"]\nquasi_identifiers = {known}\n'
        f'sensitive = {hidden}\n{items}allow = ["zip", "town"]\n{engine}'
        f'[[steps]]\n{STEPS[name]}\n[output]\nfolder = "out"\nformat = "{kind}"\n'
    )


def opened(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Give the bytes of a file, and whatever can be unpacked from them."""
    yield name, content
    for found in re.finditer(rb"stream\r?\n", content) if content.startswith(b"%PDF") else ():
        try:
            yield f"{name}, a stream", zlib.decompressobj().decompress(content[found.end() :])
        except zlib.error:
            continue
    if content.startswith(b"PAR1"):
        yield from _parquet(name, content)
    if content.startswith(b"ARROW1"):
        import pyarrow as pa

        reader = pa.ipc.open_file(io.BytesIO(content))
        yield f"{name}, schema", repr((reader.schema, reader.schema.metadata)).encode()
        for at in range(reader.num_record_batches):
            for column in reader.get_batch(at).columns:
                dictionary = column.dictionary if hasattr(column, "dictionary") else None
                for array in (column, dictionary):
                    for buffer in array.buffers() if array is not None else ():
                        yield f"{name}, a buffer", buffer.to_pybytes() if buffer is not None else b""
    if content.startswith(b"\x1f\x8b"):
        yield f"{name}, unpacked", gzip.decompress(content)
    for found in re.finditer(rb"[A-Za-z0-9+/]{40,}={0,2}", content[:2_000_000]):
        try:
            yield f"{name}, base64", base64.b64decode(found[0] + b"=" * (-len(found[0]) % 4))
        except ValueError:
            continue


def _parquet(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(io.BytesIO(content))
    about = file.metadata
    yield f"{name}, metadata", repr((about.metadata, about.created_by, file.schema_arrow)).encode()
    for group in range(about.num_row_groups):
        for column in range(about.num_columns):
            chunk = about.row_group(group).column(column)
            if chunk.statistics is not None:
                yield f"{name}, statistics", repr((chunk.statistics.min, chunk.statistics.max)).encode()
    table = file.read()
    plain = io.BytesIO()
    pq.write_table(table, plain, compression="none", use_dictionary=False)
    yield f"{name}, values", plain.getvalue()
    kinds = (pa.string(), pa.large_string())
    texts = [field.name for field in table.schema if field.type in kinds]
    dictionaries = pq.ParquetFile(io.BytesIO(content), read_dictionary=texts).read()
    for column in dictionaries.columns:
        for chunk in column.chunks:
            yield f"{name}, a dictionary", repr(getattr(chunk, "dictionary", chunk).to_pylist()).encode()


def secrets_of(place: Path, people: list[dict[str, str]], large: bool) -> dict[str, set[bytes]]:
    """What must be in no public file, by why."""
    import pyarrow.parquet as pq

    source = (place / "canarysource.csv").read_bytes()
    digests = [hashlib.new(kind, source) for kind in ("sha256", "sha1", "md5", "sha512")]
    found: dict[str, set[bytes]] = {
        "an identifier": {person["name"].encode() for person in people},
        "a column without a role": {person["note"].encode() for person in people},
        "the digest of the input": {d.hexdigest().encode() for d in digests} | {d.digest() for d in digests},
        "a path, a user, a machine": {FOLDER.encode(), USER.encode(), str(place).encode(), b"canarysource.csv"},
    }
    if len(platform.node()) > 7 and any(letter.isdigit() for letter in platform.node()):  # not a word of a report
        found["a path, a user, a machine"].add(platform.node().encode())
    parts = sorted((place / "out.private").glob("inside*.parquet"))
    inside = [pq.read_table(path) for path in parts]
    frames = b"".join(
        content
        for path in (place / "out").glob("*.[cpa][sar][vr]*")
        for _, content in opened(path.name, path.read_bytes())
    )
    for column in ("zip", "town"):
        absent = {person[column].encode() for person in people if person[column].encode() not in frames}
        found[f"a value of {column} that no frame has"] = absent
    if not any(person["zip"].encode() in frames for person in people):
        found["nothing at all: the hunt is blind"] = {b"{"}
    if large:
        return found  # its private part is in no order that an outsider could follow
    aligned = inside[0]
    kept = aligned.column("kept").to_pylist()
    for column in ("zip", "town"):
        cell = f"cell:{column}"
        blank = aligned.column(cell).to_pylist() if cell in aligned.column_names else [False] * ROWS
        shown = {p[column] for p, k, b in zip(people, kept, blank, strict=True) if k and not b}
        gone = {p[column] for p in people} - shown
        found[f"a value of {column} that was withheld or suppressed"] = {value.encode() for value in gone}
    return found


def faults(place: Path, name: str, kind: str, large: bool) -> list[str]:
    """Publish, and say what is wrong with what is public."""
    people = rows()
    with (place / "canarysource.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(people[0]))
        writer.writeheader()
        writer.writerows(people)
    (place / "labels.csv").write_text(LABELS)
    (place / "r.toml").write_text(recipe(name, kind, large))
    environment = {**os.environ, "USER": USER, "LOGNAME": USER}
    done = subprocess.run(
        [sys.executable, "-m", "tacit", "publish", "r.toml"],
        cwd=place, env=environment, capture_output=True, text=True, check=False, umask=0o022,
    )  # fmt: skip
    if done.returncode != 0:
        return [f"not published: {done.stderr.strip()[:300]}"]
    wrong = []
    public = sorted((place / "out").iterdir())
    contents = [part for path in public for part in opened(path.name, path.read_bytes())]
    for why, words in secrets_of(place, people, large).items():
        for where, content in contents:
            hits = sorted(word for word in words if word and word in content)
            if hits:
                wrong.append(f"{where}: {why}: {hits[0]!r} and {len(hits) - 1} more")
    wrong += _counts(contents, people, "pay" if name == "ke" else "ill", place)
    wrong += _order(place, kind)
    wrong += _modes(place)
    return wrong


def _counts(contents: list[tuple[str, bytes]], people: list[dict[str, str]], column: str, place: Path) -> list[str]:
    """Look for how often the table has a value, where the release has it less often."""
    told = json.loads((place / "out" / "release.json").read_bytes())["counts"]
    if not told.get("withheld"):
        return []
    most, count = Counter(person[column] for person in people).most_common(1)[0]
    known = {ROWS, told["published"], told["withheld"]}
    pattern = re.compile(rb"(?<![0-9A-Za-z.#_-])%d(?![0-9A-Za-z.%%_-])" % count)
    documents = [
        (where, text) for where, text in contents if where.startswith(("release", "report", "croissant", "dcat"))
    ]
    return [
        f"{where}: how often the table has {most!r} ({count}) near {text[max(0, at.start() - 60) : at.end() + 40]!r}"
        for where, text in documents
        if count not in known
        for at in pattern.finditer(text)
    ]


def _order(place: Path, kind: str) -> list[str]:
    """Compare the order of the published rows, and the numbers of their groups, with that of the table."""
    frames = {path.stem: _frame(path, kind) for path in (place / "out").glob(f"*.{kind}")}
    wrong = []
    for name, frame in frames.items():
        if "ord" not in frame:
            continue
        numbers = [_number(cell) for cell in frame["ord"]]
        groups = [float(cell) for cell in frame["group"]] if "group" in frame else None
        for what, other in (("the order of rows", [float(at) for at in range(len(numbers))]), ("the groups", groups)):
            pairs = [(a, b) for a, b in zip(numbers, other or [], strict=False) if a is not None]
            rho = _correlation(pairs)
            if rho is not None and abs(rho) > 5 / len(pairs) ** 0.5:
                wrong.append(f"{name}: {what} follows that of the table ({rho:.2f} over {len(pairs)} rows)")
    return wrong


def _frame(path: Path, kind: str) -> dict[str, list[Any]]:
    if kind == "csv":
        with path.open(newline="") as file:
            read = list(csv.DictReader(file))
        return {name: [row[name] for row in read] for name in read[0]} if read else {}
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path) if kind == "parquet" else pa.ipc.open_file(path.read_bytes()).read_all()
    return {name: [str(cell) for cell in table.column(name).to_pylist()] for name in table.column_names}


def _number(cell: str) -> float | None:
    found = [float(each) for each in re.findall(r"\d+(?:\.\d+)?", cell)]
    return sum(found) / len(found) if found else None


def _correlation(pairs: list[tuple[float, float]]) -> float | None:
    if len(pairs) < 30:
        return None
    xs, ys = zip(*pairs, strict=True)
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    sx = sum((x - mx) ** 2 for x in xs) ** 0.5
    sy = sum((y - my) ** 2 for y in ys) ** 0.5
    return None if not sx or not sy else sum((x - mx) * (y - my) for x, y in pairs) / (sx * sy)


def _modes(place: Path) -> list[str]:
    wrong = []
    for path in (place / "out.private", *(place / "out.private").rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode != (0o700 if path.is_dir() else 0o600):
            wrong.append(f"{path.name} has the mode {mode:o}")
    left = [path.name for path in place.rglob("*") if ".tacit-" in path.name or "tacit-scratch" in path.name]
    return wrong + [f"left behind: {name}" for name in left]


def main() -> int:
    """Publish by every method in every format, and search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formats", nargs="+", default=["csv", "parquet", "arrow"])
    parser.add_argument("--methods", nargs="+", default=list(STEPS))
    given = parser.parse_args()
    found = 0
    for name in given.methods:
        for kind in given.formats:
            for large in (False, True) if name in LARGE else (False,):
                with tempfile.TemporaryDirectory() as folder:
                    place = Path(folder) / FOLDER
                    place.mkdir()
                    wrong = faults(place, name, kind, large)
                found += len(wrong)
                sys.stdout.write(
                    f"{name}, {kind}{', large' if large else ''}: {'; '.join(wrong)[:1500] or 'nothing'}\n"
                )
                sys.stdout.flush()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
