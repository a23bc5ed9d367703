"""`tacit verify` finds every file that is not as published."""

import json
import shutil

import pytest

from tacit.releases.certificates import certified_digests


@pytest.fixture
def out(clinic, tacit):
    assert tacit("publish", "clinic.toml", "--quiet").code == 0
    return clinic / "out"


def states(found):
    return {(file["place"], file["name"]): file["state"] for file in found["files"] if file["state"] != "as published"}


def test_a_release_as_it_was_published(out, tacit):
    done = tacit("verify", "out", "--json")
    assert done.code == 0, done.err
    assert done.json["holds"] is True
    assert states(done.json) == {}
    checked = {(file["place"], file["name"]) for file in done.json["files"]}
    assert {("public", "table.csv"), ("public", "croissant.json"), ("private", "inside.parquet")} <= checked
    assert "files are as published" in tacit("verify", "out").out
    assert tacit("verify", "out", "--quiet").out == ""


@pytest.mark.parametrize("name", ["table.csv", "report.html", "dcat.jsonld", "croissant.json"])
def test_a_changed_file_is_named(out, tacit, name):
    (out / name).write_text((out / name).read_text() + " ")
    done = tacit("verify", "out", "--json")
    assert done.code == 1
    assert states(done.json) == {("public", name): "changed"}
    assert "1 changed" in done.err
    assert name in tacit("verify", "out").out


def test_a_missing_file_and_a_private_one(out, tacit):
    (out / "report.md").unlink()
    private = out.with_name("out.private") / "report.html"
    private.write_text("other")
    found = tacit("verify", "out", "--json")
    assert found.code == 1
    assert states(found.json) == {("public", "report.md"): "missing", ("private", "report.html"): "changed"}


def test_a_file_that_nothing_says_of_is_not_checked(out, tacit):
    (out / "notes.txt").write_text("mine")
    (out / "folder").mkdir()
    done = tacit("verify", "out", "--json")
    assert done.code == 1
    assert done.json["holds"] is None
    assert states(done.json) == {("public", "notes.txt"): "not covered", ("public", "folder"): "not covered"}
    assert tacit("verify", "out", "--allow-unchecked").code == 0


def test_whoever_changes_a_file_and_its_manifest_is_found_out_by_a_certificate(out, tacit, clinic):
    pytest.importorskip("typst")
    import hashlib

    shutil.copy(out / "certificate.pdf", clinic / "kept.pdf")
    table = (out / "table.csv").read_bytes() + b"\n"
    (out / "table.csv").write_bytes(table)
    about = json.loads((out / "release.json").read_text())
    about["files"]["table"]["sha256"] = hashlib.sha256(table).hexdigest()
    (out / "release.json").write_text(json.dumps(about))
    shutil.rmtree(out.with_name("out.private"))
    (out / "certificate.pdf").unlink()
    assert tacit("verify", "out").code == 0, "nothing that is left knows better"
    done = tacit("verify", "out", "--certificate", "kept.pdf", "--json")
    assert done.code == 1
    assert states(done.json) == {("public", "table.csv"): "changed", ("public", "release.json"): "changed"}


def test_what_is_no_certificate(out, tacit, clinic):
    (clinic / "kept.pdf").write_bytes(b"%PDF-1.7\n<</Type/EmbeddedFile/Length 99999>>\nstream\n{}")
    done = tacit("verify", "out", "--certificate", "kept.pdf")
    assert done.code == 2
    assert "is not a certificate" in done.err
    for content in (b"", b"\x00" * 100, b"<</Type/EmbeddedFile/Filter/FlateDecode/Length 4>>stream\nabcd"):
        (clinic / "kept.pdf").write_bytes(content)
        assert certified_digests(clinic / "kept.pdf") is None
    (out / "certificate.pdf").write_bytes(b"not one")
    done = tacit("verify", "out")
    assert done.code == 1
    assert "is not a certificate" in done.out


def test_a_private_part_of_another_release(out, tacit, clinic):
    shutil.copytree(clinic / "out.private", clinic / "kept")
    assert tacit("publish", "clinic.toml", "--overwrite", "--quiet").code == 0
    shutil.rmtree(clinic / "out.private")
    (clinic / "kept").rename(clinic / "out.private")
    done = tacit("verify", "out")
    assert done.code == 1
    assert "another release" in done.out


def test_no_release_is_bad_input(clinic, tacit):
    (clinic / "empty").mkdir()
    for place in ("empty", "nowhere", "patients.csv"):
        done = tacit("verify", place)
        assert done.code == 2
        assert "does not hold a release" in done.err
    (clinic / "empty" / "release.json").write_text("{")
    assert tacit("verify", "empty").code == 2


def test_batches_find_their_private_parts(clinic, tacit):
    text = (clinic / "clinic.toml").read_text().replace('"age", "zip", "sex"', '"age", "sex"')
    (clinic / "days.toml").write_text(text + '\n[batches]\ncolumn = "zip"\n')
    assert tacit("publish", "days.toml", "--quiet").code == 0
    found = tacit("verify", "out/01234", "--json")
    assert found.code == 0, found.err
    assert {file["place"] for file in found.json["files"]} == {"public", "private"}
