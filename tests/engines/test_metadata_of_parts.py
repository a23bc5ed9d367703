"""croissant.json and dcat.jsonld of a release in parts: every file is named, and figures are of all rows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.releases.test_release_metadata import croissant_of

import tacit as tc
from tacit.engines import StreamingEngine
from tacit.methods.large import LargeTable
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.writing import write_large

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of rdflib, inside the reference implementation
METHODS = {
    "generalized": tc.Mondrian(guarantees=[tc.KAnonymity(k=4)]),
    "bucketized": tc.Pipeline([tc.ShiftSuppression(l=2), tc.Anatomy(l=2)]),
}


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("name", METHODS)
def test_every_part_is_described(name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.methods.large.protecting._PART_ROWS", 300)
    monkeypatch.setattr("tacit.methods.large.sampling.PIECE", 100)
    rng = np.random.default_rng(2)
    ill = rng.choice(["flu", "cold", "gout"], 1_500, p=[0.6, 0.3, 0.1])
    frame = pl.DataFrame({"age": rng.integers(18, 60, 1_500), "ill": ill})
    engine = StreamingEngine(fragment_rows=700, scratch=tmp_path / "scratch")
    try:
        large = LargeTable.of(tc.Table(frame, quasi_identifiers="age", sensitive="ill"), engine)
        release = protect_large(METHODS[name], large)
        write_large(release, tmp_path / "out", format=kind)
    finally:
        engine.close()
    folder = tmp_path / "out"
    about = json.loads((folder / "release.json").read_text())
    written = {part["path"]: part for each in about["files"].values() for part in each["parts"]}
    assert len(written) > 3
    for beside in ("croissant.json", "dcat.jsonld"):
        assert about["documents"][beside] == hashlib.sha256((folder / beside).read_bytes()).hexdigest()
        withheld = 1_500 - release.rows
        text = f"{withheld:,} of 1,500 rows are withheld" if withheld else "All 1,500 rows"
        assert text in (folder / beside).read_text()
    listed = json.loads((folder / "croissant.json").read_text())["distribution"]
    objects = {each["name"]: each["sha256"] for each in listed if each["@type"] == "cr:FileObject"}
    assert objects == {path: part["sha256"] for path, part in written.items()}
    places = json.loads((folder / "dcat.jsonld").read_text())["dcat:distribution"]
    assert {each["dcat:downloadURL"]["@id"] for each in places} == set(written)
    metadata = croissant_of(folder).metadata
    assert [len(records.fields) for records in metadata.record_sets] == [
        len(each["columns"]) for each in about["files"].values()
    ]
