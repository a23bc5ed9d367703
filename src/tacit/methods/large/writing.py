"""Writing a large release: parts are staged, judged as they were written, and moved; whole, or not at all."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacit import __version__
from tacit.audits import Audit
from tacit.engines.base import ColumnRoute
from tacit.errors import ParameterError, SourceError
from tacit.methods.large.frames import PartRoute, WriteFrame, WriteInside
from tacit.methods.large.release import LargeRelease
from tacit.methods.large.verdict import Verdict, judge
from tacit.methods.large.work import INSIDE, ORIGIN, SENT, Only
from tacit.progress import Progress, silent
from tacit.releases import Written, require_free
from tacit.releases.croissant import CROISSANT_FILE, croissant
from tacit.releases.datapackage import PACKAGE_FILE
from tacit.releases.dcat import DCAT_FILE, dcat
from tacit.releases.formats import ENDINGS, Format, check_format
from tacit.releases.manifest import FILE, PRIVATE_FILE, VERSION, WrittenFile, as_json, digest
from tacit.releases.places import new_places
from tacit.releases.public_words import PublicWords, biases
from tacit.releases.staging import Staging, recover
from tacit.releases.writing import file_names

Documents = Callable[[Verdict], Mapping[str, bytes]]
_FORMATS = ("parquet", "arrow", "csv")
"""Formats in which a frame can be in several files."""


def write_large(
    release: LargeRelease,
    folder: Path,
    *,
    format: str = "parquet",  # noqa: A002 - the contract's word
    private: Path | None = None,
    overwrite: bool = False,
    documents: Documents | None = None,
    private_documents: Documents | None = None,
    progress: Progress = silent,
) -> tuple[Written, Verdict]:
    """Write a release as parts, judge what was written, and move it to its place.

    Parameters
    ----------
    release
        What a method made of a large table.
    folder, private, overwrite, format
        As for `Release.write`; "parquet", "arrow" and "csv" can be parts.
    documents, private_documents
        Functions of the verdict that make further files by name, such as reports.
    progress
        Told the stage and the share done.

    Raises
    ------
    AuditFailed
        If a claim does not hold or cannot be checked; then nothing is published.
    """
    kind = check_format(format)
    if kind not in _FORMATS:
        raise ParameterError(
            f"A large release is not written as {format!r}.", hint=f"Formats of parts: {', '.join(_FORMATS)}."
        )
    public, hidden = new_places(folder, private)
    require_free(folder, private, overwrite=overwrite)
    if release.reproducible:
        warnings.warn(
            "This release was made with a seed: whoever has the seed can undo its random choices. For tests only.",
            stacklevel=2,
        )
    engine, names = release.large.engine, release.names
    stems = tuple(name.removesuffix(f".{ENDINGS[kind]}") for name in file_names(names, kind).values())
    with Staging() as staging:
        try:
            recover(public, hidden)
            secret = staging.folder(hidden, mode=0o700)
            shown = staging.folder(public, mode=0o777)
            progress("writing parts", 0.0)
            sink = WriteFrame(release.maker, names, stems, str(shown), kind, release.parts, str(secret))
            frames = engine.map(release.sent, Only(frozenset(names)), SENT)
            written = engine.write(frames, PartRoute(names, release.parts), sink)
            insides = engine.map(release.sent, Only(frozenset([INSIDE])), SENT)
            inside = engine.write(
                insides, ColumnRoute(ORIGIN, len(release.about)), WriteInside(release.maker, str(secret))
            )
            progress("counting what was written", 0.5)
            verdict = judge(release, written, shown, inside, secret, kind)
            verdict.audit.require()
            beside = dict(documents(verdict)) if documents is not None else {}
            beside[PACKAGE_FILE] = _package(written, kind)
            beside |= _metadata(release, verdict, written, shown, kind)
            for name, content in beside.items():
                (shown / name).write_bytes(content)
            about = as_json(_manifest(release, verdict.audit, written, kind, beside))
            (shown / FILE).write_bytes(about)
            within = dict(private_documents(verdict)) if private_documents is not None else {}
            _write_private(secret, release, about, inside, within)
            staging.commit(lambda: require_free(folder, private, overwrite=overwrite))
        except OSError as error:
            raise SourceError(
                f"Could not write {public}: {error.strerror or error}.",
                hint="The next one to open it finishes the move." if staging.bound else "Nothing was published.",
            ) from error
    files = tuple(sorted({*written.column("path").to_pylist(), FILE, *beside}))
    return Written(public, hidden, files, verdict.audit), verdict


def _manifest(
    release: LargeRelease, audit: Audit, written: pa.Table, kind: str, beside: Mapping[str, bytes]
) -> dict[str, object]:
    """Describe a release whose files are written, and say which engine made it."""
    import hashlib

    shape, parts = release.shape
    described = {name: [column.describe() for column in columns] for name, columns in parts.items()}
    files: dict[str, Any] = {}
    for file in sorted(written.to_pylist(), key=lambda each: (each["frame"], each["part"])):
        entry = {"path": file["path"], "rows": file["rows"], "sha256": file["sha256"]}
        mine = files.setdefault(file["frame"], {"format": kind, "columns": json.loads(file["columns"]), "parts": []})
        mine["parts"].append(entry)
    for entry in files.values():
        first = entry["parts"][0]
        entry |= {"path": first["path"], "sha256": first["sha256"], "rows": sum(p["rows"] for p in entry["parts"])}
        if len(entry["parts"]) == 1:
            del entry["parts"]
    return {
        "format": VERSION,
        "tacit": __version__,
        "engine": release.large.engine.name,
        "method": release.method,
        "guarantees": [{**claim.guarantee.describe(), "of": claim.of, "step": claim.step} for claim in release.claims],
        "audit": audit.public().as_dict(),
        "shape": shape,
        "columns": described if shape == "marginals" else described[""],
        "counts": {
            "rows": release.size,
            "published": release.rows,
            "withheld": release.size - release.rows,
            "suppressed_cells": {},
        },
        "files": files,
        "documents": {name: hashlib.sha256(content).hexdigest() for name, content in beside.items()},
        "reproducible": release.reproducible,
        **({} if release.large.persons is None else {"persons": release.large.persons}),
    }


def _metadata(
    release: LargeRelease, verdict: Verdict, written: pa.Table, folder: Path, kind: Format
) -> dict[str, bytes]:
    """Describe the files for catalogues and tools of machine learning: columns by the sample, counts by all rows."""
    sample = verdict.sample
    if sample is None:
        return {}
    files: dict[str, list[WrittenFile]] = {}
    for file in sorted(written.to_pylist(), key=lambda each: (each["frame"], each["part"])):
        files.setdefault(file["frame"], []).append(WrittenFile(folder / file["path"]))
    words = replace(PublicWords.of(sample, verdict.audit), biases=tuple(biases(release.rows, release.size)))
    return {
        CROISSANT_FILE: croissant(sample, verdict.audit, kind, files, words=words),
        DCAT_FILE: dcat(sample, verdict.audit, kind, files, words=words),
    }


def _package(written: pa.Table, kind: str) -> bytes:
    """Describe the files for tools that read Data Packages: a resource per frame, with the paths of its parts."""
    resources: dict[str, Any] = {}
    for file in sorted(written.to_pylist(), key=lambda each: (each["frame"], each["part"])):
        stem = Path(file["path"]).stem.rsplit("-", 1)[0] if written.num_rows > 1 else Path(file["path"]).stem
        mine = resources.setdefault(
            file["frame"],
            {"name": stem.lower(), "title": file["frame"], "path": [], "format": kind, "schema": {"fields": []}},
        )
        mine["path"].append(file["path"])
        mine["schema"] = {"fields": [{"name": name} for name, _ in json.loads(file["columns"])]}
    for resource in resources.values():
        resource["path"] = resource["path"][0] if len(resource["path"]) == 1 else resource["path"]
    return as_json(
        {
            "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
            "description": "What is published about these people, what is promised and what was checked: see "
            "release.json.",
            "resources": list(resources.values()),
        }
    )


def _write_private(
    folder: Path, release: LargeRelease, public: bytes, inside: pa.Table, documents: Mapping[str, bytes]
) -> None:
    """Write the reports for the data owner and `private.json`, which says of which release the private part is."""
    import hashlib

    for name, content in documents.items():
        _private_file(folder / name, content)
    files = {file["path"]: file["sha256"] for file in inside.to_pylist()}
    files |= {path.name: digest(path) for path in sorted(folder.glob("people-*.parquet"))}
    files |= {name: digest(folder / name) for name in documents}
    about = {
        "format": VERSION,
        "tacit": __version__,
        "release": hashlib.sha256(public).hexdigest(),
        "files": files,
        "remarks": list(release.remarks),
        "guarantees": [claim.guarantee.private() for claim in release.claims],
    }
    _private_file(folder / PRIVATE_FILE, as_json(about))


def _private_file(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
