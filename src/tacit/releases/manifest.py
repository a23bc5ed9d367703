"""`release.json`: what the public may know of a release besides its frames.

It holds the method, public parameters, claims, verdicts, counts that may be public, and the digests of the published
files. Of the rows that were withheld it tells how many there are, and nothing else depends on them. `private.json` in
the private folder says which release it is of.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tacit import strict_json
from tacit.audits import Audit
from tacit.measures.small_counts import SmallCounts
from tacit.regular_files import regular_bytes
from tacit.releases.delimited import type_name
from tacit.releases.formats import Format
from tacit.releases.iso_20889 import terms
from tacit.shapes import Published, Shape

FILE = "release.json"
PRIVATE_FILE = "private.json"
VERSION = 1


@dataclass(frozen=True)
class WrittenFile:
    """A public file that is written; its digest is computed once, however many manifests name it."""

    path: Path

    @property
    def name(self) -> str:
        """Its name in the folder."""
        return self.path.name

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.path.stat().st_size

    @cached_property
    def sha256(self) -> str:
        """Its digest."""
        return digest(self.path)


def manifest(
    release: Published,
    audit: Audit,
    kind: Format,
    files: Mapping[str, WrittenFile],
    documents: Mapping[str, bytes],
    version: str,
    hide: SmallCounts | None = None,
) -> dict[str, object]:
    """Describe a release whose files are written; `hide` decides which counts are shown, where small ones are not."""
    frames = release.frames()
    return {
        "format": VERSION,
        "tacit": version,
        "method": release.method,
        "guarantees": [{**claim.guarantee.describe(), "of": claim.of, "step": claim.step} for claim in release.claims],
        "audit": audit.public(hide).as_dict(),
        "shape": release.shape.name,
        "columns": columns(release.shape),
        "counts": counts(release) if hide is None else shown_counts(release, hide),
        "iso_20889": terms(release),
        "files": {
            name: {
                "path": files[name].name,
                "format": kind,
                "rows": frame.height,
                "columns": [[column, type_name(frame[column].dtype)] for column in frame.columns],
                "sha256": files[name].sha256,
            }
            for name, frame in frames.items()
        },
        "documents": {name: hashlib.sha256(content).hexdigest() for name, content in documents.items()},
        "reproducible": release.reproducible,
        **({} if release.persons is None else {"persons": release.persons}),
    }


def private_manifest(release: Published, public: bytes, files: Mapping[str, Path], version: str) -> dict[str, object]:
    """Describe a private folder: of which `release.json` it is, and what is in it.

    It also holds the remarks of the steps to the data owner, and the parameters of claims that are not published.
    """
    return {
        "format": VERSION,
        "tacit": version,
        "release": hashlib.sha256(public).hexdigest(),
        "files": {name: digest(path) for name, path in files.items()},
        "remarks": [] if release.inside is None else [remark.plain() for remark in release.inside.remarks],
        "guarantees": [claim.guarantee.private() for claim in release.claims],
    }


def as_json(about: Mapping[str, object]) -> bytes:
    """Write a manifest."""
    return (strict_json.dumps(about) + "\n").encode()


def files_of(path: Path) -> set[str] | None:
    """Return the names of all files that a manifest of this tool speaks of, itself included; None if it is none."""
    try:
        about = json.loads(regular_bytes(path))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(about, dict) or not {"format", "tacit", "files"} <= about.keys():
        return None
    files, documents = about["files"], about.get("documents", {})
    if not isinstance(files, dict) or not isinstance(documents, dict):
        return None
    paths = [entry.get("path") if isinstance(entry, dict) else name for name, entry in files.items()]
    for entry in files.values():
        parts = entry.get("parts", []) if isinstance(entry, dict) else []
        paths += [part.get("path") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return {path.name, *map(str, paths), *documents}


def counts(release: Published) -> dict[str, object]:
    """Return the figures that may be public: |T|, rows published and withheld, suppressed cells per column."""
    published = release.shape.rows
    marked = [column.name for column in release.shape.columns if column.suppressed]
    frames = release.frames().values()
    return {
        "rows": release.size,
        "published": published,
        "withheld": None if release.size is None else release.size - published,
        **({"counterfeits": release.shape.counterfeits} if release.shape.counterfeits else {}),
        "suppressed_cells": {name: sum(f[name].null_count() for f in frames if name in f.columns) for name in marked},
    }


def shown_counts(release: Published, hide: SmallCounts) -> dict[str, object]:
    """Return the figures that may be public where small counts may not be: what is left out would give them back."""
    every = counts(release)
    size = release.size
    known = size is not None and hide.all_shown([size])
    suppressed = every["suppressed_cells"]
    assert isinstance(suppressed, dict)  # noqa: S101 - made above
    return {
        **every,
        "rows": size if known else None,
        "withheld": every["withheld"] if known else None,
        "suppressed_cells": {name: cells for name, cells in suppressed.items() if hide.all_shown([cells])},
    }


def columns(shape: Shape) -> object:
    """Describe the published columns, per marginal where there are several."""
    described = {name: [column.describe() for column in part.columns] for name, part in shape.parts.items()}
    return described if shape.several else described[""]


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
