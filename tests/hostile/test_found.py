"""What the campaign has found, and what was found by hand: one test for each class of fault."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.borders import guarded
from tacit.errors import HierarchyError, SourceError, TacitError
from tacit.hierarchies import make
from tacit.knowledge.quasi_sensitive import as_label_table

ILLS = ["flu", "cold", "gout", "mumps"]


def people(**more: list[Any]) -> pl.DataFrame:
    rows = {"age": [20 + i % 5 for i in range(40)], "zip": [i % 3 for i in range(40)]}
    return pl.DataFrame({**rows, "ill": [ILLS[i * 3 % 4] for i in range(40)], **more})


def published(folder: Path) -> tc.Table:
    table = tc.Table(people(), quasi_identifiers=["age", "zip"], sensitive="ill")
    tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table).write(folder, format="csv")
    return table


def changed(folder: Path, change: Any) -> None:
    path = folder / "release.json"
    about = json.loads(path.read_text())
    change(about)
    path.write_text(json.dumps(about))


@pytest.mark.parametrize("spec", ["{place}/secret.csv", {"tree": "{place}/secret.csv"}, [["a", "*"]], "/dev/zero"])
def test_a_release_names_no_file_for_a_hierarchy(tmp_path: Path, spec: Any) -> None:
    """Somebody's `release.json` could let its reader open any file, quote it in a message, or wait for ever."""
    published(tmp_path / "out")
    (tmp_path / "secret.csv").write_text("a;secret\nb\n")
    named = json.loads(json.dumps(spec).replace("{place}", str(tmp_path)))
    changed(tmp_path / "out", lambda about: about["columns"][0].update(hierarchy=named))
    with pytest.raises(SourceError) as told:
        tc.Release.read(tmp_path / "out", private=None)
    assert "secret;" not in str(told.value)
    assert "cells" not in str(told.value)


def test_a_release_names_no_file_for_a_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    published(tmp_path / "out")
    (tmp_path / "d.csv").write_text("age,ill,p\n20,flu,1\n")
    claims = [
        {"name": "r-robustness", "r": 2, "distribution": str(tmp_path / "d.csv"), "of": "table", "step": 0},
        {"name": "qs-diversity", "c": 1, "l": 2, "knowledge": str(tmp_path / "d.csv"), "of": "table", "step": 0},
    ]
    changed(tmp_path / "out", lambda about: about.update(guarantees=claims))
    opened: list[str] = []
    monkeypatch.setattr("tacit.sources.files.look_into", opened.append)
    assert tc.audit(tc.Release.read(tmp_path / "out")).holds is None
    assert not opened


def test_devices_and_pipes_are_no_hierarchy_and_no_label_table(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    os.mkfifo(tmp_path / "pipe.json")
    for path in ("/dev/zero", str(tmp_path / "pipe.csv")):
        with pytest.raises(HierarchyError, match="regular"):
            make(path)
    with pytest.raises(SourceError, match="regular"):
        as_label_table(tmp_path / "pipe.json")


def test_a_manifest_describes_only_columns_that_are_there(tmp_path: Path) -> None:
    table = tc.Table(people(), quasi_identifiers=["age", "zip"], sensitive="ill")
    method = tc.InvariantMarginals(m=2, marginals={"a": ["age"], "z": ["zip"]})
    method.protect(table).write(tmp_path / "out", format="csv")

    def swap(about: Any) -> None:
        about["columns"]["a"] = about["columns"]["z"]

    changed(tmp_path / "out", swap)
    with pytest.raises(SourceError, match="no file"):
        tc.Release.read(tmp_path / "out")


@pytest.mark.parametrize("name", ["count", "rows", "value", "held", "len", "people", "cell"])
def test_columns_may_be_called_as_a_library_calls_its_own(tmp_path: Path, name: str) -> None:
    frame = people().rename({"age": name})
    table = tc.Table(frame, quasi_identifiers=[name, "zip"], sensitive="ill")
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table)
    release.write(tmp_path / "out", format="csv")
    assert tc.audit(tc.Release.read(tmp_path / "out"), table).holds is True
    frames = tc.Release.read(tmp_path / "out").frames()
    foreign = tc.Release.foreign(frames["table"], quasi_identifiers=[name, "zip"], sensitive="ill")
    assert tc.audit(foreign, claims=[tc.KAnonymity(k=2)]).holds is not False


