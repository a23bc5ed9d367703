"""`datapackage.json`: the published files as tools that read Data Packages (datapackage.org, version 2) expect them.

It says nothing that the frames and `release.json` do not say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from tacit.releases.delimited import type_name
from tacit.releases.formats import Format
from tacit.releases.manifest import as_json, digest
from tacit.shapes import ANYTHING, Published, PublishedColumn

PACKAGE_FILE = "datapackage.json"
_PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_MEDIA = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.file",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "stata": "application/x-stata-dta",
    "spss": "application/x-spss-sav",
}
_TYPES = {
    r"U?Int\d+": {"type": "integer"},
    r"Float\d+": {"type": "number"},
    r"Boolean": {"type": "boolean"},
    r"Date": {"type": "date"},
    r"Datetime.*": {"type": "datetime", "format": "any"},
    r"List.*": {"type": "array"},
}


def datapackage(release: Published, kind: Format, files: Mapping[str, Path]) -> bytes:
    """Describe the published files, which are written."""
    about = {
        "$schema": _PROFILE,
        "description": "What is published about these people, what is promised and what was checked: see release.json.",
        "resources": [_resource(release, name, kind, files[name]) for name in release.frames()],
    }
    return as_json(about)


def _resource(release: Published, name: str, kind: Format, path: Path) -> dict[str, object]:
    frame, known = release.frames()[name], release.shape.frame_columns(name)
    grouped = release.shape.grouped
    description: dict[str, object] = {
        "name": path.stem.lower(),
        "title": name,
        "path": path.name,
        "format": kind,
        "mediatype": _MEDIA[kind],
        "bytes": path.stat().st_size,
        "hash": f"sha256:{digest(path)}",
        "schema": {"fields": [_field(frame[column], kind, known.get(column), grouped) for column in frame.columns]},
    }
    if kind == "csv":
        description |= {"type": "table", "encoding": "utf-8", "dialect": {"delimiter": ",", "header": True}}
    return description


def _field(values: pl.Series, kind: Format, column: PublishedColumn | None, grouped: bool) -> dict[str, object]:
    description: dict[str, object] = {"name": values.name, **_type(type_name(values.dtype))}
    if kind == "csv" and description["type"] == "array":
        description |= {"type": "list", "delimiter": ";", "itemType": "string"}
    if column is None:
        return description
    if column.label is not None:
        description["title"] = column.label
    notes = [column.role.value]
    if column.blurred and grouped:
        notes.append("a cell may be an interval [a, b], a set {a, b}, a node of a hierarchy or *")
    if column.suppressed:
        notes.append("some cells are suppressed")
        if kind == "csv":
            description["missingValues"] = ["", ANYTHING]
    return description | {"description": "; ".join(notes)}


def _type(name: str) -> dict[str, str]:
    return next(
        (dict(description) for pattern, description in _TYPES.items() if re.fullmatch(pattern, name)),
        {"type": "string"},
    )
