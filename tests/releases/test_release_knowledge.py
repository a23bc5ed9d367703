"""What rests on knowledge that is not published does not show in public files, whatever that knowledge is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tacit as tc
from tacit.releases.release import Release
from tacit.shapes import Claim

ITEMS = [["cough", "fever"], ["cough"], ["rash"], ["fever"], ["tired"], ["itch", "rash"]]
LABELS = {
    "flu": ["cough", "fever"],
    "measles": ["rash"],
    "mumps": ["fever"],
    "cold": ["cough", "tired"],
    "scabies": ["itch", "rash"],
}


def public_bytes(release: Release, folder: Path) -> dict[str, Any]:
    from tacit.report.documents import public_documents

    release.write(folder, format="csv", documents=lambda audit: public_documents(release, audit))
    about = json.loads((folder / "release.json").read_bytes())
    texts = {path.name: path.read_text() for path in folder.iterdir() if path.name != "release.json"}
    return {"about": about, **texts}


@pytest.mark.parametrize("bound", [{"l": 2, "c": 1}, {"l": 2, "c": 5}])
def test_public_files_are_the_same_whatever_the_label_table_says(tmp_path: Path, bound: dict[str, int]) -> None:
    """Two label tables under which a release holds: a reader of the public folder cannot tell which one it was."""
    table = tc.Table(
        {"age": [30 + i % 5 for i in range(60)], "symptoms": [ITEMS[i % 6] for i in range(60)]},
        quasi_identifiers="age",
        items="symptoms",
    )
    guarantee = tc.QSDiversity(**bound, knowledge=LABELS)
    release = tc.QuasiSensitive(guarantee=guarantee, k=2, time_bound=1).protect(table)
    others = [
        LABELS | {"gout": ["tired", "toe"], "pox": ["rash", "fever"]},
        {name.upper(): items for name, items in LABELS.items()} | {"asthma": ["cough"]},
    ]
    seen = [public_bytes(release, tmp_path / "first")]
    for at, labels in enumerate(others):
        claims = tuple(
            Claim(tc.QSDiversity(**bound, knowledge=labels), claim.step, claim.of)
            if claim.guarantee == guarantee
            else claim
            for claim in release.claims
        )
        seen.append(public_bytes(replace(release, claims=claims), tmp_path / str(at)))
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]
    finding = next(f for f in seen[0]["about"]["audit"]["findings"] if f["guarantee"] == "qs-diversity")
    assert finding["posterior"] is None
    assert finding["where"] is None
    assert not any(character.isdigit() for character in finding["sentence"])