def test_a_file_that_announces_more_than_memory_holds_is_refused() -> None:
    import pyarrow as pa

    with pytest.raises(SourceError, match="more memory"), guarded(SourceError):
        raise pa.ArrowMemoryError("malloc of size 4503599627373440 failed")
    with pytest.raises(MemoryError), guarded(SourceError):
        raise MemoryError


def test_a_damaged_frame_is_named_by_its_own_name(tmp_path: Path) -> None:
    import hashlib

    table = tc.Table(people(), quasi_identifiers=["age", "zip"], sensitive="ill")
    tc.Anatomy(l=2).protect(table).write(tmp_path / "out", format="parquet")
    path = tmp_path / "out" / "sensitive.parquet"
    path.write_bytes(b"PAR1 not really PAR1")

    def sign(about: Any) -> None:
        about["files"]["sensitive"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()

    changed(tmp_path / "out", sign)
    with pytest.raises(TacitError, match=r"sensitive\.parquet"):
        tc.Release.read(tmp_path / "out")


def test_names_that_no_system_takes_are_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tacit import cli

    long = "a" * 400
    recipe = tmp_path / "r.toml"
    roles = '[roles]\nquasi_identifiers = ["age", "zip"]\nsensitive = ["ill"]\n[[steps]]\nmethod = "anatomy"\nl = 2\n'
    people().write_csv(tmp_path / "p.csv")
    for source, more in (
        (long, ""),
        ("p.csv", f'[ledger]\npath = "{long}"\n'),
        ("p.csv", f'[output]\nfolder = "{long}"\n'),
    ):
        recipe.write_text(f'[table]\nsource = "{source}"\n{roles}{more}')
        assert cli.run(["publish", str(recipe)]) == 2
        assert "should not happen" not in capsys.readouterr().err
    for arguments in (["audit", long], ["ledger", long], ["inspect", long], ["verify", long], ["recipe", long]):
        assert cli.run(arguments) == 2
        said = capsys.readouterr().err
        assert said.startswith("tacit: ")
        assert "should not happen" not in said
    with pytest.raises(HierarchyError):
        make(long)


def test_a_ledger_that_cannot_be_looked_for_is_not_taken_for_a_new_one() -> None:
    with pytest.raises(SourceError, match="cannot be looked for"):
        tc.Ledger("a" * 400).entries()


@pytest.mark.parametrize("decimals", [-400, -1_000_000_000, 400, 10**12])
def test_rounding_to_any_number_of_decimals_ends(decimals: int) -> None:
    from tacit.sources.rounding import rounded

    frame = pl.DataFrame({"x": [1.5, 1e300, None], "n": pl.Series([1, 250, 3], dtype=pl.UInt8)})
    made, _ = rounded(frame, {"x": decimals, "n": decimals})
    assert made.height == 3


def test_a_number_that_no_longer_fits_its_type_is_not_rounded() -> None:
    from tacit.errors import RoleError
    from tacit.sources.rounding import rounded

    with pytest.raises(RoleError, match="fit its type"):
        rounded(pl.DataFrame({"n": pl.Series([251], dtype=pl.UInt8)}), {"n": -2})


@pytest.mark.parametrize("kind", [pl.UInt8, pl.Int8, pl.UInt64, pl.Float32, pl.Decimal(10, 2), pl.Int128])
def test_marks_of_missing_numbers_are_looked_for_in_every_type(kind: Any) -> None:
    from tacit.jobs.inspect.missing_marks import missing_marks

    frame = pl.DataFrame({"n": pl.Series([1, 2, 99, 99]).cast(kind)})
    assert [mark.mark for mark in missing_marks(frame, ("",))] in ([], ["99"])


def test_a_release_of_pipes_is_refused_at_once(tmp_path: Path) -> None:
    published(tmp_path / "out")
    for name in ("out/release.json", "out.private/private.json"):
        path = tmp_path / name
        kept = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(SourceError, match=r"regular|private part"):
            tc.Release.read(tmp_path / "out", private=tmp_path / "out.private")
        path.unlink()
        path.write_bytes(kept)
    assert tc.Release.read(tmp_path / "out").inside is not None


def test_a_certificate_made_to_be_slow_is_read_fast(tmp_path: Path) -> None:
    """A pattern with two open ends took minutes for a hundred kilobytes; here the work is counted, not the time."""
    import tracemalloc

    from tacit.releases.certificates import certified_digests

    path = tmp_path / "certificate.pdf"
    path.write_bytes(b"%PDF-1.7\n1 0 obj <<" + b"/Type/EmbeddedFile " * 800_000)
    tracemalloc.start()
    assert certified_digests(path) is None
    assert tracemalloc.get_traced_memory()[1] < 5 * path.stat().st_size
    tracemalloc.stop()
    os.mkfifo(tmp_path / "pipe.pdf")
    assert certified_digests(tmp_path / "pipe.pdf") is None


@pytest.mark.parametrize(
    ("act", "code", "words"),
    [("os.abort()", 2, "not enough memory"), ("pass", 7, "said"), ("os.kill(os.getpid(), 9)", 2, "not enough memory")],
)
def test_a_library_that_ends_the_process_for_lack_of_memory_leaves_a_sentence(act: str, code: int, words: str) -> None:
    program = (
        "import os, resource, sys\nfrom tacit.commands.short_memory import supervised\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 42, resource.getrlimit(resource.RLIMIT_AS)[1]))\n"
        "def run():\n    os.write(2, b'<jemalloc>: noise\\nsaid\\n')\n    os.write(1, b'out')\n"
        f"    {act}\n    return 7\nsys.exit(supervised(run))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == code
    assert words in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert done.stdout == b"out"


@pytest.mark.parametrize(("line", "words"), [("25,3", "has 2 fields"), ("", "blank"), ("25,3,a\rb,flu", "fields")])
def test_a_table_larger_than_memory_loses_no_row_either(tmp_path: Path, line: str, words: str) -> None:
    """The reader in batches guessed by the first lines, and took what came later as it came."""
    from tacit.engines import delimited
    from tacit.engines.scratch import Scratch

    lines = ["age,zip,note,ill", *(f"{20 + i % 40},{i % 5},n,{ILLS[i % 4]}" for i in range(300))]
    path = tmp_path / "t.csv"
    before, delimited._LINES = delimited._LINES, 100
    try:
        for at, expected in ((None, 300), (200, None)):
            path.write_text("\n".join(lines if at is None else [*lines[:at], line, *lines[at:]]) + "\n", newline="")
            scratch = Scratch(tmp_path / "scratch")
            try:
                if expected is not None:
                    made = delimited.read_text([path], scratch, nulls=[""], separator=None, encoding=None)
                    assert made.rows == expected
                else:
                    with pytest.raises(SourceError, match=words):
                        delimited.read_text([path], scratch, nulls=[""], separator=None, encoding=None)
            finally:
                scratch.close()
    finally:
        delimited._LINES = before


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ('[engine]\nname = "streaming"\nscratch = "out/x"', "temporary files"),
        ('[engine]\nscratch = "OUT.private"', "temporary files"),
        ('[ledger]\npath = "r.toml"', "must not be the recipe"),
    ],
)
def test_rows_never_lie_in_the_public_folder_and_a_recipe_is_no_ledger(
    tmp_path: Path, section: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from tacit import cli

    people().write_csv(tmp_path / "p.csv")
    (tmp_path / "r.toml").write_text(
        '[table]\nsource = "p.csv"\n[roles]\nquasi_identifiers = ["age", "zip"]\nsensitive = ["ill"]\n'
        f'[[steps]]\nmethod = "mondrian"\nguarantees = [{{ name = "k-anonymity", k = 2 }}]\n{section}\n'
    )
    assert cli.run(["publish", str(tmp_path / "r.toml")]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_method_that_says_null_for_its_steps_is_refused(tmp_path: Path) -> None:
    published(tmp_path / "out")
    changed(tmp_path / "out", lambda about: about["method"].update(steps=None))
    with pytest.raises(SourceError, match="steps"):
        tc.Release.read(tmp_path / "out")


def test_whatever_a_reader_of_statistics_files_raises_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged file gave a column without a name, over which the library behind the reader stumbled."""
    pyreadstat = pytest.importorskip("pyreadstat")
    from tacit.sources import read

    def stumbles(*args: Any, **given: Any) -> None:
        raise TypeError("'None' is not an instance of 'str'")

    monkeypatch.setattr(pyreadstat, "read_dta", stumbles)
    (tmp_path / "p.dta").write_bytes(b"<stata_dta>")
    with pytest.raises(SourceError, match="Stata"):
        read(tmp_path / "p.dta")


def test_a_key_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    """Half a key, left by a kill or a full disk, would have made a new ledger useless."""
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from tacit.errors import SourceError\n"
        "from tacit.releases.ledger_key import LedgerKey\n"
        "key = LedgerKey(Path(sys.argv[1]), in_use=False)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))\n"
        "try:\n    key.keep()\nexcept SourceError:\n    pass\nelse:\n    sys.exit('it was written')\n"
        "if list(Path(sys.argv[1]).parent.iterdir()):\n    sys.exit('something is left')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)\n"
        "key.keep()\nkey.keep()\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "c.ledger")], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["c.ledger.key"]
    assert (tmp_path / "c.ledger.key").stat().st_mode & 0o777 == 0o600
    assert len((tmp_path / "c.ledger.key").read_bytes()) == 16


def test_a_missing_value_counts_beside_a_hierarchy_that_lists_the_others() -> None:
    ills = ["flu"] * 17 + ["cold"] * 7 + ["gout"] * 9 + ["mumps"] * 7 + [None]
    table = tc.Table(
        {"zip": [100 + at % 4 for at in range(41)], "ill": ills},
        quasi_identifiers="zip",
        sensitive="ill",
        missing="value",
        hierarchies={"ill": tc.TreeHierarchy([[name, "*"] for name in ILLS])},
    )
    assert table.domain_size("ill") == 5
    release = tc.ShiftSuppression(l=3).protect(table, seed=1)
    assert release.shape.rows < 41
    assert tc.audit(release, table).holds is True


def series_of_people(folder: Path) -> tc.Ledger:
    frame = people(name=[f"p{i}" for i in range(40)])
    table = tc.Table(frame, person="name", quasi_identifiers=["age", "zip"], sensitive="ill")
    ledger = tc.Ledger(folder / "c.ledger")
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(table, ledger=ledger).write(folder / "out", format="csv")
    return ledger


def changed_people(ledger: tc.Ledger, change: Any) -> None:
    """Change what the ledger says of people, and seal it again as somebody would who can write the file."""
    from tests.hostile.ledgers import sealed_again

    from tacit.releases.packing import packed, unpacked

    def changed_line(when: str, kind: str, content: bytes) -> tuple[str, str, bytes]:
        about = unpacked(content)
        if kind == "people":
            change(about)
        return when, kind, packed(about)

    sealed_again(ledger.path, changed_line)


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about.pop("keys"),
        lambda about: about.pop("signature"),
        lambda about: about.pop("sensitive"),
        lambda about: about.pop("offsets"),
        lambda about: about.update(person=5),
        lambda about: about.update(keys=about["keys"][:1]),
        lambda about: about.update(keys=about["keys"].astype("float64")),
        lambda about: about.update(signature=about["signature"] + 10_000),
        lambda about: about.update(offsets=about["offsets"][::-1].copy()),
        lambda about: about.update(values=about["values"] - 10_000),
        lambda about: about.update(texts=[]),
    ],
)
def test_what_a_ledger_says_of_people_is_checked_when_it_is_read(tmp_path: Path, change: Any) -> None:
    ledger = series_of_people(tmp_path)
    changed_people(ledger, change)
    with pytest.raises(SourceError, match="damaged"):
        ledger.forget(["p1"])


def test_a_published_column_does_not_say_who_everybody_is(tmp_path: Path) -> None:
    from tacit.errors import RoleError

    frame = people(name=[f"p{i}" for i in range(40)])
    table = tc.Table(frame, identifiers="name", quasi_identifiers=["age", "zip"], sensitive="ill")
    ledger = tc.Ledger(tmp_path / "c.ledger")
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(table, ledger=ledger).write(tmp_path / "out", format="csv")
    with pytest.raises(RoleError, match="is published"):
        ledger.migrate(table, "age")
    assert ledger.migrate(table, "name") == 40


def test_a_ledger_that_does_not_know_its_table_is_not_migrated(tmp_path: Path) -> None:
    from tests.hostile.ledgers import sealed_again

    from tacit.jobs.ledger import migrate_ledger

    ledger = series_of_people(tmp_path)
    sealed_again(ledger.path, lambda when, kind, content: (when, "odd" if kind == "table" else kind, content))
    with pytest.raises(SourceError, match="damaged"):
        migrate_ledger(ledger.path, tmp_path / "p.csv", "name")


def test_a_certificate_may_name_files_that_no_system_takes(tmp_path: Path) -> None:
    import zlib

    from tacit.releases.certificates import MARK, PUBLIC
    from tacit.releases.verification import verify

    published(tmp_path / "out")
    names = dict.fromkeys(("a" * 5000, "\x00", "", "../x", "/etc/passwd", ".."), "0" * 64)
    attached = zlib.compress(json.dumps({MARK: 1, "folders": {PUBLIC: names}}).encode())
    head = b"%%PDF-1.7\n1 0 obj\n<</Length %d/Type/EmbeddedFile/Filter/FlateDecode>>\nstream\n" % len(attached)
    (tmp_path / "out" / "certificate.pdf").write_bytes(head + attached + b"\nendstream\nendobj\n")
    verdict = verify(tmp_path / "out")
    assert verdict.holds is False
    assert {file.state for file in verdict.files if file.name in names} == {"missing"}


def test_a_file_that_announces_more_rows_than_it_can_hold_is_refused(tmp_path: Path) -> None:
    """Two changed bytes of a small file made its reader take all memory of the machine."""
    pyreadstat = pytest.importorskip("pyreadstat")
    from tacit.sources import read

    frame = people().to_pandas()
    pyreadstat.write_dta(frame, str(tmp_path / "p.dta"))
    content = bytearray((tmp_path / "p.dta").read_bytes())
    at = content.index(b"<N>") + 3
    content[at : at + 4] = b"\xff\xff\xff\x7f"
    (tmp_path / "p.dta").write_bytes(content)
    with pytest.raises(SourceError, match="announces"):
        read(tmp_path / "p.dta")
    for name, write in (("p.sav", pyreadstat.write_sav), ("p.zsav", pyreadstat.write_sav)):
        write(frame, str(tmp_path / name), **({"compress": True} if name == "p.zsav" else {}))
        assert read(tmp_path / name).height == 40


@pytest.mark.parametrize(("column", "number"), [("bucket", 2**46), ("group:a", 2**46), ("group:a", -7)])
def test_numbers_of_groups_in_a_private_part_are_those_of_groups(tmp_path: Path, column: str, number: int) -> None:
    """A bucket with a large number would have been counted in an array of that length."""
    import hashlib

    table = tc.Table(people(), quasi_identifiers=["age", "zip"], sensitive="ill")
    tc.InvariantMarginals(m=2, marginals={"a": ["age"]}).protect(table).write(tmp_path / "out", format="csv")
    path, about = tmp_path / "out.private" / "inside.parquet", tmp_path / "out.private" / "private.json"
    inside = pl.read_parquet(path)
    inside.with_columns(pl.lit(number, dtype=pl.Int64).alias(column)).write_parquet(path)
    told = json.loads(about.read_text())
    told["files"]["inside.parquet"] = hashlib.sha256(path.read_bytes()).hexdigest()
    about.write_text(json.dumps(told))
    with pytest.raises(SourceError, match="numbers"):
        tc.Release.read(tmp_path / "out")


@pytest.mark.parametrize(
    "change",
    [
        lambda bucket: None,
        lambda bucket: np.where(np.arange(len(bucket)) == 3, 2**30, bucket).astype(np.int32),
        lambda bucket: bucket - 7,
        lambda bucket: bucket.astype(np.float64),
        lambda bucket: bucket[:, None],
        lambda bucket: "0",
    ],
)
def test_what_a_step_keeps_in_a_ledger_is_there_and_whole_or_the_ledger_is_damaged(
    tmp_path: Path, change: Callable[[Any], Any]
) -> None:
    """A bucket with a large number would have been counted in an array of that length."""
    from tests.hostile.ledgers import sealed_again

    from tacit.releases.packing import packed, unpacked

    frame = people(name=[f"p{i}" for i in range(40)])
    table = tc.Table(frame, identifiers="name", quasi_identifiers=["age", "zip"], sensitive="ill")
    ledger = tc.Ledger(tmp_path / "c.ledger")
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(table, ledger=ledger).write(tmp_path / "out", format="csv")

    def changed(when: str, kind: str, content: bytes) -> tuple[str, str, bytes]:
        about = unpacked(content)
        if "bucket" in about:
            about["bucket"] = change(about["bucket"])
        return when, kind, packed({name: part for name, part in about.items() if part is not None or name != "bucket"})

    sealed_again(ledger.path, changed)
    with pytest.raises(SourceError, match="damaged"):
        ledger.migrate(table, "name")
    with pytest.raises(SourceError, match="damaged"):
        method.protect(table, ledger=ledger)


def test_what_was_given_up_beside_other_releases_is_checked(tmp_path: Path) -> None:
    from tests.hostile.ledgers import sealed_again

    from tacit.jobs.ledger import read_ledger
    from tacit.releases.packing import packed, unpacked

    ledger = series_of_people(tmp_path)

    def broken(when: str, kind: str, content: bytes) -> tuple[str, str, bytes]:
        about = unpacked(content)
        return when, kind, packed({**about, "together": {"broken": [{}]}} if kind == "release" else about)

    sealed_again(ledger.path, broken)
    with pytest.raises(SourceError, match="claim"):
        read_ledger(ledger.path)


@pytest.mark.parametrize("source", ["parts", "parts/*.csv", "parts/pipe.csv", "parts/zero.csv"])
def test_parts_of_a_table_are_regular_files(tmp_path: Path, source: str) -> None:
    """The streaming engine waited for a pipe in a folder of parts, and could not be interrupted."""
    from tacit.engines.parts import files_of

    folder = tmp_path / "parts"
    folder.mkdir()
    people().write_csv(folder / "a.csv")
    os.mkfifo(folder / "pipe.csv")
    (folder / "zero.csv").symlink_to("/dev/zero")
    with pytest.raises(SourceError, match="regular"):
        files_of(tmp_path / source)
    (folder / "pipe.csv").unlink()
    (folder / "zero.csv").unlink()
    (folder / "below").mkdir()
    assert [path.name for path in files_of(tmp_path / "parts" / "*")] == ["a.csv"]


def test_a_distribution_of_two_columns_is_refused_by_every_engine(tmp_path: Path) -> None:
    from tacit.errors import RoleError

    table = tc.Table(people(), quasi_identifiers=["age"], sensitive=["ill", "zip"])
    for engine in (None, tc.StreamingEngine(scratch=tmp_path)):
        with pytest.raises(RoleError, match="one sensitive column"):
            tc.ART(r=2).protect(table, engine=engine)


def test_a_person_column_that_is_no_name_is_damage(tmp_path: Path) -> None:
    from tests.hostile.ledgers import sealed_again

    from tacit.releases.packing import packed, unpacked

    ledger = series_of_people(tmp_path)
    sealed_again(
        ledger.path,
        lambda when, kind, content: (
            (when, kind, packed({**unpacked(content), "person": ["a"]})) if kind == "table" else (when, kind, content)
        ),
    )
    with pytest.raises(SourceError, match="person"):
        ledger.forget(["p1"])
