"""Bad input ends in one or two sentences that name the place and the way out; nothing is written."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest


def refused(clinic: Path, outcome, code: int, *words: str) -> None:
    assert outcome.code == code, outcome.err or outcome.out
    assert outcome.err.startswith("tacit: ")
    assert "Traceback" not in outcome.err
    assert "this should not happen" not in outcome.err
    assert len(outcome.err.strip().splitlines()) <= 3, outcome.err
    for word in words:
        assert word in outcome.err, outcome.err
    assert not (clinic / "out").exists()
    assert not [path for path in clinic.iterdir() if path.name.startswith(".out")]


def edit(clinic: Path, old: str, new: str) -> None:
    text = (clinic / "clinic.toml").read_text()
    assert old in text
    (clinic / "clinic.toml").write_text(text.replace(old, new))


RECIPES = {
    "missing column": ('"age", "zip"', '"agee", "zip"', 2, ["clinic.toml", "agee", "Did you mean 'age'?"]),
    "two roles": ('sensitive = ["disease"]', 'sensitive = ["age"]', 2, ["'age'", "one role"]),
    "no such file": ("patients.csv", "patient.csv", 2, ["patient.csv"]),
    "unknown method": ("small-groups", "small-group", 2, ["clinic.toml", "[[steps]] 1", "small-groups"]),
    "unknown guarantee": ("k-anonymity", "k-anonimity", 2, ["k-anonimity", "k-anonymity"]),
    "unknown parameter": ("k = 2", "kk = 2", 2, ["kk"]),
    "parameter out of range": ("k = 2", "k = 0", 2, ["k = 0", "greater than or equal to 1"]),
    "parameter of the wrong type": ("k = 2", 'k = "two"', 2, ["two", "integer"]),
    "infeasible": ("k = 2", "k = 100", 1, ["48 rows", "largest k that works is 48"]),
    "unknown section": ("[output]", "[outptu]", 2, ["outptu", "output"]),
    "unknown key": ("folder =", "foldr =", 2, ["[output]", "foldr", "folder"]),
    "unknown format": ('format = "csv"', 'format = "docx"', 2, ["[output] format"]),
    "no steps": ('[[steps]]\nmethod = "small-groups"\nguarantee = { name = "k-anonymity", k = 2 }', "", 2, ["[steps]"]),
    "not toml": ("[roles]", "[roles", 2, ["clinic.toml is not TOML", "line"]),
    "a secret in the recipe": ("patients.csv", "postgresql://me:pw@host/db", 2, ["url_env"]),
    "a database without a query": ('source = "patients.csv"', 'url_env = "DB"', 2, ["query"]),
    "a variable that is not set": (
        'source = "patients.csv"', 'url_env = "NO_SUCH_VARIABLE"\nquery = "select 1"', 2, ["NO_SUCH_VARIABLE"],
    ),
    "kind of a missing column": ("[output]", '[kinds]\nagee = "numeric"\n[output]', 2, ["agee"]),
    "unknown kind": ("[output]", '[kinds]\nage = "number"\n[output]', 2, ["number", "numeric"]),
    "a value outside the order": ("[output]", '[kinds]\nsex = ["F"]\n[output]', 2, ["'M'"]),
    "a hierarchy without a value": ("[output]", '[hierarchies]\nsex = "sex.csv"\n[output]', 2, ["sex", "M"]),
    "a hierarchy that is not there": ("[output]", '[hierarchies]\nsex = "no.csv"\n[output]', 2, ["no.csv"]),
    "a rule that is not one": ("[output]", "[hierarchies]\nage = { intervall = 5 }\n[output]", 2, ["interval"]),
    "a batch column that is not there": ("[output]", '[batches]\ncolumn = "dey"\n[output]', 2, ["dey"]),
    "a recipe that includes itself": ("[table]", 'include = "clinic.toml"\n[table]', 2, ["includes itself"]),
    "a recipe that includes nothing": ("[table]", 'include = "gone.toml"\n[table]', 2, ["gone.toml"]),
}  # fmt: skip


@pytest.mark.parametrize("case", RECIPES)
def test_bad_recipe(clinic, tacit, case):
    old, new, code, words = RECIPES[case]
    (clinic / "sex.csv").write_text("F;*\n")
    edit(clinic, old, new)
    refused(clinic, tacit("publish", "clinic.toml"), code, *words)


def nulls(text: str) -> bytes:
    return text.replace(",flu\n", ",\n", 1).encode()


FILES = {
    "nulls in a sensitive column": (nulls, 2, ["disease", "null", "row 1"]),
    "header only": (lambda text: text.splitlines()[0].encode() + b"\n", 2, ["no rows"]),
    "an empty file": (lambda text: b"", 2, ["patients.csv", "empty"]),
    "a binary file": (lambda text: bytes(range(256)) * 40, 2, ["patients.csv"]),
    "duplicate columns": (lambda text: text.replace("zip", "age", 1).encode(), 2, ["'age'"]),
    "invalid UTF-8": (
        lambda text: text.replace("flu", "gré\udcff", 1).encode("utf-8", "surrogateescape"),
        2,
        ["UTF-8"],
    ),
    "a ragged line": (lambda text: text.encode() + b"p99,30,01234\n", 2, ["patients.csv"]),
}


@pytest.mark.parametrize("case", FILES)
def test_bad_file(clinic, tacit, case):
    change, code, words = FILES[case]
    (clinic / "patients.csv").write_bytes(change((clinic / "patients.csv").read_text()))
    refused(clinic, tacit("publish", "clinic.toml"), code, *words)


def test_mixed_types_are_text(clinic, tacit):
    text = (clinic / "patients.csv").read_text() + "p98,old,01234,F,flu\np99,old,01234,F,cold\n"
    (clinic / "patients.csv").write_text(text)
    assert tacit("publish", "clinic.toml").code == 0


def test_a_truncated_archive(clinic, tacit):
    packed = gzip.compress((clinic / "patients.csv").read_bytes())
    (clinic / "patients.csv.gz").write_bytes(packed[: len(packed) // 2])
    edit(clinic, "patients.csv", "patients.csv.gz")
    refused(clinic, tacit("publish", "clinic.toml"), 2, "patients.csv.gz")


def test_a_folder_without_tables(clinic, tacit):
    (clinic / "folder").mkdir()
    edit(clinic, "patients.csv", "folder")
    refused(clinic, tacit("publish", "clinic.toml"), 2, "folder", "no table")


def test_a_folder_as_recipe(clinic, tacit):
    (clinic / "folder").mkdir()
    refused(clinic, tacit("publish", "folder"), 2, "folder")


def test_no_such_recipe(clinic, tacit):
    refused(clinic, tacit("publish", "clinc.toml"), 2, "clinc.toml", "tacit inspect")


def test_a_recipe_that_is_not_text(clinic, tacit):
    (clinic / "clinic.toml").write_bytes(b"\xff\xfe\x00")
    refused(clinic, tacit("publish", "clinic.toml"), 2, "clinic.toml", "UTF-8")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(clinic, tacit):
    (clinic / "patients.csv").chmod(0)
    refused(clinic, tacit("publish", "clinic.toml"), 2, "patients.csv")


def test_a_file_where_the_folder_should_be(clinic, tacit):
    (clinic / "taken").write_text("mine")
    done = tacit("publish", "clinic.toml", "--folder", "taken", "--overwrite")
    refused(clinic, done, 2, "taken")
    assert (clinic / "taken").read_text() == "mine"


def test_a_folder_that_is_not_a_release_is_never_replaced(clinic, tacit):
    (clinic / "photos").mkdir()
    (clinic / "photos" / "me.png").write_text("mine")
    refused(clinic, tacit("publish", "clinic.toml", "--folder", "photos", "--overwrite"), 2, "photos")
    assert (clinic / "photos" / "me.png").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk(clinic, tacit):
    disk = clinic / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk], check=False, capture_output=True
    ).returncode:
        pytest.skip("this place mounts nothing")
    try:
        refused(clinic, tacit("publish", "clinic.toml", "--folder", "disk/out"), 2, "space")
        assert not list(disk.iterdir())
    finally:
        subprocess.run(["umount", disk], check=True)


BAD_ARGUMENTS = {
    "no such command": (["publsh"], ["publsh"]),
    "no such option": (["publish", "clinic.toml", "--fodler", "x"], ["--fodler"]),
    "a missing argument": (["publish"], ["recipe"]),
    "a foreign file without roles": (["audit", "patients.csv"], ["--qi"]),
    "a claim that is not one": (
        ["audit", "patients.csv", "--qi", "age", "--claim", "k-anonymity:5"],
        ["k-anonymity:k=5"],
    ),
    "a claim that is not known": (["audit", "patients.csv", "--qi", "age", "--claim", "k-anon:k=5"], ["k-anonymity"]),
    "a column that is not there": (["audit", "patients.csv", "--qi", "agee"], ["agee", "'age'"]),
    "nothing to audit": (["audit", "nowhere", "--qi", "age"], ["nowhere"]),
    "a sweep that is not one": (["compare", "clinic.toml", "--sweep", "l=10..2"], ["l=2..10"]),
    "a sweep of nothing": (["compare", "clinic.toml", "--sweep", "l=2..3"], ["'l'"]),
    "a picture that cannot be drawn": (["compare", "clinic.toml", "--picture", "x.doc"], [".svg"]),
    "a role that is not there": (["inspect", "patients.csv", "--qi", "agee"], ["agee"]),
    "nothing to inspect": (["inspect", "nothing.csv"], ["nothing.csv"]),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments(clinic, tacit, case):
    arguments, words = BAD_ARGUMENTS[case]
    refused(clinic, tacit(*arguments), 2, *words)


def test_ctrl_c_leaves_nothing_and_says_so(clinic):
    """A real process, interrupted in the middle of writing."""
    program = (
        "import os, signal, sys\n"
        "from tacit import cli\n"
        "from tacit.releases import writing\n"
        "real = writing.write_frame\n"
        "def slow(*args):\n"
        "    real(*args)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "writing.write_frame = slow\n"
        "sys.exit(cli.run(['publish', 'clinic.toml']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=clinic, capture_output=True, text=True, check=False)
    assert done.returncode == 130, done.stderr
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in clinic.iterdir()) == ["clinic.toml", "patients.csv"]


def test_a_closed_pipe_is_not_an_error(clinic):
    command = f"{sys.executable} -m tacit recipe --schema | head -n 1"
    done = subprocess.run(command, shell=True, cwd=clinic, capture_output=True, text=True, check=False)  # noqa: S602
    assert done.stdout.startswith("{")
    assert not done.stderr


def test_a_line_of_many_megabytes(clinic, tacit):
    with (clinic / "patients.csv").open("w") as file:
        file.write("x" * 64_000_000)
    refused(clinic, tacit("publish", "clinic.toml"), 2, "patients.csv")
