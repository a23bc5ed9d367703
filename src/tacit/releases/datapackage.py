"""`datapackage.json`: the published files as tools that read Data Packages (datapackage.org, version 2) expect them.

It says nothing that the frames and `release.json` do not say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from tacit.releases.delimited import type_name
from tacit.releases.formats import Format
from tacit.releases.manifest import WrittenFile, as_json
from tacit.releases.public_words import notes
from tacit.shapes import ANYTHING, Published, PublishedColumn

PACKAGE_FILE = "datapackage.json"
_PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
MEDIA: dict[str, str] = {
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


def datapackage(release: Published, kind: Format, files: Mapping[str, WrittenFile]) -> bytes:
    """Describe the published files, which are written."""
    about = {
        "$schema": _PROFILE,
        "description": "What is published about these people, what is promised and what was checked: see release.json.",
        "resources": [_resource(release, name, kind, files[name]) for name in release.frames()],
    }
    return as_json(about)


def _resource(release: Published, name: str, kind: Format, file: WrittenFile) -> dict[str, object]:
    frame, known = release.frames()[name], release.shape.frame_columns(name)
    grouped = release.shape.grouped
    description: dict[str, object] = {
        "name": file.path.stem.lower(),
        "title": name,
        "path": file.name,
        "format": kind,
        "mediatype": MEDIA[kind],
        "bytes": file.size,
        "hash": f"sha256:{file.sha256}",
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
    if column.suppressed and kind == "csv":
        description["missingValues"] = ["", ANYTHING]
    return description | {"description": notes(column, grouped=grouped)}


def _type(name: str) -> dict[str, str]:
    return next(
        (dict(description) for pattern, description in _TYPES.items() if re.fullmatch(pattern, name)),
        {"type": "string"},
    )
