"""Frames of a release with patched bytes and a digest to match: refused in one sentence, or read as sound data."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from tests.releases.releases_made import every_type, table_of

from tacit import Release, SourceError
from tacit.releases.manifest import digest
from tacit.shapes import Microdata

PATCHES = (0, 1, 0x7F, 0x80, 0xFF)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("written")
    table = table_of(every_type(12).select(["Int64", "float", "text", "date", "at us Europe/Berlin", "bool"]))
    release = Release(shape=Microdata.publish(table, np.ones(12, bool), np.arange(12)))
    for kind in ("arrow", "parquet"):
        release.write(place / kind, format=kind)
    return place


def with_frame(folder: Path, content: bytes) -> Path:
    """Replace the frame of a release, and its digest."""
    about = json.loads((folder / "release.json").read_bytes())
    path = folder / about["files"]["table"]["path"]
    path.write_bytes(content)
    about["files"]["table"]["sha256"] = digest(path)
    (folder / "release.json").write_text(json.dumps(about))
    return folder


def mutated(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(changed))
        width = rng.choice((1, 1, 4, 8))
        value = rng.choice((rng.randrange(256**width), 0, 256**width - 1, 256**width // 2))
        changed[at : at + width] = value.to_bytes(width, "little")
    return bytes(changed)


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
def test_a_fuzzed_frame_is_refused_in_one_sentence(written: Path, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "out"
    shutil.copytree(written / kind, folder)
    content = (folder / f"table.{kind}").read_bytes()
    rng = random.Random(21)  # noqa: S311
    outcomes = set()
    for _ in range(150):
        with_frame(folder, mutated(content, rng))
        try:
            for frame in Release.read(folder).frames().values():
                frame.write_csv()  # every cell is looked at
            outcomes.add("read")
        except SourceError as error:
            outcomes.add("refused")
            told = str(error)
            assert "\n" not in told, told
    assert outcomes == {"read", "refused"}


def test_offsets_that_point_elsewhere_are_no_cells(written: Path, tmp_path: Path) -> None:
    """The texts of a column lie in one buffer: offsets beyond it would show what else is in memory."""
    folder = tmp_path / "out"
    shutil.copytree(written / "arrow", folder)
    content = (folder / "table.arrow").read_bytes()
    texts = pl.from_arrow(pa.ipc.open_file(pa.BufferReader(content)).read_all())["text"]  # type: ignore[call-overload]
    lengths = [0 if text is None else len(text.encode()) for text in texts]
    offsets = np.cumsum([0, *lengths])
    where = next(
        (
            content.find(offsets.astype(kind).tobytes())
            for kind in ("<i4", "<i8")
            if offsets.astype(kind).tobytes() in content
        ),
        None,
    )
    assert where is not None
    width = 4 if offsets.astype("<i4").tobytes() in content else 8
    for position in (1, len(offsets) // 2, len(offsets) - 1):
        for value in (2**31 - 1, 10**6, offsets[-1] + 1, -1):
            at = where + position * width
            patched = content[:at] + int(value).to_bytes(width, "little", signed=True) + content[at + width :]
            with_frame(folder, patched)
            with pytest.raises(SourceError, match="cannot be read"):
                Release.read(folder)


@pytest.mark.parametrize("zone", ["+05:30", "-03:00", "+0100"])
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_zone_that_is_an_offset_is_read_as_the_same_moments(
    tmp_path: Path, zone: str, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    import pyarrow.parquet as pq

    from tacit.sources import read

    moments = pa.array([0, 10**15], pa.int64()).cast(pa.timestamp("us", zone))
    table = pa.table({"a": [1, 2], "at": moments, "b": ["x", "y"]})
    path = tmp_path / f"t.{kind}"
    if kind == "parquet":
        pq.write_table(table, path)
    else:
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    frame = read(path)
    assert frame.columns == ["a", "at", "b"]
    assert frame["at"].dtype == pl.Datetime("us", "UTC")
    assert frame["at"].to_physical().to_list() == [0, 10**15]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("nested", [False, True])
def test_a_zone_that_nobody_knows_is_refused(tmp_path: Path, nested: bool, capfd: pytest.CaptureFixture[str]) -> None:
    import pyarrow.parquet as pq

    from tacit.sources import read

    moments = pa.array([0, 1], pa.int64()).cast(pa.timestamp("us", "+05:30" if nested else "Mars/Phobos"))
    column = pa.ListArray.from_arrays([0, 1, 2], moments) if nested else moments
    pq.write_table(pa.table({"at": column}), tmp_path / "t.parquet")
    with pytest.raises(SourceError) as caught:
        read(tmp_path / "t.parquet")
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""
