"""Reading a release back, as it was published."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit import guarantees
from tacit.errors import SourceError
from tacit.hierarchies import make
from tacit.releases.formats import read_frame
from tacit.releases.manifest import FILE, VERSION, digest
from tacit.releases.staging import recover
from tacit.releases.writing import INSIDE
from tacit.shapes import Bucketized, Claim, Generalized, Inside, Marginals, Microdata, PublishedColumn, Shape, Withheld
from tacit.table import Kind, Role

_FLAT: dict[str, type[Microdata] | type[Generalized]] = {"microdata": Microdata, "generalized": Generalized}


def read_release(folder: Path, private: Path | None, hierarchies: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a release; see `Release.read`."""
    hidden = folder.with_name(folder.name + ".private") if private is None else private
    recover(folder)
    about = _manifest(folder)
    shape = _shape(folder, about, hierarchies)
    claims = tuple(
        Claim(
            guarantees.recall({k: v for k, v in entry.items() if k not in {"of", "step"}}), entry["step"], entry["of"]
        )
        for entry in about["guarantees"]
    )
    inside = _inside(hidden / INSIDE) if (hidden / INSIDE).is_file() else None
    return {
        "shape": shape,
        "claims": claims,
        "method": about["method"],
        "inside": inside,
        "size": about["counts"]["rows"],
        "warnings": tuple(w["sentence"] for w in about["audit"]["warnings"] if w["adversary"] == "method"),
        "reproducible": about["reproducible"],
    }


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        about = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError(f"{folder} does not hold a release: there is no {FILE}.") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{folder / FILE} cannot be read: {error}.") from None
    if not isinstance(about, dict) or about.get("format") != VERSION:
        raise SourceError(f"{folder / FILE} has a format that this version does not know.", hint="Update tacit.")
    for entry in about["files"].values():
        path = folder / entry["path"]
        if path.parent != folder or not path.is_file():
            raise SourceError(f"{folder} is incomplete: there is no {entry['path']}.")
        if digest(path) != entry["sha256"]:
            raise SourceError(f"{path} is not as it was published: its digest differs from the one in {FILE}.")
    return about


def _shape(folder: Path, about: dict[str, Any], hierarchies: Mapping[str, Any]) -> Shape:
    parts = about["columns"]
    described = parts if isinstance(parts, dict) else {"": parts}
    columns = {name: tuple(_column(entry, hierarchies) for entry in entries) for name, entries in described.items()}

    def frame(name: str, known: tuple[PublishedColumn, ...]) -> pl.DataFrame:
        entry = about["files"][name]
        return read_frame(folder / entry["path"], entry["format"], {c.name: c for c in known}, entry["columns"])

    if about["shape"] == Marginals.name:
        return Marginals({name: Generalized(frame(name, known), known) for name, known in columns.items()})
    known = columns[""]
    if about["shape"] == Bucketized.name:
        sensitive = [column for column in known if column.role is Role.SENSITIVE]
        tables = {c.name: frame("sensitive" if len(sensitive) == 1 else f"sensitive_{c.name}", ()) for c in sensitive}
        return Bucketized(frame("quasi_identifiers", known), tables, known)
    return _FLAT[about["shape"]](frame("table", known), known)


def _column(entry: dict[str, Any], hierarchies: Mapping[str, Any]) -> PublishedColumn:
    spec = hierarchies.get(entry["name"], entry.get("hierarchy"))
    return PublishedColumn(
        entry["name"],
        Role(entry["role"]),
        Kind(entry["kind"]),
        None if spec is None else make(spec),
        entry["blurred"],
        entry["suppressed"],
    )


def _inside(path: Path) -> Inside:
    frame = pl.read_parquet(path)
    groups = {
        name.removeprefix("group:"): frame[name].to_numpy() for name in frame.columns if name.startswith("group:")
    }
    cells = [name for name in frame.columns if name.startswith("cell:")]
    withheld = []
    for name in frame.columns:
        if name.startswith("withheld:"):
            _, step, judged = name.split(":")
            withheld.append(Withheld(int(step), frame[name].to_numpy(), "group" if judged == "group" else "apart"))
    return Inside(
        kept=frame["kept"].to_numpy(),
        group=groups or (frame["group"].to_numpy() if "group" in frame.columns else None),
        cells=np.stack([frame[name].to_numpy() for name in cells], axis=1)
        if cells
        else np.zeros((frame.height, 0), bool),
        columns=tuple(name.removeprefix("cell:") for name in cells),
        withheld=tuple(withheld),
    )
