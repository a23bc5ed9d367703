"""datapackage.json describes the files that are there, in terms of the public frames alone."""

from __future__ import annotations

import csv
import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.releases.releases_made import FORMATS

import tacit as tc
from tacit.datasets import hospital

READ = {"integer": int, "number": float, "date": date.fromisoformat, "string": str}


def packaged(release: tc.Release, folder: Path, kind: str) -> dict[str, Any]:
    release.write(folder, format=kind)
    return json.loads((folder / "datapackage.json").read_text())


def made() -> dict[str, tc.Release]:
    table = hospital(600)
    return {
        "generalized": tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table),
        "bucketized": tc.Pipeline([tc.ShiftSuppression(l=2), tc.Anatomy(l=2)]).protect(table),
        "microdata": tc.ValueSuppression(delta=0.05).protect(table),
    }


@pytest.mark.parametrize("kind", FORMATS)
def test_every_file_is_described_as_it_is(tmp_path: Path, kind: str) -> None:
    for name, release in made().items():
        about = packaged(release, tmp_path / name, kind)
        assert {entry["title"] for entry in about["resources"]} == set(release.frames())
        for entry in about["resources"]:
            content = (tmp_path / name / entry["path"]).read_bytes()
            assert entry["bytes"] == len(content)
            assert entry["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
            assert [field["name"] for field in entry["schema"]["fields"]] == release.frames()[entry["title"]].columns


def test_the_cells_of_a_csv_are_what_the_schema_says(tmp_path: Path) -> None:
    for name, release in made().items():
        for entry in packaged(release, tmp_path / name, "csv")["resources"]:
            fields = {field["name"]: field for field in entry["schema"]["fields"]}
            with (tmp_path / name / entry["path"]).open(encoding=entry["encoding"], newline="") as file:
                for row in csv.DictReader(file, delimiter=entry["dialect"]["delimiter"]):
                    for column, cell in row.items():
                        field = fields[column]
                        if cell not in field.get("missingValues", [""]):
                            READ[field["type"]](cell)


def test_suppressed_cells_of_a_csv_are_missing_values(tmp_path: Path) -> None:
    about = packaged(made()["microdata"], tmp_path / "out", "csv")
    marked = [field["name"] for field in about["resources"][0]["schema"]["fields"] if "missingValues" in field]
    assert marked
    assert all(
        "suppressed" in f["description"] for f in about["resources"][0]["schema"]["fields"] if f["name"] in marked
    )


def test_a_document_cannot_take_its_place(tmp_path: Path) -> None:
    with pytest.raises(tc.ParameterError, match=r"datapackage\.json"):
        made()["generalized"].write(tmp_path / "out", documents={"datapackage.json": b"{}"})
