"""`croissant.json`: the published files as tools of machine learning expect them (Croissant 1.1, with its RAI fields).

It says nothing that the frames and `release.json` do not say. The responsible-AI fields hold what is personal, what
cannot be read from the release and how it may differ from the table. Nodes are numbered, so that no name of a column
has to be an identifier.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tacit.audits import Audit
from tacit.measures.small_counts import SmallCounts
from tacit.releases.delimited import type_name
from tacit.releases.formats import Format
from tacit.releases.manifest import WrittenFile, as_json
from tacit.releases.public_words import PublicWords, notes
from tacit.shapes import Published, PublishedColumn

CROISSANT_FILE = "croissant.json"
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "key": "cr:key",
    "md5": "cr:md5",
    **{
        term: f"cr:{term}"
        for term in (
            "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileProperty",
            "fileObject", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "parentField",
            "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator", "source",
            "subField", "transform",
        )
    },
}  # fmt: skip
_MEDIA = {
    "csv": "text/csv",
    "parquet": "application/x-parquet",
    "arrow": "application/vnd.apache.arrow.file",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "stata": "application/x-stata-dta",
    "spss": "application/x-spss-sav",
}
_TYPES = {
    r"U?Int\d+": "sc:Integer",
    r"Float\d+": "sc:Float",
    r"Boolean": "sc:Boolean",
    r"Date": "sc:Date",
    r"Datetime.*": "sc:DateTime",
}


def croissant(
    release: Published,
    audit: Audit,
    kind: Format,
    files: Mapping[str, WrittenFile | Sequence[WrittenFile]],
    hide: SmallCounts | None = None,
    words: PublicWords | None = None,
) -> bytes:
    """Describe the published files, which are written; a frame may be in several.

    `words` are said where the release is a sample of a larger one.
    """
    words = PublicWords.of(release, audit, hide) if words is None else words
    numbered = list(enumerate(release.frames().items()))
    about = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": words.title,
        "description": words.description,
        "rai:personalSensitiveInformation": list(words.sensitive),
        "rai:dataLimitations": list(words.limitations),
        "rai:dataBiases": list(words.biases),
        "rai:dataPreprocessingProtocol": [words.processing],
        "distribution": [file for number, (name, _) in numbered for file in _files(number, files[name], kind)],
        "recordSet": [
            _records(release, number, name, frame, kind, "fileSet" if _several(files[name]) else "fileObject")
            for number, (name, frame) in numbered
        ],
    }
    return as_json(about)


def _several(files: WrittenFile | Sequence[WrittenFile]) -> bool:
    return not isinstance(files, WrittenFile) and len(files) > 1


def _files(number: int, files: WrittenFile | Sequence[WrittenFile], kind: Format) -> list[dict[str, object]]:
    """Describe the file of a frame, or its parts and the set that they are."""
    if isinstance(files, WrittenFile):
        return [_file(f"file-{number}", files, kind)]
    if len(files) == 1:
        return [_file(f"file-{number}", files[0], kind)]
    parts = [_file(f"file-{number}-{part}", file, kind) for part, file in enumerate(files)]
    stem, _, ending = files[0].name.rpartition(".")
    together: dict[str, object] = {
        "@type": "cr:FileSet",
        "@id": f"file-{number}",
        "name": stem.rpartition("-")[0],
        "containedIn": [{"@id": part["@id"]} for part in parts],
        "encodingFormat": _MEDIA[kind],
        "includes": f"{stem.rpartition('-')[0]}-*.{ending}",
    }
    return [*parts, together]


def _file(identity: str, file: WrittenFile, kind: Format) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": identity,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.size} B",
        "encodingFormat": _MEDIA[kind],
        "sha256": file.sha256,
    }


def _records(
    release: Published, number: int, name: str, frame: pl.DataFrame, kind: Format, source: str
) -> dict[str, object]:
    known, grouped = release.shape.frame_columns(name), release.shape.grouped
    return {
        "@type": "cr:RecordSet",
        "@id": f"records-{number}",
        "name": name,
        "description": f"The rows of {name}.",
        "field": [
            _field(
                f"records-{number}/field-{at}",
                {source: {"@id": f"file-{number}"}},
                frame[column],
                kind,
                known.get(column),
                grouped,
            )
            for at, column in enumerate(frame.columns)
        ],
    }


def _field(
    identity: str,
    source: Mapping[str, object],
    values: pl.Series,
    kind: Format,
    column: PublishedColumn | None,
    grouped: bool,
) -> dict[str, object]:
    written = type_name(values.dtype)
    marked = column is not None and column.suppressed
    # In a csv, the mark of a suppressed cell and the items of a set are text.
    text = kind == "csv" and (marked or written.startswith("List"))
    described = notes(column, grouped=grouped)
    field: dict[str, object] = {
        "@type": "cr:Field",
        "@id": identity,
        "name": values.name,
        **({"description": described} if described else {}),
        "dataType": "sc:Text" if text else _type(written),
        "source": {**source, "extract": {"column": values.name}},
    }
    return field | ({"isArray": True, "arrayShape": "-1"} if written.startswith("List") and not text else {})


def _type(written: str) -> str:
    return next((name for pattern, name in _TYPES.items() if re.fullmatch(pattern, written)), "sc:Text")
