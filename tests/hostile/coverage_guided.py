"""Readers of our own files, fuzzed by atheris, which keeps what reaches new lines of the code and changes it further.

    python -m tests.hostile.coverage_guided manifest --corpus hostile.log.corpus --seconds 300

It needs atheris, which no other part of the project does: install it where this is run. A fault ends the run, and
atheris writes the bytes that led to it into the working folder.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.hostile import corpus
from tests.hostile.oracle import in_process
from tests.hostile.preload import one_thread

Reader = Callable[[bytes], object]


def manifest(folder: Path, scratch: Path) -> tuple[Reader, list[bytes]]:
    """`release.json` of a release whose files are as they were."""
    import tacit as tc

    shutil.copytree(folder / "releases" / "mondrian-csv", scratch / "out")
    path = scratch / "out" / "release.json"

    def act(data: bytes) -> None:
        path.write_bytes(data)
        tc.audit(tc.Release.read(scratch / "out"))

    return act, [path.read_bytes(), (folder / "releases" / "anatomy-csv" / "release.json").read_bytes()]


def private(folder: Path, scratch: Path) -> tuple[Reader, list[bytes]]:
    """`private.json` beside a release."""
    import tacit as tc

    for suffix in ("", ".private"):
        shutil.copytree(folder / "releases" / f"shift-csv{suffix}", scratch / f"out{suffix}")
    path = scratch / "out.private" / "private.json"

    def act(data: bytes) -> None:
        path.write_bytes(data)
        tc.Release.read(scratch / "out")

    return act, [path.read_bytes()]


def certificate(folder: Path, scratch: Path) -> tuple[Reader, list[bytes]]:
    """A certificate, and what is attached to one."""
    from tacit.releases.verification import verify

    shutil.copytree(folder / "releases" / "mondrian-csv", scratch / "out")
    path = scratch / "out" / "certificate.pdf"
    content = path.read_bytes()
    at = content.find(b"/EmbeddedFile")
    begun = content.find(b"stream\n", at) + 7
    attached = zlib.decompressobj().decompress(content[begun:])
    head = b"1 0 obj\n<</Length %d/Type/EmbeddedFile>>\nstream\n"

    def act(data: bytes) -> None:
        path.write_bytes(data[1:] if data[:1] == b"%" else head % len(data) + data + b"\nendstream")
        json.dumps(verify(scratch / "out").as_dict())

    return act, [attached, b"%" + content[at - 200 : begun + 600]]


def ledger(folder: Path, scratch: Path) -> tuple[Reader, list[bytes]]:
    """A line of a ledger: its kind, then JSON, then arrays; all of it is sealed."""
    from tests.hostile.ledgers import sealed_again

    from tacit.errors import SourceError
    from tacit.jobs.ledger import read_ledger
    from tacit.releases.ledger_schema import check_line
    from tacit.releases.packing import unpacked

    path = scratch / "c.ledger"
    shutil.copy(folder / "months" / "c.ledger", path)
    shutil.copy(folder / "months" / "c.ledger.key", scratch / "c.ledger.key")
    seeds: list[bytes] = []

    def noted(when: str, kind: str, content: bytes) -> tuple[str, str, bytes]:
        seeds.append(kind.encode() + b"\n" + zlib.decompress(content))
        return when, kind, content

    sealed_again(path, noted)
    original = path.read_bytes()

    def act(data: bytes) -> None:
        kind, _, content = data.partition(b"\n")
        word, packed = kind.decode("utf-8", "replace"), zlib.compress(content, 1)
        try:
            check_line(word, "2026-01-01", unpacked(packed))
        except ValueError as error:  # what the store makes a sentence of
            raise SourceError(str(error).splitlines()[0][:300] if str(error) else "damaged") from None
        path.write_bytes(original)
        kinds = iter(range(len(seeds)))
        sealed_again(path, lambda *line: (line[0], word, packed) if next(kinds) == len(seeds) - 1 else line)
        read_ledger(path)

    return act, seeds


def recipe(folder: Path, scratch: Path) -> tuple[Reader, list[bytes]]:
    """A recipe."""
    from tacit.recipes import Recipe

    path = scratch / "r.toml"

    def act(data: bytes) -> None:
        path.write_bytes(data)
        made = Recipe.read(path)
        _ = made.folder, made.private, made.source, made.roles(), made.method.describe(), made.ledger()

    return act, [corpus.recipe(name).encode() for name in corpus.STEPS]


def hierarchy(folder: Path, scratch: Path) -> tuple[Reader, list[bytes]]:
    """A file of a hierarchy."""
    from tests.hostile.wards import ILLNESSES

    from tacit.hierarchies import make

    path = scratch / "h.csv"

    def act(data: bytes) -> None:
        path.write_bytes(data)
        make(path)

    return act, [ILLNESSES.encode()]


READERS = {each.__name__: each for each in (manifest, private, certificate, ledger, recipe, hierarchy)}


def main() -> None:
    """Fuzz one reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader", choices=sorted(READERS))
    parser.add_argument("--corpus", type=Path, required=True, help="where the files to begin from are kept, or made")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    one_thread()
    import atheris

    with atheris.instrument_imports(include=["tacit"], enable_loader_override=False):
        import tacit

        _ = [getattr(tacit, name) for name in dir(tacit)]
        import tacit.jobs.ledger
        import tacit.recipes
        import tacit.releases.verification
    if not given.corpus.exists():
        corpus.make(given.corpus)
    place = Path(tempfile.mkdtemp(prefix="tacit-guided-"))
    scratch, seeds = place / "scratch", place / "seeds"
    scratch.mkdir()
    seeds.mkdir()
    act, begin = READERS[given.reader](given.corpus, scratch)
    for at, content in enumerate(begin):
        (seeds / str(at)).write_bytes(content)

    def one(data: bytes) -> None:
        fault = in_process(lambda: act(data)).fault
        if fault:
            raise RuntimeError(fault)

    limits = ["-max_len=30000", f"-max_total_time={given.seconds}", f"-seed={given.seed}", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *limits, str(seeds)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
