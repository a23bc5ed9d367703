"""croissant.json and dcat.jsonld describe the files that are there, in terms of the public frames alone."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.releases.releases_made import FORMATS

import tacit as tc
from tacit.datasets import hospital

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of rdflib, inside the reference implementation


def made() -> dict[str, tc.Release]:
    table = hospital(600)
    return {
        "generalized": tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table),
        "bucketized": tc.Pipeline([tc.ShiftSuppression(l=2), tc.Anatomy(l=2)]).protect(table),
        "microdata": tc.ValueSuppression(delta=0.05).protect(table),
        "marginals": tc.InvariantMarginals(m=2, marginals=[["age", "sex"], ["postcode"]]).protect(table),
    }


def croissant_of(folder: Path) -> Any:
    """Read with the reference implementation; an error of its validation is raised. No network is used."""
    mlc = pytest.importorskip("mlcroissant")
    logging.getLogger("absl").setLevel(logging.ERROR)
    dataset = mlc.Dataset(jsonld=folder / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    return dataset


@pytest.mark.parametrize("kind", FORMATS)
def test_croissant_is_valid_and_names_every_file(tmp_path: Path, kind: str) -> None:
    for name, release in made().items():
        folder = tmp_path / name
        release.write(folder, format=kind)
        about = json.loads((folder / "croissant.json").read_text())
        assert about["conformsTo"][0] == "http://mlcommons.org/croissant/1.1"
        metadata = croissant_of(folder).metadata
        assert metadata.ctx.is_v1_1()
        for file in metadata.file_objects:
            assert file.sha256 == hashlib.sha256((folder / file.content_url).read_bytes()).hexdigest()
        assert [len(records.fields) for records in metadata.record_sets] == [
            frame.width for frame in release.frames().values()
        ]
        assert metadata.personal_sensitive_information
        assert metadata.data_limitations
        assert metadata.data_biases


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_rows_are_read_through_croissant(tmp_path: Path, kind: str) -> None:
    table = hospital(300)
    releases = {"g": tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table), "b": tc.Anatomy(l=2).protect(table)}
    for name, release in releases.items():
        release.write(tmp_path / name, format=kind)
        dataset = croissant_of(tmp_path / name)
        for at, (_, frame) in enumerate(release.frames().items()):
            rows = list(dataset.records(f"records-{at}"))
            assert len(rows) == frame.height
            assert len(rows[0]) == frame.width


def test_dcat_is_a_graph_with_digests(tmp_path: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    for name, release in made().items():
        folder = tmp_path / name
        release.write(folder, format="csv")
        graph = rdflib.Graph().parse(data=(folder / "dcat.jsonld").read_text(), format="json-ld", publicID="file:///x/")
        dcat, spdx = rdflib.Namespace("http://www.w3.org/ns/dcat#"), rdflib.Namespace("http://spdx.org/rdf/terms#")
        parts = list(graph.subjects(rdflib.RDF.type, dcat.Distribution))
        assert len(parts) == len(release.frames())
        for part in parts:
            path = folder / str(graph.value(part, dcat.downloadURL)).rsplit("/", 1)[-1]
            digest = graph.value(graph.value(part, spdx.checksum), spdx.checksumValue)
            assert str(digest).lower() == hashlib.sha256(path.read_bytes()).hexdigest()
            assert int(graph.value(part, dcat.byteSize)) == path.stat().st_size


def test_digests_cover_the_metadata(tmp_path: Path) -> None:
    made()["generalized"].write(tmp_path / "out")
    assert {"croissant.json", "dcat.jsonld", "datapackage.json"} <= json.loads(
        (tmp_path / "out" / "release.json").read_text()
    )["documents"].keys()
    (tmp_path / "out" / "croissant.json").write_text("{}")
    with pytest.raises(tc.SourceError, match=r"croissant\.json is not as it was published"):
        tc.Release.read(tmp_path / "out")


def test_metadata_say_nothing_that_is_not_public(tmp_path: Path) -> None:
    """A value that every row with it lost, and a column without a role, are in no public file."""
    frame = {
        "name": [f"person{i}" for i in range(40)],
        "age": [30 + i % 4 for i in range(40)],
        "ill": ["flu", "cold"] * 19 + ["zebrafever", "gnuplague"],
        "note": ["okapitext"] * 40,
    }
    table = tc.Table(frame, identifiers="name", quasi_identifiers="age", sensitive="ill")
    release = tc.Anatomy(l=2).protect(table)
    published = "".join(frame.write_csv() for frame in release.frames().values())
    release.write(tmp_path / "out", format="csv")
    for name in ("croissant.json", "dcat.jsonld", "datapackage.json"):
        text = (tmp_path / "out" / name).read_text()
        assert "okapitext" not in text
        assert "person1" not in text
        assert "note" not in text
        assert "zebrafever" not in text, "values of cells are in the frames, not in descriptions"
        assert str(tmp_path) not in text
    assert "zebrafever" in published


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=30), min_size=2, max_size=2, unique=True
    )
)
def test_any_name_of_a_column_is_described(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    known, secret = names
    try:
        table = tc.Table({known: [1, 1, 2, 2], secret: list("abab")}, quasi_identifiers=known, sensitive=secret)
        release = tc.Anatomy(l=2).protect(table)
        folder = tmp_path_factory.mktemp("named") / "out"
        release.write(folder, format="parquet")
    except tc.TacitError:
        return  # what cannot be published is said elsewhere
    about = json.loads((folder / "croissant.json").read_text())
    named = [field["name"] for records in about["recordSet"] for field in records["field"]]
    assert known in named
    croissant_of(folder)
