"""A release that is not as it was published is refused in one sentence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.releases.releases_made import FORMATS, protected

from tacit import Release, SourceError, Table
from tacit.releases.formats import ENDINGS
from tacit.releases.manifest import digest
from tacit.shapes import Bucketized, Marginals, Microdata


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("written")
    for kind in FORMATS:
        protected().write(place / kind / "out", format=kind)
    table = Table({"age": [1, 2], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    kept, order = np.ones(2, bool), np.arange(2)
    Release(shape=Bucketized.publish(table, kept, order, order)).write(place / "bucketized" / "out", format="csv")
    parts = {"a": Microdata.publish(table, kept, order), "b": Microdata.publish(table, kept, order)}
    Release(shape=Marginals(parts)).write(place / "marginals" / "out", format="csv")
    return place


def copy(written: Path, kind: str, tmp_path: Path) -> Path:
    shutil.copytree(written / kind, tmp_path / kind)
    return tmp_path / kind / "out"


def refused(folder: Path, match: str) -> str:
    with pytest.raises(SourceError, match=match) as caught:
        Release.read(folder)
    told = str(caught.value)
    assert "\n" not in told
    assert "Traceback" not in told
    return told


@pytest.mark.parametrize("kind", FORMATS)
def test_every_changed_byte_is_noticed(written: Path, tmp_path: Path, kind: str) -> None:
    folder = copy(written, kind, tmp_path)
    path = folder / f"table.{ENDINGS[kind]}"
    content = path.read_bytes()
    rng = np.random.default_rng(3)
    for at in rng.integers(len(content), size=25):
        changed = bytearray(content)
        changed[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        refused(folder, "is not as it was published")
    for changed in (content + b"\n", content[:-1], b""):
        path.write_bytes(changed)
        refused(folder, "is not as it was published")
    path.write_bytes(content)
    assert Release.read(folder).inside is not None


def test_a_missing_file_is_named(written: Path, tmp_path: Path) -> None:
    folder = copy(written, "csv", tmp_path)
    (folder / "table.csv").unlink()
    refused(folder, r"is incomplete: there is no table\.csv")
    (folder / "table.csv").mkdir()
    refused(folder, r"is incomplete: there is no table\.csv")
    (folder / "release.json").unlink()
    refused(folder, r"does not hold a release: there is no release\.json")
    refused(tmp_path / "nowhere", "does not hold a release")
    refused(tmp_path / "nowhere" / "at" / "all", "does not hold a release")
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file", "does not hold a release")
    refused(tmp_path / "file" / "out", "does not hold a release")


def test_a_newer_format_asks_for_a_newer_tool(written: Path, tmp_path: Path) -> None:
    folder = copy(written, "csv", tmp_path)
    for version in (2, 0, "1", None, [1]):
        change(folder, lambda about, version=version: about.update(format=version))
        refused(folder, "has a format that this version does not know. Update tacit")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"3", b"null", b'"x"', b"{}", b"\xff\xfe", b'{"format": 1}', b"[" * 5000]
)
def test_a_malformed_manifest_is_named(written: Path, tmp_path: Path, content: bytes) -> None:
    folder = copy(written, "csv", tmp_path)
    (folder / "release.json").write_bytes(content)
    refused(folder, r"release\.json cannot be read")


def change(folder: Path, edit: Callable[[Any], object]) -> None:
    about = json.loads((folder / "release.json").read_text())
    edit(about)
    (folder / "release.json").write_text(json.dumps(about))


@pytest.mark.parametrize("kind", ["csv", "parquet", "bucketized", "marginals"])
def test_a_manifest_with_anything_missing_or_wrong_is_named(written: Path, tmp_path: Path, kind: str) -> None:
    """Every value of the manifest in turn is taken away, or replaced by one of another type."""
    folder = copy(written, kind, tmp_path)
    about = json.loads((folder / "release.json").read_text())
    unread = ("tacit", "max_posterior", "holds", "findings", "published", "withheld", "suppressed_cells", "documents")
    told = 0
    for place in [place for place in places(about) if not set(place) & set(unread)]:
        for wrong in ("missing", None, 7, "odd", [], {}, [[]], {"odd": {}}):
            broken = json.loads(json.dumps(about))
            owner = broken
            for key in place[:-1]:
                owner = owner[key]
            if wrong == "missing":
                del owner[place[-1]]
            elif type(wrong) is type(owner[place[-1]]):
                continue
            else:
                owner[place[-1]] = wrong
            (folder / "release.json").write_text(json.dumps(broken))
            try:
                Release.read(folder)
            except SourceError:
                told += 1
    assert told > 100


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(*path, key) for key, _ in below] + [p for key, part in below for p in places(part, (*path, key))]


@pytest.mark.parametrize(
    "path", ["../secret.csv", "/etc/hostname", "sub/../../secret.csv", "./table.csv", "sub/x", "..", ".", ""]
)
def test_a_file_outside_the_folder_is_refused(written: Path, tmp_path: Path, path: str) -> None:
    folder = copy(written, "csv", tmp_path)
    secret = folder.parent / "secret.csv"
    shutil.copy(folder / "table.csv", secret)
    (folder / "sub").mkdir()
    change(folder, lambda about: about["files"]["table"].update(path=path, sha256=digest(secret)))
    refused(folder, "names a file that is not beside it|there is no \\.\\.")


def test_columns_that_do_not_fit_are_refused(written: Path, tmp_path: Path) -> None:
    folder = copy(written, "parquet", tmp_path)
    change(folder, lambda about: about["files"]["table"]["columns"].pop())
    refused(folder, "has other columns than it should have")


def test_a_claim_that_is_not_known_cannot_be_checked(written: Path, tmp_path: Path) -> None:
    from tacit import audit

    folder = copy(written, "parquet", tmp_path)
    change(folder, lambda about: about["guarantees"][0].update(name="telepathy"))
    assert audit(Release.read(folder)).holds is None


def test_a_stronger_claim_does_not_survive_the_audit(written: Path, tmp_path: Path) -> None:
    from tacit import audit

    folder = copy(written, "parquet", tmp_path)
    change(folder, lambda about: about["guarantees"][0].update(k=1000))
    assert audit(Release.read(folder)).holds is False


def test_the_private_part_is_checked_too(written: Path, tmp_path: Path) -> None:
    folder = copy(written, "parquet", tmp_path)
    hidden = folder.with_name("out.private")
    content = (hidden / "inside.parquet").read_bytes()
    (hidden / "inside.parquet").write_bytes(content[:-1] + b"x")
    refused(folder, r"inside\.parquet is not as it was written")
    (hidden / "inside.parquet").unlink()
    refused(folder, r"private\.json cannot be read: .*No such file")
    (hidden / "inside.parquet").write_bytes(content)
    about = (hidden / "private.json").read_bytes()
    for broken in (b"{", b"[]", b"{}", b"3"):
        (hidden / "private.json").write_bytes(broken)
        refused(folder, r"private\.json cannot be read")
    (hidden / "private.json").write_bytes(about)
    change(folder, lambda about: about.update(note="an edit, and the pair is broken"))
    assert Release.read(folder).inside is None


@pytest.mark.parametrize("kind", ["csv", "parquet", "bucketized", "marginals"])
def test_a_release_that_is_read_can_be_judged(written: Path, tmp_path: Path, kind: str) -> None:
    """Whatever was changed in the manifest: it is refused when it is read, or the audit judges it."""
    from random import Random

    from tests.hostile.mutation import changed_json
    from tests.hostile.oracle import in_process

    from tacit import audit

    folder = copy(written, kind, tmp_path)
    about = json.loads((folder / "release.json").read_text())
    rng = Random(kind)  # noqa: S311
    for _ in range(60):
        (folder / "release.json").write_text(json.dumps(changed_json(about, rng)))
        assert in_process(lambda: audit(Release.read(folder))).fault == ""


def test_marginals_about_other_sensitive_columns_are_refused() -> None:
    from tacit import MInvariance, RoleError, audit

    table = Table(
        {"age": [1, 2], "ill": ["a", "b"], "sex": ["f", "m"]}, quasi_identifiers="age", sensitive=["ill", "sex"]
    )
    first = Table({"age": [1, 2], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    kept, order = np.ones(2, bool), np.arange(2)
    group = np.zeros(2, np.int64)
    parts = {"a": Bucketized.publish(first, kept, order, group), "b": Bucketized.publish(table, kept, order, group)}
    with pytest.raises(RoleError, match="same sensitive columns"):
        audit(Release(shape=Marginals(parts)), claims=[MInvariance(m=2)])


@pytest.mark.parametrize("name", ["report.md", "datapackage.json", "croissant.json", "dcat.jsonld"])
def test_a_replaced_document_is_named(tmp_path: Path, name: str) -> None:
    protected().write(tmp_path / "out", documents={"report.md": b"as it was"})
    (tmp_path / "out" / name).write_bytes(b"another")
    refused(tmp_path / "out", rf"{name} is not as it was published")
    (tmp_path / "out" / name).unlink()
    refused(tmp_path / "out", f"there is no {name}")


def test_counts_that_are_not_those_of_the_frames_are_refused(written: Path, tmp_path: Path) -> None:
    folder = copy(written, "parquet", tmp_path)
    original = (folder / "release.json").read_bytes()
    for edit in (
        lambda about: about["files"]["table"].update(rows=1),
        lambda about: about["counts"].update(published=1),
        lambda about: about["counts"].update(rows=10**6),
        lambda about: about["counts"].update(withheld=None),
        lambda about: about["counts"].update(suppressed_cells={"age": 3}),
    ):
        (folder / "release.json").write_bytes(original)
        change(folder, edit)
        refused(folder, r"release\.json cannot be read")
    for text in (
        original.replace(b'"rows": 40', b'"rows": NaN'),
        original.replace(b'"tacit"', b'"format": 1, "tacit"'),
    ):
        (folder / "release.json").write_bytes(text)
        refused(folder, r"release\.json cannot be read")
