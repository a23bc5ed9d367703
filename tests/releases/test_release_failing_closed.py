"""When something is wrong, nothing is written, and what was there stays."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.releases.nursery import Nursery
from tests.releases.releases_made import FORMATS, assert_same, claims_too_much, protected, tree

from tacit import AuditFailed, Eligibility, KAnonymity, ParameterError, Release, SourceError, Table
from tacit.guarantees import Finding
from tacit.guarantees.finding import Parts
from tacit.releases import staging, writing
from tacit.shapes import Claim, Generalized, Inside, Withheld

is_root = hasattr(os, "geteuid") and os.geteuid() == 0


class Unanswered(KAnonymity):
    """A guarantee that nothing can check."""

    def check(self, evidence: Any, claim: Any) -> Finding:
        return Finding("unanswered", Parts(), "not guaranteed", "there is no evidence")


@dataclass
class Held:
    """A folder with an old release, of which nothing may change."""

    place: Path
    before: dict[str, bytes | None]

    def same(self) -> bool:
        return tree(self.place) == self.before


@pytest.fixture
def old(tmp_path: Path) -> Held:
    protected(rows=20).write(tmp_path / "out")
    return Held(tmp_path, tree(tmp_path))


@pytest.mark.parametrize("claim", [KAnonymity(k=4), Eligibility(l=4), Unanswered(k=1)])
@pytest.mark.parametrize("kind", FORMATS)
def test_a_claim_that_does_not_hold_writes_nothing(old: Held, kind: str, claim: Any) -> None:
    release = replace(protected(rows=40), claims=(Claim(KAnonymity(k=1)), Claim(claim)))
    for folder, overwrite in (("new", False), ("deep/new", False), ("out", True)):
        with pytest.raises(AuditFailed, match="Nothing was written"):
            release.write(old.place / folder, format=kind, overwrite=overwrite)
    assert old.same()


def test_what_is_claimed_without_being_a_guarantee_writes_nothing(old: Held) -> None:
    release = replace(protected(), claims=(Claim("trust me"),))  # type: ignore[arg-type]
    with pytest.raises(AuditFailed, match="not a guarantee"):
        release.write(old.place / "out", overwrite=True)
    assert old.same()


def test_withheld_rows_that_fail_write_nothing(old: Held) -> None:
    """Who is missing alone is singled out, however large the published groups are."""
    table = Table({"age": [30] * 5 + [41]}, quasi_identifiers="age")
    kept = np.arange(6) < 5
    shape = Generalized.publish(table, kept, np.arange(5))
    inside = Inside(kept, None, np.zeros((6, 1), bool), ("age",), (Withheld(0, ~kept, "group"),), table=table)
    release = Release(shape=shape, claims=(Claim(KAnonymity(k=2)),), inside=inside, size=6)
    with pytest.raises(AuditFailed, match="withheld"):
        release.write(old.place / "out", overwrite=True)
    assert old.same()


def test_an_unknown_format_writes_nothing(old: Held) -> None:
    with pytest.raises(ParameterError, match=r"no format 'parquett'.*Did you mean 'parquet'"):
        protected().write(old.place / "new", format="parquett")
    assert old.same()


def test_the_audit_comes_before_everything(tmp_path: Path) -> None:
    with pytest.raises(AuditFailed):
        claims_too_much(protected()).write(tmp_path / "a" / "b" / "out", before=lambda: pytest.fail("a ledger"))
    assert not list(tmp_path.iterdir())


def test_overwriting_must_be_asked_for(old: Held) -> None:
    with pytest.raises(SourceError, match=r"out\.private is not empty"):
        protected().write(old.place / "out")
    with pytest.raises(SourceError, match="out is not empty"):
        protected().write(old.place / "out", private=old.place / "elsewhere")
    assert old.same()


def test_overwriting_replaces_the_whole(tmp_path: Path) -> None:
    protected().write(tmp_path / "out", format="csv", documents={"old.html": b"old"}, private_documents={"o": b"old"})
    new = protected(rows=30)
    written = new.write(tmp_path / "out", format="parquet", overwrite=True)
    assert written.files == ("croissant.json", "datapackage.json", "dcat.jsonld", "release.json", "table.parquet")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == list(written.files)
    assert sorted(path.name for path in (tmp_path / "out.private").iterdir()) == ["inside.parquet", "private.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.private"]
    assert_same(new, Release.read(tmp_path / "out"))


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out.private").mkdir(mode=0o755)
    protected().write(tmp_path / "out")
    assert (tmp_path / "out.private").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "content",
    [
        {"notes.txt": b"mine"},
        {"release.json": b"{}"},
        {"release.json": b'{"name": "of another tool", "version": 3}'},
        {"release.json": b"not json"},
        {"inside.parquet": b""},
        {"sub/release.json": b'{"format": 1, "tacit": "0", "files": {}}'},
    ],
)
@pytest.mark.parametrize("place", ["out", "out.private"])
def test_what_is_not_a_release_is_never_replaced(tmp_path: Path, place: str, content: dict[str, bytes]) -> None:
    for name, data in content.items():
        (tmp_path / place / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place / name).write_bytes(data)
    before = tree(tmp_path)
    with pytest.raises(SourceError, match="does not hold a release"):
        protected().write(tmp_path / "out", overwrite=True)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("place", ["out", "out.private"])
def test_a_file_in_the_way_stays(tmp_path: Path, place: str) -> None:
    (tmp_path / place).write_text("mine")
    with pytest.raises(SourceError, match="There is a file at"):
        protected().write(tmp_path / "out", overwrite=True)
    assert tree(tmp_path) == {place: b"mine"}


def test_a_file_where_a_parent_should_be_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SourceError, match=r"Could not write .*File exists\. Nothing was written"):
        protected().write(tmp_path / "file" / "out")
    assert tree(tmp_path) == {"file": b"mine"}


@pytest.mark.parametrize("private", ["out", "out/private", "out/a/b", ".", "out/../out/x", "link", "link/x"])
def test_the_private_folder_is_apart_from_the_public_one(tmp_path: Path, private: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "out")
    with pytest.raises(SourceError, match=r"must not be the (public|private) folder, nor inside it"):
        protected().write(tmp_path / "out", private=tmp_path / private)
    assert tree(tmp_path / "out") == {}


def test_the_root_is_no_folder_of_releases() -> None:
    with pytest.raises(SourceError, match="cannot be a folder"):
        protected().write("/")
    with pytest.raises(SourceError, match="cannot be a folder"):
        Release.read("/")


@pytest.mark.parametrize("name", ["release.json", "table.parquet", "../x", "a/b", "", ".."])
def test_a_document_has_a_name_of_its_own(tmp_path: Path, name: str) -> None:
    with pytest.raises(ParameterError, match="cannot be named"):
        protected().write(tmp_path / "out", documents={name: b""})
    with pytest.raises(ParameterError, match="cannot be named"):
        protected().write(tmp_path / "out", private_documents={"private.json" if "." in name[:9] else name: b""})
    assert not list(tmp_path.iterdir())


def test_a_link_stays_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "disk" / "real")
    for _ in range(2):
        protected().write(tmp_path / "out", private=tmp_path / "hidden", overwrite=True)
        assert (tmp_path / "out").is_symlink()
        assert [path.name for path in (tmp_path / "disk").iterdir()] == ["real"]
        assert Release.read(tmp_path / "out", private=tmp_path / "hidden").inside is not None


def test_a_release_without_an_inside_leaves_no_older_one_beside_it(tmp_path: Path) -> None:
    protected(rows=40).write(tmp_path / "out")
    foreign = Release.foreign({"age": [1, 1], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    foreign.write(tmp_path / "out", overwrite=True)
    assert Release.read(tmp_path / "out").inside is None
    assert not (tmp_path / "out.private" / "inside.parquet").exists()


def test_private_documents_alone_can_be_overwritten(tmp_path: Path) -> None:
    foreign = Release.foreign({"age": [1, 1]}, quasi_identifiers="age", sensitive=())
    for content in (b"one", b"two"):
        foreign.write(tmp_path / "out", private_documents={"report.html": content}, overwrite=True)
        assert (tmp_path / "out.private" / "report.html").read_bytes() == content
    foreign.write(tmp_path / "alone")
    assert not (tmp_path / "alone.private").exists()


def test_an_older_private_part_is_not_taken_for_the_new_one(tmp_path: Path) -> None:
    first, second = protected(rows=40), protected(rows=40)
    first.write(tmp_path / "out")
    second.write(tmp_path / "out", private=tmp_path / "other", overwrite=True)
    assert Release.read(tmp_path / "out").inside is None
    assert_same(second, Release.read(tmp_path / "out", private=tmp_path / "other"))
    with pytest.raises(SourceError, match="private part of another release"):
        Release.read(tmp_path / "out", private=tmp_path / "out.private")
    with pytest.raises(SourceError, match="does not hold the private part"):
        Release.read(tmp_path / "out", private=tmp_path / "nowhere")


def fails_at(patch: pytest.MonkeyPatch, target: Any, name: str, call: int, error: BaseException) -> None:
    """Let the n-th call of a function fail."""
    real: Callable[..., Any] = getattr(target, name)
    calls = iter(range(10**6))

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if next(calls) == call:
            raise error
        return real(*args, **kwargs)

    patch.setattr(target, name, wrapped)


NO_SPACE = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("call", range(5))
@pytest.mark.parametrize("error", [NO_SPACE, KeyboardInterrupt(), PermissionError(errno.EACCES, "Permission denied")])
def test_a_failing_move_is_undone_or_finished(
    old: Held, monkeypatch: pytest.MonkeyPatch, call: int, error: BaseException
) -> None:
    """Journal, private aside, private in, public aside, public in: whichever fails, the old or the new one is there."""
    before, new = Release.read(old.place / "out"), protected(rows=40)
    with monkeypatch.context() as patch:
        fails_at(patch, os, "replace", call, error)
        if isinstance(error, OSError):
            with pytest.raises(SourceError, match=f"Could not write .*{error.strerror}. Nothing was written"):
                new.write(old.place / "out", overwrite=True)
            assert old.same()
        else:
            with pytest.raises(KeyboardInterrupt):
                new.write(old.place / "out", overwrite=True)
    # The journal was written: whoever comes next finishes what was interrupted.
    finished = isinstance(error, KeyboardInterrupt) and call > 0
    assert_same(new if finished else replace(before, inside=before.inside), Release.read(old.place / "out"))
    new.write(old.place / "out", overwrite=True)
    assert sorted(path.name for path in old.place.iterdir()) == ["out", "out.private"]


def test_a_move_that_can_be_neither_made_nor_undone_waits_for_the_next(
    old: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = protected(rows=40)
    with monkeypatch.context() as patch:
        real, calls = os.replace, iter(range(100))
        patch.setattr(os, "replace", lambda *a: real(*a) if next(calls) < 3 else (_ for _ in ()).throw(NO_SPACE))
        with pytest.raises(SourceError, match="The next one to open it finishes the move"):
            new.write(old.place / "out", overwrite=True)
        with pytest.raises(SourceError, match="is being replaced, and the move cannot be finished"):
            Release.read(old.place / "out")
    assert_same(new, Release.read(old.place / "out"))


@pytest.mark.parametrize(
    ("target", "name", "call"),
    [
        (writing, "write_frame", 0),
        (writing, "_private_file", 0),
        (writing, "_private_file", 1),
        (staging.Path, "mkdir", 1),
        (staging.Path, "write_text", 0),
        (pl.DataFrame, "to_arrow", 0),
    ],
)
@pytest.mark.parametrize("error", [NO_SPACE, MemoryError(), KeyboardInterrupt()])
def test_a_failing_write_leaves_what_was_there(
    old: Held, monkeypatch: pytest.MonkeyPatch, target: Any, name: str, call: int, error: BaseException
) -> None:
    with monkeypatch.context() as patch:
        fails_at(patch, target, name, call, error)
        with pytest.raises(SourceError if isinstance(error, OSError) else type(error)):
            protected().write(old.place / "out", overwrite=True)
    assert old.same()


def test_a_ledger_that_refuses_leaves_what_was_there(old: Held) -> None:
    def refuse() -> None:
        assert sorted(path.name for path in old.place.iterdir() if not path.name.startswith(".")) == [
            "out",
            "out.private",
        ]
        raise ValueError("the ledger says no")

    with pytest.raises(ValueError, match="the ledger says no"):
        protected().write(old.place / "out", overwrite=True, before=refuse)
    assert old.same()


def test_a_folder_that_appeared_meanwhile_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = writing.write_frame

    def slow(*args: Any) -> None:
        real(*args)
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "mine.txt").write_text("mine")

    monkeypatch.setattr(writing, "write_frame", slow)
    with pytest.raises(SourceError, match="does not hold a release"):
        protected().write(tmp_path / "out", overwrite=True)
    assert tree(tmp_path) == {"out": None, "out/mine.txt": b"mine"}


def test_a_pipe_beside_the_folder_does_not_hang_the_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    protected().write(tmp_path / "out")
    assert Release.read(tmp_path / "out").inside is not None


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A disk of a few pages."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    place = tmp_path / "tiny"
    place.mkdir()
    if not is_root or mount is None or umount is None:
        pytest.skip("only root can mount a small disk")
    done = subprocess.run([mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], check=False)
    if done.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run([umount, str(place)], check=True)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_full_disk_writes_nothing(tiny: Path, kind: str) -> None:
    """Sizes from what fits to what does not, so that public files, private files and journal each meet the end."""
    small = protected(rows=20)
    small.write(tiny / "out", format=kind)
    before = tree(tiny)
    failed: list[str] = []
    for rows in (30, 300, 1_000, 3_000, 10_000, 30_000):
        new = protected(rows=rows)
        try:
            new.write(tiny / "out", format=kind, overwrite=True)
        except SourceError as error:
            failed.append(str(error))
            assert tree(tiny) == before
        else:
            assert_same(new, Release.read(tiny / "out"))
            before = tree(tiny)
    assert failed
    assert all("No space left on device" in told and told.endswith("Nothing was written.") for told in failed)


def test_a_folder_that_is_a_mount_is_left_alone(tiny: Path) -> None:
    (tiny / "keep").mkdir()
    (tiny / "keep").rmdir()
    with pytest.raises(SourceError, match="Nothing was written"):
        protected().write(tiny)
    assert not list(tiny.iterdir())
    assert [path.name for path in tiny.parent.iterdir()] == ["tiny"]


@pytest.mark.skipif(not is_root, reason="only root can become somebody else")
def test_no_permission_to_write_is_explained(nursery: Nursery, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o755)
    _, told = nursery.run("write_as_nobody", open_to_all(tmp_path / "theirs"))
    assert told.startswith("SourceError: Could not write")
    assert told.endswith("Permission denied. Nothing was written.")
    assert not list((tmp_path / "theirs").iterdir())


@pytest.mark.skipif(not is_root, reason="only root can become somebody else")
def test_others_read_the_public_part_beside_a_private_one_that_is_not_theirs(nursery: Nursery, tmp_path: Path) -> None:
    protected().write(tmp_path / "out")
    assert nursery.run("read_as_nobody", open_to_all(tmp_path), None) == (0, "None")
    (tmp_path / ".out.tacit-staged-0").mkdir(mode=0o700)  # nor do the remains of a killed writer disturb
    assert nursery.run("read_as_nobody", tmp_path, None) == (0, "None")
    _, told = nursery.run("read_as_nobody", tmp_path, tmp_path / "out.private")
    assert told.endswith("does not hold the private part: Permission denied.")
    (tmp_path / ".out.tacit-journal").write_text('[[".out.tacit-staged-0", "out"]]')
    _, told = nursery.run("read_as_nobody", tmp_path, None)
    assert "out is being replaced, and the move cannot be finished: Permission denied." in told


def open_to_all(place: Path) -> Path:
    for folder in (place, *place.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    return place
